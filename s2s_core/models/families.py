"""Checkpoints that can be compared: the same languages, and how their cards tell them apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from s2s_core.models.card import CheckpointCard, MeasuredScore

FIXED, ATTENTION, TRANSFORMER = "fixed vector", "attention", "Transformer"
_TASK = re.compile(r"--task (\w+)")

KINDS = (FIXED, ATTENTION, TRANSFORMER)
"""What a decoder gets of the source, in the order in which it was invented."""


@dataclass(frozen=True, slots=True)
class Family:
    """All checkpoints of one pair of languages; fixed vectors first, then by name."""

    source_language: str
    target_language: str
    cards: tuple[CheckpointCard, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The checkpoints' names."""
        return tuple(card.name for card in self.cards)


def kind_of(card: CheckpointCard) -> str:
    """One of `KINDS`, from the card's sizes."""
    if card.architecture == "transformer":
        return TRANSFORMER
    return FIXED if str(card.sizes.get("context", "")).startswith("fixed") else ATTENTION


def families(cards: Iterable[CheckpointCard]) -> tuple[Family, ...]:
    """The cards grouped by source and target language, in the order of their first card."""
    groups: dict[tuple[str, str], list[CheckpointCard]] = {}
    for card in cards:
        groups.setdefault((card.source_language, card.target_language), []).append(card)
    return tuple(
        Family(*pair, tuple(sorted(group, key=lambda c: (KINDS.index(kind_of(c)), c.name))))
        for pair, group in groups.items()
    )


def contrast(family: Family, name: str) -> tuple[str, ...]:
    """The checkpoint of that name and one of every other kind, in the order of the family."""
    chosen = {kind_of(card): card.name for card in reversed(family.cards)}
    chosen |= {kind_of(card): card.name for card in family.cards if card.name == name}
    return tuple(n for n in family.names if n in chosen.values())


def short_titles(titles: Sequence[str]) -> tuple[str, ...]:
    """Titles without what stands before the first comma, where that is the same in all."""
    heads = {title.partition(", ")[0] for title in titles}
    rests = [title.partition(", ")[2] for title in titles]
    return tuple(rests) if len(heads) == 1 and all(rests) else tuple(titles)


def scores_by_length(
    card: CheckpointCard, metric: str, *, beam_size: int
) -> tuple[MeasuredScore, ...]:
    """The card's figures of one kind on the test data, by source length, shortest first.

    Only the finest groups: none that holds another one. () if there are fewer than two groups.
    """
    found = [
        score
        for score in card.scores
        if (score.data, score.metric, score.beam_size) == ("test", metric, beam_size)
    ]
    first = {score.references for score in found[:1]}  # the first reference alone comes first
    found = [score for score in found if score.references in first]
    finest = [s for s in found if not any(_holds(s, other) for other in found)]
    return tuple(sorted(finest, key=lambda s: s.shortest)) if len(finest) > 1 else ()


def _holds(score: MeasuredScore, other: MeasuredScore) -> bool:
    """Whether one group has all lengths of the other, and more."""
    ends = [float("inf") if s.longest is None else s.longest for s in (score, other)]
    same = (score.shortest, ends[0]) == (other.shortest, ends[1])
    return score.shortest <= other.shortest and ends[0] >= ends[1] and not same


def measured_beams(cards: Sequence[CheckpointCard], metric: str) -> tuple[int, ...]:
    """The beam sizes with which a metric was measured, smallest first; 0 is teacher forcing."""
    return tuple(sorted({s.beam_size for c in cards for s in c.scores if s.metric == metric}))


def task_of(card: CheckpointCard) -> str | None:
    """The toy task that the card's command tests, such as "reverse"; None for a corpus."""
    found = _TASK.search(str(card.commands.get("test", "")))
    return None if found is None else found[1]


def trained_to(card: CheckpointCard) -> int | None:
    """The longest source of the training lengths of a toy task; None for a corpus."""
    score = card.score("loss", beam_size=0)
    return None if score is None else score.longest
