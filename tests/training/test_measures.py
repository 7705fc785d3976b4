"""Figures of sums, and their intervals."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_core.search.batch import Output
from s2s_core.text.corpus import SentencePair
from s2s_core.training.measures import estimate, exact_match, share, token_matches

EVERY = np.arange(400)


def test_the_interval_of_a_share_is_that_of_the_binomial() -> None:
    hits = np.random.default_rng(0).random(400) < 0.3
    (found,) = estimate([share("exact match", hits, np.ones(400))], EVERY)
    p = hits.mean()
    half = 1.96 * np.sqrt(p * (1 - p) / 400)
    assert found.value == pytest.approx(100 * p)
    assert found.low == pytest.approx(100 * (p - half), abs=0.7)
    assert found.high == pytest.approx(100 * (p + half), abs=0.7)


def test_a_share_weighs_sentences_by_their_tokens() -> None:
    measure = share("token accuracy", np.array([1, 0]), np.array([1, 3]))
    assert estimate([measure], np.array([0, 1]))[0].value == 25
    assert estimate([measure], np.array([0]))[0].value == 100


def test_equal_arguments_give_equal_intervals_and_measures_share_resamples() -> None:
    hits = np.random.default_rng(1).random(400)
    first, second = share("loss", hits, np.ones(400)), share("loss", 2 * hits, np.ones(400))
    one, two = estimate([first, second], EVERY)
    assert estimate([first], EVERY) == [one]
    assert (two.low, two.high) == pytest.approx((2 * one.low, 2 * one.high))


def test_a_single_sentence_has_an_interval_without_width() -> None:
    (found,) = estimate([share("loss", np.array([3.0]), np.array([2.0]), scale=1.0)], np.arange(1))
    assert (found.low, found.value, found.high) == (1.5, 1.5, 1.5)


@pytest.mark.parametrize(
    ("output", "reference", "matches"),
    [
        ((5, 6, 2), (5, 6, 2), 3),
        ((5, 2), (5, 6, 2), 1),
        ((5, 6, 7, 2), (5, 6, 2), 2),
        ((6, 5, 2), (5, 6, 2), 1),
        ((), (2,), 0),
    ],
)
def test_matches_are_counted_position_by_position(
    output: tuple[int, ...], reference: tuple[int, ...], matches: int
) -> None:
    assert token_matches(output, reference) == matches


def test_a_target_that_was_cut_is_no_exact_match() -> None:
    pairs = [SentencePair("a", ("x", "y"))] * 4
    outputs = [Output((), text, finished) for text, finished in (
        ("x", True), ("x", False), ("y", True), ("z", True))]  # fmt: skip
    every = np.arange(4)
    (one,) = estimate([exact_match(outputs, pairs, all_references=False)], every)
    (any_of_them,) = estimate([exact_match(outputs, pairs, all_references=True)], every)
    assert (one.value, any_of_them.value) == (25, 50)
