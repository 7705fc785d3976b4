"""BLEU of a corpus, or of one segment, with everything that went into it.

The score is sacreBLEU's. The breakdown is counted here, on its own, and is refused if the two don't
agree.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from s2s_core.errors import BreakdownError
from s2s_core.metrics.lengths import ClosestLength, closest_length
from s2s_core.metrics.ngrams import (
    Ngram,
    NgramMatch,
    Tokens,
    clipped_counts,
    ngram_matches,
    ngrams,
)
from s2s_core.metrics.orders import OrderReport, order_reports
from s2s_core.metrics.sacre import (
    CorpusScorer,
    SacreScore,
    score_statistics,
    signature_with_order,
)
from s2s_core.metrics.segments import Segment, check_segments
from s2s_core.metrics.settings import DEFAULT_SETTINGS, BleuSettings
from s2s_core.metrics.statistics import BleuStatistics, sum_statistics

Progress = Callable[[int, int], None]
"""Called with the segments done and the segments there are."""

_PROGRESS_EVERY = 200


@dataclass(frozen=True, slots=True)
class SegmentReport:
    """One segment of the corpus.

    number: from 1.
    segment: the texts as given.
    tokens: the hypothesis as it is scored.
    reference_tokens: the references as they are scored; None for a missing one.
    closest: which reference length counts.
    statistics: its part of the sums.
    score: sentence BLEU, 0-100, with effective order and the report's other settings. The mean of
        these isn't the corpus score.
    """

    number: int
    segment: Segment
    tokens: Tokens = field(repr=False)
    reference_tokens: tuple[Tokens | None, ...] = field(repr=False)
    closest: ClosestLength
    statistics: BleuStatistics
    score: float

    def ngrams(self, order: int) -> tuple[NgramMatch, ...]:
        """Every different n-gram of the hypothesis, in the order of first appearance."""
        return ngram_matches(self.tokens, self.reference_tokens, order)


@dataclass(frozen=True, slots=True)
class NgramTotal:
    """An n-gram over the whole corpus: how often hypotheses have it, and how often that counts."""

    ngram: Ngram
    count: int
    clipped: int

    @property
    def lost(self) -> int:
        """How many of its occurrences don't count."""
        return self.count - self.clipped


@dataclass(frozen=True, slots=True)
class BleuReport:
    """BLEU and its parts.

    score: 0-100, sacreBLEU's, raw: a perfect one is 100.00000000000004. Show it by `shown_score`.
    orders: one for each n-gram order, 1 to N.
    geometric_mean: of the precisions that take part, 0-100; score = brevity penalty times this.
    brevity_penalty: 0-1: 1 if c >= r, 0 if there is no hypothesis token, else exp(1 - r / c).
    statistics: the sums over all segments, with c and r.
    signature: how it was computed, with the order where that isn't 4.
    sacrebleu_signature: as sacreBLEU writes it, without the order.
    """

    settings: BleuSettings
    score: float
    orders: tuple[OrderReport, ...]
    geometric_mean: float
    brevity_penalty: float
    statistics: BleuStatistics
    signature: str
    sacrebleu_signature: str
    segments: tuple[SegmentReport, ...] = field(repr=False)

    @property
    def hypothesis_length(self) -> int:
        """c, in tokens."""
        return self.statistics.hypothesis_length

    @property
    def reference_length(self) -> int:
        """r, the closest reference lengths added up, in tokens."""
        return self.statistics.reference_length

    @property
    def precisions(self) -> tuple[float, ...]:
        """After smoothing, 0-100, for order 1 to N."""
        return tuple(order.precision for order in self.orders)

    def ngrams(self, order: int) -> tuple[NgramTotal, ...]:
        """Every n-gram of the hypotheses; those that lose most first, then as they appear."""
        counts, clipped = self.ngram_counts(order), self.matched_ngrams(order)
        totals = [NgramTotal(ngram, counts[ngram], clipped[ngram]) for ngram in counts]
        return tuple(sorted(totals, key=lambda total: -total.lost))

    def ngram_counts(self, order: int) -> Counter[Ngram]:
        """How often the hypotheses have each n-gram."""
        counts: Counter[Ngram] = Counter()
        for segment in self.segments:
            counts.update(ngrams(segment.tokens, order))
        return counts

    def matched_ngrams(self, order: int) -> Counter[Ngram]:
        """The clipped matches of each n-gram that has any: clipped by segment, then added up."""
        matched: Counter[Ngram] = Counter()
        for segment in self.segments:
            matched.update(clipped_counts(segment.tokens, segment.reference_tokens, order))
        return matched


