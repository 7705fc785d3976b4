"""The leaders of a step, on vocabularies large enough for the short cut that finds them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_core.search.candidates import Expansion
from s2s_core.search.selection import select_beam

EOS_ID = 2


def expansion(seed: int, *, rows: int, size: int, levels: int) -> Expansion:
    """Random log-probabilities of few different values, so that many tie; some are impossible."""
    generator = np.random.default_rng(seed)
    token_log_probs = -generator.integers(1, levels + 1, (rows, size)) / 4
    token_log_probs[generator.random((rows, size)) < 0.1] = -np.inf
    return Expansion(token_log_probs, token_log_probs - np.arange(rows)[:, None] / 2, EOS_ID)


def by_sorting(step: Expansion) -> list[int]:
    """All candidates, best first."""
    flat = step.log_probs.ravel().tolist()
    return sorted((i for i, v in enumerate(flat) if v > -np.inf), key=lambda i: (-flat[i], i))


@settings(deadline=None)
@given(
    st.integers(0, 10**6), st.integers(1, 6), st.sampled_from([7, 40, 300, 700]),
    st.sampled_from([1, 5, 1000]), st.integers(1, 12),
)  # fmt: skip
def test_leaders_hold_the_best_of_each_row_and_every_end_in_order(
    seed: int, rows: int, size: int, levels: int, count: int
) -> None:
    step = expansion(seed, rows=rows, size=size, levels=levels)
    leaders, every = step.leaders(count), by_sorting(step)
    chosen = set(leaders)
    assert leaders == [i for i in every if i in chosen]
    for row in range(rows):
        of_row = [i for i in every if i // size == row]
        assert set(of_row[:count]) <= chosen
        assert {i for i in of_row if i % size == EOS_ID} <= chosen


@settings(deadline=None)
@given(
    st.integers(0, 10**6), st.integers(1, 5), st.sampled_from([40, 700]),
    st.sampled_from([3, 1000]), st.integers(0, 5), st.sampled_from([None, 3]),
)  # fmt: skip
def test_selection_equals_one_by_sorting_everything(
    seed: int, rows: int, size: int, levels: int, recorded: int, ends_within: int | None
) -> None:
    step = expansion(seed, rows=rows, size=size, levels=levels)
    found = select_beam(step, beam_size=4, recorded=recorded, ends_within=ends_within)
    every = by_sorting(step)
    ends = [i for i in every if i % size == EOS_ID]
    going_on = [i for i in every if i % size != EOS_ID]
    leading = sorted([*ends, *going_on[:4]], key=every.index)[:ends_within]
    assert found.kept == tuple(going_on[:4])
    assert found.ended == tuple(i for i in ends if i in leading)
    lost = [i for i in ends if i not in leading]
    for row in range(rows):
        lost += [i for i in going_on[4:] if i // size == row][:recorded]
    assert found.lost == tuple(sorted(lost, key=every.index))


def test_the_short_cut_leaves_few() -> None:
    values = np.log(np.random.default_rng(1).dirichlet(np.full(6000, 0.1), 5))
    assert len(Expansion(values, values, EOS_ID).leaders(11)) < 5 * 40


@pytest.mark.parametrize("count", [1, 3])
def test_a_row_without_a_possible_token_has_no_leader(count: int) -> None:
    values = np.full((2, 300), -np.inf)
    values[1, 7] = -1.0
    assert Expansion(values, values, EOS_ID).leaders(count) == [300 + 7]
