"""The depth-first walk of exact search, with several rows in each model call.

All prefixes that one model call continued have the same length, and so have their continuations.
These stand on the stack as one level, most probable first, and the next call takes the best few of
the topmost level. With one row a call that is plain depth-first search; with more it is a beam
search that comes back for what it left (Zhou & Hansen 2005, "Beam-stack search"), and a call with
64 rows costs about a tenth of 64 calls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal

import numpy as np
from numpy.typing import NDArray

from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.candidates import FloatRows, next_position, repeating_ids
from s2s_core.search.run import SearchRun
from s2s_core.search.trace import Hypothesis

ROWS_A_CALL = 64
"""More rows cost no less each on a small model, and follow more prefixes than are needed."""

_HALVINGS = 60

Outcome = Literal["proved", "budget hit", "cancelled"]


@dataclass(frozen=True, slots=True)
class ExactProgress:
    """How far an exact search has come.

    expanded: how many prefixes the model was asked to continue so far.
    node_budget: how many are allowed.
    best_score, best_ids: the best finished hypothesis so far; -inf and None while there is none.
    """

    expanded: int
    node_budget: int
    best_score: float
    best_ids: tuple[int, ...] | None


Watch = Callable[[ExactProgress], bool]
"""Is told of progress after each model call; answers whether to go on."""


@dataclass(slots=True)
class _Level(Generic[State]):
    """Continuations of the prefixes of one model call, and how far they have been followed.

    prefixes: what was continued, a prefix for each row of `state`.
    rows, tokens, log_probs: (C,) the continuations worth following, most probable first.
    """

    prefixes: list[tuple[int, ...]]
    state: State
    rows: NDArray[np.intp]
    tokens: NDArray[np.intp]
    log_probs: FloatRows
    length: int
    followed: int = 0


class Hunt(Generic[State]):
    """Depth-first search with an explicit stack."""

    def __init__(
        self,
        model: TranslationModel[State],
        run: SearchRun[State],
        seed: Hypothesis | None,
        node_budget: int,
    ) -> None:
        """Start from the best hypothesis of a beam search, if it has one."""
        self.expanded = 0
        self.best_ids = seed.token_ids if seed else None
        self.ceiling = np.inf
        self._best_score = seed.score if seed else -np.inf
        self._model = model
        self._run = run
        self._config = run.request.config
        self._forced_ids = run.request.forced_ids
        self._budget = node_budget
        self._floors: dict[int, float] = {}

    def search(self, watch: Watch | None) -> Outcome:
        """Search to the end, or until the budget runs out or the watcher says no.

        `ceiling` is then what no finished hypothesis scores above.
        """
        root = np.zeros(1, dtype=np.intp)
        stack = [self._expand([()], np.zeros(1), self._model.select(self._run.state, root))]
        outcome: Outcome = "proved"
        while stack:
            if watch and not watch(self._progress()):
                outcome = "cancelled"
                break
            while stack and not self._open(stack[-1]):
                stack.pop()
            if not stack:
                break
            if self.expanded == self._budget:
                outcome = "budget hit"
                break
            stack.append(self._descend(stack[-1]))
        self.ceiling = max([self._best_score, *(self._reach(level) for level in stack)])
        return outcome

    def _progress(self) -> ExactProgress:
        return ExactProgress(self.expanded, self._budget, self._best_score, self.best_ids)

    def _open(self, level: _Level[State]) -> int:
        """How many of its continuations can still beat the best."""
        if level.length >= self._run.max_length:
            return 0
        floor = self._floor(level.length)
        return int(np.count_nonzero(level.log_probs[level.followed :] > floor))

    def _reach(self, level: _Level[State]) -> float:
        """The best score that what is left of a level could come to."""
        if not self._open(level):
            return -np.inf
        return self._bound(float(level.log_probs[level.followed]), level.length)

    def _descend(self, level: _Level[State]) -> _Level[State]:
        """Continue the next few prefixes of a level."""
        count = min(self._open(level), ROWS_A_CALL, self._budget - self.expanded)
        chosen = slice(level.followed, level.followed + count)
        level.followed += count
        rows, tokens = level.rows[chosen], level.tokens[chosen].tolist()
        prefixes = [(*level.prefixes[row], token) for row, token in zip(rows, tokens, strict=True)]
        state = self._model.select(level.state, rows)
        return self._expand(prefixes, level.log_probs[chosen], state)

    def _expand(
        self, prefixes: list[tuple[int, ...]], log_probs: FloatRows, state: State
    ) -> _Level[State]:
        """Ask the model how prefixes of one length go on, and see what their ends are worth."""
        self.expanded += len(prefixes)
        target, length = self._model.target, len(prefixes[0]) + 1
        last_ids = np.array([prefix[-1] if prefix else target.bos_id for prefix in prefixes])
        position = next_position(self._model, state, last_ids, len(self._run.source_tokens))
        totals = position.log_probs
        totals += log_probs[:, None]
        forced = self._forced_ids[length - 1 : length]
        if self._config.no_repeat and not forced:
            for row, prefix in enumerate(prefixes):
                totals[row, repeating_ids(prefix, self._config.no_repeat)] = -np.inf
        self._try_ends(prefixes, totals[:, target.eos_id])
        totals[:, target.eos_id] = -np.inf
        for forced_id in forced:
            totals[:, :forced_id] = totals[:, forced_id + 1 :] = -np.inf
        flat = totals.ravel()
        (places,) = (flat > self._floor(length)).nonzero()
        places = places[(-flat[places]).argsort(kind="stable")]
        rows, tokens = np.divmod(places, totals.shape[1])
        return _Level(prefixes, position.state, rows, tokens, flat[places], length)

    def _try_ends(self, prefixes: list[tuple[int, ...]], log_probs: FloatRows) -> None:
        """The best end of the call, if it is the best of all. Equal lengths rank by log P."""
        length = len(prefixes[0]) + 1
        row = int(log_probs.argmax())
        allowed = max(self._config.min_length, len(self._forced_ids) + 1)
        if length < allowed or log_probs[row] == -np.inf:
            return
        score = self._config.length_penalty.score(float(log_probs[row]), length)
        if score > self._best_score:
            self._best_score = score
            self.best_ids = (*prefixes[row], self._model.target.eos_id)
            self._floors.clear()

    def _bound(self, log_prob: float, length: int) -> float:
        """The best score that an end after a prefix can have; a minimum length puts it off."""
        step = max(length, self._config.min_length - 1)
        return self._config.length_penalty.bound(log_prob, step, self._run.max_length)

    def _floor(self, length: int) -> float:
        """A log-probability at which prefixes of a length can't beat the best, found by halving.

        One comparison with it stands for one bound of each of many prefixes: a bound never falls
        as the log-probability rises.
        """
        if length not in self._floors:
            self._floors[length] = self._find_floor(length)
        return self._floors[length]

    def _find_floor(self, length: int) -> float:
        if self._bound(0.0, length) <= self._best_score:
            return 0.0
        low, high = -1.0, 0.0
        while self._bound(low, length) > self._best_score:
            low, high = 2.0 * low, low
            if low < -1e12:  # nothing has been found yet, so everything is worth following
                return -np.inf
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            if self._bound(middle, length) > self._best_score:
                high = middle
            else:
                low = middle
        return low
