"""One target three times: after the true prefix, after the model's own, and after a mistake.

Under teacher forcing each step reads the true token before it, whatever the model would have said.
Running freely, a step reads what the model itself wrote. So a mistake that is put into free running
at one step is read by the next, and all that follows may change; under teacher forcing it can't.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

import numpy as np

from s2s_core.errors import SettingError
from s2s_core.models.along_target import TokenChance, most_probable
from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.candidates import FloatRows, next_position
from s2s_core.search.config import default_max_length
from s2s_core.training.lessons.shift import ShiftRow, shift_table


@dataclass(frozen=True, slots=True)
class Mistake:
    """A token that is written at a step (from 1) instead of the most probable one."""

    step: int
    token_id: int


@dataclass(frozen=True, slots=True)
class RunStep:
    """One step of a run.

    step: from 1. read: what the decoder read.
    wanted_id, wanted: the target's token; None and "" after its end.
    choices: the most probable tokens, best first.
    written_id, written: the first choice, or the mistake that was put in.
    """

    step: int
    read_id: int
    read: str
    wanted_id: int | None
    wanted: str
    choices: tuple[TokenChance, ...]
    written_id: int
    written: str
    put_in: bool

    @property
    def right(self) -> bool:
        """Whether the written token is the wanted one."""
        return self.written_id == self.wanted_id

    @property
    def probability(self) -> float:
        """Of the most probable token."""
        return self.choices[0].probability


Run = tuple[RunStep, ...]


@dataclass(frozen=True, slots=True)
class ErrorStory:
    """Three runs on one source.

    rows: the target as training sees it.
    forced: after the true prefix. free: after the model's own. disturbed: with the mistake; () if
        none was asked for, or if the model ended before its step.
    """

    source_tokens: tuple[str, ...]
    rows: tuple[ShiftRow, ...]
    mistake: Mistake | None
    forced: Run
    free: Run
    disturbed: Run

    @property
    def after_mistake(self) -> tuple[int, int]:
        """Of the target's positions after the mistake: how many came out right, and how many."""
        if self.mistake is None or not self.disturbed:
            return 0, 0
        later = self.disturbed[self.mistake.step :]
        return sum(step.right for step in later), len(self.rows) - self.mistake.step

    @property
    def recovered(self) -> bool:
        """Whether all that follows the mistake is as the target says, its end in its place."""
        right, count = self.after_mistake
        return bool(self.disturbed) and right == count and len(self.disturbed) == len(self.rows)


def tell_error(
    model: TranslationModel[State],
    source: str,
    target_ids: Sequence[int],
    mistake: Mistake | None = None,
) -> ErrorStory:
    """Run a model three times on a source, with a target that has neither BOS nor EOS.

    Raises:
        SettingError: the mistake's step isn't one of the target's.
        PrefixError: an id can't be written.
        SourceError: the model can't use the source.
        ModelOutputError: the model gave NaN or positive log-probabilities.
    """
    rows = shift_table(model.target, target_ids)
    if mistake is not None:
        _check(model, mistake, len(rows))
    (source_tokens,), state = model.encode([source])
    limit = max(default_max_length(source_tokens), len(rows))
    reader = _Reader(model, state, len(source_tokens), rows)
    free = reader.run(limit, None)
    disturbed: Run = ()
    if mistake is not None and mistake.step <= len(free):
        disturbed = reader.run(limit, mistake)
    return ErrorStory(tuple(source_tokens), rows, mistake, reader.forced(), free, disturbed)


def _check(model: TranslationModel[State], mistake: Mistake, steps: int) -> None:
    if not 1 <= mistake.step <= steps:
        raise SettingError(
            f"the mistake is put in at step {mistake.step}, but this target has the steps 1 to "
            f"{steps}"
        )
    if mistake.token_id != model.target.eos_id:
        shift_table(model.target, (mistake.token_id,))


@dataclass(frozen=True, slots=True)
class _Reader(Generic[State]):
    """A model after reading a source, before the first target token."""

    model: TranslationModel[State]
    state: State
    source_length: int
    rows: tuple[ShiftRow, ...]

    def forced(self) -> Run:
        """Each step reads the true token."""
        state, steps = self.state, []
        for row in self.rows:
            log_probs, state = self._read(state, row.read_id)
            steps.append(self._step(log_probs, row.step, row.read_id, None))
        return tuple(steps)

    def run(self, limit: int, mistake: Mistake | None) -> Run:
        """Each step reads what was written, until the end token or the limit."""
        state, steps, read = self.state, list[RunStep](), self.model.target.bos_id
        while len(steps) < limit and read != self.model.target.eos_id:
            log_probs, state = self._read(state, read)
            number = len(steps) + 1
            here = mistake.token_id if mistake is not None and mistake.step == number else None
            steps.append(self._step(log_probs, number, read, here))
            read = steps[-1].written_id
        return tuple(steps)

    def _read(self, state: State, token_id: int) -> tuple[FloatRows, State]:
        position = next_position(self.model, state, np.array([token_id]), self.source_length)
        return position.log_probs[0], position.state

    def _step(self, log_probs: FloatRows, number: int, read: int, put_in: int | None) -> RunStep:
        target = self.model.target
        choices = most_probable(target, log_probs)  # ties as in greedy search
        wanted = self.rows[number - 1] if number <= len(self.rows) else None
        written = choices[0].token_id if put_in is None else put_in
        return RunStep(
            step=number,
            read_id=read,
            read=target.token(read),
            wanted_id=None if wanted is None else wanted.wanted_id,
            wanted="" if wanted is None else wanted.wanted,
            choices=choices,
            written_id=written,
            written=target.token(written),
            put_in=put_in is not None,
        )
