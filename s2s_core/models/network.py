"""What training and decoding ask of every trainable network.

A network works on padded id tensors: source ids (N, S), mask (N, S; True at a token), target inputs
(N, T). Its state is a frozen dataclass of tensors, or tuples of tensors, with the rows first, so
that `select_rows` is the same few lines for all. In the shapes of a state, "N or 1" is the number
of rows, or 1 where all rows continue one source.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

import torch
from torch import Tensor, nn

from s2s_core.errors import (
    EmptyBatchError,
    EmptySourceError,
    ModelInputError,
    UnsupportedModelError,
)


@dataclass(frozen=True, slots=True)
class DecodingState:
    """Base of the networks' states: frozen dataclasses of tensors with the rows first.

    of_source: fields that say something of the source alone. Rows that continue one source share
        one row of them, which is neither copied nor moved when rows are selected.
    constant: fields without rows.
    """

    of_source: ClassVar[tuple[str, ...]] = ()
    constant: ClassVar[tuple[str, ...]] = ()


NetworkState = TypeVar("NetworkState", bound=DecodingState)

NO_ATTENTION = (
    "this model has no attention: its decoder gets one fixed vector of the whole source, so there "
    "are no scores, weights or source positions to look at; choose a model with attention"
)


@dataclass(frozen=True, slots=True)
class NetworkStep(Generic[NetworkState]):
    """Logits (N, V), attention weights (N, L, H, S) or None, and the next state."""

    logits: Tensor
    attention: Tensor | None
    state: NetworkState


@dataclass(frozen=True, slots=True)
class NetworkInspection(Generic[NetworkState]):
    """One step with what it computed on the way; see `inspection.Inspection`.

    query (N, L, D), scores (N, L, H, S), context (N, L, C), decoder_state (N, D).
    """

    step: NetworkStep[NetworkState]
    query: Tensor
    scores: Tensor
    context: Tensor
    decoder_state: Tensor


class Network(nn.Module, Generic[NetworkState]):
    """Base of the trainable networks: encoder and decoder over one vocabulary."""

    inspectable = False
    """Whether the last three methods work: a network without attention has nothing to show."""

    def start(self, source: Tensor, mask: Tensor) -> NetworkState:
        """Read the sources and give the state before the first target position.

        Raises:
            EmptyBatchError: there is no source.
            EmptySourceError: a source has no valid position.
            ModelInputError: the shapes don't fit.
        """
        raise NotImplementedError

    def step(self, state: NetworkState, last_ids: Tensor) -> NetworkStep[NetworkState]:
        """Read the last target tokens (N,) and give the next position. Pure."""
        raise NotImplementedError

    def forward(self, source: Tensor, mask: Tensor, target_inputs: Tensor) -> Tensor:
        """Teacher forcing: target inputs (N, T), BOS first → readouts (N, T, D).

        `self.logits` turns readouts into scores over the vocabulary; the two are apart so that a
        loss needs logits only where a target token counts.
        """
        raise NotImplementedError

    def logits(self, readouts: Tensor) -> Tensor:
        """Readouts (..., D) → scores over the vocabulary (..., V)."""
        raise NotImplementedError

    def prepare_decoding(self) -> None:
        """Make steps fast, in place; weights keep their values. Not for a network in training.

        Matrices are stored column by column: a product with the few rows of a beam search reads a
        matrix once from end to end, and is fastest where it lies in memory in that order.
        """
        for parameter in self.parameters():
            if parameter.ndim == 2:
                parameter.data = parameter.data.t().contiguous().t()

    def inspect(
        self, state: NetworkState, last_ids: Tensor, weights: Tensor | None
    ) -> NetworkInspection[NetworkState]:
        """Take a step with everything it computes; `weights` (N, L, H, S) replace the model's own.

        Raises:
            UnsupportedModelError: see `inspectable`.
        """
        raise UnsupportedModelError(NO_ATTENTION)

    def source_states(self, state: NetworkState) -> Tensor:
        """The encoder's states, (N, S, E).

        Raises:
            UnsupportedModelError: see `inspectable`.
        """
        raise UnsupportedModelError(NO_ATTENTION)

    def hide_source(self, state: NetworkState, hidden: Tensor) -> NetworkState:
        """The state with the positions where `hidden`, (N, S) or (1, S), is True masked out.

        Raises:
            UnsupportedModelError: see `inspectable`.
            EmptySourceError: nothing would be left of a source.
        """
        raise UnsupportedModelError(NO_ATTENTION)


def check_mask(mask: Tensor) -> None:
    """Check that every source of a mask (N, S) has something to attend to.

    Raises:
        EmptySourceError: one has not.
    """
    empty = (~mask.any(dim=1)).nonzero().flatten().tolist()
    if empty:
        raise EmptySourceError(f"source {empty[0] + 1} has no token to attend to: all are masked")


def check_source(source: Tensor, mask: Tensor) -> None:
    """Check what an encoder is about to read: ids (N, S) and mask (N, S).

    Raises:
        ModelInputError: the shapes or types don't fit.
        EmptyBatchError: there is no source.
        EmptySourceError: a source has no valid position.
    """
    if source.ndim != 2 or source.shape != mask.shape or mask.dtype != torch.bool:
        raise ModelInputError(
            f"source ids {tuple(source.shape)} and mask {tuple(mask.shape)} of {mask.dtype} don't "
            "fit: both must have the shape (sentences, positions), and the mask must be of bools"
        )
    if not len(source):
        raise EmptyBatchError("the batch is empty: give at least one source")
    check_mask(mask)


def select_rows(state: NetworkState, rows: Tensor) -> NetworkState:
    """Row i of the result is row rows[i]; what all rows share stays as it is."""
    chosen: dict[str, Tensor | tuple[Tensor, ...]] = {}
    for field in dataclasses.fields(state):
        if field.name in state.constant:
            continue
        value = getattr(state, field.name)
        shared = field.name in state.of_source
        if isinstance(value, tuple):
            chosen[field.name] = tuple(_rows_of(tensor, rows, shared) for tensor in value)
        elif value is not None:
            chosen[field.name] = _rows_of(value, rows, shared)
    return dataclasses.replace(state, **chosen)


def _rows_of(tensor: Tensor, rows: Tensor, shared: bool) -> Tensor:
    return tensor if shared and len(tensor) == 1 else tensor.index_select(0, rows)


def parameter_count(network: nn.Module) -> int:
    """How many numbers are learned; shared ones count once."""
    return sum(parameter.numel() for parameter in network.parameters())
