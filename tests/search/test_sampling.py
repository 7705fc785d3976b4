"""Sampling: the filters' figures, the distribution drawn from, and the seed."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from s2s_core.errors import NoHypothesisError, SettingError
from s2s_core.search.config import SearchConfig
from s2s_core.search.greedy import greedy_search
from s2s_core.search.sampling import Sampling, filtered, sample
from s2s_core.search.table import ProbabilityTable
from tests.search.fakes import PrefixModel
from tests.search.naive import all_strings, next_log_probs
from tests.search.tables import random_table

FOUR = np.log([0.5, 0.3, 0.15, 0.05])


def kept(sampling: Sampling, log_probs: np.ndarray = FOUR) -> list[float]:
    values = filtered(log_probs, sampling)
    assert values.sum() == pytest.approx(1.0)
    return [round(value, 4) for value in values.tolist() if value]


@pytest.mark.parametrize(
    ("top_p", "expected"),
    [
        (0.0, [1.0]),
        (0.5, [1.0]),
        (0.75, [0.625, 0.375]),
        (0.8, [0.625, 0.375]),
        (0.85, [0.5263, 0.3158, 0.1579]),
        (0.95, [0.5263, 0.3158, 0.1579]),
        (0.99, [0.5, 0.3, 0.15, 0.05]),
        (1.0, [0.5, 0.3, 0.15, 0.05]),
    ],
)
def test_top_p_keeps_the_fewest_tokens_that_reach_it(top_p: float, expected: list[float]) -> None:
    assert kept(Sampling(top_p=top_p)) == expected


def test_top_k_keeps_ties() -> None:
    assert kept(Sampling(top_k=2)) == [0.625, 0.375]
    assert kept(Sampling(top_k=2), np.log([0.4, 0.2, 0.2, 0.2])) == [0.4, 0.2, 0.2, 0.2]
    assert kept(Sampling(top_k=9)) == [0.5, 0.3, 0.15, 0.05]


def test_temperature_sharpens_and_flattens() -> None:
    assert kept(Sampling(temperature=0.5)) == [0.6849, 0.2466, 0.0616, 0.0068]
    assert kept(Sampling(temperature=2.0)) == [0.379, 0.2936, 0.2076, 0.1198]


def test_the_temperature_comes_before_top_p() -> None:
    assert kept(Sampling(temperature=2.0, top_p=0.75)) == [0.4306, 0.3335, 0.2359]
    narrowed = np.log(filtered(FOUR, Sampling(top_p=0.75))[:2])
    assert kept(Sampling(temperature=2.0), narrowed) == [0.5635, 0.4365]  # the other order


def test_what_is_masked_is_never_drawn() -> None:
    values = filtered(np.array([-np.inf, -1.0, -np.inf, -2.0]), Sampling(temperature=5.0))
    assert values[[0, 2]].tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("name", "value"), [("temperature", 0.0), ("top_k", -1), ("top_p", 1.1), ("samples", 0)]
)
def test_a_setting_out_of_bounds_is_refused(name: str, value: float) -> None:
    with pytest.raises(SettingError, match=name.replace("_", "-")):
        Sampling(**{name: value})  # type: ignore[arg-type]


def test_at_temperature_one_the_strings_come_as_often_as_the_model_says() -> None:
    table = random_table(np.random.default_rng(81), ties=False, depth=1)
    follow = next_log_probs(table)
    probabilities = {i: math.exp(p) for i, p in all_strings(follow, table.target.eos_id, 3)}
    counts: Counter[tuple[int, ...]] = Counter()
    drawn = 0
    for seed in range(6):
        result = sample(table, "", SearchConfig(5, 3), Sampling(samples=1000, seed=seed))
        counts += Counter(h.token_ids for h in result.samples if h.finished)
        drawn += len(result.samples)
    cut = 1.0 - math.fsum(probabilities.values())
    expected = [p * drawn for p in probabilities.values()] + [cut * drawn]
    seen = [counts[i] for i in probabilities] + [drawn - counts.total()]
    chi_square = sum((s - e) ** 2 / e for s, e in zip(seen, expected, strict=True))
    degrees = len(expected) - 1
    # The 99.9 % quantile of chi-square by Wilson and Hilferty's approximation.
    limit = degrees * (1 - 2 / (9 * degrees) + 3.09 * math.sqrt(2 / (9 * degrees))) ** 3
    assert degrees > 5
    assert min(expected) > 5
    assert chi_square < limit


def test_near_temperature_zero_every_sample_is_greedy() -> None:
    rng = np.random.default_rng(82)
    for _ in range(20):
        table = random_table(rng, ties=False)
        greedy = greedy_search(table, "", SearchConfig(max_length=5)).best
        result = sample(table, "", SearchConfig(5, 5), Sampling(temperature=0.01, samples=3))
        likely = [p for h in result.samples for p in h.token_log_probs]
        if min(likely) > math.log(0.4):  # else two tokens may be too close for this temperature
            assert {h.token_ids for h in result.samples} == {greedy.token_ids}


def test_the_seed_decides_and_more_samples_change_none() -> None:
    model, config = PrefixModel(seed=4), SearchConfig(5, 6)
    few = sample(model, "x y z", config, Sampling(samples=5, seed=3))
    many = sample(model, "x y z", config, Sampling(samples=40, seed=3))
    other = sample(model, "x y z", config, Sampling(samples=40, seed=4))
    ids = [h.token_ids for h in many.samples]
    assert [h.token_ids for h in few.samples] == ids[:5]
    assert [h.token_ids for h in other.samples] != ids
    assert len(set(ids)) < len(ids) == 40


def test_samples_keep_the_models_own_log_probs_and_share_the_trace() -> None:
    model = PrefixModel(seed=4)
    result = sample(model, "x y z", SearchConfig(3, 6), Sampling(temperature=3.0, top_k=3))
    for hypothesis in result.samples:
        prefix = [model.target.bos_id]
        for token_id, log_prob in zip(
            hypothesis.token_ids, hypothesis.token_log_probs, strict=True
        ):
            assert log_prob == pytest.approx(float(model.row(tuple(prefix))[token_id]), abs=1e-6)
            prefix.append(token_id)
    assert len(result.trace.pool()) <= 3
    assert {c.reason.partition(", ")[2] for c in result.trace.nodes if c.fate == "pruned"} >= {
        "not drawn"
    }
    finished = {h.node_id for h in result.samples if h.finished}
    assert finished == set(result.trace.finished_ids)


def test_limits_and_a_forced_prefix_hold_for_samples() -> None:
    model = PrefixModel(seed=4, end=2.0)
    config = SearchConfig(3, 6, min_length=3, no_repeat=1)
    result = sample(model, "x y z", config, Sampling(samples=30), forced_ids=(3,))
    for hypothesis in result.samples:
        assert hypothesis.token_ids[0] == 3
        assert 3 <= hypothesis.length <= 6
        assert len(set(hypothesis.token_ids)) == hypothesis.length


def test_a_dead_end_has_no_sample() -> None:
    table = ProbabilityTable({"": {"EOS": 1.0}})
    with pytest.raises(NoHypothesisError):
        sample(table, "", SearchConfig(2, 3, min_length=2))
