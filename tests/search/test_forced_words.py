"""Forced words: against all strings that hold them."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_core.errors import NoHypothesisError, PrefixError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.forced_words import Words, forced_words_search, progress
from s2s_core.search.score import score_target
from tests.search.fakes import PrefixModel
from tests.search.naive import Ids, all_strings, next_log_probs
from tests.search.tables import PENALTIES, random_table


def holds(ids: Ids, words: Words) -> bool:
    text = "".join(f"<{i}>" for i in ids)
    return all("".join(f"<{i}>" for i in word) in text for word in words)


WORDS: tuple[Words, ...] = (((3,),), ((2, 3),), ((3,), (2,)), ((2, 2), (3,)), ((2, 3), (3, 2)))


@pytest.mark.parametrize("words", WORDS)
def test_a_wide_beam_finds_the_best_string_that_holds_the_words(words: Words) -> None:
    rng = np.random.default_rng(111)
    mattered = compared = 0
    for number in range(50):
        table, penalty = random_table(rng, ties=number % 2 == 0), PENALTIES[number % 7]
        config = SearchConfig(64, 4, penalty, "exhaust")
        strings = list(all_strings(next_log_probs(table), table.target.eos_id, 4))
        scores = {i: penalty.score(p, len(i)) for i, p in strings}
        allowed = {i: score for i, score in scores.items() if holds(i, words)}
        if not allowed:
            continue
        trace = forced_words_search(table, "", words, config)
        assert {trace.hypothesis(i).token_ids for i in trace.finished_ids} == set(allowed)
        assert trace.best.score == max(allowed.values())
        compared += 1
        mattered += trace.best.score < max(scores.values())
    assert compared > 20
    assert mattered > 10


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
