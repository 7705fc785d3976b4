"""A trained network and its tokenizer behind the `TranslationModel` protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from s2s_core.errors import EmptyBatchError, EmptySourceError, SourceTooLongError
from s2s_core.models.interface import StepOutput
from s2s_core.models.network import Network, NetworkState, select_rows
from s2s_core.text.normalise import Normalised, normalise
from s2s_core.text.tokenizer import EOS_ID, PAD_ID, SubwordTokenizer

MAXIMUM_SOURCE_TOKENS = 400


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

    def encode(self, sources: Sequence[str]) -> tuple[tuple[tuple[str, ...], ...], NetworkState]:
        """Read N sentences; see `TranslationModel`.

        Raises:
            EmptyBatchError: no sentence was given.
            EmptySourceError: a sentence is blank.
            SourceTooLongError: a sentence has more than 400 tokens.
        """
        rows = [self.source_ids(source) for source in sources]
        with torch.inference_mode():
            state = self.network.start(*pad(rows))
        return tuple(tuple(map(self.tokenizer.token, row)) for row in rows), state

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
            step = self.network.step(state, torch.as_tensor(np.asarray(last_ids, dtype=np.int64)))
            log_probs = torch.log_softmax(step.logits.float(), dim=-1).numpy()
        attention = None if step.attention is None else step.attention.numpy()
        return StepOutput(log_probs, attention, step.state)

    def select(self, state: NetworkState, rows: NDArray[np.integer]) -> NetworkState:
        """Keep, copy or reorder rows; see `TranslationModel`."""
        with torch.inference_mode():
            return select_rows(state, torch.as_tensor(np.asarray(rows, dtype=np.int64)))


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
