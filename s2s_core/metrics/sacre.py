"""The one place that calls sacreBLEU's BLEU: every score shown or written comes from here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from sacrebleu.metrics.bleu import BLEU, BLEUScore
from sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

from s2s_core.metrics.ngrams import Tokens
from s2s_core.metrics.segments import Segment, check_segments, reference_streams
from s2s_core.metrics.settings import MAX_ORDER, BleuSettings
from s2s_core.metrics.statistics import BleuStatistics


@dataclass(frozen=True, slots=True)
class SacreScore:
    """What sacreBLEU says about a corpus.

    score: 0-100, raw: a perfect one is 100.00000000000004.
    precisions: for order 1 to N, 0-100, after smoothing.
    counts, totals: matches and n-grams; under add-k those of order 2 and up have k added.
    brevity_penalty: 0-1.
    signature: says how it was computed, all but the maximum order.
    """

    score: float
    precisions: tuple[float, ...]
    counts: tuple[float, ...]
    totals: tuple[float, ...]
    brevity_penalty: float
    hypothesis_length: int
    reference_length: int
    signature: str

    @property
    def length_ratio(self) -> float:
        """c / r; 0 where r is 0, as sacreBLEU has it."""
        return self.hypothesis_length / self.reference_length if self.reference_length else 0.0


class CorpusScorer:
    """sacreBLEU's BLEU for one corpus, and its tokenizer; made anew for each result.

    A metric object that was used before may sign with what was done then.
    """

    def __init__(self, settings: BleuSettings) -> None:
        """Make the metric; none of the tokenizers that are allowed fetches anything."""
        self._metric = BLEU(
            lowercase=settings.lowercase,
            force=True,  # it would write its advice to standard error; ours is in `notices`
            tokenize=settings.tokenize,
            smooth_method=settings.smooth,
            smooth_value=settings.smooth_value,
            max_ngram_order=settings.max_order,
            effective_order=settings.effective_order,
        )
        self._vocabulary: dict[str, str] = {}

    def score(self, segments: Sequence[Segment]) -> SacreScore:
        """sacreBLEU's own score of texts, tokenised and counted by itself."""
        streams = cast("list[list[str]]", reference_streams(segments))  # it takes None as well
        found = self._metric.corpus_score([segment.hypothesis for segment in segments], streams)
        return _read(found, str(self._metric.get_signature()))

    def tokens(self, text: str) -> Tokens:
        """The tokens that are scored: lower-cased, tokenised, split at Unicode white space.

        Equal tokens of many texts are the same object, which saves memory and time.
        """
        line = self._metric.tokenizer((text.lower() if self._metric.lowercase else text).rstrip())
        known = self._vocabulary
        return tuple(known.setdefault(token, token) for token in line.split())

    def forget_texts(self) -> None:
        """Empty the tokenizers' caches, which would keep tens of thousands of texts for good."""
        clear_cache(type(self._metric.tokenizer))
        clear_cache(TokenizerRegexp)


def tokenizer_of(language: str) -> str:
    """The tokenizer that a target language is scored with by default."""
    return "zh" if language == "zh" else "13a"


def corpus_bleu(
    texts: Sequence[str], references: Sequence[Sequence[str | None]], *, language: str
) -> SacreScore:
    """BLEU of a model's outputs, all else at sacreBLEU's defaults.

    references: those of each text. language: the target's, which chooses the tokenizer.

    Raises:
        SegmentError: texts and references don't fit together.
    """
    settings = BleuSettings(tokenize=tokenizer_of(language))
    return CorpusScorer(settings).score(check_segments(texts, references))


def score_statistics(statistics: BleuStatistics, settings: BleuSettings) -> SacreScore:
    """sacreBLEU's arithmetic on counts that were summed before; the signature is left empty."""
    found = BLEU.compute_bleu(
        correct=list(statistics.matches),  # lists of our own: add-k changes them in place
        total=list(statistics.totals),
        sys_len=statistics.hypothesis_length,
        ref_len=statistics.reference_length,
        smooth_method=settings.smooth,
        smooth_value=settings.smooth_value,
        effective_order=settings.effective_order,
        max_ngram_order=len(statistics.totals),
    )
    return _read(found, "")


def signature_with_order(signature: str, max_order: int) -> str:
    """The signature, which says nothing of the order, with the order where it isn't the usual 4."""
    return signature if max_order == MAX_ORDER.default else f"{signature}|order:{max_order}"


def clear_cache(tokenizer: type[BaseTokenizer]) -> None:
    """Empty the cache that most tokenizer classes of sacreBLEU have."""
    clear: object = getattr(tokenizer.__call__, "cache_clear", None)
    if callable(clear):
        clear()


def _read(found: BLEUScore, signature: str) -> SacreScore:
    return SacreScore(
        score=float(found.score),
        precisions=tuple(map(float, found.precisions)),
        counts=tuple(found.counts),
        totals=tuple(found.totals),
        brevity_penalty=float(found.bp),
        hypothesis_length=int(found.sys_len),
        reference_length=int(found.ref_len),
        signature=signature,
    )
