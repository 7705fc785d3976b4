"""Exact search, beam width, other decoders, and one hypothesis word by word."""

from __future__ import annotations

import streamlit as st

from s2s_core.ui import cached, page_file, search_controls, sentence, shell, state
from s2s_core.ui.lab import exact, grid, others, settings, widths, words
from s2s_core.ui.lab.link import FIELDS, TAB, TABS, lab_request


def main() -> None:
    """Sentence and settings, then one tab for each question."""
    sentence.draw()
    with st.container(key="settings"):
        search_controls.draw()
    settings.draw()
    request = lab_request(state.read(FIELDS))
    exactly, width, over_file, decoders, by_word, save = st.tabs(
        TABS, key=TAB.name, on_change="rerun"
    )
    if exactly.open:
        with exactly, shell.messages():
            exact.draw(request)
    if width.open:
        with width, shell.messages():
            widths.draw(request)
    if over_file.open:
        with over_file, shell.messages():
            grid.draw(request)
    if decoders.open:
        with decoders, shell.messages():
            others.draw(request)
    if by_word.open:
        with by_word, shell.messages():
            words.draw(cached.search(request))
    if save.open:
        with save:
            results = widths.done(request)
            frames = {"Beam sizes": lambda: widths.frame(results)} if results else {}
            page_file.draw("lab", FIELDS, frames)


with shell.page("lab", FIELDS):
    main()
