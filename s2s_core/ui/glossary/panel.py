"""The glossary's page: a part at a time, or what is looked for in all of them."""

from __future__ import annotations

from typing import Any

import streamlit as st

from s2s_core.ui import literal, shell, state
from s2s_core.ui.glossary import formula
from s2s_core.ui.glossary.term import Term
from s2s_core.ui.glossary.terms import PARTS, find_terms
from s2s_core.ui.link import LinkField, choice_field, text_field
from s2s_core.ui.places import abreast
from s2s_core.ui.shared_link import SHARED

PART = choice_field("part", lambda: tuple(PARTS), next(iter(PARTS)))
WANTED = text_field("word")
FIELDS: tuple[LinkField[Any], ...] = (*SHARED, PART, WANTED)

_LONGEST = 60  # characters that can be looked for


def draw() -> None:
    """Draw the choice and the entries."""
    choice, box = st.columns([3, 2], vertical_alignment="bottom")
    choice.segmented_control("Part", tuple(PARTS), key=PART.name, required=True)
    box.text_input(
        "Look for a word",
        key=WANTED.name,
        max_chars=_LONGEST,
        placeholder="beam, mask, p_n …",
    )
    terms = find_terms(state.get(PART), state.get(WANTED))
    if not terms:
        literal.show(f"Nothing here says “{state.get(WANTED)}”. Empty the box to see a part.")
        return
    st.caption("Point at an underlined symbol, or tap it, to see what it means.")
    for place, term in abreast(terms):
        with place:
            _draw_term(term)


def _draw_term(term: Term) -> None:
    with st.container(border=True, gap="xsmall"):
        also = f" ({term.also})" if term.also else ""
        st.markdown(f"**{term.name}**{also}")
        st.markdown(term.meaning)
        if term.formula:
            formula.draw(term.formula, term.symbols, key=f"formula-{term.name}")
        if term.source:
            st.caption(f"Source: {term.source}")
        shell.link_with(term.page, dict(term.link), f"Try it on {shell.PAGES[term.page].title}")
