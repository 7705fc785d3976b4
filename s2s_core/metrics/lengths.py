"""The effective reference length: which of several references a segment's length is held against.

The closest one counts, and of two that are equally close the shorter. It doesn't matter which
reference the n-grams matched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClosestLength:
    """The choice for one segment.

    length: the closest reference length, in tokens.
    lengths: those of all references, None for a missing one.
    reference: the first reference of that length, an index into `lengths`.
    tied_length: a longer length that was just as close and lost the tie, or None.
    """

    length: int
    lengths: tuple[int | None, ...]
    reference: int
    tied_length: int | None


def closest_length(hypothesis_length: int, lengths: Sequence[int | None]) -> ClosestLength:
    """Choose among the reference lengths of a segment; at least one must be there."""
    given = {length for length in lengths if length is not None}
    distance = min(abs(length - hypothesis_length) for length in given)
    equally_close = sorted(n for n in given if abs(n - hypothesis_length) == distance)
    return ClosestLength(
        length=equally_close[0],
        lengths=tuple(lengths),
        reference=list(lengths).index(equally_close[0]),
        tied_length=equally_close[1] if len(equally_close) > 1 else None,
    )
