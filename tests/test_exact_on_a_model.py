"""Exact search on the English-French model: ten everyday sentences, their optima proved."""

from __future__ import annotations

from typing import Any

import pytest

from s2s_core.models.checkpoint import load_model
from s2s_core.models.threads import use_one_thread
from s2s_core.models.translation import TrainedModel
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.exact import exact_search
from s2s_core.search.length_penalty import PowerPenalty

ENGLISH_FRENCH = "en-fr-additive-gru"

TEN = (
    "The tea is too hot to drink.",
    "My sister bought a green umbrella.",
    "We missed the last train yesterday evening.",
    "Can you lend me your pen for a minute?",
    "The shop opens at nine in the morning.",
    "I forgot my keys on the kitchen table.",
    "He plays football with his friends on Sunday.",
    "Do you want more bread with your soup?",
    "Our neighbours have two small dogs.",
    "She is learning to drive this summer.",
)
HARD = {TEN[4], TEN[8]}
"""With alpha 0.6 their proof takes longer than a test may; the benchmark has it."""


@pytest.fixture(scope="module")
def model() -> TrainedModel[Any]:
    use_one_thread()
    return load_model(ENGLISH_FRENCH)


def test_the_sentences_have_four_to_nine_words() -> None:
    assert all(4 <= len(source.split()) <= 9 for source in TEN)


@pytest.mark.parametrize("alpha", [0.0, 0.6])
def test_the_optimum_is_proved_and_no_beam_scores_higher(
    model: TrainedModel[Any], alpha: float
) -> None:
    penalty = PowerPenalty(alpha)
    proved = empty = 0
    for source in TEN:
        budget = 2000 if alpha and source in HARD else 2_000_000
        config = SearchConfig(length_penalty=penalty, recorded_candidates=0)
        result = exact_search(model, source, config, node_budget=budget)
        proved += result.proved
        empty += not result.best.text
        for beam_size in (1, 5, 16):
            wide = SearchConfig(beam_size, length_penalty=penalty, recorded_candidates=0)
            assert beam_search(model, source, wide).best.score <= result.best.score + 1e-5
    assert proved == (8 if alpha else 10)
    assert empty == 0


def test_a_minimum_length_beyond_the_optimum_finds_a_longer_one(model: TrainedModel[Any]) -> None:
    config = SearchConfig(length_penalty=PowerPenalty(0.0), min_length=10)
    result = exact_search(model, TEN[0], config, node_budget=100_000)
    assert result.proved
    assert result.best.length == 10
    free = SearchConfig(length_penalty=PowerPenalty(0.0))
    assert result.best.log_prob < exact_search(model, TEN[0], free).best.log_prob
