"""Smoothing methods side by side."""

from __future__ import annotations

from hypothesis import given, settings

from s2s_core.metrics.settings import SMOOTHINGS, BleuSettings
from s2s_core.metrics.smoothing_view import smoothing_rows
from tests.metrics.corpora import SETTINGS, Corpus, corpora, report


@settings(max_examples=40, deadline=None)
@given(corpora(), SETTINGS)
def test_each_row_is_the_report_with_that_method(corpus: Corpus, chosen: BleuSettings) -> None:
    rows = smoothing_rows(report(corpus, chosen))
    assert [row.settings.smooth for row in rows] == list(SMOOTHINGS)
    for row in rows:
        expected = report(corpus, row.settings)
        assert (row.score, row.orders) == (expected.score, expected.orders)
        if row.settings.smooth == chosen.smooth:
            assert row.settings == chosen
