"""Minimum Bayes risk: by hand, whatever the order, duplicates as weights."""

from __future__ import annotations

import math
import random

import pytest
from sacrebleu import sentence_bleu, sentence_chrf

from s2s_core.errors import NoHypothesisError
from s2s_core.metrics.utility import UTILITIES, bleu_utility, chrf_utility
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.mbr import minimum_bayes_risk, pool_weights, sample_weights
from s2s_core.search.sampling import Sampling, sample
from tests.search.fakes import PrefixModel

TEXTS = {"the cat sat": 3.0, "the cat sits": 2.0, "a dog": 4.0, "": 1.0}


def shared_words(hypothesis: str, reference: str) -> float:
    """Not symmetric, so that rows and columns can't be confused."""
    words = hypothesis.split()
    return sum(word in reference.split() for word in words) / len(words) if words else 0.0


def test_the_expected_utility_is_the_weighted_mean_of_a_row() -> None:
    result = minimum_bayes_risk(TEXTS, shared_words)
    by_hand = {
        "the cat sat": 0.3 * 1 + 0.2 * 2 / 3,
        "the cat sits": 0.3 * 2 / 3 + 0.2 * 1,
        "a dog": 0.4,
        "": 0.0,
    }
    assert dict(zip(result.texts, result.expected, strict=True)) == pytest.approx(by_hand)
    assert result.best == "the cat sat"
    place = {text: i for i, text in enumerate(result.texts)}
    for one in TEXTS:
        for other in TEXTS:
            assert result.matrix[place[one], place[other]] == shared_words(one, other)
    assert math.fsum(result.weights) == pytest.approx(1.0)
    assert not result.matrix.flags.writeable


def test_the_most_agreed_on_wins_over_the_most_frequent() -> None:
    assert max(TEXTS, key=lambda text: TEXTS[text]) == "a dog"
    assert minimum_bayes_risk(TEXTS, shared_words).best == "the cat sat"


def test_the_order_changes_nothing_and_scale_changes_nothing() -> None:
    result = minimum_bayes_risk(TEXTS, shared_words)
    items = list(TEXTS.items())
    for seed in range(5):
        random.Random(seed).shuffle(items)
        again = minimum_bayes_risk({text: 7 * weight for text, weight in items}, shared_words)
        assert (again.texts, again.expected) == (result.texts, pytest.approx(result.expected))


def test_ties_go_to_the_heavier_and_then_to_the_first_in_the_alphabet() -> None:
    result = minimum_bayes_risk({"b": 1.0, "c": 2.0, "a": 1.0}, lambda one, other: 1.0)
    assert result.texts == ("c", "a", "b")


def test_duplicate_samples_act_as_weights() -> None:
    model = PrefixModel(seed=4, end=1.0)
    drawn = sample(model, "x y z", SearchConfig(5, 6), Sampling(samples=50))
    weights = sample_weights(drawn)
    finished = [h.text for h in drawn.samples if h.finished]
    assert len(weights) < len(finished)
    result = minimum_bayes_risk(weights, chrf_utility)
    one_by_one = {
        text: sum(chrf_utility(text, other) for other in finished) / len(finished)
        for text in finished
    }
    assert dict(zip(result.texts, result.expected, strict=True)) == pytest.approx(one_by_one)


def test_the_pool_counts_by_probability() -> None:
    trace = beam_search(PrefixModel(seed=4, end=1.0), "x y z", SearchConfig(5, 6))
    expected: dict[str, float] = {}
    for h in trace.pool():
        expected[h.text] = expected.get(h.text, 0.0) + math.exp(h.log_prob)
    total = sum(expected.values())
    result = minimum_bayes_risk(pool_weights(trace), bleu_utility)
    shares = dict(zip(result.texts, result.weights, strict=True))
    assert shares == pytest.approx({text: p / total for text, p in expected.items()})


def test_the_utilities_are_sacrebleus() -> None:
    pairs = [("the cat sat", "the cat sits here"), ("明天见", "明天再见"), ("a", "b c d")]
    for one, other in pairs:
        assert chrf_utility(one, other) == sentence_chrf(one, [other]).score
        expected = sentence_bleu(one, [other], smooth_method="exp", use_effective_order=True)
        assert bleu_utility(one, other) == expected.score
    for utility in UTILITIES.values():
        assert (utility("", ""), utility("", "a"), utility("a", "")) == (100.0, 0.0, 0.0)
        assert utility("the cat sat down", "the cat sat down") == pytest.approx(100.0)


def test_without_a_text_there_is_no_choice() -> None:
    with pytest.raises(NoHypothesisError, match="draw more samples"):
        minimum_bayes_risk({}, chrf_utility)
