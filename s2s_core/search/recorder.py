"""Writes the trace while a search runs: ids, ranks, fates and the pool."""

from __future__ import annotations

import math
from bisect import insort
from dataclasses import replace

import numpy as np

from s2s_core.errors import NoHypothesisError
from s2s_core.models.interface import TargetSide
from s2s_core.search.candidates import Expansion
from s2s_core.search.config import SearchRequest
from s2s_core.search.records import (
    ROOT_ID,
    AttentionArray,
    Candidate,
    DecodeStep,
    Fate,
    StopReason,
)
from s2s_core.search.selection import Selection
from s2s_core.search.trace import BeamTrace


class Pool:
    """The B best finished candidates by score; of equal scores the older one stays."""

    def __init__(self, size: int) -> None:
        """Start empty."""
        self._size = size
        self._entries: list[tuple[float, int]] = []  # (-score, id), best first

    @property
    def ids(self) -> tuple[int, ...]:
        """Best first."""
        return tuple(node_id for _, node_id in self._entries)

    @property
    def full(self) -> bool:
        """It holds B."""
        return len(self._entries) == self._size

    @property
    def best(self) -> float:
        """The best score, -inf while empty."""
        return -self._entries[0][0] if self._entries else -math.inf

    @property
    def worst(self) -> float:
        """The worst score, -inf while empty."""
        return -self._entries[-1][0] if self._entries else -math.inf

    def offer(self, score: float, node_id: int) -> int | None:
        """Let a newcomer in; returns the id that has no place any more (maybe its own), or None."""
        insort(self._entries, (-score, node_id))  # a younger id is higher, so ties go behind
        return self._entries.pop()[1] if len(self._entries) > self._size else None


class TraceRecorder:
    """Turns selections into candidates with ids. Fates that come later are put in at the end."""

    def __init__(self, target: TargetSide, request: SearchRequest) -> None:
        """Start with the empty prefix."""
        self.pool = Pool(request.config.beam_size)
        self.steps: list[DecodeStep] = []
        self.finished_ids: list[int] = []
        self.live: dict[int, tuple[int, ...]] = {ROOT_ID: ()}  # id -> token ids, best first
        self._request = request
        self._target = target
        self._evicted: dict[int, int] = {}  # id -> step

    def record(
        self, expansion: Expansion, selection: Selection, attention: AttentionArray | None
    ) -> None:
        """Write down one step of the live prefixes, and let its survivors take their place."""
        parents, prefixes = tuple(self.live), tuple(self.live.values())
        chosen = expansion.order((*selection.kept, *selection.ended, *selection.lost))
        first_id = self.steps[-1].candidates[-1].id + 1 if self.steps else ROOT_ID + 1
        kept, ended = set(selection.kept), set(selection.ended)
        survivor, size, eos_id = selection.last_survivor, expansion.size, expansion.eos_id
        bar = -math.inf if survivor is None else expansion.log_prob(survivor)
        places = np.array(chosen, dtype=np.intp)
        values = zip(
            chosen,
            expansion.ranks(chosen),
            expansion.log_probs.take(places).tolist(),
            expansion.token_log_probs.take(places).tolist(),
            strict=True,
        )
        candidates = []
        live = {}
        for node_id, (index, rank, log_prob, token_log_prob) in enumerate(values, start=first_id):
            row, token_id = divmod(index, size)
            ids = (*prefixes[row], token_id)
            fate: Fate = "kept"
            reason = ""
            if index in kept:
                live[node_id] = ids
            elif index in ended:
                fate, reason = self._finish(node_id, log_prob, len(ids))
            else:
                fate, is_end = "pruned", token_id == eos_id
                reason = selection.why_lost(rank, is_end=is_end, gap=bar - log_prob)
            candidates.append(
                Candidate(
                    id=node_id,
                    parent_id=parents[row],
                    step=len(ids),
                    token_id=token_id,
                    token=self._target.token(token_id),
                    token_log_prob=token_log_prob,
                    log_prob=log_prob,
                    rank=rank,
                    fate=fate,
                    reason=reason,
                    forced=selection.forced and index in kept,
                    evicted_at=None,
                    text=self._target.join(ids),
                )
            )
        self.live = live
        self.steps.append(
            DecodeStep(
                step=len(self.steps) + 1,
                candidates=tuple(candidates),
                expanded_ids=parents,
                attention=attention,
                pool_ids=self.pool.ids,
                candidate_count=expansion.count,
            )
        )

    def _finish(self, node_id: int, log_prob: float, length: int) -> tuple[Fate, str]:
        self.finished_ids.append(node_id)
        score = self._request.config.length_penalty.score(log_prob, length)
        left = self.pool.offer(score, node_id)
        if left == node_id:
            worst = self.pool.worst
            return "pruned", f"finished below the pool: {score:.4f}, the pool's worst {worst:.4f}"
        if left is not None:
            self._evicted[left] = length
        return "finished", ""

    def trace(
        self, stop_reason: StopReason, source_tokens: tuple[str, ...], max_length: int
    ) -> BeamTrace:
        """The finished trace.

        Raises:
            NoHypothesisError: nothing finished, and nothing is alive.
        """
        if not self.finished_ids and not self.live:
            raise NoHypothesisError(
                "no hypothesis with finite probability: every continuation has probability 0 at "
                f"step {len(self.steps)} of at most {max_length}; change the forced prefix, the "
                "minimum length or the model"
            )
        return BeamTrace(
            request=self._request,
            source_tokens=source_tokens,
            max_length=max_length,
            eos_id=self._target.eos_id,
            steps=tuple(self._settled(step, max_length) for step in self.steps),
            finished_ids=tuple(self.finished_ids),
            stop_reason=stop_reason,
        )

    def _settled(self, step: DecodeStep, max_length: int) -> DecodeStep:
        cut = self.live if step.step == max_length else {}
        if not cut and self._evicted.keys().isdisjoint(c.id for c in step.candidates):
            return step
        candidates = []
        for candidate in step.candidates:
            if candidate.id in cut:
                candidate = candidate._replace(fate="cut", reason="alive at the maximum length")
            elif candidate.id in self._evicted:
                candidate = candidate._replace(evicted_at=self._evicted[candidate.id])
            candidates.append(candidate)
        return replace(step, candidates=tuple(candidates))
