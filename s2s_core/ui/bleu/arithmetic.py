"""The arithmetic as it is done: counts, clipped counts, precisions, mean, penalty, product."""

from __future__ import annotations

import math
from collections.abc import Sequence

import streamlit as st

from s2s_core.figures.theme import minus
from s2s_core.metrics.display import shown_score
from s2s_core.metrics.orders import Fraction, OrderReport
from s2s_core.metrics.report import BleuReport
from s2s_core.ui import literal
from s2s_core.ui.bleu.scoring import Scored


def draw(scored: Scored) -> None:
    """Draw the formula with its numbers, and the table behind it."""
    report = scored.report
    formula, counts = st.columns([1, 1], gap="medium")
    with formula, st.container(key="bleu-formula"):
        half = (len(report.orders) + 1) // 2
        places = st.columns(2 if len(report.orders) > 1 else 1, gap="small")
        for place, part in zip(places, (slice(half), slice(half, None)), strict=False):
            place.latex(precision_latex(report.orders[part], scored.unclipped[part]))
        st.latex(mean_latex(report))
        st.latex(penalty_latex(report))
        st.latex(product_latex(report))
    with counts:
        _draw_counts(scored)
        for line in told(report):
            literal.show(line, look="small")


def told(report: BleuReport) -> list[str]:
    """One line for each order that isn't used as counted, in words."""
    if not any(report.statistics.matches):
        return [report.orders[0].fraction.explanation]
    changed = [order for order in report.orders if order.fraction.source != "counts"]
    return [f"{order.order}-grams: {order.fraction.explanation}" for order in changed]


def precision_latex(orders: Sequence[OrderReport], unclipped: Sequence[int]) -> str:
    """p_n of some orders: the matches less those that were clipped away, to the n-grams.

    unclipped: for each order, the matches before clipping.
    """
    lines = [
        rf"p_{{{order.order}}} &= {_precision(order, found)}"
        for order, found in zip(orders, unclipped, strict=True)
    ]
    return r"\begin{aligned}" + r"\\[8pt]".join(lines) + r"\end{aligned}"


def mean_latex(report: BleuReport) -> str:
    """The geometric mean of the precisions that take part."""
    taking_part = [order for order in report.orders if order.in_mean]
    product = r" \cdot ".join(_fraction(order.fraction, small=True) for order in taking_part)
    return (
        rf"\text{{geometric mean}} = \left({product}\right)^{{1/{len(taking_part)}}} "
        rf"= {report.geometric_mean / 100:.4f}"
    )


def penalty_latex(report: BleuReport) -> str:
    """The brevity penalty from c and r."""
    c, r = report.hypothesis_length, report.reference_length
    if c >= r:
        return rf"\text{{BP}} = 1 \quad (c = {c} \ge r = {r})"
    if not c:
        return rf"\text{{BP}} = 0 \quad (c = 0,\ r = {r})"
    return rf"\text{{BP}} = e^{{1 - r/c}} = e^{{1 - {r}/{c}}} = {report.brevity_penalty:.4f}"


def product_latex(report: BleuReport) -> str:
    """The score as the product of the two."""
    return (
        r"\textbf{BLEU} = 100 \cdot \text{BP} \cdot \text{mean} = "
        rf"100 \cdot {report.brevity_penalty:.4f} \cdot {report.geometric_mean / 100:.4f} "
        rf"= \mathbf{{{shown_score(report.score)}}}"
    )


def _draw_counts(scored: Scored) -> None:
    rows = []
    for order, unclipped in zip(scored.report.orders, scored.unclipped, strict=True):
        rows.append(
            (
                str(order.order),
                order.totals,
                unclipped,
                unclipped - order.matches,
                order.matches,
                "–" if order.raw_precision is None else f"{min(order.raw_precision, 100):.2f} %",
                f"{min(order.precision, 100):.2f} %" + ("" if order.in_mean else " (left out)"),
                minus(f"{math.log(order.precision / 100):.3f}") if order.precision > 0 else "−∞",
                shown_score(order.cumulative),
            )
        )
    header = ("n", "n-grams", "in a ref.", "clipped", "matches")
    literal.table(
        (*header, "matches / n-grams", "pₙ as used", "ln pₙ", "BLEU up to n"),
        rows,
        caption="From counts to precisions",
    )
    st.caption(
        "“In a ref.” counts every n-gram of the hypothesis that a reference of its segment has. "
        "Clipping then takes away what occurs more often than in the reference that has it most."
    )


def _precision(order: OrderReport, unclipped: int) -> str:
    if not order.fraction.denominator:
        effect = "0" if order.in_mean else r"\text{left out}"
        return rf"{effect}\quad(\text{{no {order.order}-grams}})"
    clipped = unclipped - order.matches
    steps = rf"\frac{{{unclipped} - {clipped}}}{{{order.totals}}} = " if clipped else ""
    if order.fraction.source == "smoothed":
        steps = ""
    return f"{steps}{_fraction(order.fraction)} = {_percent(order)}"


def _fraction(fraction: Fraction, *, small: bool = False) -> str:
    if not fraction.denominator:
        return "0"
    command = "tfrac" if small else "frac"
    written = rf"\{command}{{{_number(fraction.numerator)}}}{{{_number(fraction.denominator)}}}"
    if fraction.source != "smoothed" or small:
        return written
    return rf"\underbrace{{{written}}}_{{\text{{smoothed}}}}"


def _number(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.4g}"


def _percent(order: OrderReport) -> str:
    return rf"{min(order.precision, 100):.2f}\,\%"
