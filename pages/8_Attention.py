"""Attention by hand, on a loaded model, and whether it explains a prediction."""

from __future__ import annotations

import streamlit as st

from s2s_core.ui import page_file, sentence, shell
from s2s_core.ui.attention import explanation, hand, step
from s2s_core.ui.attention.link import FIELDS, TAB, TABS


def main() -> None:
    """One tab for each question, and the place to save what was seen."""
    sentence.fill()  # whichever tab is open, so that the link never says that it is empty
    frames = shell.draw_tabs(TAB, TABS, (hand.draw, step.draw, explanation.draw))
    with st.expander("Save and open", icon=":material/save:"):
        page_file.draw("attention", FIELDS, frames or {})


with shell.page("attention", FIELDS):
    main()
