"""Results as plain fields for JSON: raw figures, the same from the command line and the app."""

from __future__ import annotations

from s2s_core.metrics.ngrams import NgramMatch
from s2s_core.metrics.report import BleuReport, SegmentReport


def report_fields(report: BleuReport) -> dict[str, object]:
    """The score and its parts: a contract that other tools read.

    The signature is as sacreBLEU writes it; the order, which it lacks, stands beside it.
    """
    return {
        "score": report.score,
        "precisions": report.precisions,
        "matches": report.statistics.matches,
        "totals": report.statistics.totals,
        "brevity_penalty": report.brevity_penalty,
        "hypothesis_length": report.hypothesis_length,
        "reference_length": report.reference_length,
        "max_order": report.settings.max_order,
        "signature": report.sacrebleu_signature,
    }


def segment_fields(each: SegmentReport) -> dict[str, object]:
    """One segment: texts, tokens, its part of the sums, and every n-gram by order."""
    orders = range(1, len(each.statistics.totals) + 1)
    return {
        "segment": each.number,
        "hypothesis": each.segment.hypothesis,
        "references": each.segment.references,
        "tokens": each.tokens,
        "reference_tokens": each.reference_tokens,
        "score": each.score,
        "matches": each.statistics.matches,
        "totals": each.statistics.totals,
        "reference_lengths": each.closest.lengths,
        "closest_length": each.closest.length,
        "closest_reference": each.closest.reference,
        "tied_length": each.closest.tied_length,
        "ngrams": [[ngram_fields(match) for match in each.ngrams(order)] for order in orders],
    }


def ngram_fields(match: NgramMatch) -> dict[str, object]:
    """One n-gram of one hypothesis."""
    return {
        "ngram": match.ngram,
        "count": match.count,
        "reference_counts": match.reference_counts,
        "clipped": match.clipped,
        "clip_reference": match.clip_reference,
    }
