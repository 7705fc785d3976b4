"""Stochastic beam search draws without replacement, as often as arithmetic says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2s_core.errors import SettingError
from s2s_core.search.config import SearchConfig
from s2s_core.search.stochastic import share_out, stochastic_beam
from tests.search.decoder_checks import check_inclusion
from tests.search.fakes import PrefixModel
from tests.search.naive import all_strings, next_log_probs
from tests.search.tables import random_table


def test_targets_are_included_as_often_as_without_replacement() -> None:
    check_inclusion(runs=1500, first_seed=0)


def test_the_highest_continuation_has_its_parents_value() -> None:
    rng = np.random.default_rng(91)
    log_probs = np.log(rng.dirichlet(np.ones(6), size=50)) - 3.0
    log_probs[::3, 2] = -np.inf
    parents = rng.gumbel(size=50)
    values = share_out(log_probs, parents, rng)
    assert values.max(axis=1) == pytest.approx(parents)
    assert (values <= parents[:, None] + 1e-12).all()
    assert (np.isneginf(values) == np.isneginf(log_probs)).all()


def test_shared_out_values_are_gumbels_given_their_maximum() -> None:
    rng = np.random.default_rng(92)
    log_probs = np.log(np.array([0.5, 0.3, 0.2]))
    # Drawn from the top: a parent's Gumbel, shared out. Drawn directly: a Gumbel for each.
    shared = share_out(np.tile(log_probs, (20000, 1)), rng.gumbel(size=20000), rng)
    for column, log_prob in enumerate(log_probs.tolist()):
        mean = log_prob + 0.5772156649
        assert shared[:, column].mean() == pytest.approx(mean, abs=4 * 1.2825 / math.sqrt(20000))
    winners = np.bincount(shared.argmax(axis=1)) / 20000
    assert winners == pytest.approx([0.5, 0.3, 0.2], abs=0.015)


def test_a_beam_for_all_strings_draws_all_of_them() -> None:
    rng = np.random.default_rng(93)
    for seed in range(20):
        table = random_table(rng, ties=False)
        result = stochastic_beam(table, "", SearchConfig(64, 3), seed=seed)
        strings = {ids for ids, _ in all_strings(next_log_probs(table), table.target.eos_id, 3)}
        finished = {s.hypothesis.token_ids for s in result.samples if s.hypothesis.finished}
        assert finished == strings
        assert max(s.value for s in result.samples) == pytest.approx(0.0)


def test_samples_are_different_sorted_and_of_the_models_log_probs() -> None:
    model, config = PrefixModel(seed=5), SearchConfig(6, 6)
    result = stochastic_beam(model, "x y z", config, seed=1)
    values = [s.value for s in result.samples]
    assert len({s.hypothesis.token_ids for s in result.samples}) == len(values) == 6
    assert values == sorted(values, reverse=True)
    again = stochastic_beam(model, "x y z", config, seed=1)
    assert [s.hypothesis for s in again.samples] == [s.hypothesis for s in result.samples]
    other = stochastic_beam(model, "x y z", config, seed=2)
    assert [s.hypothesis for s in other.samples] != [s.hypothesis for s in result.samples]
    for drawn in result.samples:
        assert drawn.hypothesis.log_prob == pytest.approx(sum(drawn.hypothesis.token_log_probs))


def test_a_forced_prefix_holds_and_a_bad_seed_is_refused() -> None:
    model = PrefixModel(seed=5)
    result = stochastic_beam(model, "x y z", SearchConfig(4, 6), forced_ids=(3, 4))
    assert {s.hypothesis.token_ids[:2] for s in result.samples} == {(3, 4)}
    with pytest.raises(SettingError, match="seed must be between"):
        stochastic_beam(model, "x y z", seed=-1)
