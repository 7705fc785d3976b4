"""Exact search: the best finished hypothesis of all, proved.

Depth first, most probable token first. A prefix is left out when even the best end that it could
reach scores no more than the best hypothesis found so far (Stahlberg & Byrne 2019, D19-1331, with
bounds for each length penalty). A beam search gives the first hypothesis to beat.
"""

from __future__ import annotations

from dataclasses import dataclass

from s2s_core.errors import NoHypothesisError, SettingError
from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.beam import beam_search
from s2s_core.search.config import DEFAULT_CONFIG, SearchConfig, SearchRequest
from s2s_core.search.exact_hunt import ExactProgress, Hunt, Outcome, Watch
from s2s_core.search.run import SearchRun
from s2s_core.search.score import score_target
from s2s_core.search.trace import BeamTrace, Hypothesis

__all__ = ["NODE_BUDGET", "ExactProgress", "ExactResult", "Outcome", "Watch", "exact_search"]

NODE_BUDGET = 10_000
"""Enough for tables and most sentences: some seconds on a small model."""


@dataclass(frozen=True, slots=True)
class ExactResult:
    """The best finished hypothesis, and whether that is proved.

    best: the best finished hypothesis that was found; of equal scores, the beam's.
    outcome: `proved`: no finished hypothesis scores higher; `budget hit` or `cancelled`: one might.
    ceiling: no finished hypothesis scores above this; the best score where that is proved.
    expanded: how many prefixes the model was asked to continue, the beam search's not counted.
    node_budget: how many were allowed.
    beam: the beam search that gave the first hypothesis to beat; None if it found nothing at all.
    """

    best: Hypothesis
    outcome: Outcome
    ceiling: float
    expanded: int
    node_budget: int
    beam: BeamTrace | None

    @property
    def proved(self) -> bool:
        """No finished hypothesis scores higher."""
        return self.outcome == "proved"

    @property
    def search_error(self) -> bool:
        """The beam search found nothing finished, or nothing of that score."""
        found = self.beam.best if self.beam else None
        return found is None or not found.finished or found.score < self.best.score


def exact_search(
    model: TranslationModel[State],
    source: str,
    config: SearchConfig = DEFAULT_CONFIG,
    *,
    forced_ids: tuple[int, ...] = (),
    node_budget: int = NODE_BUDGET,
    watch: Watch | None = None,
) -> ExactResult:
    """Find the finished hypothesis of highest score within the maximum length.

    config: as for `beam_search`; beam size and stop rule matter only to the first hypothesis. A
        minimum length of 2 leaves out the empty output.
    node_budget: how many prefixes the model may be asked to continue.
    watch: is told of progress after each model call, and answers whether to go on.

    Raises:
        NoHypothesisError: nothing finished was found.
        SettingError: the budget is below 1, and what `beam_search` raises.
    """
    if node_budget < 1:
        raise SettingError(f"the node budget must be at least 1, not {node_budget}")
    run = SearchRun(model, SearchRequest("", source, config, forced_ids))
    try:
        beam = beam_search(model, source, config, forced_ids=forced_ids)
    except NoHypothesisError:
        beam = None
    hunt = Hunt(model, run, beam.best if beam and beam.best.finished else None, node_budget)
    outcome = hunt.search(watch)
    if hunt.best_ids is None:
        raise NoHypothesisError(
            f"no finished hypothesis with finite probability within {run.max_length} tokens"
            + _missing(outcome, hunt.expanded)
        )
    best = score_target(model, source, hunt.best_ids, penalty=config.length_penalty)
    if beam and beam.best.finished and best.score <= beam.best.score:
        best = beam.best  # the same one, or one that float32 rounding in a batch put above it
    ceiling = best.score if outcome == "proved" else max(best.score, hunt.ceiling)
    return ExactResult(best, outcome, ceiling, hunt.expanded, node_budget, beam)


def _missing(outcome: Outcome, expanded: int) -> str:
    match outcome:
        case "proved":
            return ""
        case "budget hit":
            return f" was found by continuing {expanded} prefixes; allow more"
        case "cancelled":
            return f" was found before the search was cancelled, after {expanded} prefixes"
