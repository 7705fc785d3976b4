"""The smoothing methods side by side, on the counts of one report."""

from __future__ import annotations

from dataclasses import dataclass, replace

from s2s_core.metrics.orders import OrderReport, order_reports
from s2s_core.metrics.report import BleuReport
from s2s_core.metrics.sacre import score_statistics
from s2s_core.metrics.settings import SMOOTHINGS, BleuSettings


@dataclass(frozen=True, slots=True)
class SmoothingRow:
    """What one method makes of the same counts.

    settings: the report's, with this method; its value is the report's own for the report's
        method, and the default for the others.
    score: 0-100, sacreBLEU's, raw.
    """

    settings: BleuSettings
    score: float
    orders: tuple[OrderReport, ...]


def smoothing_rows(report: BleuReport) -> tuple[SmoothingRow, ...]:
    """Every method of `SMOOTHINGS`; no text is read again."""
    rows = []
    for method in SMOOTHINGS:
        value = report.settings.smooth_value if method == report.settings.smooth else None
        settings = replace(report.settings, smooth=method, smooth_value=value)
        found = score_statistics(report.statistics, settings)
        orders = order_reports(report.statistics, found.precisions, settings)
        rows.append(SmoothingRow(settings, found.score, orders))
    return tuple(rows)
