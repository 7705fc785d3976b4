"""A page's screen as a JSON file: what its link says, of any length."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from s2s_core.errors import TraceFormatError
from s2s_core.ui import literal, saving, state
from s2s_core.ui.link import LinkField, LinkValues, read_link, write_link

FORMAT = "seq2seq-explorer page"
VERSION = 1
MAXIMUM_MEGABYTES = 2
_FILE = "page_file"
_PROBLEM = "_page_file_problem"

Fields = Sequence[LinkField[Any]]


def dump(page: str, values: LinkValues, fields: Fields) -> str:
    """The screen as JSON text."""
    data = {
        "format": FORMAT,
        "version": VERSION,
        "page": page,
        "screen": write_link(values, fields),
    }
    return json.dumps(data, ensure_ascii=False, indent=1)


def load(text: str, page: str, fields: Fields) -> LinkValues:
    """Read what `dump` wrote.

    Raises:
        TraceFormatError: the text isn't such a file, is one of another page, or has a value that
            can't be used.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TraceFormatError(f"the file isn't valid JSON: {error}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise TraceFormatError("the file isn't a saved screen: choose one that this page saved")
    if data.get("version") != VERSION or data.get("page") != page:
        raise TraceFormatError(
            f"the file is of the page {data.get('page')!r}, version {data.get('version')!r}, but "
            f"this is {page!r} and reads version {VERSION}"
        )
    screen = data.get("screen")
    if not isinstance(screen, dict) or not all(isinstance(v, str) for v in screen.values()):
        raise TraceFormatError("'screen' in the file must be an object of texts")
    values, notices = read_link(screen, fields)
    for notice in notices:
        raise TraceFormatError(notice.message)
    return values


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
        st.file_uploader(
            f"A JSON file that this page saved, at most {MAXIMUM_MEGABYTES} MB",
            type="json",
            key=_FILE,
            max_upload_size=MAXIMUM_MEGABYTES,
            on_change=_open,
            args=(page, tuple(fields)),
        )
        problem: str = st.session_state.get(_PROBLEM, "")
        if problem:
            st.error(literal.code(problem), icon=":material/error:")


def _open(page: str, fields: Fields) -> None:
    st.session_state[_PROBLEM] = ""
    file = st.session_state[_FILE]
    if file is None:
        return
    try:
        values = load(file.getvalue().decode("utf-8"), page, fields)
    except UnicodeDecodeError:
        st.session_state[_PROBLEM] = "The file isn't text in UTF-8: choose one that was saved here."
    except TraceFormatError as error:
        st.session_state[_PROBLEM] = f"The file can't be opened: {error}"
    else:
        for field in fields:
            state.put(field, values.get(field))
