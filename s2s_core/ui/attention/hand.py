"""The tab "By hand": numbers in, and every number between them and the context."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd
import streamlit as st

from s2s_core.figures.panels import panels_alt, panels_figure
from s2s_core.figures.plane import meeting_arrows, mixing_arrows, plane_alt, plane_figure
from s2s_core.models.hand_case import BatchAttention
from s2s_core.ui import charts, literal, shell, state
from s2s_core.ui.attention import hand_controls
from s2s_core.ui.attention.hand_run import (
    HandScreen,
    batch_frame,
    batch_rows,
    flow_panels,
    hand_frame,
    hand_screen,
    mixture_rows,
)
from s2s_core.ui.attention.hand_words import (
    FORMULAS,
    SOURCES,
    batch_finding,
    finding,
    vector,
)
from s2s_core.ui.attention.link import BATCH, FIELDS, PART_SHOWN, QUERY_SHOWN, SCORE, START
from s2s_core.ui.exercises import progress

Frames = Mapping[str, Callable[[], pd.DataFrame]]


def draw() -> Frames:
    """Draw controls and result; returns the tables to save.

    Raises:
        ExplorerError: the numbers can't be used.
    """
    st.markdown(
        "**What does attention compute?** A query meets the key of each source position: a score. "
        "The softmax makes weights of the scores. The weights mix the values: the context."
    )
    hand_controls.draw_presets()
    hand_controls.draw_settings()
    if state.get(START) == BATCH:
        found = hand_screen(state.read(FIELDS))
        assert isinstance(found, BatchAttention)
        return _draw_batch(found)
    tables, flow, picture = st.columns([5, 4, 4], gap="medium")
    with tables:
        hand_controls.draw_tables()
    screen = hand_screen(state.read(FIELDS))
    assert isinstance(screen, HandScreen)
    progress.watch(screen.result)
    with flow:
        _draw_flow(screen)
    with picture:
        _draw_mixing(screen)
    sums, meeting = st.columns([9, 4], gap="medium")
    with sums:
        _draw_sums(screen)
    with meeting:
        _draw_meeting(screen)
    return {"Weights": lambda: hand_frame(screen)}


def _draw_flow(screen: HandScreen) -> None:
    """Bars from the scores to the weights, the context, and what the weights sum to."""
    _draw_choice(screen)
    panels, labels = flow_panels(screen), screen.positions
    charts.draw(
        panels_figure(labels, panels, theme=shell.theme()),
        key="hand_flow",
        alt=panels_alt(labels, panels),
    )
    context = screen.result.context[screen.query]
    literal.show(f"context {vector(context.tolist())}", look="second")
    literal.show(finding(screen.result))


def _draw_choice(screen: HandScreen) -> None:
    """Which query and which head are followed, where there are several."""
    heads, queries, _ = screen.result.weights.shape
    with st.container(horizontal=True):
        for field, count, label, shown in (
            (QUERY_SHOWN, queries, "Query", screen.query),
            (PART_SHOWN, heads, "Head", screen.head),
        ):
            if state.get(field) > count:
                state.put(field, shown + 1)
            if count > 1:
                st.segmented_control(label, range(1, count + 1), key=field.name, required=True)


def _draw_mixing(screen: HandScreen) -> None:
    """Values of width 2 as arrows, and how their shares add up to the context."""
    result = screen.result
    if result.values.shape[2] != 2:
        literal.show(
            "Vectors are drawn where they have two numbers; these have "
            f"{result.values.shape[2]}. Change it under “Sizes”.",
            look="small",
        )
        return
    arrows = mixing_arrows(
        result.weights[screen.head, screen.query],
        result.values[screen.head],
        _short("value", screen),
    )
    literal.show("Grey: values. Blue: each times its weight, end to end. Orange: the context.")
    charts.draw(plane_figure(arrows, theme=shell.theme()), key="hand_mixing", alt=plane_alt(arrows))


def _draw_meeting(screen: HandScreen) -> None:
    """Query and keys of width 2 as arrows."""
    result = screen.result
    if result.queries is None or result.keys is None or result.keys.shape[2] != 2:
        return
    arrows = meeting_arrows(
        result.queries[screen.head, screen.query], result.keys[screen.head], _short("key", screen)
    )
    literal.show("Query and keys, as they meet in the score")
    charts.draw(
        plane_figure(arrows, theme=shell.theme()), key="hand_meeting", alt=plane_alt(arrows)
    )


def _draw_sums(screen: HandScreen) -> None:
    """The arithmetic of the mixture, and the formula of the score."""
    literal.table(
        ("position", "weight", "value", "weight × value"),
        mixture_rows(screen),
        marked=[len(screen.positions)],
    )
    if screen.result.case.start == "vectors":
        st.latex(FORMULAS[state.get(SCORE)])
        st.caption(
            f"{SOURCES[state.get(SCORE)]}. Here s is the query and h a key; matrices that aren't "
            "set leave their vector as it is."
        )


def _short(what: str, screen: HandScreen) -> tuple[str, ...]:
    return tuple(f"{what} {place}" for place in range(1, len(screen.positions) + 1))


def _draw_batch(batch: BatchAttention) -> Frames:
    """A batch as it goes through a model: shapes, weights, zeros on padding."""
    literal.show(batch_finding(batch), look="second")
    count = batch.weights.shape[1]
    literal.table(
        ("", *(f"pos. {place}" for place in range(1, count + 1)), "sum"),
        batch_rows(batch),
        caption="Weights of two sentences in one batch",
    )
    literal.table(
        ("what", "shape"),
        [(name, " × ".join(map(str, shape))) for name, shape in batch.shapes],
        caption="What takes part",
    )
    st.caption(
        "Random vectors and matrices. The decoder state is 256 wide and the encoder states 512, so "
        "the dot score can't be used; the other scores have a matrix between them."
    )
    return {"Weights": lambda: batch_frame(batch)}
