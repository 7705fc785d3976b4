"""Attention by hand: presets, settings, and the tables that a person edits."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

from s2s_core.errors import ExplorerError
from s2s_core.models.hand_case import (
    HEADS,
    LARGEST,
    MISTAKES,
    SCORES,
    TEMPERATURE,
)
from s2s_core.models.hand_presets import PRESETS
from s2s_core.ui import literal, state
from s2s_core.ui.attention import hand_sizes, hand_tables
from s2s_core.ui.attention.hand_run import preset_of
from s2s_core.ui.attention.hand_sizes import MATRICES, MATRIX_FIELDS
from s2s_core.ui.attention.hand_words import FORMULAS, MISTAKE_LABELS, SCORE_LABELS, SOURCES
from s2s_core.ui.attention.link import (
    BATCH,
    CASE,
    FIELDS,
    GIVEN_SCORES,
    GIVEN_WEIGHTS,
    HEAD_COUNT,
    KEYS,
    MASK,
    MISTAKE,
    PART_SHOWN,
    QUERIES,
    QUERY_SHOWN,
    SCORE,
    START,
    STARTS_SHOWN,
    VALUES,
    WARMTH,
    case_values,
)
from s2s_core.ui.link import LinkField, LinkValues

_PRESET = "hand_preset"
_CELL = 72  # pixels, so that five columns stand side by side
_BATCH_LESSON = (
    "Two sentences of 9 and 6 tokens go through a model together. The shorter one is filled up "
    "with padding, and its weights there must be exactly 0."
)
_START_LABELS = {
    "vectors": "query, keys, values",
    "scores": "scores",
    "weights": "weights",
    BATCH: "a batch of 2, 9 positions",
}
_FRAMES = {"queries": hand_tables.queries_frame, "positions": hand_tables.positions_frame}
_EDITED: tuple[LinkField[Any], ...] = (
    QUERIES,
    KEYS,
    VALUES,
    GIVEN_SCORES,
    GIVEN_WEIGHTS,
    MASK,
)


def draw_presets() -> None:
    """Draw the presets, and what the chosen one shows."""
    batch = state.get(START) == BATCH
    present = BATCH if batch else preset_of(state.read(FIELDS))
    st.session_state[_PRESET] = present
    titles = {name: preset.title for name, preset in PRESETS.items()} | {BATCH: "A padded batch"}
    lessons = {name: preset.lesson for name, preset in PRESETS.items()} | {BATCH: _BATCH_LESSON}
    st.pills(
        "Begin with",
        tuple(titles),
        key=_PRESET,
        format_func=titles.__getitem__,
        on_change=_take_preset,
        label_visibility="collapsed",
    )
    literal.show(lessons[present] if present else "Your own numbers.")


def draw_settings() -> None:
    """Draw what is given, the score, heads, temperature and the wrong ways, in one row."""
    start, score, heads, warmth, mistake = st.columns(
        [1.5, 1.2, 0.7, 1.6, 1.7], gap="small", vertical_alignment="bottom"
    )
    given, scaled = state.get(START), state.get(SCORE) == "scaled_dot"
    start.selectbox(
        "Given are",
        STARTS_SHOWN,
        key=START.name,
        format_func=_START_LABELS.__getitem__,
        on_change=_change_start,
    )
    score.selectbox(
        "Score",
        SCORES,
        key=SCORE.name,
        format_func=SCORE_LABELS.__getitem__,
        disabled=given in ("scores", "weights"),
        on_change=_change_score,
        help="\n".join(f"- **{SCORE_LABELS[s]}**: ${FORMULAS[s]}$ ({SOURCES[s]})" for s in SCORES),
    )
    heads.number_input(
        "Heads",
        HEADS.minimum,
        HEADS.maximum,
        key=HEAD_COUNT.name,
        disabled=given != "vectors" or not scaled,
        help=f"{HEADS.help} With the scaled dot score.",
    )
    warmth.slider(
        "Temperature",
        TEMPERATURE.minimum,
        TEMPERATURE.maximum,
        step=TEMPERATURE.step,
        key=WARMTH.name,
        disabled=given in ("weights", BATCH),
        help=TEMPERATURE.help,
    )
    mistake.selectbox(
        "What goes wrong",
        MISTAKES,
        key=MISTAKE.name,
        format_func=MISTAKE_LABELS.__getitem__,
        disabled=given == "weights",
    )


def draw_tables() -> None:
    """Draw the tables of numbers, and how wide they are."""
    values = state.read(FIELDS)
    if values.get(START) == "vectors":
        _edit("queries", hand_tables.queries_frame(values), hand_tables.take_queries)
    _edit("positions", hand_tables.positions_frame(values), hand_tables.take_positions)
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.popover("Sizes", icon=":material/straighten:"):
            hand_sizes.draw_sizes()
        if values.get(START) == "vectors" and MATRICES[values.get(SCORE)]:
            with st.popover("Matrices", icon=":material/grid_on:"):
                hand_sizes.draw_matrices()
        st.caption("A row is a source position. Click a cell to change it; the last row adds one.")


def _edit(
    name: str, frame: pd.DataFrame, take: Callable[[LinkValues, pd.DataFrame], LinkValues]
) -> None:
    """An editor of a table; it starts anew where the table changed elsewhere."""
    base_key = f"_hand_{name}"
    base: tuple[pd.DataFrame, pd.DataFrame, int]
    base = st.session_state.get(base_key, (frame, pd.DataFrame(), 0))
    if not frame.equals(base[1]):
        base = (frame, frame, base[2] + 1)
    edited = st.data_editor(
        base[0],
        num_rows="dynamic",
        hide_index=True,
        key=f"hand_{name}_{base[2]}",
        column_config={
            column: st.column_config.CheckboxColumn(default=True, width=_CELL)
            if column == hand_tables.LOOK
            else st.column_config.NumberColumn(
                width=_CELL, default=0.0, min_value=-LARGEST, max_value=LARGEST, format="%.4g"
            )
            for column in frame
        },
        alt=f"The {name} of attention by hand",
    )
    values = take(state.read(FIELDS), edited)
    after = _FRAMES[name](values)
    st.session_state[base_key] = (base[0], after, base[2])
    changed = [each for each in _EDITED if values.get(each) != state.get(each)]
    for field in changed:
        state.put(field, values.get(field))
    if changed:
        st.rerun()  # so that what stands above follows


def _take_preset() -> None:
    name = st.session_state[_PRESET]
    if name is None:  # a second click on the present one
        return
    if name == BATCH:
        state.put(START, BATCH)
        _change_start()
        return
    values = case_values(PRESETS[name].case)
    for field in CASE:
        state.put(field, values.get(field))
    state.reset((QUERY_SHOWN, PART_SHOWN))


def _change_start() -> None:
    """Go on from what was computed; what can't be taken over stays for the message to name."""
    if state.get(START) == BATCH:
        if state.get(SCORE) == "dot":  # its widths differ
            state.put(SCORE, "additive")
        return
    before = state.kept(START)
    if before == BATCH:
        before = (
            "vectors" if state.get(KEYS) else "scores" if state.get(GIVEN_SCORES) else "weights"
        )
    with contextlib.suppress(ExplorerError):
        values = hand_tables.start_from(state.read(FIELDS), before)
        for field in CASE:
            if values.get(field) != state.get(field):
                state.put(field, values.get(field))


def _change_score() -> None:
    state.reset(MATRIX_FIELDS)
    if state.get(SCORE) != "scaled_dot":
        state.reset((HEAD_COUNT, PART_SHOWN))
