"""Forced words: against all strings that hold them."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_core.errors import NoHypothesisError, PrefixError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.forced_words import Words, forced_words_search, progress
from s2s_core.search.score import score_target
from tests.search.decoder_checks import check_words, holds
from tests.search.fakes import PrefixModel
from tests.search.tables import random_table

WORDS: tuple[Words, ...] = (((3,),), ((2, 3),), ((3,), (2,)), ((2, 2), (3,)), ((2, 3), (3, 2)))


@pytest.mark.parametrize("words", WORDS)
def test_a_wide_beam_finds_the_best_string_that_holds_the_words(words: Words) -> None:
    assert check_words(seed=111, count=60, words=words) > 10


def test_a_narrow_beam_still_puts_improbable_words_in() -> None:
    model = PrefixModel(seed=7)
    free = beam_search(model, "x y z", SearchConfig(1, 8))
    for words in (((3,),), ((4, 6),), ((5,), (3, 3)), ((6, 6, 6),)):
        trace = forced_words_search(model, "x y z", words, SearchConfig(1, 8))
        assert trace.best.finished
        assert holds(trace.best.token_ids, words)
        assert holds(free.best.token_ids, words) or trace.best.score < free.best.score


def test_forced_words_keep_the_models_own_log_probs() -> None:
    model = PrefixModel(seed=7)
    best = forced_words_search(model, "x y z", ((4, 6),), SearchConfig(2, 8)).best
    scored = score_target(model, "x y z", best.token_ids)
    assert best.token_log_probs == pytest.approx(scored.token_log_probs)
    assert best.log_prob == pytest.approx(scored.log_prob)


def test_progress_counts_whole_words_and_a_start_at_the_end() -> None:
    words = ((1, 2), (3,))
    assert [progress(p, words) for p in ((), (1,), (1, 3), (1, 2), (1, 2, 1), (3, 1))] == [
        0, 1, 1, 2, 2, 2,
    ]  # fmt: skip
    assert progress((1, 1, 2), ((1, 1, 2),)) == 3
    assert progress((1, 1, 1), ((1, 1, 2),)) == 2


def test_with_a_forced_prefix_both_hold() -> None:
    model = PrefixModel(seed=7)
    trace = forced_words_search(model, "x y z", ((6,),), SearchConfig(2, 8), forced_ids=(3, 3))
    assert trace.best.token_ids[:2] == (3, 3)
    assert 6 in trace.best.token_ids


@pytest.mark.parametrize("words", [(), ((),), ((3,), ()), ((3,) * 21,)])
def test_no_words_or_too_many_are_refused(words: Words) -> None:
    with pytest.raises(PrefixError, match="words of 1 to 20 tokens"):
        forced_words_search(PrefixModel(), "x y z", words)


def test_words_that_cannot_be_written_are_refused_or_found_impossible() -> None:
    with pytest.raises(PrefixError, match="the end token"):
        forced_words_search(PrefixModel(), "x y z", ((2,),))
    rng = np.random.default_rng(3)
    table = random_table(rng)
    with pytest.raises((NoHypothesisError, PrefixError)):
        forced_words_search(table, "", ((9,),))
