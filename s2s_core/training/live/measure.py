"""What is measured of a small run while it goes on, on strings that it never trained on.

Shapes: N strings, S source tokens, T target tokens, V vocabulary, L layers, H heads.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from s2s_core.models.network import Network
from s2s_core.text.tokenizer import BOS_ID, EOS_ID, PAD_ID
from s2s_core.training.live.data import TOKENS
from s2s_core.training.live.result import Example, Measured
from s2s_core.training.objective import Batch


@torch.inference_mode()
def measure(network: Network[Any], held_out: Batch) -> Measured:
    """Loss and accuracies; the last string, one of the longest, is the example."""
    network.eval()
    mask, tokens = held_out.target_mask, held_out.target_tokens
    readouts = network(held_out.source, held_out.source_mask, held_out.inputs)
    logits = network.logits(readouts[mask])  # (tokens, V)
    wanted = held_out.targets[mask]
    loss = torch.nn.functional.cross_entropy(logits, wanted)
    forced = int((_without_banned(logits).argmax(dim=1) == wanted).sum())
    written, attention = _write(network, held_out)
    right = (written == held_out.targets) & mask
    whole = (right | ~mask).all(dim=1)
    network.train()
    return Measured(
        loss=float(loss),
        forced_accuracy=100 * forced / tokens,
        free_accuracy=100 * int(right.sum()) / tokens,
        exact_match=100 * int(whole.sum()) / len(whole),
        example=_example(held_out, written[-1], attention),
    )


def _write(network: Network[Any], batch: Batch) -> tuple[Tensor, Tensor | None]:
    """Greedy decoding for as many steps as the longest target has.

    Returns:
        what was written, (N, T), PAD after an end token, and the last string's attention, (T, S).
    """
    state = network.start(batch.source, batch.source_mask)
    last_ids = batch.inputs[:, 0]
    ended = torch.zeros_like(last_ids, dtype=torch.bool)
    written, attention = [], []
    for _ in range(batch.targets.shape[1]):
        step = network.step(state, last_ids)
        best = _without_banned(step.logits).argmax(dim=1)
        last_ids, state = best.masked_fill(ended, PAD_ID), step.state
        ended = ended | (last_ids == EOS_ID)
        written.append(last_ids)
        if step.attention is not None:
            attention.append(step.attention[-1, -1].mean(dim=0))  # last layer, mean over heads
    return torch.stack(written, dim=1), torch.stack(attention) if attention else None


def _without_banned(logits: Tensor) -> Tensor:
    """Logits without the tokens that no search writes."""
    return logits.index_fill(1, torch.tensor([PAD_ID, BOS_ID]), -torch.inf)


def _example(batch: Batch, written: Tensor, attention: Tensor | None) -> Example:
    count = int((written != PAD_ID).sum())
    rows = None if attention is None else attention[:count].tolist()
    return Example(
        source=_tokens(batch.source[-1][batch.source_mask[-1]]),
        target=_tokens(batch.targets[-1][batch.target_mask[-1]]),
        written=_tokens(written[:count]),
        attention=None if rows is None else tuple(map(tuple, rows)),
    )


def _tokens(ids: Tensor) -> tuple[str, ...]:
    return tuple(TOKENS[i] for i in ids.tolist())
