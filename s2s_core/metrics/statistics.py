"""The numbers that BLEU is made of, for a segment or summed over many.

BLEU is a ratio of sums, never a mean of ratios: counts and lengths of all segments are added up
first, and divided once (Papineni et al. 2002, section 2.2.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BleuStatistics:
    """Counts of one segment, or of several together.

    matches: for order 1 to N, the clipped matches; true integers, never smoothed.
    totals: for order 1 to N, the n-grams of the hypotheses.
    hypothesis_length: c, in tokens.
    reference_length: r, the closest reference lengths added up, in tokens.
    """

    matches: tuple[int, ...]
    totals: tuple[int, ...]
    hypothesis_length: int
    reference_length: int

    @property
    def length_ratio(self) -> float:
        """c / r; 0 where r is 0, as sacreBLEU has it."""
        return self.hypothesis_length / self.reference_length if self.reference_length else 0.0

    @property
    def lost(self) -> int:
        """The n-grams of all orders that matched nothing or were clipped away."""
        return sum(self.totals) - sum(self.matches)


def sum_statistics(parts: Sequence[BleuStatistics]) -> BleuStatistics:
    """Add up; there must be at least one."""
    return BleuStatistics(
        matches=tuple(map(sum, zip(*(part.matches for part in parts), strict=True))),
        totals=tuple(map(sum, zip(*(part.totals for part in parts), strict=True))),
        hypothesis_length=sum(part.hypothesis_length for part in parts),
        reference_length=sum(part.reference_length for part in parts),
    )
