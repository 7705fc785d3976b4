"""Saving what is on a screen, and opening what was saved."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from s2s_core.errors import ExplorerError
from s2s_core.ui import literal, tables
from s2s_core.ui.shared_link import FORMAT, FORMATS


def draw_format() -> None:
    """Draw the choice of what the camera of each chart saves."""
    st.segmented_control(
        "Charts are saved by the camera at their top right, as",
        FORMATS,
        key=FORMAT.name,
        required=True,
        format_func=str.upper,
    )


def table(name: str, frame: Callable[[], pd.DataFrame]) -> None:
    """Draw a button that saves a table as CSV."""
    button(f"{name} (CSV)", lambda: tables.csv(frame()), f"{name.lower()}.csv", "text/csv")


def button(label: str, data: Callable[[], str | bytes], name: str, mime: str) -> None:
    """Draw a button that saves a file; what is in it is made when the button is pressed."""
    st.download_button(
        label, data, file_name=name, mime=mime, on_click="ignore", icon=":material/download:"
    )


def draw_opener(key: str, open_: Callable[[bytes], str], *, megabytes: int) -> None:
    """Draw the place to drop a saved file, and say what is wrong with it.

    open_: puts what the file says on the screen. It returns what a person should know about it, ""
        if there is nothing, and raises ExplorerError if the file can't be used.
    """
    st.file_uploader(
        f"A JSON file that was saved on this page, at most {megabytes} MB",
        type="json",
        key=key,
        max_upload_size=megabytes,
        on_change=_open,
        args=(key, open_),
    )
    problem: str = st.session_state.get(_problem(key), "")
    if problem:
        st.error(literal.code(problem), icon=":material/error:")
    note: str = st.session_state.get(_note(key), "")
    if note:
        st.info(note, icon=":material/info:")


def _open(key: str, open_: Callable[[bytes], str]) -> None:
    problem = note = ""
    file = st.session_state[key]
    if file is not None:
        try:
            note = open_(file.getvalue())
        except ExplorerError as error:
            problem = f"The file can't be opened: {error}"
    st.session_state[_problem(key)], st.session_state[_note(key)] = problem, note


def _problem(key: str) -> str:
    return f"_{key}_problem"


def _note(key: str) -> str:
    return f"_{key}_note"
