"""Exact search: the best finished hypothesis of all, proved.

Depth first, most probable token first. A prefix is left out when even the best end that it could
reach scores no more than the best hypothesis found so far (Stahlberg & Byrne 2019, D19-1331, with
bounds for each length penalty). A beam search gives the first hypothesis to beat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from s2s_core.errors import NoHypothesisError, SettingError
from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.beam import beam_search
from s2s_core.search.candidates import FloatRows, best_first, next_position
from s2s_core.search.config import DEFAULT_CONFIG, SearchConfig, SearchRequest
from s2s_core.search.run import SearchRun
from s2s_core.search.score import score_target
from s2s_core.search.trace import BeamTrace, Hypothesis


@dataclass(frozen=True, slots=True)
class ExactResult:
    """The best finished hypothesis, and whether that is proved.

    best: the best finished hypothesis that was found; of equal scores, the beam's.
    proved: no finished hypothesis scores higher; False if the budget ran out first.
    expanded: how many prefixes the model was asked to continue, the beam search's not counted.
    node_budget: how many were allowed.
    beam: the beam search that gave the first hypothesis to beat; None if it found nothing at all.
    """

    best: Hypothesis
    proved: bool
    expanded: int
    node_budget: int
    beam: BeamTrace | None

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
    node_budget: int = 10_000,
) -> ExactResult:
    """Find the finished hypothesis of highest score within the maximum length.

    config: as for `beam_search`; beam size and stop rule matter only to the first hypothesis.
    node_budget: how many prefixes the model may be asked to continue.

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
    hunt = _Hunt(model, run, beam.best if beam and beam.best.finished else None, node_budget)
    proved = hunt.search()
    if hunt.best_ids is None:
        raise NoHypothesisError(
            f"no finished hypothesis with finite probability within {run.max_length} tokens"
            + ("" if proved else f" was found by continuing {node_budget} prefixes; allow more")
        )
    if beam and hunt.best_ids == beam.best.token_ids:
        best = beam.best
    else:
        best = score_target(model, source, hunt.best_ids, penalty=config.length_penalty)
    return ExactResult(best, proved, hunt.expanded, node_budget, beam)


@dataclass(slots=True)
class _Branch(Generic[State]):
    """A prefix that was expanded, and how far its continuations have been tried."""

    prefix: tuple[int, ...]
    log_probs: FloatRows  # (V,), summed
    order: NDArray[np.intp]  # token ids that go on, most probable first
    state: State
    tried: int = 0


class _Hunt(Generic[State]):
    """Depth-first search with an explicit stack."""

    def __init__(
        self,
        model: TranslationModel[State],
        run: SearchRun[State],
        seed: Hypothesis | None,
        node_budget: int,
    ) -> None:
        self.expanded = 0
        self.best_ids = seed.token_ids if seed else None
        self._best_score = seed.score if seed else -np.inf
        self._model = model
        self._run = run
        self._config = run.request.config
        self._forced_ids = run.request.forced_ids
        self._budget = node_budget

    def search(self) -> bool:
        """Search; returns whether it came to its end within the budget."""
        stack = [self._expand((), 0.0, self._run.state)]
        while stack:
            branch = stack[-1]
            child = self._next_child(branch)
            if child is None:
                stack.pop()
            elif self.expanded == self._budget:
                return False
            else:
                log_prob = float(branch.log_probs[child])
                stack.append(self._expand((*branch.prefix, child), log_prob, branch.state))
        return True

    def _next_child(self, branch: _Branch[State]) -> int | None:
        """The next token worth following, or None if none is left."""
        length = len(branch.prefix) + 1
        if branch.tried == len(branch.order) or length >= self._run.max_length:
            return None
        child = int(branch.order[branch.tried])
        bound = self._config.length_penalty.bound(
            float(branch.log_probs[child]), length, self._run.max_length
        )
        if bound <= self._best_score:  # the rest are less probable still
            return None
        branch.tried += 1
        return child

    def _expand(self, prefix: tuple[int, ...], log_prob: float, state: State) -> _Branch[State]:
        """Ask the model how a prefix goes on, and see what its end is worth."""
        self.expanded += 1
        target = self._model.target
        last_id = np.array([prefix[-1] if prefix else target.bos_id])
        position = next_position(self._model, state, last_id, len(self._run.source_tokens))
        log_probs = log_prob + position.log_probs[0]
        self._try_end(prefix, float(log_probs[target.eos_id]))
        forced = self._forced_ids[len(prefix) :]
        if forced:
            order = np.array(forced[:1])
        else:
            log_probs[target.eos_id] = -np.inf
            order = best_first(log_probs, len(log_probs))
        return _Branch(prefix, log_probs, order, position.state)

    def _try_end(self, prefix: tuple[int, ...], log_prob: float) -> None:
        length = len(prefix) + 1
        allowed = max(self._config.min_length, len(self._forced_ids) + 1)
        if length < allowed or log_prob == -np.inf:
            return
        score = self._config.length_penalty.score(log_prob, length)
        if score > self._best_score:
            self._best_score = score
            self.best_ids = (*prefix, self._model.target.eos_id)
