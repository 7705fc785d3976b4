"""A corpus seen segment by segment and by length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from s2s_core.errors import SettingError
from s2s_core.metrics.report import BleuReport, SegmentReport
from s2s_core.metrics.sacre import score_statistics
from s2s_core.metrics.statistics import sum_statistics

DEFAULT_EDGES = (10, 20, 30, 40)


@dataclass(frozen=True, slots=True)
class SegmentRow:
    """A segment as a line of a table.

    score: sentence BLEU, 0-100, with effective order.
    length_ratio: hypothesis tokens to tokens of the closest reference; 0 where that is empty.
    lost: its n-grams, of all orders, that matched nothing or were clipped away.
    """

    number: int
    hypothesis: str
    references: tuple[str | None, ...]
    score: float
    hypothesis_length: int
    reference_length: int
    length_ratio: float
    lost: int


@dataclass(frozen=True, slots=True)
class LengthBucket:
    """The segments whose closest reference has `shortest` to `longest` tokens (None: no limit).

    score: their corpus BLEU, with the report's settings; None without segments.
    mean_of_sentences: the mean of their sentence scores; None without segments.
    """

    shortest: int
    longest: int | None
    segments: int
    score: float | None
    mean_of_sentences: float | None
    length_ratio: float

    @property
    def label(self) -> str:
        """Such as "10–19" or "40 and more"."""
        if self.longest is None:
            return f"{self.shortest} and more"
        if self.longest == self.shortest:
            return str(self.shortest)
        return f"{self.shortest}–{self.longest}"


def segment_rows(report: BleuReport) -> tuple[SegmentRow, ...]:
    """Every segment, in order."""
    return tuple(
        SegmentRow(
            number=each.number,
            hypothesis=each.segment.hypothesis,
            references=each.segment.references,
            score=each.score,
            hypothesis_length=each.statistics.hypothesis_length,
            reference_length=each.statistics.reference_length,
            length_ratio=each.statistics.length_ratio,
            lost=each.statistics.lost,
        )
        for each in report.segments
    )


def mean_of_sentences(report: BleuReport) -> float:
    """The mean of the sentence scores, 0-100.

    Not corpus BLEU: it counts a segment of 3 tokens as much as one of 60, and smooths each alone.
    """
    return _mean(report.segments)


def length_buckets(
    report: BleuReport, edges: Sequence[int] = DEFAULT_EDGES
) -> tuple[LengthBucket, ...]:
    """Sort the segments by the length of their closest reference.

    edges: where a new bucket starts, in tokens; the first starts at 0.

    Raises:
        SettingError: the edges aren't positive and rising.
    """
    starts = [0, *edges]
    if any(later <= earlier for earlier, later in pairwise(starts)):
        raise SettingError(f"the edges must be above 0 and rise, not {list(edges)}")
    ends: list[int | None] = [*(start - 1 for start in starts[1:]), None]
    return tuple(_bucket(report, start, end) for start, end in zip(starts, ends, strict=True))


def _bucket(report: BleuReport, shortest: int, longest: int | None) -> LengthBucket:
    members = [
        each
        for each in report.segments
        if shortest <= each.closest.length and (longest is None or each.closest.length <= longest)
    ]
    if not members:
        return LengthBucket(shortest, longest, 0, None, None, 0.0)
    summed = sum_statistics([each.statistics for each in members])
    return LengthBucket(
        shortest=shortest,
        longest=longest,
        segments=len(members),
        score=score_statistics(summed, report.settings).score,
        mean_of_sentences=_mean(members),
        length_ratio=summed.length_ratio,
    )


def _mean(segments: Sequence[SegmentReport]) -> float:
    return math.fsum(each.score for each in segments) / len(segments)
