"""What an example may claim to show, as checks on a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from s2s_core.models.translation import TrainedModel
from s2s_core.search.beam import beam_search
from s2s_core.search.greedy import greedy_search
from s2s_core.search.length_penalty import PowerPenalty
from s2s_core.search.ranking import ranking_curve
from s2s_core.search.rerank import entries_of, is_exact
from s2s_core.search.trace import BeamTrace
from s2s_core.text.normalise import normalise

LONG = 20
"""Source tokens from which a sentence is a long one."""

Model = TrainedModel[Any]


@dataclass(frozen=True)
class Finding:
    """A sentence has a property.

    note: what to look at.
    good: the translation that ranks first is the expected one.
    """

    note: str
    good: bool


Check = Callable[[Model, str, str], Finding | None]


def plain(model: Model, source: str, reference: str) -> Finding | None:
    """The expected translation comes out."""
    trace = beam_search(model, source)
    if trace.best.text != reference:
        return None
    return Finding("Watch where the model looks for each word.", True)


def alpha_changes_the_winner(model: Model, source: str, reference: str) -> Finding | None:
    """Rank 1 changes between alpha 0 and 2, and re-ranking is exact on both sides."""
    trace = beam_search(model, source)
    curve = ranking_curve(entries_of(trace), PowerPenalty, 0.0, 2.0)
    if not curve.crossings:
        return None
    where = min(curve.crossings, key=lambda value: abs(value - 1.0))
    below, above = (round(where + shift, 2) for shift in (-0.05, 0.05))
    if not all(is_exact(trace, PowerPenalty(max(value, 0.0))).exact for value in (below, above)):
        return None
    short, long = (curve.winner(max(value, 0.0)).text for value in (below, above))
    if not short or not long or short == long:
        return None
    note = f"Move alpha across {where:.2f}: “{short}” ranks first below, “{long}” above."
    return Finding(note, trace.best.text == reference)


def beam_beats_greedy(model: Model, source: str, reference: str) -> Finding | None:
    """Beam search finds a target of higher probability than greedy search, and other words."""
    trace, greedy = beam_search(model, source), greedy_search(model, source)
    best, other = trace.best, greedy.best
    if not other.finished or best.text == other.text or best.log_prob <= other.log_prob:
        return None
    note = (
        f"Greedy gets “{other.text}” (log P {other.log_prob:.2f}), "
        f"the beam “{best.text}” ({best.log_prob:.2f})."
    )
    return Finding(note.replace("-", "−"), best.text == reference)


def forced_token_mends_it(model: Model, source: str, reference: str) -> Finding | None:
    """The translation is another, and forcing one token of the expected one brings that about."""
    trace = beam_search(model, source)
    expected = expected_text(model, reference)
    wanted, found = model.target.ids(expected), trace.best.token_ids
    same = common_length(wanted, found)
    if trace.best.text == expected or same >= len(wanted):
        return None
    mended = beam_search(model, source, forced_ids=wanted[: same + 1])
    if mended.best.text != expected or not recorded(trace, wanted[: same + 1]):
        return None
    after = f"after “{model.target.join(wanted[:same])}”" if same else "at the start"
    note = f"Force {model.target.token(wanted[same])} {after}: it becomes “{expected}”."
    return Finding(note, True)


def a_word_comes_twice(model: Model, source: str, reference: str) -> Finding | None:
    """A word of the source stands in it twice, as one token each."""
    trace = beam_search(model, source)
    words = [token.strip("▁").lower() for token in trace.source_tokens]
    twice = [w for w in dict.fromkeys(words) if words.count(w) > 1 and w.isalpha()]
    if not twice or trace.best.text != reference:
        return None
    return Finding(f"“{twice[0]}” has a column for each time it comes.", True)


def long_sentence(model: Model, source: str, reference: str) -> Finding | None:
    """It has many source tokens, and the translation ends by itself."""
    trace = beam_search(model, source)
    count = len(trace.source_tokens)
    if count < LONG or not trace.best.finished:
        return None
    return Finding(f"{count} source tokens: see what is kept and what is lost.", True)


CHECKS: dict[str, Check] = {
    "plain": plain,
    "alpha": alpha_changes_the_winner,
    "beam": beam_beats_greedy,
    "force": forced_token_mends_it,
    "repeat": a_word_comes_twice,
    "long": long_sentence,
}
"""By the key that `ui.examples.SHOWS` explains."""


def expected_text(model: Model, reference: str) -> str:
    """A reference in the form in which the model writes."""
    return normalise(reference, language=model.target_language).text


def common_length(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """How many ids two targets share from the start."""
    same = 0
    while same < min(len(first), len(second)) and first[same] == second[same]:
        same += 1
    return same


def recorded(trace: BeamTrace, token_ids: tuple[int, ...]) -> bool:
    """Whether a prefix is among the recorded candidates, so that it can be chosen on the page."""
    return len(trace.follow(token_ids)) == len(token_ids)
