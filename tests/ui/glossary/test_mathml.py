"""Formulas whose symbols explain themselves."""

from __future__ import annotations

import re
from html import escape, unescape

import pytest
from latex2mathml.converter import convert

from s2s_core.ui.glossary.mathml import formula_html
from s2s_core.ui.glossary.term import Term
from s2s_core.ui.glossary.terms import PARTS

TERMS = [term for terms in PARTS.values() for term in terms]
WITH_FORMULA = [term for term in TERMS if term.formula]


def text(markup: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", markup))


@pytest.mark.parametrize("term", WITH_FORMULA, ids=lambda term: term.name)
def test_every_symbol_of_a_formula_is_explained_where_it_stands(term: Term) -> None:
    html = formula_html(term.formula, term.symbols)
    for _, meaning in term.symbols:
        assert f'data-meaning="{escape(meaning)}"' in html
    assert text(html) == text(convert(term.formula))


def test_the_longer_symbol_is_found_first() -> None:
    html = formula_html("W_h h", (("h", "a state"), ("W_h", "a matrix")))
    assert html.count('data-meaning="a state"') == 1
    assert html.count('data-meaning="a matrix"') == 1


def test_every_occurrence_is_explained() -> None:
    assert formula_html("x + x", (("x", "a source"),)).count("data-meaning") == 2


def test_a_meaning_is_text() -> None:
    html = formula_html("x", (("x", 'a "b" <c> & d'),))
    assert "&quot;b&quot; &lt;c&gt; &amp; d" in html


def test_a_symbol_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="has no symbol 'y'"):
        formula_html("x", (("y", "nothing"),))
