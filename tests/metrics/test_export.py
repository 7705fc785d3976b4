"""Exports: plain JSON, raw figures."""

from __future__ import annotations

import json

from hypothesis import given, settings

from s2s_core.metrics.export import report_fields, segment_fields
from s2s_core.metrics.settings import BleuSettings
from tests.metrics.corpora import SETTINGS, Corpus, corpora, report


@settings(max_examples=40, deadline=None)
@given(corpora(), SETTINGS)
def test_fields_are_json_and_the_reports_own_figures(corpus: Corpus, chosen: BleuSettings) -> None:
    found = report(corpus, chosen)
    fields = json.loads(json.dumps(report_fields(found), allow_nan=False))
    assert fields["score"] == found.score
    assert fields["precisions"] == list(found.precisions)
    for order in range(chosen.max_order):
        matches = 0
        for each in found.segments:
            part = json.loads(json.dumps(segment_fields(each), allow_nan=False))
            assert part["references"] == list(each.segment.references)
            assert part["closest_length"] == part["reference_lengths"][part["closest_reference"]]
            matches += sum(ngram["clipped"] for ngram in part["ngrams"][order])
        assert fields["matches"][order] == matches
