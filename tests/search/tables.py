"""Random probability tables, small enough to list every string, with many ties."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import strategies as st

from s2s_core.search.length_penalty import (
    GnmtPenalty,
    LengthPenalty,
    NoPenalty,
    PowerPenalty,
    WordReward,
)
from s2s_core.search.table import ProbabilityTable

TOKENS = ("a", "b", "c")
EIGHTHS = 8

PENALTIES: tuple[LengthPenalty, ...] = (
    NoPenalty(),
    PowerPenalty(0.6),
    PowerPenalty(1.0),
    PowerPenalty(2.5),
    GnmtPenalty(1.0),
    WordReward(0.5),
    WordReward(-0.3),
)

BEST_OF_TWO = ProbabilityTable(
    {
        "": {"A": 0.6, "B": 0.4},
        "A": {"x": 0.5, "y": 0.5},
        "B": {"x": 0.95, "y": 0.05},
    },
    default={"EOS": 1.0},
)


def split_eighths(rng: np.random.Generator, parts: int) -> list[float]:
    """Probabilities that are multiples of 1/8, zeros and ties among them."""
    cuts = np.sort(rng.integers(0, EIGHTHS + 1, size=parts - 1))
    counts = np.diff([0, *cuts, EIGHTHS])
    return [count / EIGHTHS for count in rng.permutation(counts).tolist()]


def random_table(
    rng: np.random.Generator, *, ties: bool = True, depth: int = 3
) -> ProbabilityTable:
    """Two or three tokens and EOS, a row for each prefix up to `depth`, and a default row."""
    tokens = TOKENS[: int(rng.integers(2, 4))]
    names = ("EOS", *tokens)

    def row() -> dict[str, float]:
        values = split_eighths(rng, len(names)) if ties else rng.dirichlet(np.ones(len(names)))
        return dict(zip(names, [float(v) for v in values], strict=True))

    prefixes = [p for length in range(depth + 1) for p in product(tokens, repeat=length)]
    return ProbabilityTable({" ".join(p): row() for p in prefixes}, default=row())


@st.composite
def tables(draw: st.DrawFn) -> ProbabilityTable:
    """A table as Hypothesis draws it, so that a failing one shrinks."""
    tokens = TOKENS[: draw(st.integers(2, 3))]
    names = ("EOS", *tokens)

    def row() -> dict[str, float]:
        cuts = sorted(draw(st.integers(0, EIGHTHS)) for _ in tokens)
        counts = [b - a for a, b in zip((0, *cuts), (*cuts, EIGHTHS), strict=True)]
        return {name: count / EIGHTHS for name, count in zip(names, counts, strict=True)}

    prefixes = [p for length in range(3) for p in product(tokens, repeat=length)]
    return ProbabilityTable({" ".join(p): row() for p in prefixes}, default=row())
