"""The precision of each n-gram order: its counts, what smoothing put there, and why.

The precision itself is sacreBLEU's. The fraction behind it is worked out here, from the rules, and
has to give the same number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from s2s_core.metrics.sacre import score_statistics
from s2s_core.metrics.settings import BleuSettings
from s2s_core.metrics.statistics import BleuStatistics

Source = Literal["counts", "smoothed", "no match", "no n-grams", "nothing matches"]


@dataclass(frozen=True, slots=True)
class Fraction:
    """What stands for an order's precision, as numerator / denominator (0 / 0 counts as 0).

    source: `counts` as they are; `smoothed`; `no match`, and no smoothing; `no n-grams`, the text
        is too short; `nothing matches` in any order, so that nothing is smoothed and BLEU is 0.
    explanation: the same as a sentence.
    """

    numerator: float
    denominator: float
    source: Source
    explanation: str

    @property
    def percent(self) -> float:
        """0-100."""
        return 100 * self.numerator / self.denominator if self.denominator else 0.0


@dataclass(frozen=True, slots=True)
class OrderReport:
    """One n-gram order of the score.

    order: n, from 1.
    matches, totals: clipped matches and n-grams; true integers, also under add-k.
    raw_precision: matches / totals before smoothing, 0-100; None where there are no n-grams.
    precision: after smoothing, 0-100, sacreBLEU's.
    fraction: what stands behind `precision`.
    in_mean: it takes part in the geometric mean.
    cumulative: BLEU with this as the highest order, 0-100.
    """

    order: int
    matches: int
    totals: int
    raw_precision: float | None
    precision: float
    fraction: Fraction
    in_mean: bool
    cumulative: float


def order_reports(
    statistics: BleuStatistics, precisions: Sequence[float], settings: BleuSettings
) -> tuple[OrderReport, ...]:
    """Take the orders apart, 1 to N.

    precisions: sacreBLEU's, 0-100.
    """
    fractions = order_fractions(statistics, settings)
    mean_orders = orders_in_mean(statistics, settings)
    return tuple(
        OrderReport(
            order=order,
            matches=statistics.matches[order - 1],
            totals=statistics.totals[order - 1],
            raw_precision=_raw(statistics, order),
            precision=precisions[order - 1],
            fraction=fractions[order - 1],
            in_mean=order <= mean_orders,
            cumulative=score_statistics(_up_to(statistics, order), settings).score,
        )
        for order in range(1, len(statistics.totals) + 1)
    )


def orders_in_mean(statistics: BleuStatistics, settings: BleuSettings) -> int:
    """How many orders the geometric mean is over.

    All N, or with effective order those up to the highest that has n-grams. Under add-k each order
    from 2 on has k more of them, so effective order then leaves out nothing.
    """
    if not settings.effective_order:
        return len(statistics.totals)
    if not statistics.totals[0]:
        return 1
    if settings.smooth == "add-k" and settings.effective_smooth_value > 0:
        return len(statistics.totals)
    return sum(total > 0 for total in statistics.totals)


def order_fractions(statistics: BleuStatistics, settings: BleuSettings) -> tuple[Fraction, ...]:
    """What stands for the precision of each order, by the rules of the smoothing method."""
    pairs = tuple(zip(statistics.matches, statistics.totals, strict=True))
    if not any(statistics.matches):
        return tuple(_nothing_matches(total) for _, total in pairs)
    fractions = []
    without_match = 0
    for order, (matches, total) in enumerate(pairs, start=1):
        if total and not matches:
            without_match += 1
        if settings.smooth == "add-k" and order > 1:
            fractions.append(_plus_k(matches, total, settings.effective_smooth_value))
        elif matches or not total:
            fractions.append(_as_counted(order, matches, total))
        else:
            fractions.append(_replaced(total, without_match, settings))
    return tuple(fractions)


def _nothing_matches(total: int) -> Fraction:
    words = "Nothing matches in any order, so nothing is smoothed and the score is 0."
    return Fraction(0, total, "nothing matches", words)


def _as_counted(order: int, matches: int, total: int) -> Fraction:
    if not total:
        words = f"No segment has {order} tokens, so there is nothing to match."
        return Fraction(0, 0, "no n-grams", words)
    return Fraction(matches, total, "counts", f"{matches} of {total} n-grams match.")


def _plus_k(matches: int, total: int, k: float) -> Fraction:
    if not total + k:
        return Fraction(0, 0, "no n-grams", "There are no n-grams, and add-k adds 0.")
    words = f"add-k: ({matches} + {k:g}) / ({total} + {k:g})."
    if not total:
        words += " The text is too short for this order, which so counts as 100 %."
    return Fraction(matches + k, total + k, "smoothed", words)


def _replaced(total: int, without_match: int, settings: BleuSettings) -> Fraction:
    """An order with n-grams and no match; the `without_match`-th such."""
    if settings.smooth == "exp":
        words = (
            f"0 of {total} match. exp: this is order number {without_match} without a match, so "
            f"1/2^{without_match} stands in for the 0."
        )
        return Fraction(1 / 2**without_match, total, "smoothed", words)
    if settings.smooth == "floor" and settings.effective_smooth_value > 0:
        value = settings.effective_smooth_value
        return Fraction(
            value, total, "smoothed", f"0 of {total} match. floor: {value:g} stands in for the 0."
        )
    return Fraction(0, total, "no match", f"0 of {total} match, which makes the score 0.")


def _raw(statistics: BleuStatistics, order: int) -> float | None:
    total = statistics.totals[order - 1]
    return 100 * statistics.matches[order - 1] / total if total else None


def _up_to(statistics: BleuStatistics, order: int) -> BleuStatistics:
    return BleuStatistics(
        statistics.matches[:order],
        statistics.totals[:order],
        statistics.hypothesis_length,
        statistics.reference_length,
    )
