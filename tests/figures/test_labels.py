"""Labels: the quiet mark of a space, and texts that can be told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.figures.labels import shorten_start, tell_apart, token_label
from s2s_core.figures.theme import literal, shorten
from tests.figures.test_theme import rendered


@given(st.text(st.sampled_from("▁ab<&$"), max_size=12))
def test_a_token_shows_every_character(token: str) -> None:
    assert rendered(token_label(token)) == rendered(literal(token))


def test_the_mark_of_a_space_is_quiet_unless_it_stands_alone() -> None:
    assert token_label("▁le").startswith("<span")
    assert token_label("le") == "le"
    assert token_label("▁") == "▁"
    assert rendered(token_label("▁abcdefgh", 5)) == "▁abc…"


@given(st.text(max_size=30), st.integers(2, 30))
def test_the_end_of_a_text_is_what_stays(text: str, width: int) -> None:
    short = shorten_start(text, width)
    assert len(short) <= width
    assert short == text or (short.startswith("…") and text.endswith(short[1:]))


def test_texts_with_the_same_beginning_show_where_they_part() -> None:
    texts = ["I went to the old market today", "I went to the old museum today", "You stayed here"]
    assert tell_apart(texts, 20) == (
        "I went to th … mark…",
        "I went to th … muse…",
        "You stayed here",
    )


@given(st.lists(st.text("ab ", max_size=40), max_size=5), st.integers(20, 44))
def test_no_label_is_too_long_and_short_texts_stay(texts: list[str], width: int) -> None:
    shown = tell_apart(texts, width)
    for text, label in zip(texts, shown, strict=True):
        assert len(label) <= width
        assert len(text) > width or label == text


@pytest.mark.parametrize("word", ["", "x" * 60, "long " * 20])
def test_equal_texts_may_look_alike(word: str) -> None:
    assert set(tell_apart([word, word], 30)) == {shorten(word, 30)}


@given(st.text("ab ", min_size=30, max_size=80), st.text("cd", min_size=1, max_size=4))
def test_two_texts_that_differ_never_look_alike(text: str, other: str) -> None:
    first, second = tell_apart([f"{text}{other}", f"{text}x"], 30)
    assert first != second
