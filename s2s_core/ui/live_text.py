"""Makes a text area report what is typed whenever the typing rests."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_listener = st.components.v2.component(
    "seq2seq_live_text",
    html="<span hidden></span>",
    js=Path(__file__).with_name("live_text.js").read_text(encoding="utf-8"),
)


def listen(key: str) -> None:
    """Listen to the text area with that key: letters, digits, hyphens and underscores."""
    _listener(key=f"{key}-live", data={"key": key})
