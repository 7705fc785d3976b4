"""A forced prefix keeps the model's own numbers, and nothing else can finish meanwhile."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_core.errors import NoHypothesisError, PrefixError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import STOP_RULES, SearchConfig, StopRule
from s2s_core.search.greedy import greedy_search
from s2s_core.search.length_penalty import PowerPenalty
from s2s_core.search.score import score_target
from s2s_core.search.table import ProbabilityTable
from tests.search.fakes import PrefixModel
from tests.search.naive import all_strings, next_log_probs
from tests.search.tables import random_table

SOURCE = "x y z"


@pytest.mark.parametrize("rule", STOP_RULES)
def test_forced_token_keeps_the_models_own_log_prob(rule: StopRule) -> None:
    model = PrefixModel(seed=4)
    follow = next_log_probs(model, SOURCE)
    trace = beam_search(model, SOURCE, SearchConfig(3, 8, stop_rule=rule), forced_ids=(6, 4, 4))
    for hypothesis in trace.pool():
        assert hypothesis.token_ids[:3] == (6, 4, 4)
        expected = [follow((6, 4, 4)[:t])[token] for t, token in enumerate((6, 4, 4))]
        assert list(hypothesis.token_log_probs[:3]) == expected
        assert all(value < 0 for value in expected)
    forced = [node for node in trace.nodes if node.forced]
    assert [(n.token_id, n.fate) for n in forced] == [(6, "kept"), (4, "kept"), (4, "kept")]


def test_nothing_finishes_before_the_forced_prefix_is_used_up() -> None:
    table = ProbabilityTable({"": {"EOS": 0.9, "a": 0.1}}, default={"EOS": 0.9, "a": 0.1})
    prefix = table.target.ids("a a")
    trace = beam_search(table, "", SearchConfig(2, 5), forced_ids=prefix)
    assert min(node.step for node in trace.finished) == 3
    early = [c for step in trace.steps[:2] for c in step.candidates if c.token == "EOS"]
    assert [(c.fate, c.rank) for c in early] == [("pruned", 1), ("pruned", 1)]
    assert "forced" in early[0].reason
    assert trace.steps[1].expanded_ids == (trace.steps[0].live[0].id,)


def test_a_wide_beam_after_a_forced_prefix_finds_the_best_string_with_that_prefix() -> None:
    rng = np.random.default_rng(6)
    penalty = PowerPenalty(0.8)
    for _ in range(40):
        table = random_table(rng, ties=False)
        prefix = table.target.ids("b a")
        config = SearchConfig(64, 5, length_penalty=penalty, stop_rule="exhaust")
        best = beam_search(table, "", config, forced_ids=prefix).best
        strings = all_strings(next_log_probs(table), table.target.eos_id, 5)
        scores = {ids: penalty.score(lp, len(ids)) for ids, lp in strings if ids[:2] == prefix}
        assert best.score == max(scores.values())
        assert scores[best.token_ids] == best.score


def test_greedy_goes_on_greedily_after_a_forced_prefix() -> None:
    model = PrefixModel(seed=2)
    greedy = greedy_search(model, SOURCE, SearchConfig(max_length=6), forced_ids=(6,)).best
    assert greedy.token_ids[0] == 6
    follow = next_log_probs(model, SOURCE)
    for place in range(1, greedy.length):
        row = follow(greedy.token_ids[:place])
        assert greedy.token_ids[place] == row.index(max(row))


@pytest.mark.parametrize(
    ("forced", "message"),
    [
        ((4, 2), "token 2 of the prefix is 'EOS' .id 2., which is the end token"),
        ((0,), "never generated"),
        ((4, 1), "never generated"),
        ((7,), "ids 0 to 6"),
        ((4,) * 6, "6 tokens, but the maximum length is 5"),
    ],
)
def test_a_prefix_that_cannot_stand_is_a_named_error(forced: tuple[int, ...], message: str) -> None:
    for search in (beam_search, greedy_search):
        with pytest.raises(PrefixError, match=message):
            search(PrefixModel(), SOURCE, SearchConfig(max_length=5), forced_ids=forced)


def test_a_prefix_as_long_as_the_limit_is_cut() -> None:
    trace = beam_search(PrefixModel(), SOURCE, SearchConfig(max_length=2), forced_ids=(4, 4))
    assert (trace.best.token_ids, trace.best.finished) == ((4, 4), False)


def test_a_prefix_of_probability_zero_has_no_hypothesis() -> None:
    table = ProbabilityTable({"": {"a": 1.0, "b": 0.0}}, default={"EOS": 1.0})
    for search in (beam_search, greedy_search):
        with pytest.raises(NoHypothesisError, match="change the forced prefix"):
            search(table, "", SearchConfig(), forced_ids=table.target.ids("b"))


def test_scoring_a_target_gives_what_the_search_gave_it() -> None:
    model = PrefixModel(seed=9, end=1.0)
    trace = beam_search(model, SOURCE, SearchConfig(4, 6, stop_rule="exhaust"))
    penalty = trace.request.config.length_penalty
    for hypothesis in trace.pool():
        scored = score_target(model, SOURCE, hypothesis.token_ids, penalty=penalty)
        assert scored.token_log_probs == hypothesis.token_log_probs
        assert scored.log_prob == pytest.approx(hypothesis.log_prob, abs=1e-12)
        assert scored.score == pytest.approx(hypothesis.score, abs=1e-12)
        assert (scored.text, scored.finished) == (hypothesis.text, True)
        assert scored.attention is not None and hypothesis.attention is not None
        np.testing.assert_array_equal(scored.attention.weights, hypothesis.attention.weights)


def test_scoring_refuses_what_cannot_be_generated() -> None:
    model = PrefixModel()
    assert not score_target(model, SOURCE, (4, 4)).finished
    for ids in ((), (2, 4, 2), (0,), (99,)):
        with pytest.raises(PrefixError):
            score_target(model, SOURCE, ids)


def test_scoring_a_token_of_probability_zero_gives_minus_infinity() -> None:
    table = ProbabilityTable({"": {"a": 1.0, "b": 0.0}}, default={"EOS": 1.0})
    scored = score_target(table, "", (table.target.ids("b")[0], table.target.eos_id))
    assert scored.log_prob == -np.inf
    assert scored.token_log_probs == (-np.inf, 0.0)
