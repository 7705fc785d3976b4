"""One formula on the page; its symbols explain themselves where one points."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from s2s_core.ui.glossary.mathml import formula_html
from s2s_core.ui.glossary.term import Symbols


def _asset(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


# A component, since `st.html` drops MathML.
_component = st.components.v2.component(
    "seq2seq_formula",
    html='<div class="formula"></div>',
    css=_asset("formula.css"),
    js=_asset("formula.js"),
)


def draw(latex: str, symbols: Symbols, *, key: str) -> None:
    """Draw a formula."""
    _component(key=key, data={"formula": formula_html(latex, symbols)}, height="content")
