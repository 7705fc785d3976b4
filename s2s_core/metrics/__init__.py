"""BLEU and its parts, chrF and TER, tests of two systems, and what is odd about a text.

Names are loaded on first use, so importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s_core.lazy import load_on_use

if TYPE_CHECKING:
    from s2s_core.metrics.corpus_view import length_buckets, mean_of_sentences, segment_rows
    from s2s_core.metrics.differences import (
        ngram_differences,
        report_difference,
        segment_differences,
    )
    from s2s_core.metrics.display import shown_difference, shown_score
    from s2s_core.metrics.export import report_fields, segment_fields
    from s2s_core.metrics.ngrams import NgramMatch, occurrence_fates
    from s2s_core.metrics.notices import Notice, report_notices, to_nfc
    from s2s_core.metrics.orders import OrderReport
    from s2s_core.metrics.others import MetricScore, chrf_score, ter_score
    from s2s_core.metrics.report import BleuReport, SegmentReport, bleu_report
    from s2s_core.metrics.settings import SMOOTHINGS, BleuSettings
    from s2s_core.metrics.significance import PairedTests, paired_tests
    from s2s_core.metrics.smoothing_view import smoothing_rows
    from s2s_core.metrics.textbook import EXAMPLES
    from s2s_core.metrics.tokenizers import available_tokenizers
    from s2s_core.metrics.unclipped import unclipped_matches

__all__ = [
    "EXAMPLES",
    "SMOOTHINGS",
    "BleuReport",
    "BleuSettings",
    "MetricScore",
    "NgramMatch",
    "Notice",
    "OrderReport",
    "PairedTests",
    "SegmentReport",
    "available_tokenizers",
    "bleu_report",
    "chrf_score",
    "length_buckets",
    "mean_of_sentences",
    "ngram_differences",
    "occurrence_fates",
    "paired_tests",
    "report_difference",
    "report_fields",
    "report_notices",
    "segment_differences",
    "segment_fields",
    "segment_rows",
    "shown_difference",
    "shown_score",
    "smoothing_rows",
    "ter_score",
    "to_nfc",
    "unclipped_matches",
]

_HOMES = {
    "corpus_view": ("length_buckets", "mean_of_sentences", "segment_rows"),
    "differences": ("ngram_differences", "report_difference", "segment_differences"),
    "display": ("shown_difference", "shown_score"),
    "export": ("report_fields", "segment_fields"),
    "ngrams": ("NgramMatch", "occurrence_fates"),
    "notices": ("Notice", "report_notices", "to_nfc"),
    "orders": ("OrderReport",),
    "others": ("MetricScore", "chrf_score", "ter_score"),
    "report": ("BleuReport", "SegmentReport", "bleu_report"),
    "settings": ("SMOOTHINGS", "BleuSettings"),
    "significance": ("PairedTests", "paired_tests"),
    "smoothing_view": ("smoothing_rows",),
    "textbook": ("EXAMPLES",),
    "tokenizers": ("available_tokenizers",),
    "unclipped": ("unclipped_matches",),
}
__getattr__, __dir__ = load_on_use(__name__, _HOMES)
