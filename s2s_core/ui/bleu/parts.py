"""The parts that a score is the product of, and which of them is low, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from s2s_core.metrics.display import shown_score
from s2s_core.metrics.orders import OrderReport
from s2s_core.metrics.report import BleuReport


@dataclass(frozen=True, slots=True)
class Part:
    """One factor of the score.

    name: such as "2-grams".
    share: its value, 0-1: a precision after smoothing, or the brevity penalty.
    counts: where the value comes from, such as "5 of 6".
    factor: what the score is multiplied by: p^(1/N) for a precision. None where it isn't in the
        mean.
    """

    name: str
    share: float
    counts: str
    factor: float | None


def score_parts(report: BleuReport) -> tuple[Part, ...]:
    """The precision of each order, then the brevity penalty; score = 100 · all factors."""
    taking_part = sum(order.in_mean for order in report.orders)
    return (
        *(_precision(order, taking_part) for order in report.orders),
        Part(
            "Brevity penalty",
            report.brevity_penalty,
            f"{report.hypothesis_length:,} / {report.reference_length:,} tokens",
            report.brevity_penalty,
        ),
    )


def lowest_part(parts: Sequence[Part]) -> int | None:
    """The place of the part that costs most; None if none costs anything."""
    factors = [1.0 if part.factor is None else part.factor for part in parts]
    lowest = min(factors)
    return None if lowest >= 1.0 - 1e-9 else factors.index(lowest)


def verdict(report: BleuReport) -> str:
    """One or two sentences: what makes the score what it is."""
    parts = score_parts(report)
    place = lowest_part(parts)
    if not report.hypothesis_length:
        return "There is no hypothesis token, so the score is 0."
    if not any(report.statistics.matches):
        return "Nothing matches in any order, so the score is 0 and no smoothing applies."
    if place is None:
        return "Every n-gram matches, and the length is right."
    part = parts[place]
    if place == len(report.orders):
        return (
            f"Lowest part: the brevity penalty. c = {report.hypothesis_length:,} tokens are fewer "
            f"than r = {report.reference_length:,}; with all else perfect, that alone would leave "
            f"{shown_score(100 * report.brevity_penalty)}."
        )
    order = report.orders[place]
    if order.precision <= 0:
        return (
            order.fraction.explanation.removesuffix(".").replace(", which makes the score 0", "")
            + f" (order {order.order}), so the whole product is 0."
        )
    smoothed = " (smoothed)" if order.fraction.source == "smoothed" else ""
    return (
        f"Lowest part: the {part.name}. {order.matches:,} of {order.totals:,} match{smoothed}; "
        f"with all else perfect, that alone would leave {shown_score(100 * (part.factor or 0.0))}."
    )


def _precision(order: OrderReport, taking_part: int) -> Part:
    return Part(
        name=f"{order.order}-grams",
        share=min(order.precision / 100, 1.0),
        counts=f"{order.matches:,} / {order.totals:,}",
        factor=math.pow(order.precision / 100, 1 / taking_part) if order.in_mean else None,
    )
