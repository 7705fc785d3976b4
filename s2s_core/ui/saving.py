"""Saving what is on the screen, and opening what was saved."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from s2s_core.errors import ExplorerError
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.trace import BeamTrace
from s2s_core.ui import literal, run, tables
from s2s_core.ui.decode_link import FORMAT, FORMATS

MAXIMUM_MEGABYTES = 20
_FILE = "saved_file"
_PROBLEM = "_file_problem"
_NOTE = "_file_note"


def draw(trace: BeamTrace, penalty: LengthPenalty) -> None:
    """Draw the buttons that save, and the place to drop a saved file. Saving reruns nothing."""
    save, open_ = st.columns(2, gap="medium")
    with save:
        st.markdown("**Save**")
        with st.container(horizontal=True):
            button("Result (JSON)", trace.to_json, "search.json", "application/json")
            table("Hypotheses", lambda: tables.hypotheses(trace, penalty))
            table("Candidates", trace.to_frame)
            table("Tokens", lambda: tables.all_tokens(trace, penalty))
        draw_format()
    with open_:
        st.markdown("**Open a saved result**")
        draw_opener()


def draw_format() -> None:
    """Draw the choice of what the camera of each chart saves."""
    st.segmented_control(
        "Charts are saved by the camera at their top right, as",
        FORMATS,
        key=FORMAT.name,
        required=True,
        format_func=str.upper,
    )


def draw_opener() -> None:
    """Draw the place to drop a saved result, and say what is wrong with it."""
    st.file_uploader(
        f"A JSON file that was saved here, at most {MAXIMUM_MEGABYTES} MB",
        type="json",
        key=_FILE,
        max_upload_size=MAXIMUM_MEGABYTES,
        on_change=_open,
    )
    problem: str = st.session_state.get(_PROBLEM, "")
    if problem:
        st.error(literal.code(problem), icon=":material/error:")
    note: str = st.session_state.get(_NOTE, "")
    if note:
        st.info(note, icon=":material/info:")


def table(name: str, frame: Callable[[], pd.DataFrame]) -> None:
    """Draw a button that saves a table as CSV."""
    button(f"{name} (CSV)", lambda: tables.csv(frame()), f"{name.lower()}.csv", "text/csv")


def button(label: str, data: Callable[[], str | bytes], name: str, mime: str) -> None:
    """Draw a button that saves a file; what is in it is made when the button is pressed."""
    st.download_button(
        label, data, file_name=name, mime=mime, on_click="ignore", icon=":material/download:"
    )


def _open() -> None:
    st.session_state[_PROBLEM] = st.session_state[_NOTE] = ""
    file = st.session_state[_FILE]
    if file is None:
        return
    try:
        text = file.getvalue().decode("utf-8")
        st.session_state[_NOTE] = run.open_trace(BeamTrace.from_json(text))
    except UnicodeDecodeError:
        st.session_state[_PROBLEM] = "The file isn't text in UTF-8: choose one that was saved here."
    except ExplorerError as error:
        st.session_state[_PROBLEM] = f"The file can't be opened: {error}"
