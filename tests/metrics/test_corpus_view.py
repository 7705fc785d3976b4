"""The corpus by segment and by length."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from s2s_core.errors import SettingError
from s2s_core.metrics.corpus_view import length_buckets, mean_of_sentences, segment_rows
from s2s_core.metrics.report import bleu_report
from s2s_core.metrics.settings import BleuSettings
from s2s_core.metrics.statistics import sum_statistics
from tests.metrics.corpora import SETTINGS, Corpus, corpora, report


def test_a_row_has_score_ratio_and_lost_ngrams() -> None:
    found = segment_rows(bleu_report(["a b x", ""], [["a b c d e f", None], [""]]))
    assert (found[0].number, found[0].hypothesis) == (1, "a b x")
    assert found[0].references == ("a b c d e f", None)
    assert found[0].length_ratio == 0.5
    assert found[0].lost == 1 + 1 + 1  # x, "b x", "a b x"
    assert (found[1].score, found[1].length_ratio, found[1].lost) == (0, 0, 0)


@settings(max_examples=40, deadline=None)
@given(corpora(), SETTINGS)
def test_rows_and_buckets_add_up_to_the_corpus(corpus: Corpus, chosen: BleuSettings) -> None:
    found = report(corpus, chosen)
    rows = segment_rows(found)
    assert sum(row.lost for row in rows) == found.statistics.lost
    assert sum(row.reference_length for row in rows) == found.reference_length
    mean = sum(row.score for row in rows) / len(rows)
    assert mean_of_sentences(found) == pytest.approx(mean)
    assert sum(each.segments for each in length_buckets(found, (2, 4, 6))) == len(rows)
    (whole,) = length_buckets(found, ())
    assert whole.score == found.score
    assert whole.mean_of_sentences == pytest.approx(mean)
    parts = [each.statistics for each in found.segments]
    assert sum_statistics(parts) == found.statistics


def test_a_bucket_is_a_corpus_of_its_own() -> None:
    texts = ["a b c d e", "f g h", "a b c d e f"]
    found = bleu_report(["a b c d e", "x y z", "a b c d x f"], [[text] for text in texts])
    short, long, longer = length_buckets(found, (4, 6))
    assert (short.label, long.label, longer.label) == ("0–3", "4–5", "6 and more")
    assert [each.segments for each in (short, long, longer)] == [1, 1, 1]
    assert short.score == 0
    assert long.score == pytest.approx(100)
    assert longer.score == bleu_report(["a b c d x f"], [[texts[2]]]).score
    empty = length_buckets(found, (100, 101))[1]
    assert (empty.label, empty.segments, empty.score) == ("100", 0, None)
    assert empty.mean_of_sentences is None


@pytest.mark.parametrize("edges", [(0,), (5, 5), (5, 3), (-1,)])
def test_edges_must_rise(edges: tuple[int, ...]) -> None:
    with pytest.raises(SettingError, match="the edges must be above 0 and rise"):
        length_buckets(bleu_report(["a"], [["a"]]), edges)
