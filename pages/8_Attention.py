"""Attention by hand, on a loaded model, and whether it explains a prediction."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd
import streamlit as st

from s2s_core.ui import page_file, sentence, shell
from s2s_core.ui.attention import explanation, hand, step
from s2s_core.ui.attention.link import FIELDS, TAB, TABS


def main() -> None:
    """One tab for each question, and the place to save what was seen."""
    sentence.fill()  # whichever tab is open, so that the link never says that it is empty
    frames: Mapping[str, Callable[[], pd.DataFrame]] = {}
    drawn = zip(
        st.tabs(TABS, key=TAB.name, on_change="rerun"),
        (hand.draw, step.draw, explanation.draw),
        strict=False,
    )
    for place, draw in drawn:
        if place.open:
            with place, shell.messages():
                frames = draw()
    with st.expander("Save and open", icon=":material/save:"):
        page_file.draw("attention", FIELDS, frames)


with shell.page("attention", FIELDS):
    main()
