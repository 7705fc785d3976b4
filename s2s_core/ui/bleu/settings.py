"""How BLEU is computed: the controls behind one button. Each acts at once."""

from __future__ import annotations

import streamlit as st

from s2s_core.metrics.settings import MAX_ORDER, SMOOTHINGS
from s2s_core.metrics.tokenizers import TOKENIZERS, available_tokenizers
from s2s_core.ui import state
from s2s_core.ui.bleu.fields import (
    EFFECTIVE,
    LINES,
    LOWERCASE,
    MAXIMUM_ORDER,
    NFC,
    SETTINGS,
    SMOOTH,
    SMOOTH_VALUES,
    TOKENIZE,
)

_TOKENIZER_HELP = "Those of sacreBLEU that need no download:\n\n" + "\n".join(
    f"- **{name}**: {TOKENIZERS[name].help}" for name in available_tokenizers()
)
_SMOOTHING_HELP = (
    "What stands in for an order without a match, with m matches of t n-grams:\n\n"
    + "\n".join(
        f"- **{name}** (${each.formula}$): {each.help}" for name, each in SMOOTHINGS.items()
    )
)


def draw() -> None:
    """Draw the controls; their values are the fields `SETTINGS`, and whether lines are segments."""
    for field in (*SETTINGS, LINES):  # said anew: a control that wasn't on the screen missed it
        state.put(field, state.get(field))
    with st.popover("Settings", icon=":material/tune:", key="bleu_settings", width="stretch"):
        st.selectbox("Tokenizer", available_tokenizers(), key=TOKENIZE.name, help=_TOKENIZER_HELP)
        st.toggle("Lower-case both sides", key=LOWERCASE.name)
        st.selectbox("Smoothing", tuple(SMOOTHINGS), key=SMOOTH.name, help=_SMOOTHING_HELP)
        _draw_value()
        st.number_input(
            "Maximum order N",
            MAX_ORDER.minimum,
            MAX_ORDER.maximum,
            key=MAXIMUM_ORDER.name,
            help=MAX_ORDER.help,
        )
        st.toggle(
            "Effective order",
            key=EFFECTIVE.name,
            help="Leaves out orders that the text is too short to have; meant for one sentence.",
        )
        st.toggle(
            "Compose accents first (NFC)",
            key=NFC.name,
            help="“é” can be one character or “e” with an accent, and the two never match. This "
            "changes both sides before scoring, and the signature doesn't say so.",
        )
        st.toggle(
            "Each line is a segment",
            key=LINES.name,
            help="Otherwise a box is one segment, however many lines it has.",
        )


def _draw_value() -> None:
    method = next(method for method in SMOOTHINGS if method == state.get(SMOOTH))
    option = SMOOTHINGS[method].value
    if option is None:
        return
    st.number_input(
        option.name[:1].upper() + option.name[1:],
        option.minimum,
        option.maximum,
        step=option.step,
        format="%.3f",
        key=SMOOTH_VALUES[method].name,
        help=option.help,
    )
