"""Attention on a few numbers that a person types: what goes in and what comes out.

Nothing here needs torch; `attention_by_hand` computes. Shapes: N queries, S source positions, H
heads; D, E and C are the widths of queries, keys and values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from s2s_core.errors import ModelInputError, SettingError
from s2s_core.options import IntegerOption, RealOption

Vector = tuple[float, ...]
Table = tuple[Vector, ...]
Start = Literal["vectors", "scores", "weights"]
ScoreName = Literal["additive", "dot", "general", "scaled_dot"]
Mistake = Literal["none", "mask after", "mask after, rescale", "over the batch"]
Numbers = NDArray[np.float64]

STARTS: tuple[Start, ...] = get_args(Start)
SCORES: tuple[ScoreName, ...] = get_args(ScoreName)
MISTAKES: tuple[Mistake, ...] = get_args(Mistake)

MOST_QUERIES = 4
MOST_POSITIONS = 12
MOST_WIDTH = 8
LARGEST = 1000.0
"""Every number lies between minus this and this."""

HEADS = IntegerOption("heads", 1, MOST_WIDTH, 1, "How many attentions share the width.")
TEMPERATURE = RealOption(
    "temperature",
    0.1,
    10.0,
    1.0,
    0.1,
    "Scores are divided by it before the softmax: below 1 makes weights sharper, above 1 flatter.",
)
_SUM_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Matrices:
    """What stands between the vectors and the score; None is the identity, for `vector` all ones.

    query: W_s (A, D) of the additive score, W_Q (D, D) of the scaled dot score.
    key: W_h (A, E) of the additive score, W (D, E) of the general score, W_K (D, D) of the scaled
        dot score.
    value: W_V (D, D) of the scaled dot score.
    vector: v (A) of the additive score.
    """

    query: Table | None = None
    key: Table | None = None
    value: Table | None = None
    vector: Vector | None = None

    def __post_init__(self) -> None:
        for name in ("query", "key", "value"):
            table = getattr(self, name)
            if table is not None:
                check_table(f"the {name} matrix", table, most_rows=MOST_WIDTH)
        if self.vector is not None:
            check_table("the vector v", (self.vector,), most_rows=1)


@dataclass(frozen=True, slots=True)
class HandCase:
    """What is attended to, and how.

    start: what is given. From `vectors` everything is computed; with `scores` or `weights` given,
        what comes before them plays no part.
    queries: (N, D). keys: (S, E). values: (S, C). scores, weights: (N, S).
    mask: S flags, True where attention may look; plays no part for given weights.
    heads: more than one with the scaled dot score only.
    mistake: a wrong way to make weights of scores, to see what goes wrong.
    """

    start: Start = "vectors"
    queries: Table = ()
    keys: Table = ()
    values: Table = ()
    scores: Table = ()
    weights: Table = ()
    mask: tuple[bool, ...] = ()
    score: ScoreName = "dot"
    heads: int = 1
    temperature: float = 1.0
    mistake: Mistake = "none"
    matrices: Matrices = Matrices()

    def __post_init__(self) -> None:
        """Check what the start needs; the score itself checks the widths.

        Raises:
            SettingError: a setting lies outside what is allowed.
            ModelInputError: a number isn't finite or is too large, a table is too large, or tables
                don't fit together.
        """
        _check_choice("start", self.start, STARTS)
        _check_choice("score", self.score, SCORES)
        _check_choice("mistake", self.mistake, MISTAKES)
        HEADS.check(self.heads)
        TEMPERATURE.check(self.temperature)
        check_table("the values", self.values, most_rows=MOST_POSITIONS)
        if self.start == "vectors":
            check_table("the queries", self.queries, most_rows=MOST_QUERIES)
            check_table("the keys", self.keys, most_rows=MOST_POSITIONS)
            self._check_count("keys", len(self.keys))
        else:
            table = self.scores if self.start == "scores" else self.weights
            check_table(
                f"the {self.start}", table, most_rows=MOST_QUERIES, most_width=MOST_POSITIONS
            )
            self._check_count(self.start, len(table[0]))
        if self.start == "weights":
            self._check_weights()
        else:
            self._check_count("marks of the mask", len(self.mask))

    def _check_count(self, what: str, count: int) -> None:
        if count != len(self.values):
            raise ModelInputError(
                f"there are {len(self.values)} values, but {count} {what}: every source position "
                "has one of each"
            )

    def _check_weights(self) -> None:
        for place, row in enumerate(self.weights, start=1):
            if min(row) < 0 or abs(math.fsum(row) - 1) > _SUM_TOLERANCE:
                raise ModelInputError(
                    f"weights are at least 0 and sum to 1, but row {place} has the smallest "
                    f"{min(row):g} and the sum {math.fsum(row):.6g}: change a weight"
                )


@dataclass(frozen=True, eq=False)
class HandAttention:
    """What attention made of a case; all arrays are float64 and read-only.

    queries: (H, N, d), keys: (H, S, d), as they meet in the score, behind their matrices; None if
        scores or weights were given.
    values: (H, S, c), as they are mixed.
    scores: (H, N, S), or None if weights were given.
    inputs: (H, N, S), what the softmax read: scores divided by the temperature, -inf where masked.
    weights: (H, N, S). NaN where a wrong way divides 0 by 0.
    contexts: (H, N, c), of each head.
    context: (N, C), the heads side by side.
    """

    case: HandCase
    queries: Numbers | None = field(repr=False)
    keys: Numbers | None = field(repr=False)
    values: Numbers = field(repr=False)
    scores: Numbers | None = field(repr=False)
    inputs: Numbers | None = field(repr=False)
    weights: Numbers = field(repr=False)
    contexts: Numbers = field(repr=False)
    context: Numbers = field(repr=False)

    @property
    def sums(self) -> Numbers:
        """(H, N): what the weights of each row sum to over the source; 1 if all is right."""
        return np.asarray(self.weights.sum(axis=-1))

    @property
    def column_sums(self) -> Numbers:
        """(H, S): what the weights of each position sum to over the queries."""
        return np.asarray(self.weights.sum(axis=1))


@dataclass(frozen=True, eq=False)
class BatchAttention:
    """A batch of sentences of different lengths, too wide to write down.

    weights: (N, S), sums: (N,), lengths: N, the tokens of each sentence.
    shapes: of what takes part, by name, in the order of the computation.
    """

    score: ScoreName
    mistake: Mistake
    lengths: tuple[int, ...]
    shapes: tuple[tuple[str, tuple[int, ...]], ...]
    weights: Numbers = field(repr=False)

    @property
    def sums(self) -> Numbers:
        """(N,): what the weights of each sentence sum to over its positions."""
        return np.asarray(self.weights.sum(axis=-1))


def check_table(
    name: str, table: Sequence[Sequence[float]], *, most_rows: int, most_width: int = MOST_WIDTH
) -> None:
    """Check a table of numbers: its size, equal rows, finite numbers of reasonable size.

    Raises:
        ModelInputError: something is wrong; the message says where.
    """
    if not 1 <= len(table) <= most_rows:
        raise ModelInputError(f"{name} must have 1 to {most_rows} rows, not {len(table)}")
    width = len(table[0])
    if not 1 <= width <= most_width:
        raise ModelInputError(f"{name} must have 1 to {most_width} numbers in a row, not {width}")
    for place, row in enumerate(table, start=1):
        if len(row) != width:
            raise ModelInputError(
                f"the rows of {name} must be of equal width, but row 1 has {width} numbers and row "
                f"{place} has {len(row)}"
            )
        for number in row:
            if not (math.isfinite(number) and abs(number) <= LARGEST):
                raise ModelInputError(
                    f"row {place} of {name} holds {number:g}, but must hold finite numbers between "
                    f"−{LARGEST:g} and {LARGEST:g}: change it"
                )


def _check_choice(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise SettingError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
