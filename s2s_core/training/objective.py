"""Teacher forcing: the decoder reads the true prefix and is asked for the next true token.

loss = − Σ log p(y_t | y_<t, x) / (number of target tokens, EOS counted, padding not)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from s2s_core.errors import EmptyBatchError, ModelInputError
from s2s_core.models.network import Network
from s2s_core.models.translation import pad
from s2s_core.text.tokenizer import BOS_ID, EOS_ID


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded pairs: source ids and mask (N, S); decoder inputs, targets and mask (N, T)."""

    source: Tensor
    source_mask: Tensor
    inputs: Tensor
    targets: Tensor
    target_mask: Tensor

    @property
    def target_tokens(self) -> int:
        """How many target tokens count."""
        return int(self.target_mask.sum())


def make_batch(sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> Batch:
    """Token ids without BOS and EOS → a batch.

    Source [a, b] becomes [a, b, EOS]. Target [A, B] becomes decoder inputs [BOS, A, B] and targets
    [A, B, EOS]: the input is the target shifted by one.

    Raises:
        EmptyBatchError: there is no pair.
        ModelInputError: the two sides differ in number.
    """
    if len(sources) != len(targets):
        raise ModelInputError(f"{len(sources)} sources but {len(targets)} targets: they must pair")
    source, source_mask = pad([[*row, EOS_ID] for row in sources])
    inputs, _ = pad([[BOS_ID, *row] for row in targets])
    wanted, target_mask = pad([[*row, EOS_ID] for row in targets])
    return Batch(source, source_mask, inputs, wanted, target_mask)


def teacher_forced_loss(
    network: Network[Any], batch: Batch, *, label_smoothing: float = 0.0
) -> Tensor:
    """Mean loss in nats a valid target token.

    label_smoothing: share of the target's probability spread over the vocabulary (Szegedy et al.
        2016); 0 gives the plain negative log-likelihood.

    Raises:
        EmptyBatchError: no target token counts.
    """
    if not bool(batch.target_mask.any()):
        raise EmptyBatchError("the batch has no valid target token: all targets are padding")
    readouts = network(batch.source, batch.source_mask, batch.inputs)
    # Logits only where a token counts: padding costs no softmax, and can't leak into the loss.
    logits = network.logits(readouts[batch.target_mask])
    return torch.nn.functional.cross_entropy(
        logits.float(), batch.targets[batch.target_mask], label_smoothing=label_smoothing
    )
