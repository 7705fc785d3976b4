"""What each stop rule promises, on random tables with ties, and what it doesn't."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_core.errors import NoHypothesisError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import STOP_RULES, SearchConfig
from s2s_core.search.greedy import greedy_search
from s2s_core.search.length_penalty import PowerPenalty
from s2s_core.search.table import ProbabilityTable
from s2s_core.search.trace import Hypothesis
from tests.search.equalities import check_equalities, search
from tests.search.tables import BEST_OF_TWO, random_table


def test_the_three_equalities_hold_on_random_tables_with_ties() -> None:
    early_bound, early_best = check_equalities(seed=1, count=400)
    assert early_bound > 20
    assert early_best > 80


def test_first_may_miss_better_hypotheses() -> None:
    rng = np.random.default_rng(4)
    missed = 0
    for _ in range(100):
        table = random_table(rng, ties=False)
        first = search(table, "first", 2, 5, PowerPenalty(1.0))
        full = search(table, "exhaust", 2, 5, PowerPenalty(1.0))
        assert first and full
        missed += first.best.score < full.best.score
    assert missed > 0


def test_first_counts_an_end_only_within_the_beam_best_of_its_step() -> None:
    table = ProbabilityTable(
        {"": {"a": 0.5, "b": 0.3, "EOS": 0.2}, "a": {"EOS": 0.9, "a": 0.1}},
        default={"EOS": 1.0},
    )
    trace = beam_search(table, "", SearchConfig(2, 5, stop_rule="first"))
    early_end = next(c for c in trace.steps[0].candidates if c.token == "EOS")
    assert (early_end.fate, early_end.rank) == ("pruned", 3)
    assert "within the 2 best" in early_end.reason
    assert early_end.id not in trace.finished_ids
    assert [h.text for h in trace.pool()] == ["a", "b"]
    assert trace.stop_reason == "first"
    assert len(trace.steps) == 2


def test_beam_size_one_under_exhaust_is_not_greedy() -> None:
    table = ProbabilityTable(
        {"": {"EOS": 0.4, "a": 0.35, "b": 0.25}, "a": {"EOS": 1.0}}, default={"EOS": 1.0}
    )
    config = SearchConfig(1, 4, stop_rule="exhaust", length_penalty=PowerPenalty(1.0))
    assert beam_search(table, "", config).best.text == "a"
    assert greedy_search(table, "", config).best.text == ""


def test_the_exercise_greedy_takes_a_and_the_beam_takes_b() -> None:
    config = SearchConfig(4, 3, length_penalty=PowerPenalty(0.0))
    greedy = greedy_search(BEST_OF_TWO, "", config).best
    beam = beam_search(BEST_OF_TWO, "", config)
    assert (greedy.text, round(greedy.log_prob, 4)) == ("A x", -1.2040)
    assert (beam.best.text, round(beam.best.log_prob, 4)) == ("B x", -0.9676)
    assert beam.best.finished
    assert beam.best.tokens == ("B", "x", "EOS")
    assert beam.stop_reason == "no live prefix"


def test_in_the_pool_the_older_of_two_equal_scores_stays() -> None:
    # "a" ends at step 2, "b a" and "b b" at step 3, each with probability 1/4 to the last bit.
    table = ProbabilityTable(
        {"": {"a": 0.25, "b": 0.5, "c": 0.25}, "b": {"a": 0.5, "b": 0.5}}, default={"EOS": 1.0}
    )
    config = SearchConfig(2, 4, length_penalty=PowerPenalty(0.0), stop_rule="exhaust")
    trace = beam_search(table, "", config)
    assert [h.text for h in trace.pool()] == ["a", "b a"]
    assert len({node.log_prob for node in trace.finished}) == 1
    loser = next(n for n in trace.finished if n.text == "b b")
    assert loser.fate == "pruned"
    assert loser.reason.startswith("finished below the pool")
    assert [n.evicted_at for n in trace.finished] == [None, None, None]


def test_a_hypothesis_pushed_out_of_the_pool_says_when() -> None:
    table = ProbabilityTable(
        {"": {"EOS": 0.1, "a": 0.9}, "a": {"EOS": 0.9, "a": 0.1}}, default={"EOS": 1.0}
    )
    config = SearchConfig(1, 4, length_penalty=PowerPenalty(0.0), stop_rule="exhaust")
    trace = beam_search(table, "", config)
    empty = trace.finished[0]
    assert (empty.text, empty.fate, empty.evicted_at) == ("", "finished", 2)
    assert trace.steps[0].pool_ids == (empty.id,)
    assert [h.text for h in trace.pool()] == ["a"]
    assert trace.finished[1].evicted_at is None


def test_rank_one_does_not_depend_on_the_list_behind_it() -> None:
    rng = np.random.default_rng(12)
    for _ in range(50):
        table = random_table(rng)
        for rule in STOP_RULES:
            trace = search(table, rule, 3, 5, PowerPenalty(0.6))
            if trace:
                ranked: tuple[Hypothesis, ...] = trace.pool()
                assert trace.best == ranked[0]
                assert list(ranked) == sorted(ranked, key=lambda h: -h.score)


def test_cut_prefixes_come_back_unfinished_only_if_nothing_finished() -> None:
    table = ProbabilityTable({}, default={"a": 0.75, "b": 0.25})
    trace = beam_search(table, "", SearchConfig(2, 3))
    assert trace.stop_reason == "limit"
    assert [h.text for h in trace.pool()] == ["a a a", "a a b"]
    assert not any(h.finished for h in trace.pool())
    assert {c.fate for c in trace.steps[-1].live} == {"cut"}
    assert all("EOS" not in h.tokens for h in trace.pool())

    ending = ProbabilityTable({"": {"EOS": 0.01, "a": 0.99}}, default={"a": 1.0})
    trace = beam_search(ending, "", SearchConfig(2, 3, length_penalty=PowerPenalty(0.0)))
    assert [(h.text, h.finished) for h in trace.pool()] == [("", True)]
    assert [c.fate for c in trace.steps[-1].candidates] == ["cut"]


def test_the_limit_counts_the_end_token() -> None:
    table = ProbabilityTable({"": {"a": 1.0}, "a": {"a": 1.0}}, default={"EOS": 1.0})
    assert beam_search(table, "", SearchConfig(1, 3)).best.tokens == ("a", "a", "EOS")
    cut = beam_search(table, "", SearchConfig(1, 2))
    assert (cut.best.tokens, cut.best.finished, len(cut.steps)) == (("a", "a"), False, 2)


def test_a_dead_end_without_any_hypothesis_is_a_named_error() -> None:
    table = ProbabilityTable({"": {"BOS": 0.0, "a": 1.0}}, default={"a": 1.0})
    forced = table.target.ids("a")
    config = SearchConfig(2, 5, min_length=5)
    assert not beam_search(table, "", config, forced_ids=forced).best.finished
    ends = ProbabilityTable({"": {"EOS": 1.0}}, default={"EOS": 1.0})
    with pytest.raises(NoHypothesisError, match="no hypothesis with finite probability"):
        beam_search(ends, "", config)
    with pytest.raises(NoHypothesisError):
        greedy_search(ends, "", config)


def test_a_minimum_length_offers_no_end_before_it() -> None:
    config = SearchConfig(3, 14, min_length=14, stop_rule="exhaust")
    rng = np.random.default_rng(1)
    for _ in range(10):
        trace = beam_search(random_table(rng, ties=False), "", config)
        assert len(trace.steps) == 14
        assert {(h.length, h.finished) for h in trace.pool()} == {(14, True)}
        assert all(c.token != "EOS" for step in trace.steps[:-1] for c in step.candidates)


def test_a_greedy_trace_says_that_it_is_a_beam_of_one_under_first() -> None:
    config = SearchConfig(4, 3, PowerPenalty(0.0), "exhaust")
    trace = greedy_search(BEST_OF_TWO, "", config)
    used = trace.request.config
    assert (used.beam_size, used.stop_rule, trace.stop_reason) == (1, "first", "first")
    assert (used.max_length, used.length_penalty) == (3, PowerPenalty(0.0))
    assert len(trace.pool()) == 1
    assert all(len(step.expanded_ids) == 1 for step in trace.steps)
