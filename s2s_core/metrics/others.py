"""chrF, chrF++ and TER beside BLEU, by sacreBLEU with its defaults."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import cast

from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from s2s_core.errors import TooLongToScoreError
from s2s_core.metrics.sacre import clear_cache
from s2s_core.metrics.segments import Segment, check_segments, reference_streams

TER_MAXIMUM_TOKENS = 100
"""A segment above this may take many seconds: the search for shifts grows fast with length."""

TER_SECONDS = 10.0
"""How long TER may take in all, by default."""


@dataclass(frozen=True, slots=True)
class MetricScore:
    """A score of another metric.

    name: as sacreBLEU calls it: chrF2, chrF2++, TER.
    score: chrF 0-100, higher is better. TER is edits to 100 reference tokens: lower is better, and
        it may exceed 100.
    signature: sacreBLEU's.
    """

    name: str
    score: float
    signature: str


def chrf_score(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    *,
    word_order: int = 0,
    lowercase: bool = False,
) -> MetricScore:
    """chrF (Popović 2015), or chrF++ (2017) with `word_order=2`: F2 of character n-grams.

    Raises:
        SegmentError: they can't be scored together; the message names the segment.
    """
    segments = check_segments(hypotheses, references)
    metric = CHRF(word_order=word_order, lowercase=lowercase)
    found = metric.corpus_score(list(hypotheses), _streams(segments))
    return MetricScore(found.name, float(found.score), str(metric.get_signature()))


def ter_score(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    *,
    case_sensitive: bool = False,
    seconds: float | None = TER_SECONDS,
) -> MetricScore:
    """TER (Snover et al. 2006): edits and shifts, to the mean length of the references.

    Segments are scored one by one, and what they sum to is the corpus score.

    case_sensitive: TER is lower-cased by default, unlike BLEU.
    seconds: give up after this time; None doesn't.

    Raises:
        SegmentError: they can't be scored together; the message names the segment.
        TooLongToScoreError: a segment has too many tokens, or time ran out.
    """
    segments = check_segments(hypotheses, references)
    for number, segment in enumerate(segments, start=1):
        _check_length(number, segment)
    metric = TER(case_sensitive=case_sensitive)
    try:
        score = _ter(metric, segments, seconds)
    finally:
        clear_cache(TercomTokenizer)
    return MetricScore("TER", score, _ter_signature(segments, case_sensitive=case_sensitive))


def _ter(metric: TER, segments: Sequence[Segment], seconds: float | None) -> float:
    edits, reference_length, start = 0, 0.0, monotonic()
    for number, segment in enumerate(segments, start=1):
        if seconds is not None and monotonic() - start > seconds:
            raise TooLongToScoreError(
                f"TER was stopped after {seconds:g} seconds, at segment {number} of "
                f"{len(segments)}; score fewer segments, or use the command line, which waits"
            )
        given = [reference for reference in segment.references if reference is not None]
        found = metric.sentence_score(segment.hypothesis, given)
        edits, reference_length = edits + found.num_edits, reference_length + found.ref_length
    if not reference_length:
        return 100.0 if edits else 0.0
    return 100 * (edits / reference_length)


def _ter_signature(segments: Sequence[Segment], *, case_sensitive: bool) -> str:
    """sacreBLEU signs what it has scored: blank texts with as many references do."""
    blank = [
        Segment("", tuple(None if reference is None else "" for reference in segment.references))
        for segment in segments
    ]
    metric = TER(case_sensitive=case_sensitive)
    metric.corpus_score([segment.hypothesis for segment in blank], _streams(blank))
    return str(metric.get_signature())


def _check_length(number: int, segment: Segment) -> None:
    texts = (segment.hypothesis, *segment.references)
    longest = max(len(text.split()) for text in texts if text is not None)
    if longest > TER_MAXIMUM_TOKENS:
        raise TooLongToScoreError(
            f"TER isn't computed: segment {number} has {longest:,} tokens, and above "
            f"{TER_MAXIMUM_TOKENS} it may take minutes; split the segment into sentences"
        )


def _streams(segments: Sequence[Segment]) -> list[list[str]]:
    return cast("list[list[str]]", reference_streams(segments))  # it takes None as well
