"""What a model gives the references, each token after the true ones before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tqdm import tqdm

from s2s_core.models.translation import TrainedModel
from s2s_core.text.corpus import SentencePair
from s2s_core.training.objective import make_batch

BATCH_TOKENS = 2000  # positions of a batch, padding included: bounds the memory


@dataclass(frozen=True, slots=True)
class ForcedPairs:
    """Sums over the first reference of each of n pairs, the end token counted.

    losses: (n,), nats.
    correct: (n,), tokens that were the most probable ones.
    tokens: (n,), how many there are.
    """

    losses: NDArray[np.float64]
    correct: NDArray[np.int64]
    tokens: NDArray[np.int64]


def force_references(
    model: TrainedModel[Any], pairs: Sequence[SentencePair], *, bar: str | None = None
) -> ForcedPairs:
    """Read each source as decoding does, and the first reference as it stands.

    bar: what the progress bar on standard error is called; None draws none.

    Raises:
        SourceError: the model can't read a source.
    """
    sources = [model.source_ids(pair.source)[:-1] for pair in pairs]  # the batch adds the end
    targets = model.tokenizer.encode_batch([pair.target for pair in pairs])
    losses, correct = np.zeros(len(pairs)), np.zeros(len(pairs), np.int64)
    lengths = [max(len(s), len(t)) for s, t in zip(sources, targets, strict=True)]
    progress = tqdm(total=len(pairs), desc=bar, unit="sentence", disable=bar is None)
    for chosen in _batches(lengths):
        batch = make_batch([sources[i] for i in chosen], [targets[i] for i in chosen])
        with torch.inference_mode():
            readouts = model.network(batch.source, batch.source_mask, batch.inputs)
            mask, wanted = batch.target_mask, batch.targets[batch.target_mask]
            logits = model.network.logits(readouts[mask]).float()
            loss = torch.nn.functional.cross_entropy(logits, wanted, reduction="none")
            logits[:, list(model.target.banned_ids)] = -torch.inf  # as no search writes them
            hit = logits.argmax(dim=1) == wanted
        rows = np.repeat(chosen, mask.sum(dim=1).numpy())
        np.add.at(losses, rows, loss.double().numpy())
        np.add.at(correct, rows, hit.numpy())
        progress.update(len(chosen))
    progress.close()
    return ForcedPairs(losses, correct, np.array([len(target) + 1 for target in targets]))


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indices, those of similar length together."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batch and (lengths[index] + 1) * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
