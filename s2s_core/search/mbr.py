"""Minimum Bayes risk: the target that agrees best with what the model thinks likely.

Beam search looks for the one most probable target. MBR takes many (samples, or an n-best list) as
hypotheses and, at the same time, as stand-ins for the unknown reference, and chooses the one of
highest expected utility (Eikema & Aziz 2020, 2020.coling-main.398).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from s2s_core.errors import NoHypothesisError
from s2s_core.search.sampling import SampleResult
from s2s_core.search.trace import BeamTrace

Utility = Callable[[str, str], float]
"""The worth of a hypothesis (first) if a text (second) were the reference; higher is better."""


@dataclass(frozen=True, eq=False)
class MbrResult:
    """The utilities, and who wins.

    texts: N different texts, by expected utility, the best first; of equal ones the heavier, then
        the alphabetically first.
    weights: (N,) how much each counts as a reference; they sum to 1.
    matrix: (N, N), read-only; matrix[i, j] is the utility of texts[i] against texts[j].
    expected: (N,) matrix times weights.
    """

    texts: tuple[str, ...]
    weights: tuple[float, ...]
    matrix: NDArray[np.float64] = field(repr=False)
    expected: tuple[float, ...]

    @property
    def best(self) -> str:
        """The text of highest expected utility."""
        return self.texts[0]


def minimum_bayes_risk(weights: Mapping[str, float], utility: Utility) -> MbrResult:
    """Choose among texts that stand for one another's reference.

    weights: text -> how much it counts, above 0; they needn't sum to 1.

    Raises:
        NoHypothesisError: there is no text.
    """
    if not weights:
        raise NoHypothesisError("there is no finished hypothesis to choose from; draw more samples")
    texts = sorted(weights)
    shares = np.array([weights[text] for text in texts], dtype=np.float64)
    shares /= shares.sum()
    matrix = np.array([[utility(one, other) for other in texts] for one in texts])
    expected = [math.fsum(row * shares) for row in matrix]
    order = sorted(range(len(texts)), key=lambda i: (-expected[i], -shares[i], texts[i]))
    sorted_matrix = matrix[np.ix_(order, order)]
    sorted_matrix.setflags(write=False)
    return MbrResult(
        texts=tuple(texts[i] for i in order),
        weights=tuple(float(shares[i]) for i in order),
        matrix=sorted_matrix,
        expected=tuple(expected[i] for i in order),
    )


def sample_weights(result: SampleResult) -> dict[str, float]:
    """Each finished sample counts once; the same text drawn twice counts twice."""
    return dict(Counter(h.text for h in result.samples if h.finished))


def pool_weights(trace: BeamTrace) -> dict[str, float]:
    """The finished hypotheses of the pool, each with its probability under the model."""
    finished = [h for h in trace.pool() if h.finished]
    highest = max((h.log_prob for h in finished), default=0.0)
    weights: dict[str, float] = {}
    for h in finished:  # two of them may spell the same text
        weights[h.text] = weights.get(h.text, 0.0) + math.exp(h.log_prob - highest)
    return weights
