"""Ranking hypotheses by a length penalty, for every value of its parameter at once.

A hypothesis here is a text, a log-probability and a length, wherever they come from: a search, a
published list, a person's own table. On the scale of `LengthPenalty.line` each is a straight line,
so where two change places has a closed form, and the winners are the lower envelope of the lines.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from s2s_core.errors import SettingError
from s2s_core.search.length_penalty import LengthPenalty, crossing


@dataclass(frozen=True, slots=True)
class RankEntry:
    """One hypothesis to rank.

    id: tells entries apart, and orders those of equal score.
    log_prob: natural log, at most 0.
    length: L, at least 1; see `rank_entries.recount` for what is counted.

    Raises:
        SettingError: the log-probability is positive or not finite, or the length is below 1.
    """

    id: int
    text: str
    log_prob: float
    length: int

    def __post_init__(self) -> None:
        if not (math.isfinite(self.log_prob) and self.log_prob <= 0.0):
            raise SettingError(f"log P must be a finite number of at most 0, not {self.log_prob:g}")
        if self.length < 1:
            raise SettingError(f"a length must be at least 1, not {self.length}")


@dataclass(frozen=True, slots=True)
class WinnerInterval:
    """From `start` to `end` of the parameter, the same hypothesis ranks first."""

    start: float
    end: float
    entry_id: int


@dataclass(frozen=True, slots=True)
class RankingCurve:
    """Who ranks first at each parameter of a penalty family, in closed form.

    family: the penalty class; `family.from_parameter(alpha).score(c.log_prob, c.length)` draws the
        line of entry c.
    minimum, maximum: the range of the parameter.
    entries: what is ranked, in the order that was given.
    intervals: touching one another from minimum to maximum, neighbours with different winners.
    """

    family: type[LengthPenalty]
    minimum: float
    maximum: float
    entries: tuple[RankEntry, ...]
    intervals: tuple[WinnerInterval, ...]

    @property
    def crossings(self) -> tuple[float, ...]:
        """Where rank 1 changes."""
        return tuple(interval.start for interval in self.intervals[1:])

    def winner(self, parameter: float) -> RankEntry:
        """Who ranks first there; at a crossing, the one that wins below it.

        Raises:
            SettingError: the parameter lies outside the range.
        """
        if not self.minimum <= parameter <= self.maximum:
            raise SettingError(
                f"the parameter must be between {self.minimum:g} and {self.maximum:g}, "
                f"not {parameter:g}"
            )
        entry_id = self.intervals[bisect_left(self.crossings, parameter)].entry_id
        return next(c for c in self.entries if c.id == entry_id)


def ranking_curve(
    entries: Sequence[RankEntry], family: type[LengthPenalty], minimum: float, maximum: float
) -> RankingCurve:
    """The winners from `minimum` to `maximum` of the family's parameter.

    The lower envelope of the lines, walked from left to right. Each change goes to a longer
    hypothesis.

    Raises:
        SettingError: the range is empty or not finite, or there is nothing to rank.
    """
    if not entries:
        raise SettingError("there is nothing to rank; give at least one hypothesis")
    if not (math.isfinite(minimum) and math.isfinite(maximum) and minimum < maximum):
        raise SettingError(f"the range must be finite and not empty, not {minimum} to {maximum}")
    intervals = []
    winner, start = _first_winner(entries, family, minimum), minimum
    while True:
        change = _next_change(winner, entries, family, start)
        end = min(change[0], maximum) if change else maximum
        if end > start:
            intervals.append(WinnerInterval(start, end, winner.id))
        if change is None or change[0] >= maximum:
            return RankingCurve(family, minimum, maximum, tuple(entries), tuple(intervals))
        start, winner = end, change[1]


def _first_winner(
    entries: Sequence[RankEntry], family: type[LengthPenalty], minimum: float
) -> RankEntry:
    """Who wins at `minimum` and just above it."""

    def key(entry: RankEntry) -> tuple[float, float, int]:
        intercept, slope = family.line(entry.log_prob, entry.length)
        cost = intercept - minimum * slope
        return cost, -slope if math.isfinite(cost) else 0.0, entry.id

    return min(entries, key=key)


def _next_change(
    winner: RankEntry, entries: Sequence[RankEntry], family: type[LengthPenalty], start: float
) -> tuple[float, RankEntry] | None:
    """Where the winner from `start` on is overtaken first, and by whom."""
    here = (winner.log_prob, winner.length)
    changes = []
    for entry in entries:
        if entry.length > winner.length:
            value = crossing(family, here, (entry.log_prob, entry.length))
            if value is not None:
                changes.append((max(value, start), -entry.length, entry.id, entry))
    if not changes:
        return None
    value, _, _, entry = min(changes, key=lambda change: change[:3])
    return value, entry
