"""The three equalities that the stop rules promise, checked on random tables."""

from __future__ import annotations

import numpy as np

from s2s_core.errors import NoHypothesisError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig, StopRule
from s2s_core.search.greedy import greedy_search
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.table import ProbabilityTable
from s2s_core.search.trace import BeamTrace
from tests.search.naive import naive_greedy, next_log_probs
from tests.search.tables import PENALTIES, random_table


def search(
    table: ProbabilityTable, rule: StopRule, beam: int, m: int, penalty: LengthPenalty
) -> BeamTrace | None:
    try:
        config = SearchConfig(beam, m, length_penalty=penalty, stop_rule=rule)
        return beam_search(table, "", config)
    except NoHypothesisError:
        return None


def listed(trace: BeamTrace) -> list[tuple[tuple[int, ...], float, float]]:
    return [(h.token_ids, h.log_prob, h.score) for h in trace.pool()]


def check_equalities(seed: int, count: int) -> tuple[int, int]:
    """Check the three equalities; returns how often `bound` and `best` stopped early."""
    rng = np.random.default_rng(seed)
    early_bound = early_best = 0
    for number in range(count):
        table = random_table(rng)
        beam, m = int(rng.integers(1, 5)), int(rng.integers(1, 7))
        penalty = PENALTIES[number % len(PENALTIES)]
        full = search(table, "exhaust", beam, m, penalty)
        bound = search(table, "bound", beam, m, penalty)
        best = search(table, "best", beam, m, penalty)
        assert (full is None) == (bound is None) == (best is None)
        if full and bound and best:
            assert listed(bound) == listed(full)
            assert listed(best)[0] == listed(full)[0]
            early_bound += len(bound.steps) < len(full.steps)
            early_best += len(best.steps) < len(full.steps)
        greedy = naive_greedy(next_log_probs(table), table.target.eos_id, m)
        first = search(table, "first", 1, m, penalty)
        assert (first.best.token_ids if first else ()) == greedy
        if greedy:
            config = SearchConfig(max_length=m, length_penalty=penalty)
            assert greedy_search(table, "", config).best.token_ids == greedy
    return early_bound, early_best
