"""Letters that a language doesn't use, and texts about which nothing is said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.text.normalise import LANGUAGES
from s2s_core.text.script import foreign_letters


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("明天见", "en", "Chinese characters"),
        ("我 like 你们大家的猫", "en", "Chinese characters"),
        ("Где вокзал?", "en", "Cyrillic letters"),
        ("أين المحطة؟", "fr", "Arabic letters"),
        ("איפה התחנה?", "en", "Hebrew letters"),
        ("Πού είναι;", "de", "Greek letters"),
        ("ありがとう", "zh", "Japanese kana"),
        ("Where is the station?", "zh", "Latin letters"),
        ("Ｗｈｅｒｅ", "zh", "Latin letters"),
        ("ᏣᎳᎩ", "en", "letters of another script"),
    ],
)
def test_letters_of_another_script_are_named(text: str, language: str, expected: str) -> None:
    assert foreign_letters(text, language) == expected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Où est la gare ?", "en"),  # French, but in letters that English has
        ("The word 猫 means cat.", "en"),
        ("我喜欢 Python", "zh"),
        ("Wikipedia 上的一篇很长的文章", "zh"),
        ("ｆｕｌｌ width", "en"),
        ("!? 12:30 🙂", "en"),
        ("", "zh"),
        ("Где вокзал?", "ru"),
    ],
)
def test_nothing_is_said_where_it_is_not_certain(text: str, language: str) -> None:
    assert foreign_letters(text, language) is None


@given(st.text(), st.sampled_from([*LANGUAGES, "xx"]))
def test_any_text_is_answered(text: str, language: str) -> None:
    found = foreign_letters(text, language)
    assert found is None or any(character.isalpha() for character in text)


def test_every_language_that_can_be_read_is_known_here() -> None:
    letters = "Где вокзал"
    for language, rules in LANGUAGES.items():  # one of few characters refuses the others itself
        assert foreign_letters(letters, language) or rules.foreign(letters)
