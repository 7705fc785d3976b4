"""The coverage penalty of GNMT: source tokens that got little attention lower the score.

cp = beta * sum over source tokens of log min(sum over target tokens of attention, 1)
(eq. 14, Wu et al. 2016, arXiv:1609.08144). It is at most 0. It is added to the length-normalised
score of finished hypotheses, so it changes their order and not which prefixes live: after an
exhaustive search the ranking is exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from s2s_core.errors import UnsupportedModelError
from s2s_core.options import RealOption
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.records import AttentionMap
from s2s_core.search.trace import BeamTrace, Hypothesis

BETA = RealOption(
    "beta", 0.0, 5.0, 0.2, 0.05, "The weight of the coverage penalty; 0 turns it off."
)


@dataclass(frozen=True, slots=True)
class Covered:
    """A hypothesis with its score taken apart.

    hypothesis: its `score` is the length-normalised one.
    coverage: (S,) how much attention each source token got, over all target tokens with EOS; the
        source's own end token is among them if the model reads one.
    penalty: cp, at most 0; -inf where a token got none at all.
    total: the hypothesis' score and cp.
    """

    hypothesis: Hypothesis
    coverage: tuple[float, ...]
    penalty: float
    total: float


def coverage_of(attention: AttentionMap) -> NDArray[np.float64]:
    """(S,): the attention on each source token, the mean over the heads of the last layer."""
    return np.asarray(attention.head_mean().astype(np.float64).sum(axis=0))


def coverage_penalty(coverage: NDArray[np.float64], beta: float) -> float:
    """cp for the attention (S,) that the source tokens got in all."""
    if beta == 0.0:
        return 0.0
    if coverage.min() <= 0.0:
        return -math.inf
    return beta * float(np.log(np.minimum(coverage, 1.0)).sum())


def rank_by_coverage(
    trace: BeamTrace, beta: float = BETA.default, *, penalty: LengthPenalty | None = None
) -> tuple[Covered, ...]:
    """Every finished hypothesis of a search (the cut ones if none finished), best total first.

    Equal totals keep the order of finishing. The ranking is what a search with the coverage penalty
    would give if the trace's stop rule was `exhaust`.

    Raises:
        SettingError: beta lies outside its bounds.
        UnsupportedModelError: the model has no attention.
    """
    beta = BETA.check(beta)
    scored = [_covered(trace.hypothesis(i, penalty), beta) for i in trace.ranked_ids(penalty)]
    scored.sort(key=lambda item: (-item.total, item.hypothesis.node_id or 0))
    return tuple(scored)


def _covered(hypothesis: Hypothesis, beta: float) -> Covered:
    if hypothesis.attention is None:
        raise UnsupportedModelError(
            "the coverage penalty needs attention, and this model has none: choose another model "
            "or leave the penalty out"
        )
    coverage = coverage_of(hypothesis.attention)
    penalty = coverage_penalty(coverage, beta)
    values = tuple(coverage.tolist())
    return Covered(hypothesis, values, penalty, hypothesis.score + penalty)
