"""Ranking a finished search again under another penalty, without the model.

Everything here starts from every finished candidate of the trace, not from the pool: what was
pushed out of the pool under one penalty may win under another.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass

from s2s_core.errors import SettingError
from s2s_core.search.length_penalty import LengthPenalty, crossing
from s2s_core.search.trace import BeamTrace, Candidate


@dataclass(frozen=True, slots=True)
class Exactness:
    """Whether re-ranking gives what a new search under the same stop rule would give.

    exact: it does (rank 1 under `best`, the whole list under the other rules).
    reason: why or why not, in words.
    """

    exact: bool
    reason: str


def is_exact(trace: BeamTrace, penalty: LengthPenalty) -> Exactness:
    """Whether `trace.pool(penalty)` is what a new search with that penalty would give.

    A length penalty doesn't change which prefixes live, so a new search would take the same steps.
    It could only go on for longer, if its stop condition were not yet met where this search ended.
    """
    rule, last = trace.request.config.stop_rule, trace.steps[-1]
    if rule == "first":
        return Exactness(True, "exact: the rule `first` counts ends and doesn't look at scores")
    if not last.live or last.step == trace.max_length:
        return Exactness(True, "exact: the search ran to its end")
    reachable = penalty.bound(last.live[0].log_prob, last.step, trace.max_length)
    ranked = trace.ranked_ids(penalty)
    place = 1 if rule == "best" else trace.request.config.beam_size
    node = trace.node(ranked[min(place, len(ranked)) - 1])
    score = penalty.score(node.log_prob, node.step)
    what = "rank 1" if rule == "best" else f"the list of {place}"
    held = f"reach {reachable:.4f} here, and rank {place} has {score:.4f}"
    if reachable <= score:
        return Exactness(True, f"exact for {what}: a live prefix could at best {held}")
    return Exactness(
        False, f"{what} may differ from a new search: a live prefix could still {held}"
    )


@dataclass(frozen=True, slots=True)
class WinnerInterval:
    """From `start` to `end` of the parameter, the same hypothesis ranks first."""

    start: float
    end: float
    node_id: int


@dataclass(frozen=True, slots=True)
class RankingCurve:
    """Who ranks first at each parameter of a penalty family, in closed form.

    family: the penalty class; `family.from_parameter(alpha).score(c.log_prob, c.step)` draws the
        line of candidate c.
    minimum, maximum: the range of the parameter.
    candidates: every finished candidate (the cut ones if none finished), best first under the
        penalty of the request.
    intervals: touching one another from minimum to maximum, neighbours with different winners.
    """

    family: type[LengthPenalty]
    minimum: float
    maximum: float
    candidates: tuple[Candidate, ...]
    intervals: tuple[WinnerInterval, ...]

    @property
    def crossings(self) -> tuple[float, ...]:
        """Where rank 1 changes."""
        return tuple(interval.start for interval in self.intervals[1:])

    def winner(self, parameter: float) -> Candidate:
        """Who ranks first there; at a crossing, the one that wins below it.

        Raises:
            SettingError: the parameter lies outside the range.
        """
        if not self.minimum <= parameter <= self.maximum:
            raise SettingError(
                f"the parameter must be between {self.minimum:g} and {self.maximum:g}, "
                f"not {parameter:g}"
            )
        node_id = self.intervals[bisect_left(self.crossings, parameter)].node_id
        return next(c for c in self.candidates if c.id == node_id)


def ranking_curve(
    trace: BeamTrace, family: type[LengthPenalty], minimum: float, maximum: float
) -> RankingCurve:
    """The winners from `minimum` to `maximum` of the family's parameter.

    On the scale of `LengthPenalty.line` every hypothesis is a straight line; the winners are their
    lower envelope, walked from left to right. Each change goes to a longer hypothesis.

    Raises:
        SettingError: the range is empty or not finite.
    """
    if not (math.isfinite(minimum) and math.isfinite(maximum) and minimum < maximum):
        raise SettingError(f"the range must be finite and not empty, not {minimum} to {maximum}")
    candidates = tuple(trace.node(i) for i in trace.ranked_ids())
    intervals = []
    winner, start = _first_winner(candidates, family, minimum), minimum
    while True:
        change = _next_change(winner, candidates, family, start)
        end = min(change[0], maximum) if change else maximum
        if end > start:
            intervals.append(WinnerInterval(start, end, winner.id))
        if change is None or change[0] >= maximum:
            return RankingCurve(family, minimum, maximum, candidates, tuple(intervals))
        start, winner = end, change[1]


def _first_winner(
    candidates: tuple[Candidate, ...], family: type[LengthPenalty], minimum: float
) -> Candidate:
    """Who wins at `minimum` and just above it."""

    def key(candidate: Candidate) -> tuple[float, float, int]:
        intercept, slope = family.line(candidate.log_prob, candidate.step)
        cost = intercept - minimum * slope
        return cost, -slope if math.isfinite(cost) else 0.0, candidate.id

    return min(candidates, key=key)


def _next_change(
    winner: Candidate, candidates: tuple[Candidate, ...], family: type[LengthPenalty], start: float
) -> tuple[float, Candidate] | None:
    """Where the winner from `start` on is overtaken first, and by whom."""
    here = (winner.log_prob, winner.step)
    changes = []
    for candidate in candidates:
        if candidate.step > winner.step:
            value = crossing(family, here, (candidate.log_prob, candidate.step))
            if value is not None:
                changes.append((max(value, start), -candidate.step, candidate.id, candidate))
    if not changes:
        return None
    value, _, _, candidate = min(changes, key=lambda change: change[:3])
    return value, candidate
