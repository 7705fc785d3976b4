"""Exact search against brute force, and what it says when the budget runs out."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import s2s_core.search.exact_hunt as exact_hunt
from s2s_core.errors import NoHypothesisError, PrefixError, SettingError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.exact import ExactProgress, exact_search
from s2s_core.search.length_penalty import LengthPenalty, PowerPenalty
from s2s_core.search.table import ProbabilityTable
from tests.search.decoder_checks import check_exact
from tests.search.fakes import PrefixModel
from tests.search.naive import all_strings, next_log_probs
from tests.search.tables import PENALTIES, random_table


def test_exact_search_finds_the_best_of_all_strings() -> None:
    assert check_exact(seed=41, count=420) > 40


def test_exact_search_is_never_below_a_beam() -> None:
    rng = np.random.default_rng(42)
    for number in range(60):
        table = random_table(rng, ties=False)
        penalty = PENALTIES[number % 7]
        exact = exact_search(table, "", SearchConfig(2, 5, penalty))
        for beam_size in (1, 2, 5):
            beam = beam_search(table, "", SearchConfig(beam_size, 5, penalty, "exhaust"))
            assert not beam.best.finished or exact.best.score >= beam.best.score


def test_exact_search_keeps_a_forced_prefix() -> None:
    rng = np.random.default_rng(43)
    for _ in range(30):
        table = random_table(rng, ties=False)
        prefix = table.target.ids("b b")
        strings = all_strings(next_log_probs(table), table.target.eos_id, 5)
        config = SearchConfig(1, 5, PowerPenalty(0.7))
        result = exact_search(table, "", config, forced_ids=prefix)
        best = max(PowerPenalty(0.7).score(p, len(i)) for i, p in strings if i[:2] == prefix)
        assert (result.best.score, result.best.token_ids[:2]) == (best, prefix)
    with pytest.raises(PrefixError):
        exact_search(table, "", config, forced_ids=(table.target.eos_id,))


def test_exact_search_prunes() -> None:
    model = PrefixModel(seed=1, end=2.0)
    config = SearchConfig(5, 6, PowerPenalty(0.0))
    result = exact_search(model, "x y z", config)
    assert result.proved
    assert result.expanded < sum(4**length for length in range(6)) / 10


def test_a_budget_that_runs_out_proves_nothing() -> None:
    model = PrefixModel(seed=1)
    config = SearchConfig(1, 12, PowerPenalty(1.5))
    result = exact_search(model, "x y z", config, node_budget=5)
    assert (result.proved, result.expanded, result.node_budget) == (False, 5, 5)
    assert result.best.finished
    with pytest.raises(SettingError, match="at least 1, not 0"):
        exact_search(model, "x y z", config, node_budget=0)


def test_without_any_finished_string_there_is_no_exact_result() -> None:
    endless = ProbabilityTable({}, default={"a": 0.5, "b": 0.5})
    with pytest.raises(NoHypothesisError, match="within 4 tokens"):
        exact_search(endless, "", SearchConfig(2, 4))
    with pytest.raises(NoHypothesisError, match="allow more"):
        exact_search(endless, "", SearchConfig(2, 20), node_budget=3)


def test_exact_search_finds_what_a_beam_in_a_dead_end_cannot() -> None:
    table = ProbabilityTable(
        {"": {"a": 0.6, "b": 0.4}, "a": {"a": 1.0}, "b": {"EOS": 1.0}}, default={"a": 1.0}
    )
    config = SearchConfig(1, 4, PowerPenalty(0.0))
    result = exact_search(table, "", config)
    assert result.best.text == "b"
    assert result.beam is not None and not result.beam.best.finished
    assert result.search_error


def test_the_number_of_rows_a_call_changes_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(44)
    cases = [(random_table(rng, ties=n % 2 == 0), PENALTIES[n % 7]) for n in range(60)]
    scores = []
    for rows in (1, 3, 64):
        monkeypatch.setattr(exact_hunt, "ROWS_A_CALL", rows)
        found = []
        for table, penalty in cases:
            try:
                found.append(exact_search(table, "", SearchConfig(1, 5, penalty)).best.score)
            except NoHypothesisError:
                found.append(-np.inf)
        scores.append(found)
    assert scores[0] == scores[1] == scores[2]


def test_the_search_goes_on_in_larger_calls_than_one_row() -> None:
    model = PrefixModel(seed=1)
    config = SearchConfig(1, 9, PowerPenalty(2.5))
    result = exact_search(model, "x y z", config, node_budget=5000)
    assert model.calls < result.expanded / 4


@pytest.mark.parametrize("penalty", PENALTIES)
def test_nothing_scores_above_the_ceiling_of_a_search_that_was_stopped(
    penalty: LengthPenalty,
) -> None:
    rng = np.random.default_rng(45)
    stopped = 0
    for _ in range(60):
        table = random_table(rng, ties=False)
        budget, minimum = int(rng.integers(1, 8)), int(rng.integers(0, 4))
        config = SearchConfig(1, 5, penalty, min_length=minimum)
        strings = all_strings(next_log_probs(table), table.target.eos_id, 5)
        best = max(penalty.score(p, len(i)) for i, p in strings if len(i) >= minimum)
        result = exact_search(table, "", config, node_budget=budget)
        assert result.expanded <= budget
        assert result.best.score <= best <= result.ceiling
        if result.proved:
            assert result.ceiling == result.best.score
        stopped += not result.proved
    assert stopped > 2


def test_a_watcher_sees_the_best_rise_and_can_cancel() -> None:
    model = PrefixModel(seed=1)
    config = SearchConfig(1, 8, PowerPenalty(1.5))
    seen: list[ExactProgress] = []

    def watch(progress: ExactProgress) -> bool:
        seen.append(progress)
        return len(seen) < 4

    result = exact_search(model, "x y z", config, watch=watch)
    assert (result.outcome, result.proved, len(seen)) == ("cancelled", False, 4)
    assert [p.expanded for p in seen] == sorted({p.expanded for p in seen})
    assert all(a.best_score <= b.best_score for a, b in pairwise(seen))
    assert seen[-1].best_ids == result.best.token_ids
    endless = ProbabilityTable({}, default={"a": 0.5, "b": 0.5})
    with pytest.raises(NoHypothesisError, match="cancelled, after 1 prefixes"):
        exact_search(endless, "", SearchConfig(2, 20), watch=lambda progress: False)


def test_a_minimum_length_leaves_out_the_empty_output() -> None:
    table = ProbabilityTable({"": {"EOS": 0.6, "a": 0.4}}, default={"EOS": 1.0})
    config = SearchConfig(2, 4, PowerPenalty(0.0))
    assert exact_search(table, "", config).best.text == ""
    assert exact_search(table, "", replace(config, min_length=2)).best.text == "a"
