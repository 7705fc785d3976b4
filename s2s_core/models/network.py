"""What training and decoding ask of every trainable network.

A network works on padded id tensors: source ids (N, S), mask (N, S; True at a token), target inputs
(N, T). Its memory and its state are frozen dataclasses of tensors, so that `select` is the same few
lines for all.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Generic, TypeVar

import torch
from torch import Tensor, nn

NetworkState = TypeVar("NetworkState")


@dataclass(frozen=True, slots=True)
class NetworkStep(Generic[NetworkState]):
    """Logits (N, V), attention weights (N, L, H, S) or None, and the next state."""

    logits: Tensor
    attention: Tensor | None
    state: NetworkState


class Network(nn.Module, Generic[NetworkState]):
    """Base of the trainable networks: encoder and decoder over one vocabulary."""

    def start(self, source: Tensor, mask: Tensor) -> NetworkState:
        """Read the sources and give the state before the first target position.

        Raises:
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


def select_rows(state: NetworkState, rows: Tensor) -> NetworkState:
    """Row i of the result is row rows[i]: every tensor field has the rows as its first axis."""
    chosen = {}
    for field in dataclasses.fields(state):  # type: ignore[arg-type]
        value = getattr(state, field.name)
        chosen[field.name] = value.index_select(0, rows) if isinstance(value, Tensor) else value
    return dataclasses.replace(state, **chosen)  # type: ignore[type-var]


def parameter_count(network: nn.Module) -> int:
    """How many numbers are learned; shared ones count once."""
    return sum(parameter.numel() for parameter in network.parameters())
