"""Decoding of many sentences at once: the same targets as one by one, several times as fast.

Sentences of similar length share the model's steps, as rows of one state; each keeps its own beam,
pool and stop rule. Nothing is recorded but the best hypothesis.

A model's numbers differ in their last digits with the number of rows. So where a decision was
closer than `CLOSE`, the sentence is decoded again on its own: rounding never changes a target.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from s2s_core.models.interface import State, TargetSide, TranslationModel
from s2s_core.search.beam import beam_search, reason_to_stop
from s2s_core.search.candidates import FloatRows, best_first, next_position, repeating_ids
from s2s_core.search.config import SearchConfig
from s2s_core.search.recorder import Pool
from s2s_core.search.run import check_start

CLOSE = 1e-4
"""Log-probabilities and scores that differ by less may change places by rounding."""

MAXIMUM_ROWS = 320  # of a state
MAXIMUM_POSITIONS = 20_000  # rows times characters of the longest source: bounds the memory


@dataclass(frozen=True, slots=True)
class Output:
    """The best hypothesis of one sentence.

    token_ids: with the end token, if finished.
    text: what they spell.
    finished: False where the maximum length cut it.
    """

    token_ids: tuple[int, ...]
    text: str
    finished: bool


def greedy_config(max_length: int | None = None) -> SearchConfig:
    """Greedy search as a beam of one."""
    return SearchConfig(
        beam_size=1, stop_rule="first", max_length=max_length, recorded_candidates=0
    )


def plan_batches(sources: Sequence[str], *, beam_size: int) -> tuple[tuple[int, ...], ...]:
    """Indices of the sources, those of similar length together, so many as fit into memory."""
    order = sorted(range(len(sources)), key=lambda i: (len(sources[i]), i))
    batches: list[list[int]] = []
    for index in order:  # the newcomer is the longest of its batch
        rows = beam_size * (len(batches[-1]) + 1) if batches else 0
        fits = rows <= MAXIMUM_ROWS and rows * len(sources[index]) <= MAXIMUM_POSITIONS
        if batches and fits:
            batches[-1].append(index)
        else:
            batches.append([index])
    return tuple(map(tuple, batches))


def decode(
    model: TranslationModel[State], sources: Sequence[str], config: SearchConfig
) -> Iterator[tuple[int, Output]]:
    """The best hypothesis of each source with its index, batch after batch.

    Raises:
        The same errors as `beam_search`.
    """
    for batch in plan_batches(sources, beam_size=config.beam_size):
        yield from zip(batch, decode_batch(model, [sources[i] for i in batch], config), strict=True)


def decode_batch(
    model: TranslationModel[State], sources: Sequence[str], config: SearchConfig
) -> tuple[Output, ...]:
    """The best hypothesis of each source; all share one state, so keep them few.

    Raises:
        The same errors as `beam_search`.
    """
    check_start(model.target)
    config.length_penalty.check_decoding()
    source_tokens, state = model.encode(sources)
    beams = [
        _Beam(config, model.target, config.resolved_max_length(tokens)) for tokens in source_tokens
    ]
    live, width = beams, max(map(len, source_tokens))
    while live:
        last_ids = np.concatenate([beam.last_ids for beam in live])
        position = next_position(model, state, last_ids, width)
        begin, rows, going_on = 0, [], []
        for beam in live:
            end = begin + len(beam.last_ids)
            parents = beam.advance(position.log_probs[begin:end])
            if not beam.done:
                rows.append(parents + begin)
                going_on.append(beam)
            begin = end
        live = going_on
        if live:
            state = model.select(position.state, np.concatenate(rows))
    return tuple(
        _alone(model, source, config) if beam.close else beam.output()
        for source, beam in zip(sources, beams, strict=True)
    )


def greedy_translations(model: TranslationModel[State], sources: Sequence[str]) -> tuple[str, ...]:
    """The text of greedy search for every source, in order."""
    outputs = dict(decode(model, sources, greedy_config()))
    return tuple(outputs[i].text for i in range(len(sources)))


def _alone(model: TranslationModel[State], source: str, config: SearchConfig) -> Output:
    best = beam_search(model, source, replace(config, recorded_candidates=0)).best
    return Output(best.token_ids, best.text, best.finished)


class _Beam:
    """The search of one sentence, as `beam_search` does it, without a trace.

    last_ids: the last token of each live row, best first.
    done: the search has stopped.
    close: a decision hung on less than `CLOSE`, or there is no hypothesis.
    """

    def __init__(self, config: SearchConfig, target: TargetSide, max_length: int) -> None:
        """Start with the empty prefix."""
        self.last_ids: NDArray[np.intp] = np.array([target.bos_id])
        self.done = self.close = False
        self._config, self._target, self._max_length = config, target, max_length
        self._live: list[tuple[int, ...]] = [()]
        self._log_probs = np.zeros(1)
        self._finished: list[tuple[int, ...]] = []
        self._scores: list[float] = []
        self._pool = Pool(config.beam_size)

    def advance(self, token_log_probs: FloatRows) -> NDArray[np.intp]:
        """Take a step with the rows' distributions (R, V) → the parent row of each survivor."""
        width, eos_id = self._config.beam_size, self._target.eos_id
        log_probs = self._log_probs[:, None] + token_log_probs
        if self._config.no_repeat:
            for row, prefix in enumerate(self._live):
                log_probs[row, repeating_ids(prefix, self._config.no_repeat)] = -np.inf
        ends = log_probs[:, eos_id].copy()
        log_probs[:, eos_id] = -np.inf
        flat = log_probs.ravel()
        places = best_first(flat, width + 1)  # one that is lost, to see how close it was
        self._watch(flat[places])
        kept = places[:width]
        if len(self._live[0]) + 1 >= self._config.min_length:
            self._finish(ends, flat[kept])
        parents, self.last_ids = np.divmod(kept, log_probs.shape[1])
        self._live = [
            (*self._live[parent], token_id)
            for parent, token_id in zip(parents.tolist(), self.last_ids.tolist(), strict=True)
        ]
        self._log_probs = flat[kept]
        self._stop()
        return parents

    def output(self) -> Output:
        """The best hypothesis; a cut prefix only if none finished."""
        ids = self._finished[self._pool.ids[0]] if self._finished else self._live[0]
        return Output(ids, self._target.join(ids), bool(self._finished))

    def _finish(self, ends: FloatRows, kept: FloatRows) -> None:
        """Let rows end: all that can, or under the rule `first` those among the B best."""
        rows = [row for row in np.argsort(-ends, kind="stable") if ends[row] > -np.inf]
        if self._config.stop_rule == "first":
            width = self._config.beam_size
            places = [sum(kept >= ends[row]) + place for place, row in enumerate(rows)]
            self._watch(np.sort([*kept, *ends[rows]])[::-1])
            rows = [row for place, row in zip(places, rows, strict=True) if place < width]
        for row in rows:
            ids = (*self._live[row], self._target.eos_id)
            score = self._config.length_penalty.score(float(ends[row]), len(ids))
            self._pool.offer(score, len(self._finished))
            self._finished.append(ids)
            self._scores.append(score)

    def _stop(self) -> None:
        best_live = float(self._log_probs[0]) if self._live else None
        length, config = len(self._live[0]) if self._live else 0, self._config
        reason = reason_to_stop(
            config,
            self._pool,
            best_live=best_live,
            length=length,
            max_length=self._max_length,
            finished=len(self._finished),
        )
        if best_live is not None and config.stop_rule == "best":
            reachable = config.length_penalty.bound(best_live, length, self._max_length)
            self.close |= abs(reachable - self._pool.best) < CLOSE
        if reason is not None:
            self.done = True
            rivals = sorted(self._scores, reverse=True) if self._finished else self._log_probs
            self.close |= len(rivals) == 0 or bool(np.any(-np.diff(rivals[:2]) < CLOSE))

    def _watch(self, log_probs: FloatRows) -> None:
        """Look at the border between the B-th best and the next, of values sorted best first."""
        border = log_probs[self._config.beam_size - 1 : self._config.beam_size + 1]
        self.close |= bool(np.any(-np.diff(border) < CLOSE))
