"""The glossary has the project's words, and every entry leads to a page."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from s2s_core.ui import shell
from s2s_core.ui.glossary.term import Term
from s2s_core.ui.glossary.terms import PARTS, find_terms
from s2s_core.ui.link import LinkField, read_link
from s2s_core.ui.shared_link import SHARED

TERMS = [term for terms in PARTS.values() for term in terms]
NAMES = [term.name for term in TERMS]
LINKS = {
    "attention": "attention.link",
    "training": "training.link",
    "bleu": "bleu.fields",
    "compare": "compare.link",
    "decode": "decode.link",
    "lab": "lab.link",
    "length": "length.link",
    "models": "models.link",
    "playground": "playground.link",
}
"""Where the fields of a page's link are."""


def fields_of(page: str) -> tuple[LinkField[Any], ...]:
    found: tuple[LinkField[Any], ...] = import_module(f"s2s_core.ui.{LINKS[page]}").FIELDS
    return found


def test_no_word_is_there_twice() -> None:
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize(
    "word",
    [
        *("source", "target", "reference", "hypothesis", "prefix", "token", "beam size", "pool"),
        *("score", "length", "coverage", "brevity penalty", "BLEU", "log-probability"),
        *("step, position, row", "power penalty", "GNMT penalty", "word reward"),
    ],
)
def test_the_words_of_the_project_are_in_it(word: str) -> None:
    assert word in NAMES


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_an_entry_leads_to_a_page_with_a_link_that_it_understands(term: Term) -> None:
    assert term.page in shell.PAGES
    assert term.meaning.endswith(".")
    if term.link:
        _, notices = read_link(
            dict(term.link), fields_of(term.page), others=[f.name for f in SHARED]
        )
        assert notices == ()


def test_looking_for_a_word_finds_names_before_meanings() -> None:
    part = next(iter(PARTS))
    found = [term.name for term in find_terms(part, " BEAM ")]
    assert found[:2] == ["beam search", "beam size"]
    assert "pruned" in found and "BLEU" not in found
    assert find_terms(part, "") == PARTS[part]
    assert find_terms(part, "nonsense") == ()
