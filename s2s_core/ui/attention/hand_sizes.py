"""How large the tables of attention by hand are, and the matrices of its scores."""

from __future__ import annotations

from typing import Any

import streamlit as st

from s2s_core.errors import ExplorerError
from s2s_core.models.hand_case import MOST_QUERIES, MOST_WIDTH, Table
from s2s_core.ui import literal, state
from s2s_core.ui.attention import hand_tables
from s2s_core.ui.attention.link import (
    GIVEN_SCORES,
    GIVEN_WEIGHTS,
    KEY_MATRIX,
    KEYS,
    MEETING_VECTOR,
    QUERIES,
    QUERY_MATRIX,
    SCORE,
    START,
    VALUE_MATRIX,
    VALUES,
)
from s2s_core.ui.link import LinkField

MATRICES: dict[str, tuple[tuple[str, LinkField[Any]], ...]] = {
    "additive": (("W_s", QUERY_MATRIX), ("W_h", KEY_MATRIX)),
    "dot": (),
    "general": (("W", KEY_MATRIX),),
    "scaled_dot": (("W_Q", QUERY_MATRIX), ("W_K", KEY_MATRIX), ("W_V", VALUE_MATRIX)),
}
"""The matrices of each score, as they are called, and their fields."""

MATRIX_FIELDS = (QUERY_MATRIX, KEY_MATRIX, VALUE_MATRIX, MEETING_VECTOR)


def draw_sizes() -> None:
    """Draw how many queries there are and how wide the vectors are; zeros fill what is new."""
    start, score = state.get(START), state.get(SCORE)
    if start == "vectors":
        _size("Queries", (QUERIES,), rows=True)
        if score == "scaled_dot":
            _size("Width of all vectors", (QUERIES, KEYS, VALUES))
            return
        if score == "dot":
            _size("Width of queries and keys", (QUERIES, KEYS))
        else:
            _size("Width of queries", (QUERIES,))
            _size("Width of keys", (KEYS,))
    else:
        _size("Queries", (GIVEN_SCORES if start == "scores" else GIVEN_WEIGHTS,), rows=True)
    _size("Width of values", (VALUES,))


def _size(label: str, fields: tuple[LinkField[Table], ...], *, rows: bool = False) -> None:
    key = f"hand_size_{label}"
    table = state.get(fields[0])
    st.session_state[key] = max(1, len(table) if rows else len(table[0]) if table else 1)
    st.number_input(
        label,
        1,
        MOST_QUERIES if rows else MOST_WIDTH,
        key=key,
        on_change=_resize,
        args=(key, fields, rows),
    )


def _resize(key: str, fields: tuple[LinkField[Table], ...], rows: bool) -> None:
    change = hand_tables.recounted if rows else hand_tables.resized
    for field in fields:
        state.put(field, change(state.get(field), int(st.session_state[key])))
    if not rows:  # matrices of other sizes don't fit any more
        state.reset(MATRIX_FIELDS)


def draw_matrices() -> None:
    """Draw the matrices of the score as text; an empty one is the identity."""
    st.caption(
        "A row after the other, such as 1,0;0,1. Empty: ones on the diagonal and zeros elsewhere."
    )
    for name, field in MATRICES[state.get(SCORE)]:
        _text_of(name, field)
    if state.get(SCORE) == "additive":
        _text_of("v (empty: all ones)", MEETING_VECTOR)


def _text_of(label: str, field: LinkField[Any]) -> None:
    key = f"hand_text_{field.name}"
    problem: str = st.session_state.get(f"_{key}_problem", "")
    if not problem:
        st.session_state[key] = field.show(state.get(field))
    st.text_input(label, key=key, on_change=_take_text, args=(key, field))
    if problem:
        st.error(literal.code(problem), icon=":material/error:")


def _take_text(key: str, field: LinkField[Any]) -> None:
    text = "".join(str(st.session_state[key]).split())
    try:
        state.put(field, field.parse(text))
    except ExplorerError as error:
        st.session_state[f"_{key}_problem"] = str(error)
    else:
        st.session_state[f"_{key}_problem"] = ""
