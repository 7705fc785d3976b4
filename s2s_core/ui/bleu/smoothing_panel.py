"""What smoothing put where, and what each method would make of the same counts."""

from __future__ import annotations

import streamlit as st

from s2s_core.figures.smoothing import smoothing_alt, smoothing_figure
from s2s_core.metrics.display import shown_score
from s2s_core.metrics.report import BleuReport
from s2s_core.metrics.settings import SMOOTHINGS
from s2s_core.metrics.smoothing_view import SmoothingRow, smoothing_rows
from s2s_core.ui import charts, literal, shell
from s2s_core.ui.bleu import arithmetic


def draw(report: BleuReport) -> None:
    """Draw the present method's story, and all methods side by side."""
    rows = smoothing_rows(report)
    picture, story = st.columns([3, 2], gap="medium")
    with picture:
        charts.draw(
            smoothing_figure(rows, theme=shell.theme()),
            key="smoothing_chart",
            alt=smoothing_alt(rows),
        )
        st.caption("A star marks what isn't a count: smoothing put it there.")
    with story:
        method = report.settings.smooth
        literal.show(f"Now: {method}. {SMOOTHINGS[method].help}")
        st.latex(SMOOTHINGS[method].formula)
        for line in touched(report):
            literal.show(line, look="small")
    present = next(place for place, row in enumerate(rows) if row.settings == report.settings)
    orders = [f"{order.order}-grams" for order in report.orders]
    literal.table(
        ("method", *orders, "BLEU"),
        [_cells(row) for row in rows],
        marked=(present,),
        caption="The same counts under each method",
    )


def touched(report: BleuReport) -> list[str]:
    """One line for each order that isn't used as counted; one line if all are."""
    return arithmetic.told(report) or [
        "Every order has a match, so smoothing touches nothing here."
    ]


def _cells(row: SmoothingRow) -> tuple[str, ...]:
    value = row.settings.effective_smooth_value
    name = f"{row.settings.smooth} ({value:g})" if value else row.settings.smooth
    precisions = (
        f"{min(order.precision, 100):.2f} %"
        + ("*" if order.fraction.source == "smoothed" else "")
        + ("" if order.in_mean else " (left out)")
        for order in row.orders
    )
    return (name, *precisions, shown_score(row.score))
