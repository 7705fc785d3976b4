"""Figures as sums over sentences, so that any part of a file and any resampling is soon computed.

Each measure has a few numbers a sentence (matches and totals, for example); a figure is a function
of their sums. A 95 % interval comes from drawing as many sentences again, with replacement, a
thousand times (percentile bootstrap: Efron 1979; for translation Koehn 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from s2s_core.search.batch import Output
from s2s_core.text.corpus import SentencePair

RESAMPLES, SEED = 1000, 1
_BLEU_FIELDS = {"BLEU": "score", "brevity penalty": "bp", "length ratio": "ratio"}
_CHRF_FIELDS = {"chrF": "score"}

Sums = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric over n sentences.

    metric: a key of `METRICS`.
    statistics: (n, k), what each sentence contributes.
    compute: sums of them, (R, k), → R figures.
    signature: sacreBLEU's, or "".
    all_references: it was measured against all of them, not the first alone.
    """

    metric: str
    statistics: Sums
    compute: Callable[[Sums], Sums]
    signature: str = ""
    all_references: bool = False


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float


def estimate(measures: Sequence[Measure], chosen: NDArray[np.intp]) -> list[Estimate]:
    """Each measure over the chosen sentences (at least one), all with the same resamples."""
    count = len(chosen)
    drawn = np.random.default_rng(SEED).multinomial(count, np.full(count, 1 / count), RESAMPLES)
    found = []
    for measure in measures:
        rows = measure.statistics[chosen]
        (value,) = measure.compute(rows.sum(axis=0, keepdims=True))
        low, high = np.percentile(measure.compute(drawn @ rows), [2.5, 97.5])
        found.append(Estimate(float(value), float(low), float(high)))
    return found


def share(metric: str, part: NDArray[Any], whole: NDArray[Any], *, scale: float = 100.0) -> Measure:
    """The measure Σ part / Σ whole, in percent by default."""

    def compute(sums: Sums) -> Sums:
        return scale * sums[:, 0] / sums[:, 1]

    return Measure(metric, np.stack([part, whole], axis=1).astype(np.float64), compute)


def token_matches(output: Sequence[int], reference: Sequence[int]) -> int:
    """How many tokens of the reference the output has at the same position."""
    return sum(a == b for a, b in zip(output, reference, strict=False))


def exact_match(
    outputs: Sequence[Output], pairs: Sequence[SentencePair], *, all_references: bool
) -> Measure:
    """Outputs that ended and equal the first reference, or any of them."""
    hits = [
        output.finished
        and output.text in (pair.references if all_references else pair.references[:1])
        for output, pair in zip(outputs, pairs, strict=True)
    ]
    found = share("exact match", np.array(hits), np.ones(len(hits)))
    return Measure("exact match", found.statistics, found.compute, "", all_references)


def sacrebleu_measures(
    texts: Sequence[str], pairs: Sequence[SentencePair], *, language: str, all_references: bool
) -> Iterator[Measure]:
    """BLEU with its brevity penalty and length ratio, and chrF.

    language: of the target; it chooses BLEU's tokenizer ("13a", and for Chinese "zh").
    """
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    streams = _streams(pairs, all_references=all_references)
    for metric, fields in ((BLEU(trg_lang=language), _BLEU_FIELDS), (CHRF(), _CHRF_FIELDS)):
        # What the library itself resamples for its intervals.
        rows = metric._extract_corpus_statistics(list(texts), streams)
        statistics, signature = np.array(rows, np.float64), str(metric.get_signature())
        for name, field in fields.items():
            compute = _compute(metric, field)
            yield Measure(name, statistics, compute, signature, all_references)


def corpus_bleu(texts: Sequence[str], pairs: Sequence[SentencePair], *, language: str) -> float:
    """BLEU (0–100) against the first reference of each sentence."""
    from sacrebleu.metrics.bleu import BLEU

    streams = _streams(pairs, all_references=False)
    return float(BLEU(trg_lang=language).corpus_score(list(texts), streams).score)


def _streams(pairs: Sequence[SentencePair], *, all_references: bool) -> list[list[str]]:
    """A list for each place in the list of references; None where a sentence has none there."""
    most = max(len(pair.references) for pair in pairs) if all_references else 1
    streams = [
        [pair.references[place] if place < len(pair.references) else None for pair in pairs]
        for place in range(most)
    ]
    return cast("list[list[str]]", streams)  # sacreBLEU takes None, though it doesn't say so


def _compute(metric: Any, field: str) -> Callable[[Sums], Sums]:
    def compute(sums: Sums) -> Sums:
        scores = [metric._compute_score_from_stats(row.astype(int).tolist()) for row in sums]
        return np.array([getattr(score, field) for score in scores])

    return compute
