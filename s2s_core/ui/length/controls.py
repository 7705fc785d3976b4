"""How the hypotheses are ranked: the family of penalties, its number, and what L counts."""

from __future__ import annotations

import streamlit as st

from s2s_core.search.length_penalty import LENGTH_PENALTIES, LengthPenalty
from s2s_core.search.published import TOOLKITS, Toolkit
from s2s_core.search.rank_entries import LENGTH_COUNTS
from s2s_core.ui import state
from s2s_core.ui.length.link import (
    AGAIN,
    COUNT,
    PENALTY,
    parameter_field,
    parameter_option,
)

_SLIDER = "parameter_slider"
_TOOLKIT = "as_toolkit"
_COUNT_HELP = (
    "This app counts the generated tokens, the end token (EOS) among them. Toolkits differ: choose "
    "another way to see what they would rank first."
)


def draw() -> None:
    """Draw the controls in one row; each ranks again at once, without any model."""
    family = LENGTH_PENALTIES[state.get(PENALTY)]
    penalty, number, slider, count, toolkit = st.columns(
        [1.5, 0.9, 3, 1.2, 0.9], gap="small", vertical_alignment="bottom"
    )
    penalty.selectbox(
        "Length penalty",
        tuple(LENGTH_PENALTIES),
        key=PENALTY.name,
        format_func=lambda name: LENGTH_PENALTIES[name].label,
        on_change=state.reset,
        args=(AGAIN,),
    )
    with number:
        _draw_number(family)
    with slider:
        _draw_slider(family)
    count.selectbox("L counts", tuple(LENGTH_COUNTS), key=COUNT.name, help=_COUNT_HELP)
    toolkit.menu_button(
        "As in …",
        [each for each in TOOLKITS if each.family and each.count],
        key=_TOOLKIT,
        format_func=lambda each: each.name,
        help="Takes a toolkit's formula and its way to count L.",
        width="stretch",
        on_click=_take_toolkit,
    )


def _draw_number(family: type[LengthPenalty]) -> None:
    field, option = parameter_field(family), parameter_option(family)
    st.number_input(
        family.parameter_name or "no number",
        option.minimum,
        option.maximum,
        step=option.step,
        format="%.4f",
        key=field.name,
        disabled=family.parameter_name is None,
        help=option.help,
    )


def _draw_slider(family: type[LengthPenalty]) -> None:
    """The same number to pull at; it follows the field and sets it."""
    field, option = parameter_field(family), parameter_option(family)
    state.follow(_SLIDER, state.get(field))
    st.slider(
        f"Rank with {family.parameter_name}" if family.parameter_name else "No number to change",
        option.minimum,
        option.maximum,
        step=option.step,
        key=_SLIDER,
        disabled=family.parameter_name is None,
        on_change=_take_slider,
        args=(field.name,),
    )


def _take_slider(name: str) -> None:
    st.session_state[name] = round(float(st.session_state[_SLIDER]), 10)


def _take_toolkit() -> None:
    toolkit: Toolkit = st.session_state[_TOOLKIT]
    if toolkit.family and toolkit.count:
        state.reset(AGAIN)
        state.put(PENALTY, toolkit.family.name)
        state.put(COUNT, toolkit.count)
