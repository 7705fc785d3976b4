"""How the search goes: beam size, length penalty, stop rule, limit. Each acts at once."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from s2s_core.search.config import STOP_RULES
from s2s_core.search.length_penalty import LENGTH_PENALTIES, LengthPenalty
from s2s_core.ui import search_inputs, state
from s2s_core.ui.decode.link import (
    BEAM,
    DECODING_OPTIONS,
    LIMIT,
    PENALTY,
    RANK_ALPHA,
    RANK_REWARD,
    STOP,
    parameter_field,
)

_PENALTY_HELP = "How finished translations of different length are compared:\n\n" + "\n".join(
    f"- **{family.label}**: ${family.latex}$ ({family.source})"
    for family in LENGTH_PENALTIES.values()
)
_STOP_HELP = "When the search ends:\n\n" + "\n".join(
    f"- **{rule}**: {text}" for rule, text in STOP_RULES.items()
)
_LIMIT_HELP = "Empty: 2·S + 10 for S source tokens. A search never goes on longer."


def draw() -> DeltaGenerator:
    """Draw the controls in one row; their values are the fields `SETTINGS`.

    Returns:
        a free place at the end of the row.
    """
    family = LENGTH_PENALTIES[state.get(PENALTY)]
    beam, penalty, parameter, stop, limit, free = st.columns(
        [0.9, 1.6, 0.9, 1.05, 0.9, 0.85], gap="xsmall", vertical_alignment="bottom"
    )
    search_inputs.beam_size(beam, BEAM)
    penalty.selectbox(
        "Length penalty",
        tuple(LENGTH_PENALTIES),
        key=PENALTY.name,
        format_func=lambda name: LENGTH_PENALTIES[name].label,
        help=_PENALTY_HELP,
        on_change=_rank_as_searched,
    )
    with parameter:
        _draw_parameter(family)
    stop.selectbox("Stop rule", tuple(STOP_RULES), key=STOP.name, help=_STOP_HELP)
    search_inputs.max_length(limit, LIMIT, more=_LIMIT_HELP)
    return free


def _draw_parameter(family: type[LengthPenalty]) -> None:
    field = parameter_field(family)
    option = DECODING_OPTIONS[field.name]
    st.number_input(
        family.parameter_name or "alpha",
        option.minimum,
        option.maximum,
        step=option.step,
        format="%.2f",
        key=field.name,
        disabled=family.parameter_name is None,
        help=option.help,
        on_change=_rank_as_searched,
    )


def _rank_as_searched() -> None:
    """A new penalty for the search also ranks, until another is chosen for ranking."""
    state.reset((RANK_ALPHA, RANK_REWARD))
