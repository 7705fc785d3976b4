"""Exact search, beam width, other decoders, and one hypothesis word by word."""

from __future__ import annotations

import streamlit as st

from s2s_core.search.config import SearchRequest
from s2s_core.ui import cached, page_file, sentence, shell, state
from s2s_core.ui.decode import search_controls
from s2s_core.ui.lab import exact, grid, others, settings, widths, words
from s2s_core.ui.lab.link import FIELDS, TAB, TABS, lab_request


def main() -> None:
    """Sentence and settings, then one tab for each question."""
    sentence.draw()
    with st.container(key="settings"):
        search_controls.draw()
    settings.draw()
    request = lab_request(state.read(FIELDS))
    shell.draw_tabs(
        TAB,
        TABS,
        (
            lambda: exact.draw(request),
            lambda: widths.draw(request),
            lambda: grid.draw(request),
            lambda: others.draw(request),
            lambda: words.draw(cached.search(request)),
            lambda: _draw_saving(request),
        ),
    )


def _draw_saving(request: SearchRequest) -> None:
    results = widths.done(request)
    frames = {"Beam sizes": lambda: widths.frame(results)} if results else {}
    page_file.draw("lab", FIELDS, frames)


with shell.page("lab", FIELDS):
    main()
