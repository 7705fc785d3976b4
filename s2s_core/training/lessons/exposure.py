"""Right tokens by position: after the true prefix, and after the model's own.

Training shows a model true prefixes; writing gives it its own. Where both are measured on the same
targets, the gap between them is what its own mistakes do to the tokens that follow.

How many targets come out right as a whole can't tell the two apart: up to the first mistake both
read the same, so a target without a mistake is right in both.

Exposure bias: Ranzato et al. 2016, arXiv:1511.06732; Bengio et al. 2015, arXiv:1506.03099.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from s2s_core.errors import EmptyBatchError, ModelInputError
from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.candidates import next_position

ROWS = 64
"""Targets that are read at the same time."""
_NORMAL_95 = 1.959963984540054  # quantile of the normal distribution for 95 %

Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PositionCount:
    """One position, from 1, of the targets that reach it; the end token counts.

    count: targets. forced, free: how many have the right token there, after the true prefix and
    after the model's own.
    """

    position: int
    count: int
    forced: int
    free: int


@dataclass(frozen=True, slots=True)
class Exposure:
    """What was measured of one model.

    targets: how many. whole: how many came out right as a whole, in both ways alike.
    later, later_forced, later_free: tokens behind the first mistake of their target, and how many
    of them were right.
    """

    targets: int
    whole: int
    positions: tuple[PositionCount, ...]
    later: int
    later_forced: int
    later_free: int

    @property
    def tokens(self) -> int:
        """All target tokens, end tokens counted."""
        return sum(each.count for each in self.positions)

    @property
    def forced_share(self) -> float:
        """Right tokens after the true prefix, 0 to 1."""
        return sum(each.forced for each in self.positions) / self.tokens

    @property
    def free_share(self) -> float:
        """Right tokens after the model's own prefix, 0 to 1."""
        return sum(each.free for each in self.positions) / self.tokens


def measure_exposure(
    model: TranslationModel[State], sources: Sequence[str], targets: Sequence[Sequence[int]]
) -> Exposure:
    """Read every source with its target in both ways.

    targets: token ids without BOS and EOS.

    Raises:
        EmptyBatchError: there is nothing to measure.
        ModelInputError: the two sides differ in number.
        SourceError: the model can't use a source.
    """
    if len(sources) != len(targets):
        raise ModelInputError(f"{len(sources)} sources but {len(targets)} targets: they must pair")
    if not sources:
        raise EmptyBatchError("there is nothing to measure: give at least one source and target")
    eos = model.target.eos_id
    wanted = [(*target, eos) for target in targets]
    order = sorted(range(len(wanted)), key=lambda i: len(wanted[i]))
    tally = _Tally()
    for first in range(0, len(order), ROWS):
        chosen = order[first : first + ROWS]
        rows = [wanted[i] for i in chosen]
        tokens, state = model.encode([sources[i] for i in chosen])
        source_length = max(map(len, tokens))
        ids = _padded(rows, eos)
        forced, free = (_right(model, state, source_length, ids, own=own) for own in (False, True))
        for row, a, b in zip(rows, forced, free, strict=True):
            tally.add(a[: len(row)], b[: len(row)])
    return tally.result()


def _padded(rows: Sequence[Sequence[int]], filler: int) -> NDArray[np.int64]:
    """(N, T), short rows filled up."""
    ids = np.full((len(rows), max(map(len, rows))), filler, np.int64)
    for row, place in zip(rows, ids, strict=True):
        place[: len(row)] = row
    return ids


def _right(
    model: TranslationModel[State],
    state: State,
    source_length: int,
    wanted: NDArray[np.int64],
    *,
    own: bool,
) -> Truths:
    """Where the most probable token is the wanted one, (N, T).

    own: the decoder reads what it wrote, not the true token. After an end token nothing is right.
    """
    read = np.full(len(wanted), model.target.bos_id)
    ended = np.zeros(len(wanted), dtype=bool)
    columns = []
    for true in wanted.T:
        position = next_position(model, state, read, source_length)
        state, written = position.state, position.log_probs.argmax(axis=1)
        columns.append((written == true) & ~ended)
        if own:
            ended |= written == model.target.eos_id
        read = written if own else true
    return np.stack(columns, axis=1)


class _Tally:
    """Counts over targets as they come."""

    def __init__(self) -> None:
        self._counts: list[list[int]] = []  # by position: targets, right forced, right free
        self._targets = self._whole = 0
        self._later = [0, 0, 0]

    def add(self, forced: Truths, free: Truths) -> None:
        """Count one target's positions."""
        self._targets += 1
        self._whole += bool(free.all())
        while len(self._counts) < len(forced):
            self._counts.append([0, 0, 0])
        for place, (a, b) in enumerate(zip(forced, free, strict=True)):
            for part, value in enumerate((1, int(a), int(b))):
                self._counts[place][part] += value
        if not free.all():
            behind = int(free.argmin()) + 1
            later = (len(free) - behind, int(forced[behind:].sum()), int(free[behind:].sum()))
            self._later = [a + b for a, b in zip(self._later, later, strict=True)]

    def result(self) -> Exposure:
        positions = tuple(PositionCount(i, *each) for i, each in enumerate(self._counts, start=1))
        return Exposure(self._targets, self._whole, positions, *self._later)


def wilson_interval(right: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share from independent trials (Wilson 1927).

    Raises:
        EmptyBatchError: there are no trials.
    """
    if count < 1:
        raise EmptyBatchError("a share of nothing has no interval")
    share, z2 = right / count, _NORMAL_95**2
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = math.sqrt(z2 * (share * (1 - share) + z2 / (4 * count)) / count) / (1 + z2 / count)
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def all_right(accuracy: float, length: int) -> float:
    """p^T: that T independent tokens are all right, each with probability p."""
    return accuracy**length
