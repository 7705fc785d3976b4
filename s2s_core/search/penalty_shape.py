"""What a length penalty does to each length, apart from any hypothesis."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from s2s_core.search.length_penalty import LengthPenalty


@dataclass(frozen=True, slots=True)
class PenaltyCurve:
    """A penalty against L.

    divides: log P is divided by the values; otherwise they are added to it.
    lengths, values: a point for each length, L as the penalty takes it.
    """

    penalty: LengthPenalty
    divides: bool
    lengths: tuple[int, ...]
    values: tuple[float, ...]


def penalty_curve(penalty: LengthPenalty, lengths: Iterable[int]) -> PenaltyCurve:
    """What log P is divided by at each length, or for a word reward what is added to it.

    Raises:
        SettingError: a length is below 1.
    """
    given = tuple(lengths)
    divides = penalty.parameter_name != "gamma"
    if divides:
        values = tuple(-1.0 / penalty.score(-1.0, length) for length in given)
    else:
        values = tuple(penalty.score(0.0, length) for length in given)
    return PenaltyCurve(penalty, divides, given, values)
