"""The seam between models and everything else.

Search, tracing and scoring know only what stands here. A recurrent model, a Transformer and a
hand-written probability table all fit behind it. Arrays at this border are numpy, so that nothing
on the other side needs torch.

Shapes: N rows, S source tokens, T target tokens, V vocabulary, L layers, H heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

State = TypeVar("State")
StateCo = TypeVar("StateCo", covariant=True)

FloatArray = NDArray[np.floating]


class TargetSide(Protocol):
    """What search needs to know about the target vocabulary."""

    @property
    def bos_id(self) -> int:
        """The first decoder input; never generated."""

    @property
    def eos_id(self) -> int:
        """The token that ends a target; its probability belongs to the sequence."""

    @property
    def banned_ids(self) -> tuple[int, ...]:
        """Ids that are never generated (PAD, BOS): masked to -inf, not renormalised."""

    @property
    def size(self) -> int:
        """V, the number of target tokens."""

    def token(self, token_id: int) -> str:
        """The token as shown to a person."""

    def join(self, token_ids: Sequence[int]) -> str:
        """The text that the tokens spell, special tokens left out."""

    def ids(self, text: str) -> tuple[int, ...]:
        """The tokens of a typed prefix, with neither BOS nor EOS.

        Raises:
            PrefixError: the text can't be written with this vocabulary.
        """


@dataclass(frozen=True, slots=True)
class StepOutput(Generic[StateCo]):
    """One position of N rows.

    log_probs: (N, V), natural logs; every row of exp(log_probs) sums to 1 (nothing banned yet).
    cross_attention: (N, L, H, S), or None for a model without attention. Rows sum to 1 over the
        source tokens and are exactly 0 on padding.
    state: the state after reading the given tokens.
    """

    log_probs: FloatArray
    cross_attention: FloatArray | None
    state: StateCo


class TranslationModel(Protocol[State]):
    """A model that search can decode with. Its state is opaque.

    `step` and `select` are pure: an old state stays usable, so that a search can go back, and two
    searches can take turns. A model is read-only once loaded, so one instance serves many sessions.
    """

    @property
    def target(self) -> TargetSide:
        """The target side."""

    def encode(self, sources: Sequence[str]) -> tuple[tuple[tuple[str, ...], ...], State]:
        """Read N sentences.

        Returns:
            the source tokens of each sentence (what attention columns are), and a state of N rows,
            padded and masked inside.

        Raises:
            EmptyBatchError: no sentence was given.
            EmptySourceError: a sentence has no tokens.
        """

    def step(self, state: State, last_ids: NDArray[np.integer]) -> StepOutput[State]:
        """Read the last tokens (N,) and give the next position's distribution."""

    def select(self, state: State, rows: NDArray[np.integer]) -> State:
        """Keep, copy or reorder rows: row i of the result is row rows[i] of the given state."""
