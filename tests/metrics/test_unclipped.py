"""Matches before clipping, against the table of n-grams."""

from __future__ import annotations

from hypothesis import given, settings

from s2s_core.metrics.report import bleu_report
from s2s_core.metrics.unclipped import unclipped_matches
from tests.metrics.corpora import Corpus, corpora


@settings(deadline=None)
@given(corpora())
def test_unclipped_matches_count_every_occurrence_that_a_reference_has(corpus: Corpus) -> None:
    report = bleu_report(corpus.hypotheses, corpus.references)
    expected = [
        sum(
            match.count
            for segment in report.segments
            for match in segment.ngrams(order)
            if match.clip_reference is not None
        )
        for order in range(1, 5)
    ]
    assert list(unclipped_matches(report)) == expected
