"""Diverse beam search against a naive one, and against plain beams where nothing costs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2s_core.errors import NoHypothesisError, SettingError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import STOP_RULES, SearchConfig, StopRule
from s2s_core.search.diverse import Diversity, diverse_beam
from tests.search.fakes import PrefixModel
from tests.search.naive import Ids, NextLogProbs, next_log_probs
from tests.search.tables import random_table


def naive_diverse(
    follow: NextLogProbs, eos: int, m: int, shape: tuple[int, int, float]
) -> list[tuple[set[Ids], list[list[Ids]]]]:
    """(finished, live after each step) of each group, searching to the limit."""
    groups, beam, strength = shape
    live: list[list[tuple[Ids, float]]] = [[((), 0.0)] for _ in range(groups)]
    result: list[tuple[set[Ids], list[list[Ids]]]] = [(set(), []) for _ in range(groups)]
    for _ in range(m):
        chosen: list[int] = []
        for group in range(groups):
            options = []
            for place, (ids, total) in enumerate(live[group]):
                for token, value in enumerate(follow(ids)):
                    if value == -math.inf:
                        continue
                    if token == eos:
                        result[group][0].add((*ids, token))
                        continue
                    cost = strength * chosen.count(token)
                    options.append((-(total + value - cost), place, token, total + value, ids))
            best = sorted(options, key=lambda o: o[:3])[:beam]
            best.sort(key=lambda o: (-o[3], o[1], o[2]))
            if live[group]:
                live[group] = [((*ids, token), total) for _, _, token, total, ids in best]
                result[group][1].append([ids for ids, _ in live[group]])
            chosen += [token for _, _, token, _, _ in best]
    return result


def test_groups_keep_what_the_naive_search_keeps() -> None:
    rng = np.random.default_rng(101)
    compared = differing = 0
    for _ in range(120):
        table = random_table(rng, ties=False)
        shape = (int(rng.integers(1, 4)), int(rng.integers(1, 3)), float(rng.choice([0.3, 1.7])))
        config = SearchConfig(shape[0] * shape[1], 4, stop_rule="exhaust")
        try:
            result = diverse_beam(table, "", config, Diversity(shape[0], shape[2]))
        except NoHypothesisError:
            continue
        naive = naive_diverse(next_log_probs(table), table.target.eos_id, 4, shape)
        for trace, (finished, live) in zip(result.groups, naive, strict=True):
            assert {trace.hypothesis(i).token_ids for i in trace.finished_ids} == finished
            found = [[h.token_ids for h in trace.live(s.step)] for s in trace.steps]
            assert found == live[: len(found)]
            compared += 1
        differing += len({trace.best.text for trace in result.groups}) > 1
    assert compared > 100
    assert differing > 10


@pytest.mark.parametrize("rule", STOP_RULES)
def test_without_strength_every_group_is_a_plain_beam(rule: StopRule) -> None:
    model = PrefixModel(seed=6)
    config = SearchConfig(6, 6, stop_rule=rule)
    result = diverse_beam(model, "x y z", config, Diversity(3, 0.0))
    plain = beam_search(model, "x y z", SearchConfig(2, 6, stop_rule=rule))
    assert [trace.steps for trace in result.groups] == [plain.steps] * 3
    assert [trace.stop_reason for trace in result.groups] == [plain.stop_reason] * 3


def test_the_first_group_never_pays_and_the_others_choose_other_tokens() -> None:
    model = PrefixModel(seed=6)
    result = diverse_beam(model, "x y z", SearchConfig(3, 6, stop_rule="exhaust"), Diversity(3, 10))
    plain = beam_search(model, "x y z", SearchConfig(1, 6, stop_rule="exhaust"))
    assert result.groups[0].steps == plain.steps
    for step in range(1, 7):
        tokens = [trace.live(step)[0].token_ids[-1] for trace in result.groups]
        assert len(set(tokens)) == 3
    assert result.best.score == max(trace.best.score for trace in result.groups)


def test_scores_are_the_models_own() -> None:
    model = PrefixModel(seed=6)
    result = diverse_beam(model, "x y z", SearchConfig(4, 6), Diversity(2, 5.0))
    for trace in result.groups:
        assert trace.best.log_prob == pytest.approx(sum(trace.best.token_log_probs))
        assert trace.best.score == trace.best.log_prob / trace.best.length**0.6


def test_groups_that_do_not_divide_the_beam_are_refused() -> None:
    with pytest.raises(SettingError, match="multiple of 3"):
        diverse_beam(PrefixModel(), "x y z", SearchConfig(5))
    with pytest.raises(SettingError, match="groups must be between"):
        Diversity(0)
