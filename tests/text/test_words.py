"""Lengths of sentences, and parts of a file by length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.errors import SettingError
from s2s_core.text.words import SourceLengths, in_fives, word_count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("I don't know.", 4),
        ("L'été, c’est l'été !", 5),
        ("明天见。", 4),
        ("我们在 Paris 3 天", 6),
        ("4 9 7 1 2", 5),
        ("“Well”, he said", 6),
        ("", 0),
        ("  ", 0),
    ],
)
def test_words_marks_and_chinese_characters_count_one_each(text: str, count: int) -> None:
    assert word_count(text) == count


@given(st.text(max_size=30), st.text(max_size=30))
def test_a_space_between_two_texts_adds_their_counts(first: str, second: str) -> None:
    assert word_count(f"{first} {second}") == word_count(first) + word_count(second)


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [("6-10", (6, 10), (5, 11)), ("13-", (13, 10**6), (12, 0)), ("7", (7, 7), (6, 8))],
)
def test_a_range_holds_both_its_ends(
    text: str, inside: tuple[int, int], outside: tuple[int, int]
) -> None:
    lengths = SourceLengths.parse(text)
    assert all(length in lengths for length in inside)
    assert not any(length in lengths for length in outside)
    assert SourceLengths.parse(str(lengths)) == lengths


@pytest.mark.parametrize("text", ["", "-", "a-b", "5-4", "0-3", "1-2-3", "-5", "1.5"])
def test_a_bad_range_is_a_named_error(text: str) -> None:
    with pytest.raises(SettingError, match="lengths must be"):
        SourceLengths.parse(text)


def test_fives_cover_each_length_once() -> None:
    assert [str(part) for part in in_fives(1, 12)] == ["1-5", "6-10", "11-12"]
    assert [n for n in range(1, 41) if sum(n in part for part in in_fives(1, 40)) != 1] == []
