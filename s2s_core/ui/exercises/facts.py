"""What pages tell about what they show, so that exercises can see when they are done.

A result that says enough by itself (a BLEU report, the searches of a table, an exact search) is
told as it is; these are the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.ranking import RankEntry
from s2s_core.search.trace import BeamTrace

if TYPE_CHECKING:
    from s2s_core.training.checks import CheckResult
    from s2s_core.training.live.result import RunSoFar


@dataclass(frozen=True)
class Decoded:
    """Decode: the search, the greedy one beside it, and the one before a token was forced."""

    trace: BeamTrace
    greedy: BeamTrace | None
    before: BeamTrace | None


@dataclass(frozen=True)
class RankingShown:
    """Length penalty: the hypotheses, best first under the penalty."""

    list_name: str
    entries: tuple[RankEntry, ...]
    penalty: LengthPenalty


@dataclass(frozen=True)
class Answered:
    """Compare, where the right answer is known: each model's kind (see `families.KINDS`), and
    whether its output is right.
    """

    right: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Checked:
    """Models: what the checks found."""

    results: tuple[CheckResult, ...]


@dataclass(frozen=True)
class Trained:
    """Train live: the runs of this session that have been measured."""

    runs: tuple[RunSoFar, ...]
