"""The candidates of one step: a model's distributions, checked, and how they rank.

A step with N live rows has N * V candidates. One is named by its flat index, row * V + token id.
Rows are ordered best first, so among candidates of equal log-probability the lower flat index is
the one that goes first: the better parent, then the lower token id.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from s2s_core.errors import ModelOutputError
from s2s_core.models.interface import State, TranslationModel

FloatRows = NDArray[np.float64]

ROUNDING = 1e-6
"""Log-probabilities up to this far above 0 are float32 rounding, and are taken as 0."""


@dataclass(frozen=True, slots=True)
class Position(Generic[State]):
    """The next position of N rows.

    log_probs: (N, V) float64, at most 0, -inf for banned tokens.
    attention: (N, L, H, S) float32, read-only, or None.
    state: the model's state after reading the last tokens.
    """

    log_probs: FloatRows
    attention: NDArray[np.float32] | None
    state: State


def next_position(
    model: TranslationModel[State], state: State, last_ids: NDArray[np.integer], sources: int
) -> Position[State]:
    """Ask the model for the position after last_ids (N,), and check what it says.

    sources: S, the number of source tokens that attention must cover.

    Raises:
        ModelOutputError: an array has a wrong shape, or a log-probability is NaN or positive.
    """
    output = model.step(state, last_ids)
    log_probs = np.asarray(output.log_probs)
    expected = (len(last_ids), model.target.size)
    if log_probs.shape != expected or not np.issubdtype(log_probs.dtype, np.floating):
        raise ModelOutputError(
            f"the model must give floating log-probabilities of shape {expected}, "
            f"not {log_probs.dtype} of shape {log_probs.shape}"
        )
    highest = float(log_probs.max())
    if not highest <= ROUNDING:  # also True for NaN, which max() passes on
        raise ModelOutputError(
            f"the model gave a log-probability of {highest}; all must be numbers of at most 0"
        )
    checked = log_probs.astype(np.float64)
    if highest > 0:
        np.minimum(checked, 0.0, out=checked)
    checked[:, list(model.target.banned_ids)] = -np.inf
    return Position(
        checked, _checked_attention(output.cross_attention, expected[0], sources), output.state
    )


def _checked_attention(
    attention: NDArray[np.floating] | None, rows: int, sources: int
) -> NDArray[np.float32] | None:
    if attention is None:
        return None
    array = np.array(attention, dtype=np.float32)
    if array.ndim != 4 or array.shape[0] != rows or array.shape[3] != sources:
        raise ModelOutputError(
            f"cross-attention must have shape ({rows}, layers, heads, {sources}), not {array.shape}"
        )
    array.setflags(write=False)
    return array


def best_first(values: FloatRows, count: int) -> NDArray[np.intp]:
    """The places of the `count` highest finite values (V,), highest first, ties by lower place."""
    threshold = np.partition(values, -count)[-count] if count < len(values) else -np.inf
    # More than count where the last place ties; a stable sort leaves ties in their order.
    (places,) = ((values >= threshold) & (values > -np.inf)).nonzero()
    return places[(-values[places]).argsort(kind="stable")[:count]]


def _floors(values: FloatRows, count: int) -> FloatRows:
    """For each row (N, V) a value that at least its `count` highest reach, and few others: (N, 1).

    Of the maxima of many blocks, the `count` highest are `count` values of the row. Finding those
    is several times as fast as finding the `count` highest of all.
    """
    rows, size = values.shape
    blocks = 6 * count
    if size < 2 * blocks:
        return np.full((rows, 1), -np.inf)
    width = size // blocks
    maxima: FloatRows = values[:, : blocks * width].reshape(rows, blocks, width).max(axis=2)
    maxima.partition(blocks - count, axis=1)
    return maxima[:, [blocks - count]]


@dataclass(frozen=True, slots=True)
class Expansion:
    """All continuations of the live rows at one step.

    token_log_probs: (N, V), the model's own.
    log_probs: (N, V), with the prefix's added; -inf where a token can't be chosen.
    eos_id: the end token's column.
    """

    token_log_probs: FloatRows
    log_probs: FloatRows
    eos_id: int

    @property
    def size(self) -> int:
        """V."""
        return int(self.log_probs.shape[1])

    def log_prob(self, candidate: int) -> float:
        """The summed log-probability of a candidate."""
        return self.log_probs.item(candidate)

    @property
    def count(self) -> int:
        """How many candidates have a finite log-probability."""
        return int(np.count_nonzero(self.log_probs > -np.inf))

    def ends(self) -> tuple[int, ...]:
        """The end-token candidates of finite log-probability, best first."""
        column = enumerate(self.log_probs[:, self.eos_id].tolist())
        rows = [row for row, log_prob in column if log_prob > -math.inf]
        return tuple(self.order(row * self.size + self.eos_id for row in rows))

    def continuations(self, count: int) -> tuple[tuple[int, ...], ...]:
        """For each row its `count` best candidates that go on, best first."""
        rows = []
        for row, values in enumerate(self.log_probs):
            token_ids = best_first(values, count + 1)  # one more: the end token may be among them
            others = token_ids[token_ids != self.eos_id][:count]
            rows.append(tuple((others + row * self.size).tolist()))
        return tuple(rows)

    def leaders(self, count: int) -> list[int]:
        """Each row's `count` best candidates and its end token, best first over all rows.

        Some more of a row may be among them.
        """
        chosen = self.log_probs >= _floors(self.log_probs, count)
        chosen[:, self.eos_id] = True
        chosen &= self.log_probs > -np.inf
        places = chosen.ravel().nonzero()[0]
        # Places ascend, and a stable sort leaves equals in their order.
        ranked: list[int] = places[(-self.log_probs.take(places)).argsort(kind="stable")].tolist()
        return ranked

    def order(self, candidates: Iterable[int]) -> list[int]:
        """Candidates best first: higher log_prob, then the parent's rank, then the lower token."""
        log_prob = self.log_probs.item
        return [i for _, i in sorted([(-log_prob(i), i) for i in candidates])]

    def ranks(self, candidates: Sequence[int]) -> list[int]:
        """The rank (from 1) of each candidate among all of the step."""
        flat = self.log_probs.ravel()
        places = np.array(candidates, dtype=np.intp)
        values = flat[places]
        # Most of those asked for lie near the top, so sort only what is above them. A rare end
        # token may lie far below and is counted on its own.
        floor = values[places % self.size != self.eos_id].min(initial=0.0)
        top = flat[flat >= floor]
        top.sort()
        above = len(top) - top.searchsorted(values, side="right")
        tied = len(top) - top.searchsorted(values, side="left") - above > 1
        below = values < floor
        for i in below.nonzero()[0]:
            above[i] = np.count_nonzero(flat > values[i])
        for i in (tied | below).nonzero()[0]:  # of equal ones the lower flat index goes first
            above[i] += np.count_nonzero(flat[: places[i]] == values[i])
        ranks: list[int] = (above + 1).tolist()
        return ranks
