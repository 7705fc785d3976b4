"""The pictures of one run: loss, accuracies, and the attention of one held-out string."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from s2s_core.figures.attention import attention_alt, attention_figure
from s2s_core.figures.curves import Frame, curves_alt, curves_figure
from s2s_core.figures.grid import AttentionGrid
from s2s_core.figures.lines import Line
from s2s_core.training.live.result import Example, LiveReport
from s2s_core.ui import charts, literal, shell

_ROWS = 3  # the legend of the accuracies


def loss_lines(reports: Sequence[LiveReport]) -> tuple[Line, ...]:
    """Loss on the strings that were trained on, and on held-out ones."""
    trained = [(r.step, r.training_loss) for r in reports if r.training_loss is not None]
    return (
        Line("training strings", tuple(s for s, _ in trained), tuple(loss for _, loss in trained)),
        Line("held-out strings", _steps(reports), tuple(r.measured.loss for r in reports)),
    )


def accuracy_lines(reports: Sequence[LiveReport]) -> tuple[Line, ...]:
    """Three shares on held-out strings, in percent."""
    steps = _steps(reports)
    return (
        Line(
            "right tokens, true prefix", steps, tuple(r.measured.forced_accuracy for r in reports)
        ),
        Line("right tokens, own prefix", steps, tuple(r.measured.free_accuracy for r in reports)),
        Line("right strings", steps, tuple(r.measured.exact_match for r in reports)),
    )


def newest(reports: Sequence[LiveReport]) -> LiveReport:
    """The last report."""
    return reports[-1]


def draw(
    reports: Sequence[LiveReport],
    choose: Callable[[Sequence[LiveReport]], LiveReport],
    *,
    steps: int,
) -> None:
    """Draw the curves up to now, and the attention of one report.

    choose: says which one; it may draw a control below the map. steps: where the axes end.
    """
    loss, accuracy, attention = st.columns([1, 1, 1.15], gap="medium")
    with loss:
        _draw_curves("Loss", loss_lines(reports), Frame("step", "nats a token", steps, rows=_ROWS))
    with accuracy:
        frame = Frame("step", "%", steps, height=100, rows=_ROWS)
        _draw_curves("Right, on held-out strings", accuracy_lines(reports), frame)
    with attention:
        place = st.container()
        shown = choose(reports)
        with place:
            draw_example(shown.measured.example, step=shown.step)


def _draw_curves(title: str, lines: Sequence[Line], frame: Frame) -> None:
    st.markdown(f"**{title}**")
    charts.draw(
        curves_figure(lines, frame, theme=shell.theme()),
        key=f"live-{title.split(',')[0].lower()}",
        alt=curves_alt(lines, frame),
    )


def draw_example(example: Example, *, step: int) -> None:
    """Draw what is written for one held-out string, and where the decoder looks meanwhile."""
    right = "right" if example.written == example.target else "wrong"
    source, written = (
        " ".join(example.source[:-1]),
        " ".join(_visible(example.written)) or "nothing",
    )
    st.markdown(f"**Step {step}: {literal.code(source)} → {literal.code(written)}** ({right})")
    if example.attention is None:
        st.caption("No attention to show: a fixed vector is all that this decoder is given.")
        return
    grid = AttentionGrid.from_matrix(np.array(example.attention), example.written, example.source)
    charts.draw(
        attention_figure(grid, theme=shell.theme()), key="live-attention", alt=attention_alt(grid)
    )
    st.caption(charts.CAUTION)


def _visible(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Tokens without the end token."""
    return tuple(token for token in tokens if not token.startswith("<"))


def _steps(reports: Sequence[LiveReport]) -> tuple[float, ...]:
    return tuple(report.step for report in reports)
