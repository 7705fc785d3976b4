"""Which table is searched, and how."""

from __future__ import annotations

import streamlit as st

from s2s_core.search.config import STOP_RULES
from s2s_core.search.length_penalty import LENGTH_PENALTIES
from s2s_core.search.presets import PRESETS
from s2s_core.ui import literal, search_inputs, state
from s2s_core.ui.decode.link import DECODING_OPTIONS
from s2s_core.ui.playground.link import (
    BEAM,
    CHOICES,
    FIELDS,
    LIMIT,
    OWN,
    OWN_TABLE,
    PENALTY,
    RIGHT,
    STOP,
    TABLE,
    automatic_limit,
    parameter_field,
    table_text,
)

_OWN_LESSON = "Change the text below, or open a file: every search starts again as you type."


def draw() -> None:
    """Draw the choice of table and the settings; all act at once."""
    titles = {name: preset.title for name, preset in PRESETS.items()} | {OWN_TABLE: "Your own"}
    st.segmented_control(
        "Probability table",
        CHOICES,
        key=TABLE.name,
        required=True,
        format_func=titles.__getitem__,
        on_change=_choose,
    )
    preset = PRESETS.get(state.get(TABLE))
    # Always one line, so that the editor below keeps its place, and the cursor in it.
    literal.show(preset.lesson if preset else _OWN_LESSON)
    with st.container(key="settings"):
        _draw_settings()


def _draw_settings() -> None:
    family = LENGTH_PENALTIES[state.get(PENALTY)]
    option = DECODING_OPTIONS[parameter_field(family).name]
    beam, penalty, parameter, stop, limit = st.columns(
        [1, 1.5, 1, 1.2, 1], gap="small", vertical_alignment="bottom"
    )
    search_inputs.beam_size(beam, BEAM)
    penalty.selectbox(
        "Length penalty",
        tuple(LENGTH_PENALTIES),
        key=PENALTY.name,
        format_func=lambda name: LENGTH_PENALTIES[name].label,
        help="\n".join(f"- **{f.label}**: ${f.latex}$" for f in LENGTH_PENALTIES.values()),
    )
    parameter.number_input(
        family.parameter_name or "no number",
        option.minimum,
        option.maximum,
        step=option.step,
        format="%.2f",
        key=parameter_field(family).name,
        disabled=family.parameter_name is None,
        help=option.help,
    )
    stop.selectbox(
        "Stop rule",
        tuple(STOP_RULES),
        key=STOP.name,
        help="\n".join(f"- **{rule}**: {text}" for rule, text in STOP_RULES.items()),
    )
    automatic = f"auto: {automatic_limit(state.read(FIELDS))}"
    search_inputs.max_length(limit, LIMIT, automatic=automatic)


def _choose() -> None:
    """A preset comes with its settings; one's own table starts from the one before."""
    state.put(RIGHT, "")
    preset = PRESETS.get(state.get(TABLE))
    if preset is None:
        before = state.kept(TABLE)
        if before in PRESETS and not state.get(OWN):
            state.put(OWN, PRESETS[before].text)
            state.put(LIMIT, PRESETS[before].config.max_length)
        return
    config = preset.config
    state.reset((LIMIT,))
    state.put(BEAM, config.beam_size)
    state.put(STOP, config.stop_rule)
    state.put(PENALTY, config.length_penalty.name)
    if config.length_penalty.parameter is not None:
        field = parameter_field(type(config.length_penalty))
        state.put(field, config.length_penalty.parameter)


def edited(text: str) -> None:
    """Take a table that a person typed or opened; for a callback."""
    limit = automatic_limit(state.read(FIELDS))
    if text == table_text(state.read(FIELDS)):
        return
    state.put(OWN, text)
    state.put(TABLE, OWN_TABLE)
    state.put(RIGHT, "")
    if state.get(LIMIT) is None:
        state.put(LIMIT, limit)
