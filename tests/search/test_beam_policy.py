"""The beam against a naive second implementation and against brute force, on tables with ties."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_core.errors import NoHypothesisError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import STOP_RULES, SearchConfig, StopRule
from s2s_core.search.length_penalty import (
    GnmtPenalty,
    LengthPenalty,
    PowerPenalty,
    WordReward,
)
from s2s_core.search.table import ProbabilityTable
from s2s_core.search.trace import BeamTrace
from tests.search.naive import NaiveResult, Rules, all_strings, naive_beam, next_log_probs
from tests.search.tables import PENALTIES, random_table, tables


def naive(table: ProbabilityTable, config: SearchConfig) -> NaiveResult:
    m = config.max_length
    assert m is not None
    penalty = config.length_penalty

    def upper(log_prob: float, step: int) -> float:
        if isinstance(penalty, PowerPenalty):
            return float(log_prob / m**penalty.alpha)
        if isinstance(penalty, GnmtPenalty):
            return float(log_prob / ((5 + m) / 6) ** penalty.alpha)
        if isinstance(penalty, WordReward):
            return log_prob + penalty.gamma * (m if penalty.gamma > 0 else step + 1)
        return log_prob

    rules = Rules(config.beam_size, m, config.stop_rule, penalty.score, upper)
    return naive_beam(next_log_probs(table), table.target.eos_id, rules)


def ids_of(trace: BeamTrace, node_id: int) -> tuple[int, ...]:
    return tuple(node.token_id for node in trace.path(node_id))


def assert_same(trace: BeamTrace, expected: NaiveResult) -> None:
    assert trace.stop_reason == expected.reason
    assert [(h.score, h.token_ids) for h in trace.pool()] == expected.best
    assert [ids_of(trace, i) for i in trace.finished_ids] == expected.everything
    assert len(trace.steps) == len(expected.live)
    for step, live, pool, ranking in zip(
        trace.steps, expected.live, expected.pools, expected.ranking, strict=True
    ):
        assert [ids_of(trace, c.id) for c in step.live] == live
        assert [ids_of(trace, i) for i in step.pool_ids] == pool
        assert step.candidate_count == len(ranking)
        for candidate in step.candidates:
            assert ranking[candidate.rank - 1] == ids_of(trace, candidate.id)
    evicted = {ids_of(trace, n.id): n.evicted_at for n in trace.nodes if n.evicted_at is not None}
    assert evicted == expected.evicted


@pytest.mark.parametrize("rule", STOP_RULES)
def test_beam_equals_the_naive_implementation_on_tables_with_ties(rule: StopRule) -> None:
    rng = np.random.default_rng(2024)
    compared = 0
    for number in range(250):
        table = random_table(rng)
        config = SearchConfig(
            beam_size=int(rng.integers(1, 6)),
            max_length=int(rng.integers(1, 6)),
            length_penalty=PENALTIES[number % len(PENALTIES)],
            stop_rule=rule,
            recorded_candidates=int(rng.integers(0, 4)),
        )
        expected = naive(table, config)
        if not expected.best:
            with pytest.raises(NoHypothesisError):
                beam_search(table, "", config)
            continue
        assert_same(beam_search(table, "", config), expected)
        compared += 1
    assert compared > 200


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(1, 4), st.integers(1, 4), st.sampled_from(list(STOP_RULES)))
def test_beam_equals_the_naive_implementation_on_drawn_tables(
    table: ProbabilityTable, beam_size: int, max_length: int, rule: StopRule
) -> None:
    config = SearchConfig(beam_size=beam_size, max_length=max_length, stop_rule=rule)
    expected = naive(table, config)
    if expected.best:
        assert_same(beam_search(table, "", config), expected)
    else:
        with pytest.raises(NoHypothesisError):
            beam_search(table, "", config)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_a_beam_as_wide_as_the_table_finds_the_best_of_all_strings(penalty: LengthPenalty) -> None:
    rng = np.random.default_rng(7)
    for _ in range(30):
        table = random_table(rng)
        strings = list(all_strings(next_log_probs(table), table.target.eos_id, 4))
        if not strings:
            continue
        config = SearchConfig(64, 4, length_penalty=penalty, stop_rule="exhaust")
        trace = beam_search(table, "", config)
        assert trace.best.finished
        scores = sorted((penalty.score(lp, len(ids)) for ids, lp in strings), reverse=True)
        assert [h.score for h in trace.pool()] == scores[:64]
        assert len(trace.finished_ids) == len(strings)


@pytest.mark.parametrize("recorded", [0, 1, 2, 5])
def test_every_step_records_survivors_ends_and_the_best_others_of_each_row(recorded: int) -> None:
    rng = np.random.default_rng(11)
    several = 0
    for _ in range(10):
        tokens = ["EOS", *"abcdef"]
        rows = {
            prefix: dict(zip(tokens, rng.dirichlet(np.ones(7)).tolist(), strict=True))
            for prefix in ("", *tokens[1:])
        }
        table = ProbabilityTable(rows, default=rows["a"])
        config = SearchConfig(2, 4, stop_rule="exhaust", recorded_candidates=recorded)
        trace = beam_search(table, "", config)
        expected = naive(table, config)
        for step, live, ranking in zip(trace.steps, expected.live, expected.ranking, strict=True):
            others: dict[tuple[int, ...], int] = {}
            wanted = []
            for ids in ranking:
                if ids in live or ids[-1] == table.target.eos_id:
                    wanted.append(ids)
                elif others.setdefault(ids[:-1], 0) < recorded:
                    others[ids[:-1]] += 1
                    wanted.append(ids)
            assert [ids_of(trace, c.id) for c in step.candidates] == wanted
            several += set(others.values()) == {recorded} and len(others) == 2
    assert several > 10 or recorded in (0, 5)


def test_no_two_hypotheses_have_the_same_token_path() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        trace = beam_search(random_table(rng, ties=False), "", SearchConfig(5, 5))
        paths = [ids_of(trace, node.id) for node in trace.nodes]
        assert len(set(paths)) == len(paths)
        assert trace.steps[0].expanded_ids == (0,)


def test_permuting_the_vocabulary_changes_nothing_where_nothing_ties() -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        names = ["EOS", "a", "b", "c"]
        rows = {
            prefix: dict(zip(names, map(float, rng.dirichlet(np.ones(4))), strict=True))
            for prefix in ("", "a", "b", "c", "a a", "a b", "b c")
        }
        default = dict(zip(names, (0.4, 0.3, 0.2, 0.1), strict=True))
        order = [names[i] for i in rng.permutation(4)]
        shuffled = {p: {name: row[name] for name in order} for p, row in reversed(rows.items())}
        config = SearchConfig(3, 4, stop_rule="exhaust")
        first = beam_search(ProbabilityTable(rows, default=default), "", config)
        second = beam_search(ProbabilityTable(shuffled, default=default), "", config)
        assert [(h.text, h.score) for h in first.pool()] == [
            (h.text, h.score) for h in second.pool()
        ]


def test_permuting_the_vocabulary_moves_only_ties() -> None:
    first = ProbabilityTable({"": {"a": 0.5, "b": 0.5}}, default={"EOS": 1.0})
    second = ProbabilityTable({"": {"b": 0.5, "a": 0.5}}, default={"EOS": 1.0})
    config = SearchConfig(2, 3)
    assert [h.text for h in beam_search(first, "", config).pool()] == ["a", "b"]
    assert [h.text for h in beam_search(second, "", config).pool()] == ["b", "a"]


def test_the_log_prob_is_the_sum_of_the_token_log_probs() -> None:
    rng = np.random.default_rng(8)
    for _ in range(30):
        trace = beam_search(random_table(rng, ties=False), "", SearchConfig(4, 6))
        for hypothesis in trace.pool():
            assert hypothesis.log_prob == pytest.approx(math.fsum(hypothesis.token_log_probs))
            sizes = {len(hypothesis.tokens), len(hypothesis.token_log_probs), hypothesis.length}
            assert sizes == {len(hypothesis.token_ids)}
