"""A page's screen as a JSON file: what its link says, of any length."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from s2s_core.ui import saved_file, saving, state
from s2s_core.ui.link import LinkField, LinkValues

FORMAT = "seq2seq-explorer page"
VERSION = 1
MAXIMUM_MEGABYTES = 2

Fields = Sequence[LinkField[Any]]


def dump(page: str, values: LinkValues, fields: Fields) -> str:
    """The screen as JSON text."""
    return saved_file.write(_kind(page), values, fields)


def load(data: bytes, page: str, fields: Fields) -> LinkValues:
    """Read what `dump` wrote.

    Raises:
        TraceFormatError: it isn't such a file, is one of another page, or has a value that can't
            be used.
    """
    return saved_file.screen(saved_file.read(data, _kind(page)), fields)


def draw(page: str, fields: Fields, frames: Mapping[str, Callable[[], pd.DataFrame]]) -> None:
    """Draw the buttons that save the screen and its tables, and the place to open a screen.

    frames: tables by the name of their file.
    """
    save, open_ = st.columns(2, gap="medium")
    with save:
        st.markdown("**Save**")
        with st.container(horizontal=True):
            values = state.read(fields)
            saving.button(
                "This screen (JSON)",
                lambda: dump(page, values, fields),
                f"{page}.json",
                "application/json",
            )
            for name, frame in frames.items():
                saving.table(name, frame)
        saving.draw_format()
    with open_:
        st.markdown("**Open a saved screen**")
        saving.draw_opener(
            "page_file", lambda data: _open(data, page, fields), megabytes=MAXIMUM_MEGABYTES
        )


def _open(data: bytes, page: str, fields: Fields) -> str:
    values = load(data, page, fields)
    for field in fields:
        state.put(field, values.get(field))
    return ""


def _kind(page: str) -> dict[str, object]:
    return {"format": FORMAT, "version": VERSION, "page": page}
