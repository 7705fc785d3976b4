"""The figures of the BLEU page on their data."""

from __future__ import annotations

import math
from typing import Any

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_core.figures.brevity import brevity_alt, brevity_figure, brevity_penalty
from s2s_core.figures.score_distribution import (
    bucket_alt,
    bucket_figure,
    differences_alt,
    differences_figure,
    distribution_alt,
    distribution_figure,
)
from s2s_core.figures.smoothing import smoothing_alt, smoothing_figure
from s2s_core.figures.theme import DARK
from s2s_core.metrics.corpus_view import length_buckets
from s2s_core.metrics.report import bleu_report
from s2s_core.metrics.settings import SMOOTHINGS
from s2s_core.metrics.smoothing_view import smoothing_rows
from tests.metrics.corpora import Corpus, corpora


def traces(figure: go.Figure, meta: str) -> list[Any]:
    return [trace for trace in figure.data if trace.meta == meta]


@settings(deadline=None)
@given(corpora())
def test_the_point_on_the_curve_is_the_reports_penalty(corpus: Corpus) -> None:
    report = bleu_report(corpus.hypotheses, corpus.references)
    c, r = report.hypothesis_length, report.reference_length
    figure = brevity_figure(c, r, theme=DARK)
    (here,), (curve,) = traces(figure, "here"), traces(figure, "curve")
    assert (here.x[0], here.y[0]) == (c, pytest.approx(report.brevity_penalty))
    on_curve = dict(zip(curve.x, curve.y, strict=True))
    assert on_curve[float(c)] == here.y[0]
    assert max(curve.y) <= 1.0 and curve.x[-1] >= max(c, r)


def test_the_curve_turns_level_where_the_lengths_are_equal() -> None:
    assert brevity_penalty(8, 8) == 1.0
    assert brevity_penalty(7, 8) == pytest.approx(math.exp(1 - 8 / 7))
    assert brevity_penalty(0, 8) == 0.0
    assert brevity_penalty(0, 0) == 1.0


def test_every_reference_length_is_marked_and_lies_in_the_picture() -> None:
    figure = brevity_figure(5, 4, lengths=(4, 6, 40))
    (marks,) = traces(figure, "references")
    assert list(marks.x) == [4, 6, 40]
    assert figure.layout.xaxis.range[1] > 40
    assert "c = 5" in brevity_alt(5, 4)


def test_smoothing_has_a_bar_for_each_method_and_order_and_stars_what_it_put_there() -> None:
    report = bleu_report(["the cat is on the mat"], [["there is a cat on the mat"]])
    rows = smoothing_rows(report)
    figure = smoothing_figure(rows)
    assert [bar.meta for bar in figure.data] == list(SMOOTHINGS)
    for bar, row in zip(figure.data, rows, strict=True):
        assert list(bar.y) == pytest.approx([order.precision for order in row.orders])
        stars = [text.endswith("*") for text in bar.text]
        assert stars == [order.fraction.source == "smoothed" for order in row.orders]
    assert len({bar.marker.pattern.shape for bar in figure.data}) == len(SMOOTHINGS)
    assert "none 0.00" in smoothing_alt(rows)


@settings(deadline=None)
@given(st.lists(st.floats(0, 100.00000000000004), min_size=1, max_size=50))
def test_the_histogram_counts_every_segment_once(scores: list[float]) -> None:
    figure = distribution_figure(scores, 100.00000000000004, 0.0)
    (bars,) = traces(figure, "segments")
    assert sum(bars.y) == len(scores)
    assert all(shape.x0 <= 100 for shape in figure.layout.shapes)
    assert f"of {len(scores)} segments" in distribution_alt(scores, 50.0, 40.0)


def test_length_ranges_show_both_scores_and_leave_empty_ones_blank() -> None:
    report = bleu_report(["a b c d", "x " * 12], [["a b c d"], ["x " * 11 + "y"]])
    buckets = length_buckets(report)
    corpus, mean = bucket_figure(buckets).data
    assert corpus.y[0] == 100.0 and corpus.y[2] is None
    assert mean.y[1] == pytest.approx(buckets[1].mean_of_sentences)
    assert "40 and more" not in bucket_alt(buckets)


def test_differences_rise_from_lost_to_won_and_are_told() -> None:
    (bars,) = traces(differences_figure([3.0, -2.0, 0.0]), "differences")
    assert list(bars.y) == [-2.0, 0.0, 3.0]
    assert bars.marker.color[0] != bars.marker.color[2]
    assert differences_alt([3.0, -2.0, 0.0]).endswith("higher in 1, lower in 1, the same in 1.")
