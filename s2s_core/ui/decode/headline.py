"""The translation in large type, its score's arithmetic, and what greedy search does instead."""

from __future__ import annotations

from s2s_core.figures.theme import minus, signed
from s2s_core.search.departure import greedy_departure
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.trace import BeamTrace
from s2s_core.text.normalise import Normalised
from s2s_core.ui import literal

_STOPS = {
    "limit": "until the maximum length",
    "no live prefix": "until no live prefix was left",
    "bound": "until no live prefix could enter the pool",
    "best": "until no live prefix could beat the best",
    "first": "until as many ended as the beam is wide",
}


def draw(trace: BeamTrace, penalty: LengthPenalty) -> None:
    """Draw the translation that ranks first under a penalty."""
    best = trace.hypothesis(trace.ranked_ids(penalty)[0], penalty)
    literal.show(best.text, look="translation")
    cut = "" if best.finished else "cut at the maximum length, no end token · "
    again = " (ranked again)" if penalty != trace.request.config.length_penalty else ""
    literal.show(
        f"{cut}score {minus(penalty.arithmetic(best.log_prob, best.length))}{again} · "
        f"{len(trace.steps)} steps, {_STOPS[trace.stop_reason]}",
        look="small",
    )


def draw_greedy(trace: BeamTrace, greedy: BeamTrace | None) -> None:
    """Draw the greedy translation, and where its path leaves the beam."""
    if greedy is None:
        literal.show("Greedy search needs a model that is here and reads this.", look="small")
        return
    departure = greedy_departure(trace, greedy)
    best = greedy.best
    if best.token_ids == trace.best.token_ids:
        after = " after the forced beginning" if trace.request.forced_ids else ""
        literal.show(f"Greedy search finds the same{after}.", look="small")
        return
    where = (
        f"leaves the beam at step {departure.step}: {minus(departure.reason)}"
        if departure
        else "stays in the beam to the end, but doesn't win"
    )
    literal.show(f"Greedy: {best.text}  ·  log P {signed(best.log_prob)}, {where}")


def draw_changes(prepared: Normalised | None) -> None:
    """Say what the model reads, where that isn't what was typed."""
    if prepared is None or not prepared.changed:
        return
    literal.show(f"The model reads: {prepared.text} ({prepared.told})", look="small")


def draw_note(note: str) -> None:
    """Say what an example shows."""
    if note:
        literal.show(f"Example: {note}", look="small")
