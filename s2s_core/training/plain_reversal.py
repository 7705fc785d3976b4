"""The reversal exercise in its plainest form: seven digits, no end token, one fixed vector.

A GRU reads seven digits, and its last state is all that a second GRU gets to write them out
backwards. There is no end token, no padding and no held-out data: the accuracy is that of greedy
decoding on the very batch that was trained on. It shows that the wiring works and the loss can be
brought down; **it is no validation**. Fresh strings, measured beside it, show how far the two can
lie apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from s2s_core.errors import SettingError
from s2s_core.models.recurrent import RecurrentNetwork
from s2s_core.models.recurrent_config import RecurrentConfig
from s2s_core.text.tokenizer import BOS_ID

LENGTH = 7
FIRST_DIGIT_ID = 3  # after PAD, BOS and EOS, of which only BOS is used
VOCABULARY = FIRST_DIGIT_ID + 10


@dataclass(frozen=True, slots=True)
class PlainReversal:
    """What came out; shares in percent.

    loss: nats a token at the last step.
    trained_tokens, trained_strings: greedy decoding of the training batch: right tokens, and
        strings that are right as a whole. No validation.
    fresh_tokens, fresh_strings: the same of as many strings that were not trained on.
    """

    strings: int
    steps: int
    seed: int
    loss: float
    trained_tokens: float
    trained_strings: float
    fresh_tokens: float
    fresh_strings: float


def train_plain_reversal(
    *, strings: int = 128, steps: int = 300, seed: int = 1, width: int = 64
) -> PlainReversal:
    """Train on one batch of random strings, again and again, and look at that batch.

    Raises:
        SettingError: a number is below 1.
    """
    if min(strings, steps, width) < 1 or seed < 0:
        raise SettingError(
            f"strings, steps and width must be at least 1 and seed at least 0, not {strings}, "
            f"{steps}, {width} and {seed}"
        )
    drawn = np.random.default_rng(seed).permutation(10**LENGTH)[: 2 * strings]  # all different
    digits = torch.from_numpy(drawn[:, None] // 10 ** np.arange(LENGTH) % 10) + FIRST_DIGIT_ID
    trained, fresh = digits[:strings], digits[strings:]
    torch.manual_seed(seed)
    network = RecurrentNetwork(
        RecurrentConfig(
            vocabulary_size=VOCABULARY,
            source_order="forward",
            context="fixed_once",
            embedding_size=width,
            encoder_size=width,
            decoder_size=width,
            dropout=0.0,
        )
    )
    optimiser = torch.optim.Adam(network.parameters(), lr=5e-3)
    for _ in range(steps):
        loss = _loss(network, trained)
        optimiser.zero_grad()
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
    network.eval()
    return PlainReversal(
        strings,
        steps,
        seed,
        float(loss.detach()),
        *_accuracy(network, trained),
        *_accuracy(network, fresh),
    )


def _loss(network: RecurrentNetwork, source: Tensor) -> Tensor:
    """Teacher forcing: inputs BOS, y_1 .. y_6 and targets y_1 .. y_7, all in the batch alike."""
    target = source.flip(1)
    inputs = torch.cat([torch.full_like(target[:, :1], BOS_ID), target[:, :-1]], dim=1)
    logits = network.logits(network(source, torch.ones_like(source, dtype=torch.bool), inputs))
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), target.flatten())


def _accuracy(network: RecurrentNetwork, source: Tensor) -> tuple[float, float]:
    """Greedy decoding for exactly seven steps → right tokens and right strings, in percent."""
    written, last_ids = [], torch.full((len(source),), BOS_ID)
    with torch.inference_mode():
        state = network.start(source, torch.ones_like(source, dtype=torch.bool))
        for _ in range(LENGTH):
            output = network.step(state, last_ids)
            logits = output.logits.clone()
            logits[:, :FIRST_DIGIT_ID] = -torch.inf
            state, last_ids = output.state, logits.argmax(dim=1)
            written.append(last_ids)
    right = torch.stack(written, dim=1) == source.flip(1)
    return 100 * float(right.float().mean()), 100 * float(right.all(dim=1).float().mean())
