"""One matrix of attention with its labels: which head, and pieces or whole words.

Nothing is drawn here; `figures.attention` draws what this module chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from s2s_core.figures.labels import SPACE_MARK
from s2s_core.search.records import AttentionArray, AttentionMap


@dataclass(frozen=True, eq=False)
class AttentionGrid:
    """Attention as it is shown.

    weights: (R, C), 0-1, read-only; each row sums to 1, or to less where the end token's column is
        left out.
    rows: R labels, what was produced.
    columns: C labels, the source.
    row_ends: R numbers: row i is complete once so many tokens are produced. Without merging that is
        1, 2, ..., R.
    """

    weights: NDArray[np.float64] = field(repr=False)
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_ends: tuple[int, ...]

    @classmethod
    def from_matrix(
        cls, weights: AttentionArray, rows: Sequence[str], columns: Sequence[str]
    ) -> AttentionGrid:
        """One row for each produced token, as it stands."""
        matrix = np.asarray(weights, dtype=np.float64)
        matrix.setflags(write=False)
        return cls(matrix, tuple(rows), tuple(columns), tuple(range(1, len(rows) + 1)))

    def with_room(self, count: int) -> AttentionGrid:
        """The same grid with empty rows (NaN) below, up to `count` rows."""
        missing = count - len(self.rows)
        empty = np.full((missing, len(self.columns)), np.nan)
        return AttentionGrid(
            np.vstack([self.weights, empty]),
            (*self.rows, *[""] * missing),
            self.columns,
            (*self.row_ends, *self.row_ends[-1:] * missing),
        )


def attention_grid(
    attention: AttentionMap, *, layer: int = -1, head: int | None = None
) -> AttentionGrid:
    """One head of one layer, or with head=None the mean over the heads of that layer."""
    weights = attention.head_mean(layer) if head is None else attention.weights[layer, head]
    return AttentionGrid.from_matrix(weights, attention.target_tokens, attention.source_tokens)


def without_ends(grid: AttentionGrid, *, row: bool, column: bool) -> AttentionGrid:
    """The grid without its last row, its last column: those of the end token.

    Nothing is rescaled: what a row lacks to 1 went to the column that was left out. A row or column
    that is the only one stays.
    """
    rows = len(grid.rows) - (row and len(grid.rows) > 1)
    columns = len(grid.columns) - (column and len(grid.columns) > 1)
    return AttentionGrid(
        grid.weights[:rows, :columns],
        grid.rows[:rows],
        grid.columns[:columns],
        grid.row_ends[:rows],
    )


def merge_words(
    grid: AttentionGrid, *, row_starts: Sequence[bool], column_starts: Sequence[bool]
) -> AttentionGrid:
    """Pieces put together to words, where the flags say that a word begins.

    The weights of a word's columns are added, and those of its rows averaged, so that each row
    sums to what it did. A label is the pieces written together,
    without the mark of the space before a word.
    """
    rows, columns = _begins(row_starts), _begins(column_starts)
    summed = np.add.reduceat(grid.weights, columns, axis=1)
    row_counts = np.diff([*rows, len(grid.rows)])
    weights = np.add.reduceat(summed, rows, axis=0) / row_counts[:, np.newaxis]
    weights.setflags(write=False)
    ends = [grid.row_ends[last - 1] for last in [*rows[1:], len(grid.rows)]]
    return AttentionGrid(weights, _join(grid.rows, rows), _join(grid.columns, columns), tuple(ends))


def _begins(starts: Sequence[bool]) -> list[int]:
    """Where words begin; the first token always begins one."""
    return [index for index, start in enumerate(starts) if start or index == 0]


def _join(labels: Sequence[str], begins: Sequence[int]) -> tuple[str, ...]:
    ends = [*begins[1:], len(labels)]
    words = ("".join(labels[a:b]) for a, b in zip(begins, ends, strict=True))
    return tuple(word.removeprefix(SPACE_MARK) or word for word in words)
