"""What is marked where two outputs differ."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from s2s_core.text.difference import Piece, differences, found_again, place_by_place

texts = st.text(alphabet=" ab猫c.,", max_size=20)


def test_words_that_differ_are_marked_in_their_place() -> None:
    assert differences("the big cat ran", "the cat ran away") == (
        Piece("the", "same"),
        Piece(" big", "added"),
        Piece(" cat ran", "same"),
        Piece(" away", "missing"),
    )


def test_a_mark_is_no_part_of_the_word_before_it() -> None:
    assert differences("It's late, I'm off", "It's late. I'm off") == (
        Piece("It's late", "same"),
        Piece(".", "missing"),
        Piece(",", "added"),
        Piece(" I'm off", "same"),
    )


def test_chinese_differs_by_character() -> None:
    kinds = [(piece.text, piece.kind) for piece in differences("我喜欢茶", "我喜欢水")]
    assert kinds == [("我喜欢", "same"), ("水", "missing"), ("茶", "added")]


@given(texts, texts)
def test_the_pieces_spell_both_texts(text: str, other: str) -> None:
    pieces = differences(text, other)
    here = "".join(p.text for p in pieces if p.kind != "missing")
    there = "".join(p.text for p in pieces if p.kind != "added")
    assert here == text.rstrip()
    assert "".join(there.split()) == "".join(other.split())
    assert all(p.kind == "same" for p in pieces) == (text.split() == other.split()) or (
        "".join(text.split()) == "".join(other.split())
    )


@given(texts)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert {piece.kind for piece in differences(text, text)} <= {"same"}


def test_a_digit_counts_at_its_place_alone() -> None:
    found = place_by_place("7 9 4", "7 9 4")
    assert found.exact and found.right == found.wanted == 3
    shifted = place_by_place("9 4", "7 9 4")
    assert (shifted.right, shifted.wanted, shifted.exact) == (0, 3, False)
    assert [p.kind for p in shifted.pieces] == ["added", "added", "missing"]
    assert [p.text for p in shifted.pieces] == ["9", "4", "4"]


def test_what_comes_after_the_answer_is_wrong() -> None:
    longer = place_by_place("7 9 4 4", "7 9 4")
    assert longer.right == 3 and not longer.exact and longer.surplus == 1
    assert place_by_place("7", "7 9 4").surplus == place_by_place("7 9 4", "7 9 4").surplus == 0


@given(st.lists(st.sampled_from("0123456789"), max_size=8), st.data())
def test_right_positions_are_those_that_are_equal(wanted: list[str], data: st.DataObject) -> None:
    written = data.draw(st.lists(st.sampled_from("0123456789"), max_size=8))
    found = place_by_place(" ".join(written), " ".join(wanted))
    assert found.right == sum(a == b for a, b in zip(written, wanted, strict=False))
    assert found.exact == (written == wanted)


def test_words_are_found_again_each_as_often_as_it_is_there() -> None:
    assert found_again("The cat.", "the dog, the cat!") == 1
    assert found_again("the the cat", "the cat") == 2 / 3
    assert found_again("le chat", "un chien") == 0
    assert found_again("猫在", "猫") == 0.5
    assert found_again("…", "") == 1
