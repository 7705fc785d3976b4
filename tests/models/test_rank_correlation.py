"""Spearman's rank correlation: hand sums, ties, a second way to compute it, and no NaN."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.errors import ModelInputError
from s2s_core.models.rank_correlation import rank_correlation, ranks

VALUES = st.lists(st.sampled_from([-2.0, 0.0, 0.1, 1.0, 5.0, math.inf]), min_size=0, max_size=9)


def test_ranks_start_at_1_and_equal_values_share_their_mean() -> None:
    np.testing.assert_array_equal(ranks([10, 30, 20, 30]), [1, 3.5, 2, 3.5])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1, 2, 3], [10, 20, 30], 1.0),
        ([1, 2, 3], [9, 8, 7], -1.0),
        # Without ties 1 − 6 Σ d² / n (n² − 1): d = (0, 1, 1, 0), so 1 − 6 · 2 / 60.
        ([1, 2, 3, 4], [1, 3, 2, 4], 0.8),
        ([1, 1, 2], [1, 2, 3], math.sqrt(3) / 2),
    ],
)
def test_hand_sums(first: list[float], second: list[float], expected: float) -> None:
    assert rank_correlation(first, second) == pytest.approx(expected, abs=1e-12)


@given(VALUES, st.randoms())
def test_it_agrees_with_another_implementation_and_is_never_nan(first: list[float], random) -> None:
    second = random.sample(first, len(first))
    found = rank_correlation(first, second)
    if len(first) < 2 or len({*first}) == 1:
        assert found is None
        return
    one, other = pd.Series(first).rank(), pd.Series(second).rank()
    assert found == pytest.approx(float(np.corrcoef(one, other)[0, 1]), abs=1e-9)
    assert -1 <= found <= 1


@pytest.mark.parametrize("values", [[], [1.0], [2.0, 2.0, 2.0]])
def test_where_it_is_not_defined_there_is_none(values: list[float]) -> None:
    assert rank_correlation(values, list(range(len(values)))) is None


def test_lists_of_different_length_and_nan_are_refused() -> None:
    with pytest.raises(ModelInputError, match="2 and 1"):
        rank_correlation([1, 2], [1])
    with pytest.raises(ModelInputError, match="NaN"):
        rank_correlation([1, math.nan], [1, 2])
