"""Toy tasks: the right answers, and held-out strings that were never trained on."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.errors import SettingError
from s2s_core.text.corpus import SentencePair
from s2s_core.text.tasks import (
    DIGITS,
    LONGEST,
    TASKS,
    held_out_pairs,
    random_source,
    split_of,
    training_pairs,
)


def digits(text: str) -> str:
    assert text.split(" ") == list(text[::2])  # one space between two digits
    return text[::2]


def trained(count: int = 3000, seed: int = 1) -> tuple[SentencePair, ...]:
    return training_pairs("reverse", shortest=1, longest=6, count=count, seed=seed)


@pytest.mark.parametrize(
    ("task", "target"), [("reverse", "5 0 3 4"), ("copy", "4 3 0 5"), ("sort", "0 3 4 5")]
)
def test_the_answers_are_those_of_the_task(task: str, target: str) -> None:
    assert TASKS[task]("4305") == target.replace(" ", "")
    pairs = held_out_pairs(task, "test", shortest=1, longest=9, per_length=20)
    for pair in pairs:
        assert digits(pair.target) == TASKS[task](digits(pair.source))
    assert {pair.source for pair in pairs} == {
        pair.source for pair in held_out_pairs("copy", "test", shortest=1, longest=9, per_length=20)
    }


def test_no_held_out_string_is_trained_on_at_any_length() -> None:
    sources = {pair.source for pair in trained()}
    held_out = [
        pair.source
        for split in ("development", "test")
        for pair in held_out_pairs("reverse", split, shortest=1, longest=6, per_length=500)  # type: ignore[arg-type]
    ]
    assert len(set(held_out)) == len(held_out)
    assert sources.isdisjoint(held_out)
    assert {split_of(digits(source)) for source in sources} == {"training"}


def test_each_split_has_a_string_of_one_digit_and_all_strings_are_in_one() -> None:
    ones = Counter(map(split_of, DIGITS))
    assert ones == {"training": 8, "development": 1, "test": 1}
    for split in ("development", "test"):
        pairs = held_out_pairs("copy", split, shortest=1, longest=2, per_length=1000)  # type: ignore[arg-type]
        strings = [f"{i}" for i in range(10)] + [f"{i:02}" for i in range(100)]
        assert [digits(p.source) for p in pairs] == [s for s in strings if split_of(s) == split]


def test_a_tenth_of_the_long_strings_is_held_out_for_each_purpose() -> None:
    splits = Counter(split_of(f"{i:06}") for i in range(20_000))
    assert splits["test"] / 20_000 == pytest.approx(0.1, abs=0.01)
    assert splits["development"] / 20_000 == pytest.approx(0.1, abs=0.01)


def test_lengths_are_equally_likely_in_training() -> None:
    lengths = Counter(len(digits(pair.source)) for pair in trained(6000))
    assert sorted(lengths) == [1, 2, 3, 4, 5, 6]
    assert all(count == pytest.approx(1000, abs=120) for count in lengths.values())


def test_strings_depend_on_the_seed_alone_and_tests_on_nothing() -> None:
    assert trained() == trained()
    assert trained() != trained(seed=2)
    few = held_out_pairs("reverse", "test", shortest=5, longest=5, per_length=10)
    assert few == held_out_pairs("reverse", "test", shortest=3, longest=5, per_length=10)[-10:]


@given(st.integers(1, 25), st.integers(0, 5), st.integers(1, 30))
def test_held_out_strings_have_the_lengths_asked_for(start: int, more: int, count: int) -> None:
    pairs = held_out_pairs(
        "sort", "development", shortest=start, longest=start + more, per_length=count
    )
    lengths = Counter(len(digits(pair.source)) for pair in pairs)
    assert sorted(lengths) == list(range(start, start + more + 1))
    assert all(n == count for length, n in lengths.items() if length > 3)


@pytest.mark.parametrize(("shortest", "longest"), [(0, 3), (5, 4), (1, LONGEST + 1)])
def test_impossible_lengths_are_named(shortest: int, longest: int) -> None:
    with pytest.raises(SettingError, match=f"not {shortest} to {longest}"):
        training_pairs("copy", shortest=shortest, longest=longest, count=1, seed=1)


def test_an_unknown_task_is_named() -> None:
    with pytest.raises(SettingError, match="one of reverse, copy, sort, not 'shuffle'"):
        held_out_pairs("shuffle", "test", shortest=1, longest=2, per_length=1)


def test_a_random_source_is_held_out_and_the_same_for_the_same_seed() -> None:
    for length in (1, 2, 20, 40):
        source = random_source(length, 3)
        digits = "".join(source.split())
        assert len(digits) == length and split_of(digits) == "test"
        assert source == random_source(length, 3)
    assert len({random_source(12, seed) for seed in range(20)}) == 20
    with pytest.raises(SettingError, match="not 0 to 0"):
        random_source(0, 1)
