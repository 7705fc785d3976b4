"""The values that a search leaves behind: candidates, steps, attention and hypotheses.

All are frozen, and arrays in them are read-only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Fate = Literal["kept", "finished", "pruned", "cut"]
StopReason = Literal["limit", "no live prefix", "bound", "best", "first"]

AttentionArray = NDArray[np.float32]

ROOT_ID = 0
"""The empty prefix, from which step 1 starts."""


class Candidate(NamedTuple):
    """One continuation of one live prefix: a node of the search tree.

    A search makes hundreds, and a named tuple is made in a third of a frozen dataclass' time.

    id: 1, 2, ... in the order of recording, best first within a step; the root is 0.
    parent_id: the prefix that it continues.
    step: 1-based; also the length of the path from the root.
    token_log_prob: natural log, the model's own, also where the token was forced.
    log_prob: sum along the path, in float64.
    rank: from 1, over all candidates of its step by log_prob, recorded or not.
    fate: `kept` lives on; `finished` entered the pool; `pruned` lost; `cut` was alive at the limit.
    reason: why it was pruned or cut, in words; "" otherwise.
    forced: the token was given, not chosen.
    evicted_at: the step at which it was pushed out of the pool, or None.
    text: what the path spells, the end token left out.
    """

    id: int
    parent_id: int
    step: int
    token_id: int
    token: str
    token_log_prob: float
    log_prob: float
    rank: int
    fate: Fate
    reason: str
    forced: bool
    evicted_at: int | None
    text: str

    @property
    def survived(self) -> bool:
        """It wasn't pruned."""
        return self.fate != "pruned"


@dataclass(frozen=True, slots=True)
class DecodeStep:
    """One step of the search.

    step: 1-based.
    candidates: the recorded ones, by rank: all kept and finished, every end token, the best R
        others of each row.
    expanded_ids: the live rows that this step expanded, best first; (0,) at step 1.
    attention: (rows, L, H, S) float32, row i belongs to expanded_ids[i]; None without attention.
    pool_ids: the pool after this step, best first.
    candidate_count: how many candidates of finite probability the step had, recorded or not.
    """

    step: int
    candidates: tuple[Candidate, ...]
    expanded_ids: tuple[int, ...]
    attention: AttentionArray | None = field(compare=False, repr=False)
    pool_ids: tuple[int, ...]
    candidate_count: int

    @property
    def live(self) -> tuple[Candidate, ...]:
        """The prefixes alive after this step, best first."""
        return tuple(c for c in self.candidates if c.fate in ("kept", "cut"))

    def row(self, node_id: int) -> tuple[Candidate, ...]:
        """The recorded continuations of one expanded prefix, most probable first."""
        return tuple(c for c in self.candidates if c.parent_id == node_id)

    def unrecorded_mass(self, node_id: int) -> float:
        """The probability (0-1) of everything after that prefix that isn't recorded."""
        recorded = math.fsum(math.exp(c.token_log_prob) for c in self.row(node_id))
        return max(0.0, 1.0 - recorded)

    def attention_of(self, node_id: int) -> AttentionArray | None:
        """(L, H, S): where the model looked while this step continued the given prefix."""
        return None if self.attention is None else self.attention[self.expanded_ids.index(node_id)]


@dataclass(frozen=True, eq=False)
class AttentionMap:
    """Cross-attention along one target.

    weights: (L, H, T, S), read-only; row t belongs to the step that produced token t.
    source_tokens: S labels of the columns.
    target_tokens: T labels of the rows.
    """

    weights: AttentionArray = field(repr=False)
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[AttentionArray],
        source_tokens: tuple[str, ...],
        target_tokens: tuple[str, ...],
    ) -> AttentionMap:
        """Put T rows of (L, H, S) together, one for each target token; T is at least 1."""
        weights = np.stack(rows, axis=2)
        weights.setflags(write=False)
        return cls(weights, source_tokens, target_tokens)

    def head_mean(self, layer: int = -1) -> AttentionArray:
        """(T, S): the mean over the heads of one layer, by default the last."""
        return np.asarray(self.weights[layer].mean(axis=0))


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One target: finished, cut at the limit, or a prefix on the way.

    length = len(token_ids) = len(tokens) = len(token_log_probs) = rows of attention. EOS is among
    the tokens when `finished`.
    score: under the penalty it was ranked with; for a prefix, what it would be at its length.
    node_id: its node in the trace, or None where there is no trace.
    """

    token_ids: tuple[int, ...]
    tokens: tuple[str, ...]
    token_log_probs: tuple[float, ...]
    length: int
    log_prob: float
    score: float
    text: str
    attention: AttentionMap | None = field(compare=False, repr=False)
    node_id: int | None
    finished: bool
