"""Tables of the BLEU page as data frames, for the screen and as CSV. Nothing is drawn here."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from pandas.io.formats.style import Styler

from s2s_core.figures.theme import minus
from s2s_core.metrics.corpus_view import LengthBucket, SegmentRow
from s2s_core.metrics.differences import NgramDifference, SegmentDifference
from s2s_core.metrics.display import shown_difference
from s2s_core.metrics.ngrams import NgramMatch
from s2s_core.metrics.report import BleuReport, NgramTotal

_FATES = {"matched": "✓ matched", "clipped": "✂ clipped", "unmatched": "✗ in no reference"}


def orders(report: BleuReport) -> pd.DataFrame:
    """One row an order: counts and precisions, raw."""
    return pd.DataFrame(
        {
            "n": [each.order for each in report.orders],
            "n-grams": [each.totals for each in report.orders],
            "matches": [each.matches for each in report.orders],
            "raw precision": [each.raw_precision for each in report.orders],
            "precision": [each.precision for each in report.orders],
            "in the mean": [each.in_mean for each in report.orders],
            "BLEU up to n": [each.cumulative for each in report.orders],
            "explanation": [each.fraction.explanation for each in report.orders],
        }
    )


def ngrams(matches: Sequence[NgramMatch]) -> pd.DataFrame:
    """One row an n-gram of a segment; a missing reference has no count."""
    references = len(matches[0].reference_counts) if matches else 0
    counts = {
        f"in ref. {place + 1}": pd.array(
            [match.reference_counts[place] for match in matches], dtype="Int64"
        )
        for place in range(references)
    }
    clips = [None if m.clip_reference is None else m.clip_reference + 1 for m in matches]
    return pd.DataFrame(
        {
            "n-gram": [" ".join(match.ngram) for match in matches],
            "what": [_FATES[match.fate] for match in matches],
            "in hypothesis": [match.count for match in matches],
            **counts,
            "counts": [match.clipped for match in matches],
            "lost": [match.lost for match in matches],
            "limit set by ref.": pd.array(clips, dtype="Int64"),
        }
    )


def ngram_totals(totals: Sequence[NgramTotal]) -> pd.DataFrame:
    """One row an n-gram of the whole corpus."""
    return pd.DataFrame(
        {
            "n-gram": [" ".join(total.ngram) for total in totals],
            "in hypotheses": [total.count for total in totals],
            "counts": [total.clipped for total in totals],
            "lost": [total.lost for total in totals],
        }
    )


def segments(rows: Sequence[SegmentRow]) -> pd.DataFrame:
    """One row a segment."""
    most = max((len(row.references) for row in rows), default=0)
    references = {
        f"reference {place + 1}": [
            row.references[place] if place < len(row.references) else None for row in rows
        ]
        for place in range(most)
    }
    return pd.DataFrame(
        {
            "segment": [row.number for row in rows],
            "sentence BLEU": [min(row.score, 100.0) for row in rows],
            "length ratio": [row.length_ratio for row in rows],
            "lost n-grams": [row.lost for row in rows],
            "c": [row.hypothesis_length for row in rows],
            "r": [row.reference_length for row in rows],
            "hypothesis": [row.hypothesis for row in rows],
            **references,
        }
    )


def buckets(found: Sequence[LengthBucket]) -> pd.DataFrame:
    """One row a range of reference lengths."""
    return pd.DataFrame(
        {
            "reference tokens": [bucket.label for bucket in found],
            "segments": [bucket.segments for bucket in found],
            "corpus BLEU": [_at_most_100(bucket.score) for bucket in found],
            "mean of sentence BLEU": [_at_most_100(bucket.mean_of_sentences) for bucket in found],
            "length ratio": [bucket.length_ratio for bucket in found],
        }
    )


def segment_differences(found: Sequence[SegmentDifference]) -> pd.DataFrame:
    """One row a segment, system minus baseline."""
    return pd.DataFrame(
        {
            "segment": [each.number for each in found],
            "baseline": [min(each.baseline_score, 100.0) for each in found],
            "system": [min(each.system_score, 100.0) for each in found],
            "difference": [each.difference for each in found],
        }
    )


def ngram_differences(found: Sequence[NgramDifference]) -> pd.DataFrame:
    """One row an n-gram that one system matches more often."""
    return pd.DataFrame(
        {
            "n-gram": [" ".join(each.ngram) for each in found],
            "baseline": [each.baseline_matches for each in found],
            "system": [each.system_matches for each in found],
            "difference": [each.difference for each in found],
        }
    )


def shown_differences(frame: pd.DataFrame) -> Styler:
    """A table of differences for the screen: two decimals, signs, and real minus signs."""
    scores = dict.fromkeys(frame.select_dtypes("float").columns, "{:.2f}")
    whole = frame["difference"].dtype.kind == "i"
    digits = 0 if whole else 2
    return frame.style.format(
        scores | {"difference": lambda value: minus(shown_difference(value, digits))}
    )


def _at_most_100(score: float | None) -> float | None:
    return None if score is None else min(score, 100.0)
