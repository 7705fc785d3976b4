"""The table as text, checked while it is typed, and as a file in and out."""

from __future__ import annotations

import streamlit as st

from s2s_core.search.table_check import TableCheck, check_table
from s2s_core.ui import literal, live_text, saving, state
from s2s_core.ui.playground import controls
from s2s_core.ui.playground.link import FIELDS, table_text

MAXIMUM_CHARACTERS = 100_000
_TEXT = "table_text"
_FILE = "table_file"
_PROBLEM = "_table_file_problem"
_ROWS_SHOWN = 60
_FORMAT_HELP = (
    "`next` gives a row for each prefix (tokens joined by one space, the empty prefix first): each "
    "next token and its probability. Every row sums to 1. `default` serves each prefix that isn't "
    "listed; `eos` is the token that ends."
)


def draw() -> None:
    """Draw the editor, and what can be said about the text in it."""
    text = table_text(state.read(FIELDS))
    check = check_table(text)
    writing, sums = st.columns([3, 2], gap="medium")
    with writing:
        if st.session_state.get(_TEXT) != text:
            st.session_state[_TEXT] = text
        st.text_area(
            "The table; change anything to make it your own",
            key=_TEXT,
            height=320,
            max_chars=MAXIMUM_CHARACTERS,
            help=_FORMAT_HELP,
            on_change=_take_text,
        )
        live_text.listen(_TEXT)
    with sums:
        _draw_check(check)
        _draw_files(text)


def _take_text() -> None:
    controls.edited(st.session_state[_TEXT])


def _draw_check(check: TableCheck) -> None:
    if check.problem is None:
        st.markdown(":material/check: A valid table.")
    else:
        st.markdown(f":material/error: {literal.code(check.problem)}")
    bad = [row for row in check.rows if not row.sums_to_one]
    good = [row for row in check.rows if row.sums_to_one]
    rows = [
        (
            "✓" if row.sums_to_one else "✗",
            "(default)" if row.is_default else row.name or "(the start)",
            "not numbers" if row.total is None else f"{row.total:.6g}",
        )
        for row in [*bad, *good][:_ROWS_SHOWN]
    ]
    if rows:
        literal.table(("", "after", "sum"), rows, marked=range(min(len(bad), _ROWS_SHOWN)))
    if len(check.rows) > _ROWS_SHOWN:
        literal.show(f"and {len(check.rows) - _ROWS_SHOWN} rows more", look="small")


def _draw_files(text: str) -> None:
    saving.button("Table (JSON)", lambda: text, "table.json", "application/json")
    st.file_uploader(
        "Open a table file",
        type="json",
        key=_FILE,
        max_upload_size=1,
        on_change=_open,
    )
    problem: str = st.session_state.get(_PROBLEM, "")
    if problem:
        st.error(literal.code(problem), icon=":material/error:")


def _open() -> None:
    st.session_state[_PROBLEM] = ""
    file = st.session_state[_FILE]
    if file is None:
        return
    try:
        text = file.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError:
        st.session_state[_PROBLEM] = "The file isn't text in UTF-8."
        return
    if len(text) > MAXIMUM_CHARACTERS:
        st.session_state[_PROBLEM] = (
            f"The table has {len(text):,} characters, but at most {MAXIMUM_CHARACTERS:,} are "
            "allowed here; the command `search` takes any."
        )
        return
    controls.edited(text)
