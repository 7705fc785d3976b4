"""Whose fault is a bad output: the search's or the model's.

A search error: a finished hypothesis with a higher score exists, and the search missed it. A model
error: the model itself scores a right translation lower than what was found, so no search could
have preferred it (Stahlberg & Byrne 2019, D19-1331). One output can be both, one or neither.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from s2s_core.search.exact import ExactResult
from s2s_core.search.records import Hypothesis
from s2s_core.search.trace import BeamTrace

SAME = 1e-6
"""Scores closer than this are rounding: a batch and single rows differ by about as much."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What can be said about an output, and a sentence for a person.

    search_error: a better-scoring one exists; None if that isn't known, because the exact search
        was stopped.
    model_error: the reference scores lower than the best that was found; None without a reference.
    """

    search_error: bool | None
    model_error: bool | None
    text: str

    @property
    def label(self) -> str:
        """`search error`, `model error`, `search error and model error`, `neither` or `unknown`."""
        found = [
            name
            for name, flag in (
                ("search error", self.search_error),
                ("model error", self.model_error),
            )
            if flag
        ]
        if found:
            return " and ".join(found)
        return "unknown" if self.search_error is None else "neither"


def judge(found: Hypothesis, exact: ExactResult, reference: Hypothesis | None = None) -> Verdict:
    """Compare what a search found with the best of all, and with a reference if there is one.

    found: a search's rank 1.
    exact: of the same model, source, penalty and maximum length.
    reference: a right translation scored by the model (`score_target`) under the same penalty.
    """
    best = exact.best
    if reference and reference.finished and reference.score > best.score:
        best = reference  # the exact search was stopped before it came there
    missed = not found.finished or best.score > found.score + SAME
    search_error = True if missed else (False if exact.proved else None)
    model_error = None
    if reference:
        same = reference.text == best.text
        model_error = not same and reference.score < best.score - SAME
    parts = [_search_part(found, best, search_error, exact)]
    if reference:
        parts.append(_model_part(reference, best, model_error=bool(model_error)))
    return Verdict(search_error, model_error, " ".join(parts))


def _search_part(
    found: Hypothesis, best: Hypothesis, search_error: bool | None, exact: ExactResult
) -> str:
    if search_error and not found.finished:
        return f"Search error: it found nothing that ends; “{best.text}” scores {best.score:.4f}."
    if search_error:
        return (
            f"Search error: “{best.text}” scores {best.score:.4f}, more than the "
            f"{found.score:.4f} of what was found."
        )
    if search_error is None:
        return (
            f"No better output was found, but that is not proved: one could score up to "
            f"{exact.ceiling:.4f}, and this one scores {found.score:.4f}."
        )
    return f"No search error: nothing scores higher than {found.score:.4f}, and that is proved."


def _model_part(reference: Hypothesis, best: Hypothesis, *, model_error: bool) -> str:
    if model_error:
        return (
            f"Model error: it gives the reference {reference.score:.4f}, less than the "
            f"{best.score:.4f} of “{best.text}”."
        )
    return (
        f"No model error: nothing that was found scores higher than the reference, "
        f"{reference.score:.4f}."
    )


@dataclass(frozen=True, slots=True)
class Mass:
    """Where the probability (each 0-1, together 1) is after a step of a search.

    finished: in hypotheses that ended, whether or not they are in the pool.
    alive: in the live prefixes, and all that could become of them.
    lost: in what was pruned, and in what may not be generated at all.
    """

    finished: float
    alive: float
    lost: float


def mass_covered(trace: BeamTrace) -> tuple[Mass, ...]:
    """The mass after each step; the last is what the whole search covered."""
    finished_ids = set(trace.finished_ids)
    finished = 0.0
    masses = []
    for step in trace.steps:
        finished += math.fsum(math.exp(c.log_prob) for c in step.candidates if c.id in finished_ids)
        alive = math.fsum(math.exp(c.log_prob) for c in step.live)
        masses.append(Mass(finished, alive, max(0.0, 1.0 - finished - alive)))
    return tuple(masses)
