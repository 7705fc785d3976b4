"""One search under way: the model's state, the live rows, and the trace so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

import numpy as np

from s2s_core.errors import PrefixError, SettingError
from s2s_core.models.interface import State, TargetSide, TranslationModel
from s2s_core.search.candidates import Expansion, Position, next_position, repeating_ids
from s2s_core.search.config import SearchRequest
from s2s_core.search.recorder import TraceRecorder
from s2s_core.search.records import StopReason
from s2s_core.search.selection import Selection
from s2s_core.search.trace import BeamTrace


def check_target_ids(target: TargetSide, token_ids: Sequence[int]) -> None:
    """Refuse ids that can't stand in a target before its end.

    Raises:
        PrefixError: an id is outside the vocabulary, never generated, or the end token.
    """
    for place, token_id in enumerate(token_ids, start=1):
        if not 0 <= token_id < target.size:
            raise PrefixError(
                f"token {place} of the prefix has id {token_id}, but this model has ids "
                f"0 to {target.size - 1}"
            )
        if token_id == target.eos_id or token_id in target.banned_ids:
            what = "the end token" if token_id == target.eos_id else "never generated"
            raise PrefixError(
                f"token {place} of the prefix is {target.token(token_id)!r} (id {token_id}), which "
                f"is {what}; leave it out"
            )


def check_start(target: TargetSide) -> None:
    """Refuse a model whose start token is its end token.

    Raises:
        SettingError: it is.
    """
    if target.bos_id == target.eos_id:
        raise SettingError(
            f"the start token and the end token are both {target.token(target.bos_id)!r} "
            f"(id {target.bos_id}); a search needs two different ones"
        )


class SearchRun(Generic[State]):
    """Expands the live rows one step at a time. What is kept is decided elsewhere.

    source_tokens, max_length: resolved for this source.
    recorder: the trace so far.
    state: the model's, after reading the source and all but the last token of each row.
    """

    def __init__(self, model: TranslationModel[State], request: SearchRequest) -> None:
        """Check the request and read the source.

        Raises:
            SettingError: alpha is negative, the minimum length is above the maximum, or the model's
                start and end token are the same.
            PrefixError: the forced prefix can't be used.
            SourceError: the model can't use the source.
        """
        check_start(model.target)
        request.config.length_penalty.check_decoding()
        check_target_ids(model.target, request.forced_ids)
        (self.source_tokens,), self.state = model.encode([request.source])
        self.max_length = request.config.resolved_max_length(self.source_tokens)
        if len(request.forced_ids) > self.max_length:
            raise PrefixError(
                f"the forced prefix has {len(request.forced_ids)} tokens, but the maximum length "
                f"is {self.max_length}"
            )
        self.request = request
        self.recorder = TraceRecorder(model.target, request)
        self._model = model
        self._rows = np.zeros(1, dtype=np.intp)  # rows of the state that live on
        self._last_ids = np.array([model.target.bos_id])
        self._log_probs = np.zeros(1)

    @property
    def step(self) -> int:
        """How many steps were taken."""
        return len(self.recorder.steps)

    @property
    def best_live(self) -> float | None:
        """The best live prefix's log-probability, or None if no prefix lives."""
        return float(self._log_probs[0]) if len(self._log_probs) else None

    @property
    def forced_id(self) -> int | None:
        """The token that the next step must take, or None once the prefix is used up."""
        ids = self.request.forced_ids
        return ids[self.step] if self.step < len(ids) else None

    def expand(self) -> tuple[Expansion, Position[State]]:
        """Ask the model how the live rows go on.

        Raises:
            ModelOutputError: the model gave something that isn't log-probabilities.
        """
        state = self._model.select(self.state, self._rows)
        position = next_position(self._model, state, self._last_ids, len(self.source_tokens))
        log_probs = self._log_probs[:, None] + position.log_probs
        if self.step + 1 < self.request.config.min_length:
            log_probs[:, self._model.target.eos_id] = -np.inf
        if self.request.config.no_repeat and self.forced_id is None:
            for row, prefix in enumerate(self.recorder.live.values()):
                log_probs[row, repeating_ids(prefix, self.request.config.no_repeat)] = -np.inf
        return Expansion(position.log_probs, log_probs, self._model.target.eos_id), position

    def advance(
        self, expansion: Expansion, position: Position[State], selection: Selection
    ) -> None:
        """Record the step and go on with the rows that were kept."""
        self.recorder.record(expansion, selection, position.attention)
        kept = np.array(selection.kept, dtype=np.intp)
        self.state = position.state
        self._rows, self._last_ids = np.divmod(kept, expansion.size)
        self._log_probs = expansion.log_probs.ravel()[kept]

    def finish(self, stop_reason: StopReason) -> BeamTrace:
        """The trace.

        Raises:
            NoHypothesisError: nothing finished, and nothing is alive.
        """
        return self.recorder.trace(stop_reason, self.source_tokens, self.max_length)
