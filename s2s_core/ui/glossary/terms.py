"""Every entry of the glossary, by part."""

from __future__ import annotations

from s2s_core.ui.glossary.metric_terms import METRIC_TERMS
from s2s_core.ui.glossary.search_terms import SEARCH_TERMS
from s2s_core.ui.glossary.term import Term
from s2s_core.ui.glossary.text_terms import TEXT_TERMS
from s2s_core.ui.glossary.training_terms import TRAINING_TERMS

PARTS: dict[str, tuple[Term, ...]] = {
    "Text, models, attention": TEXT_TERMS,
    "Training": TRAINING_TERMS,
    "Search and length": SEARCH_TERMS,
    "BLEU": METRIC_TERMS,
}


def find_terms(part: str, wanted: str) -> tuple[Term, ...]:
    """The entries of a part; or, where something is looked for, those of all parts that say it.

    wanted: looked for in names and meanings, whatever the case; names that begin with it first.
    """
    looked_for = wanted.strip().casefold()
    if not looked_for:
        return PARTS[part]
    found = [
        term
        for terms in PARTS.values()
        for term in terms
        if looked_for in f"{term.name} {term.also} {term.meaning}".casefold()
    ]
    return tuple(sorted(found, key=lambda term: _place(term, looked_for)))


def _place(term: Term, looked_for: str) -> int:
    """0 where the name begins with it, 1 where a name has it, 2 where only the meaning does."""
    if term.name.casefold().startswith(looked_for):
        return 0
    return 1 if looked_for in f"{term.name} {term.also}".casefold() else 2
