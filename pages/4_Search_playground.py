"""A probability table as the model: greedy, beam and exact search on one tree."""

from __future__ import annotations

import streamlit as st

from s2s_core.search.table_file import parse_table
from s2s_core.ui import page_file, shell, state
from s2s_core.ui.exercises import progress
from s2s_core.ui.playground import controls, editor, result
from s2s_core.ui.playground.link import FIELDS, search_config, table_text
from s2s_core.ui.playground.searches import search_table


def main() -> None:
    """Table and settings, what the searches found, and the table as text."""
    controls.draw()
    place = st.container()
    editor.draw()
    frames = {}
    with place, shell.messages():
        values = state.read(FIELDS)
        found = search_table(parse_table(table_text(values)), search_config(values))
        progress.watch(found)
        result.draw(found)
        frames = {"Strings": lambda: result.strings(found)}
    with st.expander("Save and open", icon=":material/save:"):
        page_file.draw("playground", FIELDS, frames)


with shell.page("playground", FIELDS):
    main()
