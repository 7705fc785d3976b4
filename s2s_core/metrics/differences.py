"""What changed from one report to another: after an edit, or from one system to another."""

from __future__ import annotations

from dataclasses import dataclass

from s2s_core.metrics.ngrams import Ngram
from s2s_core.metrics.report import BleuReport
from s2s_core.metrics.significance import check_same_segments


@dataclass(frozen=True, slots=True)
class OrderDifference:
    """One n-gram order, after minus before; precision in percentage points, after smoothing."""

    order: int
    matches: int
    totals: int
    precision: float


@dataclass(frozen=True, slots=True)
class ReportDifference:
    """Each part of the score, after minus before.

    orders: those that both reports have.
    """

    score: float
    orders: tuple[OrderDifference, ...]
    geometric_mean: float
    brevity_penalty: float
    hypothesis_length: int
    reference_length: int


@dataclass(frozen=True, slots=True)
class SegmentDifference:
    """One segment under two systems: sentence BLEU of each, 0-100, with effective order."""

    number: int
    baseline_score: float
    system_score: float

    @property
    def difference(self) -> float:
        """System minus baseline."""
        return self.system_score - self.baseline_score


@dataclass(frozen=True, slots=True)
class NgramDifference:
    """An n-gram that one system matches more often than the other; clipped matches."""

    ngram: Ngram
    baseline_matches: int
    system_matches: int

    @property
    def difference(self) -> int:
        """System minus baseline: above 0 it was won, below 0 lost."""
        return self.system_matches - self.baseline_matches


def report_difference(before: BleuReport, after: BleuReport) -> ReportDifference:
    """Hold a report against the one pinned before; the texts may be other ones."""
    pairs = zip(before.orders, after.orders, strict=False)
    return ReportDifference(
        score=after.score - before.score,
        orders=tuple(
            OrderDifference(
                order=new.order,
                matches=new.matches - old.matches,
                totals=new.totals - old.totals,
                precision=new.precision - old.precision,
            )
            for old, new in pairs
        ),
        geometric_mean=after.geometric_mean - before.geometric_mean,
        brevity_penalty=after.brevity_penalty - before.brevity_penalty,
        hypothesis_length=after.hypothesis_length - before.hypothesis_length,
        reference_length=after.reference_length - before.reference_length,
    )


def segment_differences(baseline: BleuReport, system: BleuReport) -> tuple[SegmentDifference, ...]:
    """Every segment, in order.

    Raises:
        SegmentError: the reports aren't on the same segments with the same settings.
    """
    check_same_segments(baseline, system)
    return tuple(
        SegmentDifference(ours.number, ours.score, theirs.score)
        for ours, theirs in zip(baseline.segments, system.segments, strict=True)
    )


def ngram_differences(
    baseline: BleuReport, system: BleuReport, order: int
) -> tuple[NgramDifference, ...]:
    """The n-grams that were won, most first, then those that were lost, most last.

    Raises:
        SegmentError: the reports aren't on the same segments with the same settings.
    """
    check_same_segments(baseline, system)
    old, new = baseline.matched_ngrams(order), system.matched_ngrams(order)
    found = [
        NgramDifference(ngram, old[ngram], new[ngram])
        for ngram in dict.fromkeys([*new, *old])
        if old[ngram] != new[ngram]
    ]
    return tuple(sorted(found, key=lambda each: -each.difference))
