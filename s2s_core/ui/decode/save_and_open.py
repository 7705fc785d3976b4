"""Saving a search with its tables, and opening one that was saved."""

from __future__ import annotations

import streamlit as st

from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.trace import BeamTrace
from s2s_core.ui import saved_file, saving, tables
from s2s_core.ui.decode import run

MAXIMUM_MEGABYTES = 20


def draw(trace: BeamTrace, penalty: LengthPenalty) -> None:
    """Draw the buttons that save, and the place to drop a saved file. Saving reruns nothing."""
    save, open_ = st.columns(2, gap="medium")
    with save:
        st.markdown("**Save**")
        with st.container(horizontal=True):
            saving.button("Result (JSON)", trace.to_json, "search.json", "application/json")
            saving.table("Hypotheses", lambda: tables.hypotheses(trace, penalty))
            saving.table("Candidates", trace.to_frame)
            saving.table("Tokens", lambda: tables.all_tokens(trace, penalty))
        saving.draw_format()
    with open_:
        st.markdown("**Open a saved result**")
        saving.draw_opener("saved_file", _open, megabytes=MAXIMUM_MEGABYTES)


def _open(data: bytes) -> str:
    return run.open_trace(BeamTrace.from_json(saved_file.text(data)))