def bleu_report(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    settings: BleuSettings = DEFAULT_SETTINGS,
    *,
    on_progress: Progress | None = None,
) -> BleuReport:
    """Score hypotheses, and take the score apart.

        bleu_report(["the the cat"], [["the cat", "a cat"]]).score

    hypotheses: one for each segment.
    references: for each segment its own references, any number; None for a missing one.
    on_progress: called now and then with the segments done and the segments there are.

    Raises:
        SegmentError: they can't be scored together; the message names the segment.
    """
    segments = check_segments(hypotheses, references)
    scorer = CorpusScorer(settings)
    try:
        scored = scorer.score(segments)
        reports = _segment_reports(segments, scorer, settings, on_progress)
    finally:
        scorer.forget_texts()
    statistics = sum_statistics([report.statistics for report in reports])
    orders = order_reports(statistics, scored.precisions, settings)
    _check_agreement(scored, statistics, orders, settings)
    return BleuReport(
        settings=settings,
        score=scored.score,
        orders=orders,
        geometric_mean=_geometric_mean(orders),
        brevity_penalty=scored.brevity_penalty,
        statistics=statistics,
        signature=signature_with_order(scored.signature, settings.max_order),
        sacrebleu_signature=scored.signature,
        segments=reports,
    )


def _segment_reports(
    segments: Sequence[Segment],
    scorer: CorpusScorer,
    settings: BleuSettings,
    on_progress: Progress | None,
) -> tuple[SegmentReport, ...]:
    tokenise, sentence_settings = scorer.tokens, settings.for_sentences()
    reports = []
    for number, segment in enumerate(segments, start=1):
        tokens = tokenise(segment.hypothesis)
        theirs = tuple(
            None if reference is None else tokenise(reference) for reference in segment.references
        )
        closest = closest_length(len(tokens), [None if t is None else len(t) for t in theirs])
        statistics = _statistics(tokens, theirs, closest, settings.max_order)
        score = score_statistics(statistics, sentence_settings).score
        reports.append(SegmentReport(number, segment, tokens, theirs, closest, statistics, score))
        if on_progress is not None and (number % _PROGRESS_EVERY == 0 or number == len(segments)):
            on_progress(number, len(segments))
    return tuple(reports)


def _statistics(
    tokens: Tokens, references: Sequence[Tokens | None], closest: ClosestLength, max_order: int
) -> BleuStatistics:
    matches: list[int] = []
    for order in range(1, max_order + 1):
        possible = not matches or matches[-1]  # no longer match without a shorter one
        matches.append(clipped_counts(tokens, references, order).total() if possible else 0)
    return BleuStatistics(
        matches=tuple(matches),
        totals=tuple(max(len(tokens) - order, 0) for order in range(max_order)),
        hypothesis_length=len(tokens),
        reference_length=closest.length,
    )


def _geometric_mean(orders: Sequence[OrderReport]) -> float:
    """Of the precisions that take part, 0-100; 0 if one of them is 0."""
    taking_part = [order.precision for order in orders if order.in_mean]
    if min(taking_part) <= 0:
        return 0.0
    return math.exp(math.fsum(map(math.log, taking_part)) / len(taking_part))


def _check_agreement(
    scored: SacreScore,
    statistics: BleuStatistics,
    orders: Sequence[OrderReport],
    settings: BleuSettings,
) -> None:
    """Hold everything counted here against what sacreBLEU says.

    Raises:
        BreakdownError: they differ.
    """
    adds = settings.smooth == "add-k" and any(statistics.matches)
    added = [settings.effective_smooth_value * (adds and order.order > 1) for order in orders]
    counted = (
        statistics.hypothesis_length,
        statistics.reference_length,
        tuple(n + k for n, k in zip(statistics.matches, added, strict=True)),
        tuple(n + k for n, k in zip(statistics.totals, added, strict=True)),
    )
    theirs = (scored.hypothesis_length, scored.reference_length, scored.counts, scored.totals)
    product = scored.brevity_penalty * _geometric_mean(orders)
    close = math.isclose(product, scored.score, rel_tol=1e-9, abs_tol=1e-9) and all(
        math.isclose(order.precision, order.fraction.percent, rel_tol=1e-9, abs_tol=1e-12)
        for order in orders
    )
    if counted != theirs or not close:
        raise BreakdownError(
            f"the breakdown {statistics} with a product of {product} doesn't agree with "
            f"sacreBLEU's {scored}; please report the text and the settings"
        )
