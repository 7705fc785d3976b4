"""Quality against source length, from the cards of a family: each figure with its interval."""

from __future__ import annotations

from collections.abc import Sequence

from s2s_core.figures.lines import Axes, Line
from s2s_core.models.card import METRICS, CheckpointCard, MeasuredScore
from s2s_core.models.families import scores_by_length, short_titles, trained_to

_BESIDE = 0.18  # between two models at one length, so that their intervals don't cover each other
_OPEN = 4  # how wide a group without an upper end is drawn


def quality_lines(
    cards: Sequence[CheckpointCard], metric: str, *, beam_size: int
) -> tuple[Line, ...]:
    """A line for each card that has the metric by length; the others have none."""
    measured = [scores_by_length(card, metric, beam_size=beam_size) for card in cards]
    found = [(look, scores) for look, scores in enumerate(measured) if scores]
    names = short_titles([cards[look].title for look, _ in found])
    return tuple(
        Line(
            name=names[place],
            xs=tuple(_middle(s) + _BESIDE * (place - (len(found) - 1) / 2) for s in scores),
            ys=tuple(s.score for s in scores),
            lows=tuple(min(s.low, s.score) for s in scores),
            highs=tuple(max(s.high, s.score) for s in scores),
            labels=tuple(_label(s) for s in scores),
            look=look,
        )
        for place, (look, scores) in enumerate(found)
    )


def quality_axes(cards: Sequence[CheckpointCard], metric: str, *, beam_size: int) -> Axes:
    """The axes that go with the lines."""
    groups = {
        _middle(s): lengths_label(s)
        for card in cards
        for s in scores_by_length(card, metric, beam_size=beam_size)
    }
    ends = {end for card in cards if (end := trained_to(card)) is not None}
    inside = [end for end in ends if len(ends) == 1 and end < max(groups, default=0.0)]
    limit = (inside[0] + 0.5, f"trained up to {inside[0]}") if inside else None
    unit = METRICS[metric]
    return Axes(
        x="source length",
        y=f"{metric}, %" if unit.startswith("%") else metric,
        ticks=tuple(sorted(groups.items())),
        from_zero=True,
        limit=limit,
    )


def lengths_label(score: MeasuredScore) -> str:
    """The lengths of a group: 6–10, or 16+ where there is no upper end."""
    if score.longest is None:
        return f"{score.shortest}+"
    return f"{score.shortest}–{score.longest}"


def _middle(score: MeasuredScore) -> float:
    end = score.shortest + _OPEN if score.longest is None else score.longest
    return (score.shortest + end) / 2


def _label(score: MeasuredScore) -> str:
    return (
        f"lengths {lengths_label(score)}: {score.score:.4g} "
        f"({score.low:.4g} to {score.high:.4g}), {score.sentences:,} sentences"
    )
