"""What can be said about a list of hypotheses beside who wins: ranks, crossings, ways to count L.

Toolkits disagree about L: whether the end token counts, and the start token too. `recount` gives
the same hypotheses with L counted another way, so that the same ranking code shows the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from s2s_core.errors import SettingError
from s2s_core.search.length_penalty import LengthPenalty, crossing
from s2s_core.search.ranking import RankEntry

LengthCount = Literal["with EOS", "without EOS", "with BOS and EOS"]

LENGTH_COUNTS: dict[LengthCount, int] = {
    "with EOS": 0,
    "without EOS": -1,
    "with BOS and EOS": 1,
}
"""What each adds to L as this project counts it: generated tokens with EOS, without BOS."""


@dataclass(frozen=True, slots=True)
class Recounted:
    """Hypotheses with L counted in one of the ways.

    entries: those that have a length of at least 1.
    left_out: those that would have length 0: an empty output where EOS doesn't count. There
        log P / L would divide by 0.
    """

    entries: tuple[RankEntry, ...]
    left_out: tuple[RankEntry, ...]


def recount(entries: Iterable[RankEntry], count: LengthCount) -> Recounted:
    """The entries with L counted that way.

    entries: with L as this project counts it.

    Raises:
        SettingError: there is no such way.
    """
    if count not in LENGTH_COUNTS:
        raise SettingError(f"L is counted {', '.join(LENGTH_COUNTS)}, not {count!r}")
    added = LENGTH_COUNTS[count]
    if not added:
        return Recounted(tuple(entries), ())
    ranked, left_out = [], []
    for entry in entries:
        if entry.length + added >= 1:
            ranked.append(replace(entry, length=entry.length + added))
        else:
            left_out.append(entry)
    return Recounted(tuple(ranked), tuple(left_out))


def entries_from_rows(rows: Iterable[tuple[object, object, object]]) -> tuple[RankEntry, ...]:
    """A person's own table: text, log P, and length (EOS counted), a row for each hypothesis.

    The ids are the numbers of the rows, from 1.

    Raises:
        SettingError: a value can't be used, or there is no row; the message names the row.
    """
    entries = []
    for number, (text, log_prob, length) in enumerate(rows, start=1):
        if not isinstance(text, str):
            raise SettingError(f"row {number}: the text must be a text, not {text!r}")
        if isinstance(log_prob, bool) or not isinstance(log_prob, (int, float)):
            raise SettingError(f"row {number}: log P must be a number, not {log_prob!r}")
        if (
            isinstance(length, bool)
            or not isinstance(length, (int, float))
            or (isinstance(length, float) and not length.is_integer())
        ):
            raise SettingError(f"row {number}: the length must be a whole number, not {length!r}")
        try:
            entries.append(RankEntry(number, text, float(log_prob), int(length)))
        except SettingError as error:
            raise SettingError(f"row {number}: {error}") from error
    if not entries:
        raise SettingError("there is nothing to rank; give at least one hypothesis")
    return tuple(entries)


@dataclass(frozen=True, slots=True)
class Ranked:
    """One hypothesis in its place, from 1."""

    rank: int
    entry: RankEntry
    score: float


def rank(entries: Iterable[RankEntry], penalty: LengthPenalty) -> tuple[Ranked, ...]:
    """Best first; equal scores by id."""
    scored = [(penalty.score(entry.log_prob, entry.length), entry) for entry in entries]
    scored.sort(key=lambda pair: (-pair[0], pair[1].id))
    return tuple(Ranked(place, entry, score) for place, (score, entry) in enumerate(scored, 1))


def score_line(
    entry: RankEntry, family: type[LengthPenalty], parameters: Iterable[float]
) -> tuple[float, ...]:
    """The entry's score at each value of the parameter."""
    return tuple(family.from_parameter(x).score(entry.log_prob, entry.length) for x in parameters)


@dataclass(frozen=True, slots=True)
class PairCrossing:
    """Where two hypotheses have the same score; the shorter is ahead below, the longer above.

    rank: the better place of the two there, from 1; at 1 the winner changes.
    """

    parameter: float
    shorter_id: int
    longer_id: int
    rank: int


def pair_crossings(
    entries: Sequence[RankEntry], family: type[LengthPenalty], minimum: float, maximum: float
) -> tuple[PairCrossing, ...]:
    """Every crossing of two of them between minimum and maximum, from left to right."""
    found = []
    for one, other in combinations(entries, 2):
        shorter, longer = sorted((one, other), key=lambda entry: entry.length)
        value = crossing(
            family, (shorter.log_prob, shorter.length), (longer.log_prob, longer.length)
        )
        if value is not None and minimum <= value <= maximum:
            place = _place(entries, shorter, longer, family.from_parameter(value))
            found.append(PairCrossing(value, shorter.id, longer.id, place))
    return tuple(sorted(found, key=lambda c: (c.parameter, c.rank, c.shorter_id, c.longer_id)))


def _place(
    entries: Sequence[RankEntry], one: RankEntry, other: RankEntry, penalty: LengthPenalty
) -> int:
    here = penalty.score(one.log_prob, one.length)
    return 1 + sum(
        penalty.score(entry.log_prob, entry.length) > here
        for entry in entries
        if entry.id not in (one.id, other.id)
    )
