"""The coverage penalty: by hand, and against every string with its attention."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2s_core.errors import SettingError, UnsupportedModelError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.coverage import coverage_of, coverage_penalty, rank_by_coverage
from s2s_core.search.length_penalty import GnmtPenalty
from s2s_core.search.records import AttentionMap
from tests.search.fakes import PrefixModel, attention_of
from tests.search.naive import all_strings, next_log_probs
from tests.search.tables import BEST_OF_TWO


def test_the_penalty_is_the_sum_of_logs_of_what_lacks() -> None:
    rows = np.array([[[[0.7, 0.3, 0.0], [0.6, 0.2, 0.2]]]], dtype=np.float32)
    coverage = coverage_of(AttentionMap(rows, ("a", "b", "c"), ("x", "EOS")))
    assert coverage == pytest.approx([1.3, 0.5, 0.2])
    assert coverage_penalty(coverage, 2.0) == pytest.approx(2.0 * (math.log(0.5) + math.log(0.2)))
    assert coverage_penalty(np.array([1.0, 3.0]), 2.0) == 0.0


def test_no_attention_at_all_is_minus_infinity_but_beta_0_is_off() -> None:
    assert coverage_penalty(np.array([0.0, 2.0]), 0.5) == -math.inf
    assert coverage_penalty(np.array([0.0, 2.0]), 0.0) == 0.0


@pytest.mark.parametrize("beta", [0.0, 0.2, 3.0])
def test_the_ranking_is_that_of_all_strings(beta: float) -> None:
    model, penalty = PrefixModel(seed=8, end=1.0), GnmtPenalty(0.6)
    config = SearchConfig(64, 4, penalty, "exhaust")
    ranked = rank_by_coverage(beam_search(model, "x y z", config), beta)
    expected = []
    for ids, log_prob in all_strings(next_log_probs(model, "x y z"), model.target.eos_id, 4):
        covered = [0.0, 0.0, 0.0]
        for t in range(len(ids)):
            prefix = (model.target.bos_id, *ids[:t])
            for s in range(3):
                covered[s] += float(attention_of(prefix)[1, :, s].mean())
        cp = beta * sum(math.log(min(value, 1.0)) for value in covered)
        expected.append((penalty.score(log_prob, len(ids)) + cp, ids))
    expected.sort(key=lambda item: -item[0])
    totals = [item.total for item in ranked]
    assert totals == sorted(totals, reverse=True)
    assert totals[:50] == pytest.approx([score for score, _ in expected[:50]], abs=1e-6)
    assert ranked[0].hypothesis.token_ids == expected[0][1]
    if beta == 0.0:
        assert [item.hypothesis.score for item in ranked] == totals
    assert all(item.penalty <= 0.0 for item in ranked)


def test_the_penalty_can_change_the_winner() -> None:
    model = PrefixModel(seed=8, end=1.0)
    trace = beam_search(model, "x y z", SearchConfig(20, 6, stop_rule="exhaust"))
    winners = {rank_by_coverage(trace, beta)[0].hypothesis.token_ids for beta in (0.0, 0.5, 5.0)}
    assert len(winners) > 1


def test_a_model_without_attention_and_a_bad_beta_are_refused() -> None:
    trace = beam_search(BEST_OF_TWO, "", SearchConfig(2, 3))
    with pytest.raises(UnsupportedModelError, match="needs attention"):
        rank_by_coverage(trace)
    with pytest.raises(SettingError, match="beta must be between"):
        rank_by_coverage(trace, -0.1)
