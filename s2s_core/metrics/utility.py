"""How alike two sentences are, for choosing among translations without a reference.

chrF and sentence BLEU as sacreBLEU computes them; BLEU with effective order and exponential
smoothing, which is what a single sentence needs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF


@cache
def _chrf() -> CHRF:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF()


@cache
def _bleu() -> BLEU:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(effective_order=True, smooth_method="exp")


def chrf_utility(hypothesis: str, reference: str) -> float:
    """chrF2 (0-100) of one sentence; two empty ones agree fully."""
    if not hypothesis or not reference:
        return 100.0 if hypothesis == reference else 0.0
    return float(_chrf().sentence_score(hypothesis, [reference]).score)


def bleu_utility(hypothesis: str, reference: str) -> float:
    """Sentence BLEU (0-100), effective order, smoothing `exp`; two empty ones agree fully."""
    if not hypothesis or not reference:
        return 100.0 if hypothesis == reference else 0.0
    return float(_bleu().sentence_score(hypothesis, [reference]).score)


UTILITIES: dict[str, Callable[[str, str], float]] = {"chrf": chrf_utility, "bleu": bleu_utility}
