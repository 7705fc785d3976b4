"""Spearman's rank correlation: whether two lists put the same things in the same order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from s2s_core.errors import ModelInputError


def ranks(values: Sequence[float]) -> NDArray[np.float64]:
    """The place of each value, the smallest first, from 1; equal values share their mean place."""
    array = np.asarray(values, dtype=np.float64)
    _, inverse, counts = np.unique(array, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[inverse], dtype=np.float64)


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's ρ, from −1 to 1: the correlation of the ranks. Spearman 1904.

    Returns:
        None where it isn't defined: fewer than two values, or all of a list equal.

    Raises:
        ModelInputError: the lists are of different length, or a value is NaN.
    """
    if len(first) != len(second):
        raise ModelInputError(
            f"a rank correlation needs pairs, but there are {len(first)} and {len(second)} values"
        )
    if np.isnan([*first, *second]).any():
        raise ModelInputError("a rank correlation can't place NaN: give numbers")
    if len(first) < 2:
        return None
    one, other = ranks(first), ranks(second)
    one, other = one - one.mean(), other - other.mean()
    spread = float(np.sqrt((one @ one) * (other @ other)))
    if spread == 0:
        return None
    return float(np.clip((one @ other) / spread, -1.0, 1.0))
