"""A trained network and its tokenizer behind the `TranslationModel` protocol."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Generic

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from s2s_core.errors import (
    EmptyBatchError,
    EmptySourceError,
    ModelInputError,
    SourceTooLongError,
    UnsupportedModelError,
)
from s2s_core.models.inspection import Inspection
from s2s_core.models.interface import FloatArray, StepOutput
from s2s_core.models.network import (
    NO_ATTENTION,
    Network,
    NetworkState,
    NetworkStep,
    select_rows,
)
from s2s_core.text.normalise import Normalised, normalise
from s2s_core.text.tokenizer import EOS_ID, PAD_ID, SubwordTokenizer

MAXIMUM_SOURCE_TOKENS = 400
WEIGHT_TOLERANCE = 1e-4


class TrainedModel(Generic[NetworkState]):
    """Reads typed text, gives numpy arrays. Nothing is stored on the network while it runs."""

    def __init__(
        self,
        network: Network[NetworkState],
        tokenizer: SubwordTokenizer,
        *,
        source_language: str,
        target_language: str,
    ) -> None:
        """Take a network; it is switched to evaluation."""
        self.network = network.eval()
        self.tokenizer = tokenizer
        self.source_language = source_language
        self.target_language = target_language

    @property
    def target(self) -> SubwordTokenizer:
        """The target side of the vocabulary."""
        return self.tokenizer

    def prepare(self, source: str) -> Normalised:
        """The text that the model reads for a typed source, with what was changed."""
        return normalise(source, language=self.source_language, final_mark=True)

    def prepare_target(self, target: str) -> Normalised:
        """A typed target, or its beginning, as the model writes it, with what was changed."""
        return normalise(target, language=self.target_language)

    def encode(self, sources: Sequence[str]) -> tuple[tuple[tuple[str, ...], ...], NetworkState]:
        """Read N sentences; see `TranslationModel`.

        Raises:
            EmptyBatchError: no sentence was given.
            EmptySourceError: a sentence is blank.
            SourceTooLongError: a sentence has more than 400 tokens.
        """
        rows = [self.source_ids(source) for source in sources]
        tokens = tuple(tuple(map(self.tokenizer.token, row)) for row in rows)
        return tokens, self.encode_ids(rows)

    def encode_ids(self, rows: Sequence[Sequence[int]]) -> NetworkState:
        """Read N sources given as ids; see `InspectableModel`.

        Raises:
            EmptyBatchError: there is no row.
            EmptySourceError: a row is empty.
        """
        with torch.inference_mode():
            return self.network.start(*pad(rows))

    def source_ids(self, source: str) -> list[int]:
        """The ids that the encoder reads: the prepared text's tokens and the end token.

        Raises:
            EmptySourceError: the text is blank.
            SourceTooLongError: it has more than 400 tokens.
        """
        text = self.prepare(source).text
        if not text:
            raise EmptySourceError("the source is blank: type a sentence to translate")
        ids = [*self.tokenizer.encode(text), EOS_ID]
        if len(ids) > MAXIMUM_SOURCE_TOKENS:
            raise SourceTooLongError(
                f"the source has {len(ids)} tokens, but at most {MAXIMUM_SOURCE_TOKENS} are "
                "allowed: shorten it or split it into sentences"
            )
        return ids

    def step(self, state: NetworkState, last_ids: NDArray[np.integer]) -> StepOutput[NetworkState]:
        """Give the next position; see `TranslationModel`."""
        with torch.inference_mode():
            return _output(self.network.step(state, _ids(last_ids)))

    def select(self, state: NetworkState, rows: NDArray[np.integer]) -> NetworkState:
        """Keep, copy or reorder rows; see `TranslationModel`."""
        with torch.inference_mode():
            return select_rows(state, _ids(rows))

    def check_inspectable(self) -> None:
        """Do nothing, or say what the network lacks; see `InspectableModel`.

        Raises:
            UnsupportedModelError: it has no attention.
        """
        if not self.network.inspectable:
            raise UnsupportedModelError(NO_ATTENTION)

    def inspect(
        self,
        state: NetworkState,
        last_ids: NDArray[np.integer],
        *,
        weights: FloatArray | None = None,
    ) -> Inspection[NetworkState]:
        """Take a step and show what was computed; see `InspectableModel`.

        Raises:
            UnsupportedModelError: the network has no attention.
            ModelInputError: the weights have another shape, are negative or don't sum to 1.
        """
        ids = _ids(last_ids)
        with torch.inference_mode():
            seen = self.network.inspect(state, ids, None)
            if weights is not None:
                _check_weights(weights, seen.scores.numpy())
                given = torch.from_numpy(np.array(weights, dtype=np.float32, order="C"))
                seen = self.network.inspect(state, ids, given)
            return Inspection(
                output=_output(seen.step),
                query=_read_only(seen.query),
                scores=_read_only(seen.scores),
                context=_read_only(seen.context),
                decoder_state=_read_only(seen.decoder_state),
            )

    def source_states(self, state: NetworkState) -> FloatArray:
        """The encoder's states, (N, S, E); see `InspectableModel`.

        Raises:
            UnsupportedModelError: the network has no attention.
        """
        return _read_only(self.network.source_states(state))

    def hide_source(self, state: NetworkState, positions: Collection[int]) -> NetworkState:
        """Mask source positions out of attention, in every row; see `InspectableModel`.

        Raises:
            UnsupportedModelError: the network has no attention.
            ModelInputError: there is no such position.
            EmptySourceError: nothing would be left of a source.
        """
        count = self.network.source_states(state).shape[1]
        outside = [position for position in positions if not 0 <= position < count]
        if outside:
            raise ModelInputError(
                f"there is no source position {outside[0]}: they are 0 to {count - 1}"
            )
        hidden = torch.zeros(1, count, dtype=torch.bool)
        hidden[:, list(positions)] = True
        with torch.inference_mode():
            return self.network.hide_source(state, hidden)


def _ids(values: NDArray[np.integer]) -> Tensor:
    """A copy: torch takes neither read-only arrays nor views that run backwards."""
    return torch.from_numpy(np.array(values, dtype=np.int64, order="C"))


def _read_only(tensor: Tensor) -> FloatArray:
    """An array that may share its memory with a state, so nobody must write into it."""
    array: FloatArray = tensor.numpy()
    array.flags.writeable = False
    return array


def _output(step: NetworkStep[NetworkState]) -> StepOutput[NetworkState]:
    """Logits → log-probabilities, tensors → arrays."""
    log_probs = torch.log_softmax(step.logits.float(), dim=-1).numpy()
    attention = None if step.attention is None else step.attention.numpy()
    return StepOutput(log_probs, attention, step.state)


def _check_weights(weights: FloatArray, scores: FloatArray) -> None:
    """Check weights that shall replace the model's own against its scores, (N, L, H, S)."""
    if weights.shape != scores.shape:
        raise ModelInputError(
            f"the weights have the shape {weights.shape}, but must have {scores.shape}: rows, "
            "layers, heads, source positions"
        )
    if not np.all(weights >= 0) or np.any(abs(weights.sum(axis=-1) - 1) > WEIGHT_TOLERANCE):
        raise ModelInputError("weights must be at least 0 and sum to 1 over the source positions")
    if np.any(weights[np.isneginf(scores)] > 0):
        raise ModelInputError("weights must be 0 at source positions that are padding or hidden")


def pad(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Id lists → ids (N, S), padded on the right, and their mask (N, S), True at a token.

    Raises:
        EmptyBatchError: there is no row.
    """
    if not rows:
        raise EmptyBatchError("the batch is empty: give at least one sentence")
    width = max(map(len, rows))
    ids = torch.full((len(rows), width), PAD_ID, dtype=torch.long)
    for row, target in zip(rows, ids, strict=True):
        target[: len(row)] = torch.as_tensor(row, dtype=torch.long)
    lengths = torch.as_tensor([len(row) for row in rows])
    return ids, torch.arange(width) < lengths.unsqueeze(1)
