"""Clauses joined to longer sources."""

from __future__ import annotations

import pytest

from s2s_core.errors import SettingError
from s2s_core.text.clauses import CLAUSES, MOST_CLAUSES, join_clauses, single_clauses
from s2s_core.text.normalise import LANGUAGES, normalise
from s2s_core.text.words import word_count


def test_every_language_has_clauses() -> None:
    assert CLAUSES.keys() == LANGUAGES.keys()


@pytest.mark.parametrize("language", CLAUSES)
def test_each_clause_makes_the_source_longer_and_keeps_those_before(language: str) -> None:
    sources = [join_clauses(language, count) for count in range(1, MOST_CLAUSES + 1)]
    lengths = [word_count(source) for source in sources]
    assert lengths == sorted({*lengths})
    for count, source in enumerate(sources, start=1):
        for clause in CLAUSES[language].clauses[:count]:
            assert clause.lower() in source.lower()


@pytest.mark.parametrize("language", CLAUSES)
def test_a_joined_source_is_in_the_form_of_the_corpora(language: str) -> None:
    for source in (join_clauses(language, 3), *single_clauses(language, 3)):
        assert not normalise(source, language=language, final_mark=True).changed


def test_an_english_example() -> None:
    assert join_clauses("en", 1) == "The door is open."
    assert join_clauses("en", 2) == "The door is open and my sister is reading a book."
    assert join_clauses("en", 3).startswith("The door is open, my sister")
    assert single_clauses("en", 2) == ("The door is open.", "My sister is reading a book.")


@pytest.mark.parametrize("count", [0, -1, 99])
def test_a_bad_count_says_what_is_allowed(count: int) -> None:
    with pytest.raises(SettingError, match=f"1 to {MOST_CLAUSES}, not {count}"):
        join_clauses("en", count)


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(SettingError, match="not 'xx'"):
        single_clauses("xx", 1)
