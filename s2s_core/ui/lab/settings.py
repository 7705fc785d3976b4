"""What the lab sets beside the settings of the Decode page."""

from __future__ import annotations

import streamlit as st

from s2s_core.search.config import MIN_LENGTH, NO_REPEAT
from s2s_core.ui.lab.link import MINIMUM, NO_REPEATS, REFERENCE


def draw() -> None:
    """Draw minimum length, no-repeat n-gram and the reference in one row."""
    minimum, repeat, reference = st.columns([1, 1, 4], gap="small", vertical_alignment="bottom")
    minimum.number_input(
        "Min. length",
        MIN_LENGTH.minimum,
        MIN_LENGTH.maximum,
        key=MINIMUM.name,
        help=MIN_LENGTH.help,
    )
    repeat.number_input(
        "No-repeat n-gram",
        NO_REPEAT.minimum,
        NO_REPEAT.maximum,
        key=NO_REPEATS.name,
        help=NO_REPEAT.help,
    )
    reference.text_input(
        "A right translation, if you have one",
        key=REFERENCE.name,
        max_chars=1000,
        help="For the verdict on model errors, and for BLEU and chrF.",
    )
