"""What models cost: parameters, memory, scored pairs, and measured times against length."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from s2s_core.figures.costs import (
    DECODING_AXES,
    MEMORY_AXES,
    PAIR_AXES,
    TRAINING_AXES,
    decoding_time_lines,
    memory_lines,
    pair_lines,
    training_time_lines,
)
from s2s_core.figures.lines import Axes, Line, lines_alt, lines_figure
from s2s_core.figures.panels import Panel, panels_alt, panels_figure
from s2s_core.models.card import CheckpointCard
from s2s_core.models.cost import Spread, cost_times, parameter_bytes, scored_pairs, source_numbers
from s2s_core.models.families import Family
from s2s_core.ui import charts, literal, saving, shell
from s2s_core.ui.compare.run import ModelRun
from s2s_core.ui.places import abreast

_LABEL_WIDTH = 28  # characters of a model's title


def draw(runs: Sequence[ModelRun], family: Family) -> None:
    """Draw the table for this source, and the measured times."""
    frame = cost_frame([(run.card, _sizes(run)) for run in runs])
    literal.table(
        ("model", "parameters", "MB", "S", "T", "numbers from the source", "scored pairs"),
        [
            (run.title, *_shown(row))
            for run, row in zip(runs, frame.itertuples(index=False), strict=True)
        ],
        caption="For this source of S tokens and each model's output of T, end tokens counted",
    )
    st.caption(
        "Scored pairs: S·T in each head of cross-attention; a Transformer also scores S·S within "
        "the source and T(T+1)/2 within the target, in each layer and head. Double both lengths, "
        "and S·T is four times as large; double one, and it is twice. A fixed vector scores none "
        "and is as large for 5 tokens as for 50; attention keeps a state for every source token."
    )
    saving.table("Cost", lambda: frame)
    _draw_bars([run.title for run in runs], frame)
    if lines := pair_lines([run.card for run in runs], family=family.cards):
        _draw_lines("Scored pairs", lines, PAIR_AXES)
    draw_times()


def _draw_bars(titles: Sequence[str], frame: pd.DataFrame) -> None:
    """Draw the table's main columns as bars, a row for each model."""
    pairs = frame.filter(like="scored pairs").sum(axis=1)
    columns = {
        "parameters": frame["parameters"],
        "numbers from the source": frame["numbers from the source"],
        "scored pairs": pairs,
    }
    for place, (title, values) in zip(st.columns(3, gap="medium"), columns.items(), strict=True):
        panel = Panel(title, tuple(map(float, values)), tuple(f"{value:,}" for value in values))
        with place:  # a figure each, so that a phone has them one below the other
            charts.draw(
                panels_figure(titles, [panel], theme=shell.theme(), label_width=_LABEL_WIDTH),
                key=f"cost-{title}",
                alt=panels_alt(titles, [panel]),
            )


def _draw_lines(title: str, lines: tuple[Line, ...], axes: Axes) -> None:
    st.markdown(f"**{title}**")
    charts.draw(
        lines_figure(lines, axes, theme=shell.theme()),
        key=f"cost-{title.split()[-1]}",
        alt=f"{title}. {lines_alt(lines, axes)}",
    )


def draw_times() -> None:
    """Draw training steps, decoding and its memory against length, as the benchmark measured."""
    times = cost_times()
    kinds: tuple[tuple[str, tuple[Line, ...], Axes], ...] = (
        ("A training step", training_time_lines(times), TRAINING_AXES),
        ("Decoding one sentence", decoding_time_lines(times), DECODING_AXES),
        ("Memory while decoding", memory_lines(times), MEMORY_AXES),
    )
    st.markdown("**Time and memory, measured on networks of the English–French family**")
    for place, (title, lines, axes) in abreast(kinds):
        with place:
            _draw_lines(title, lines, axes)
    literal.show(
        f"Processor time, medians of {times.repeats} with the middle half of them as bars, on "
        f"{times.machine}. A training step reads {times.batch} sentences; source and target have "
        "the same length. Memory is what the decoder's state takes at the end, the weights apart, "
        "with all that is kept of the source so that steps are fast. A recurrent network takes its "
        "steps one after another, in training and in writing; a Transformer trains on all "
        "positions at once and writes one by one. Other machines, and many cores above all, give "
        "other times and may give another order.",
        look="small",
    )
    saving.table("Times", times_frame)


def cost_frame(models: Sequence[tuple[CheckpointCard, tuple[int, int]]]) -> pd.DataFrame:
    """One row a model, for S source and T target tokens."""
    return pd.DataFrame(
        {
            "model": card.name,
            "parameters": card.parameters,
            "megabytes": parameter_bytes(card) / 1e6,
            "source tokens": source,
            "target tokens": target,
            "numbers from the source": source_numbers(card, source),
            "scored pairs, cross": scored_pairs(card, source, target).cross,
            "scored pairs, source": scored_pairs(card, source, target).source,
            "scored pairs, target": scored_pairs(card, source, target).target,
        }
        for card, (source, target) in models
    )


def times_frame() -> pd.DataFrame:
    """One row a network and length."""
    return pd.DataFrame(
        {
            "network": each.name,
            "length": length,
            **_columns("seconds a training step", training),
            **_columns("seconds a sentence", decoding),
            "bytes of the decoder's state": memory,
        }
        for each in cost_times().networks
        for length, training, decoding, memory in zip(
            each.lengths, each.training, each.decoding, each.memory, strict=True
        )
    )


def _columns(name: str, spread: Spread) -> dict[str, float]:
    return {name: spread.median, f"{name}, low": spread.low, f"{name}, high": spread.high}


def _sizes(run: ModelRun) -> tuple[int, int]:
    if run.trace is None or run.best is None:
        return 0, 0
    return len(run.trace.source_tokens), run.best.length


def _shown(row: tuple[str | int | float, ...]) -> tuple[str | int | float, ...]:
    _, parameters, megabytes, source, target, numbers, *pairs = row
    total = sum(int(count) for count in pairs)
    return (
        f"{parameters:,}",
        float(megabytes),
        int(source),
        int(target),
        f"{numbers:,}",
        f"{total:,}",
    )
