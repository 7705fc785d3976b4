"""The runs of a session on one chart, in one table, and as files."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import streamlit as st

from s2s_core.figures.curves import Frame, curves_alt, curves_figure
from s2s_core.figures.lines import Line
from s2s_core.training.live.result import LiveReport
from s2s_core.ui import charts, literal, saving, shell, state
from s2s_core.ui.training.live import kept_runs
from s2s_core.ui.training.live.kept_runs import KeptRun
from s2s_core.ui.training.live.link import AXIS, CURVE, METRICS, STEP_AXIS, TIME_AXIS

_VALUES: dict[str, Callable[[LiveReport], float]] = {
    "exact match": lambda report: report.measured.exact_match,
    "free-running accuracy": lambda report: report.measured.free_accuracy,
    "teacher-forced accuracy": lambda report: report.measured.forced_accuracy,
    "loss": lambda report: report.measured.loss,
}
_COLUMNS = (
    *("run", "settings", "steps", "seconds", "loss"),
    *("right tokens, true prefix, %", "right tokens, own prefix, %", "right strings, %"),
)


def run_lines(runs: Sequence[KeptRun], metric: str, axis: str) -> tuple[Line, ...]:
    """One line for each run that has begun."""
    return tuple(
        Line(
            kept.title,
            tuple(report.step if axis == STEP_AXIS else report.seconds for report in kept.reports),
            tuple(map(_VALUES[metric], kept.reports)),
        )
        for kept in runs
        if kept.reports
    )


def draw(runs: Sequence[KeptRun]) -> None:
    """Draw what the session's runs have reached, once there is one that is over."""
    over = [kept for kept in runs if kept.reports and not kept.active]
    if not over:
        return
    st.markdown(f"**The runs of this visit** (the last {kept_runs.KEPT} are kept)")
    picture, choice = st.columns([3, 1], gap="medium")
    with choice:
        if len(runs) > 1:
            titles = {kept.number: kept.title for kept in reversed(runs)}
            st.selectbox(
                "Look at run",
                titles,
                key=kept_runs.SHOWN,
                format_func=lambda number: titles.get(number, ""),
            )
        st.selectbox("Compare by", METRICS, key=CURVE.name)
        st.segmented_control("against", (STEP_AXIS, TIME_AXIS), key=AXIS.name, required=True)
    metric, axis = state.get(CURVE), state.get(AXIS)
    lines = run_lines(over, metric, axis)
    frame = Frame(
        axis,
        "nats a token" if metric == "loss" else "%",
        max(line.xs[-1] for line in lines) or 1,
        height=None if metric == "loss" else 100,
    )
    with picture:
        charts.draw(
            curves_figure(lines, frame, theme=shell.theme()),
            key="live-runs",
            alt=curves_alt(lines, frame),
        )
    literal.table(_COLUMNS, [_row(kept) for kept in over], caption="At the end of each run")
    with choice:
        saving.table("Runs", lambda: kept_runs.frame(over))
        saving.button(
            "Runs (JSON)",
            lambda: json.dumps(kept_runs.as_data(over), indent=1),
            "runs.json",
            "application/json",
        )


def _row(kept: KeptRun) -> tuple[str | float | int, ...]:
    last = kept.reports[-1]
    found = last.measured
    return (
        kept.number,
        kept_runs.describe(kept.config),
        last.step,
        last.seconds,
        found.loss,
        found.forced_accuracy,
        found.free_accuracy,
        found.exact_match,
    )
