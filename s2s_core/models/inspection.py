"""Looking inside a model that has attention: a second, optional protocol beside `TranslationModel`.

One step is shown with what it computed on the way:

    query  →  scores  →  softmax  →  weights  →  context  →  decoder state  →  log-probabilities

Weights can be replaced by given ones, and source positions can be masked out, to see what changes.
Both are experiments on attention alone: a hidden position's neighbours have still read its word, in
the encoder, before it was hidden.

Shapes: N rows, S source tokens, V vocabulary, L layers, H heads; recurrent models have L = H = 1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from s2s_core.errors import UnsupportedModelError
from s2s_core.models.interface import FloatArray, StateCo, StepOutput, TranslationModel

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Inspection(Generic[StateCo]):
    """What one step of N rows computed.

    output: what `step` gives. Its `cross_attention` (N, L, H, S) are the weights that were used:
        the model's own, or the given ones.
    query: (N, L, D), what asked: the decoder state before the step (recurrent), after it (with
        input feeding), or each layer's input to cross-attention (Transformer).
    scores: (N, L, H, S) before the softmax, also when the weights were given; -inf where masked.
    context: (N, L, C), the source states (or values) mixed by the weights; a Transformer's heads
        lie side by side.
    decoder_state: (N, D), after the step (recurrent), or the last layer's output (Transformer).
    """

    output: StepOutput[StateCo]
    query: FloatArray
    scores: FloatArray
    context: FloatArray
    decoder_state: FloatArray


@runtime_checkable
class InspectableModel(TranslationModel[State], Protocol[State]):
    """A model that can be looked inside. Everything here is pure, like `step`.

    Having these methods isn't enough (a model with a fixed vector has them too): ask `inspectable`.
    """

    def check_inspectable(self) -> None:
        """Do nothing, or say what the model lacks.

        Raises:
            UnsupportedModelError: it can't be looked inside.
        """

    def source_ids(self, source: str) -> list[int]:
        """The ids that the encoder reads for a typed source, the end token among them.

        Raises:
            SourceError: the source can't be used.
        """

    def encode_ids(self, rows: Sequence[Sequence[int]]) -> State:
        """Read N sources given as ids, one row each, as `encode` reads those of a text.

        So a source can be read without one of its tokens, all others staying as they are.

        Raises:
            EmptyBatchError: no row was given.
            EmptySourceError: a row is empty.
        """

    def inspect(
        self, state: State, last_ids: NDArray[np.integer], *, weights: FloatArray | None = None
    ) -> Inspection[State]:
        """Read the last tokens (N,) like `step`, and show what was computed.

        weights: (N, L, H, S), used instead of the model's own.

        Raises:
            UnsupportedModelError: the model can't be looked inside.
            ModelInputError: the weights have another shape, are negative or don't sum to 1.
        """

    def source_states(self, state: State) -> FloatArray:
        """The encoder's states, (N, S, E).

        Raises:
            UnsupportedModelError: the model can't be looked inside.
        """

    def hide_source(self, state: State, positions: Collection[int]) -> State:
        """The state with these source positions (from 0) masked out of attention, in every row.

        Raises:
            UnsupportedModelError: the model can't be looked inside.
            ModelInputError: there is no such position.
            EmptySourceError: nothing would be left of a source.
        """


def inspectable(model: TranslationModel[State]) -> InspectableModel[State]:
    """The same model, known to be one that can be looked inside.

    Raises:
        UnsupportedModelError: it isn't; the message says what it lacks.
    """
    if not isinstance(model, InspectableModel):
        raise UnsupportedModelError(
            f"{type(model).__name__} gives probabilities only, it has no inside to look at; choose "
            "a trained model with attention"
        )
    model.check_inspectable()
    return model
