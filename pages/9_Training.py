"""What training asks of a model, and what changes where it reads its own words instead."""

from __future__ import annotations

import streamlit as st

from s2s_core.ui import page_file, sentence, shell
from s2s_core.ui.training.link import FIELDS, TAB, TABS
from s2s_core.ui.training.panels import PANELS


def main() -> None:
    """One tab for each question; only the open one is drawn."""
    sentence.fill()  # whichever tab is open, so that the link never says that it is empty
    shell.draw_tabs(TAB, TABS, [PANELS[name] for name in TABS])
    with st.expander("Save and open", icon=":material/save:"):
        page_file.draw("training", FIELDS, {})


with shell.page("training", FIELDS):
    main()
