"""What the precisions would be made of without clipping."""

from __future__ import annotations

from s2s_core.metrics.ngrams import ngrams
from s2s_core.metrics.report import BleuReport


def unclipped_matches(report: BleuReport) -> tuple[int, ...]:
    """For order 1 to N: the n-grams of the hypotheses that a reference of their segment has.

    Each counts as often as it occurs, so "the the" matches twice where a reference has one "the".
    What clipping takes away is this less the matches of the order.
    """
    found = [0] * report.settings.max_order
    for segment in report.segments:
        theirs = [tokens for tokens in segment.reference_tokens if tokens is not None]
        for place, matches in enumerate(segment.statistics.matches):
            if not matches:
                break  # no longer match without a shorter one
            known = {ngram for tokens in theirs for ngram in ngrams(tokens, place + 1)}
            found[place] += sum(map(known.__contains__, ngrams(segment.tokens, place + 1)))
    return tuple(found)
