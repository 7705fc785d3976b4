"""Scheduled sampling: the decoder reads its own tokens at some positions, the true ones at others.

For each target position after the first a coin is tossed: with probability ε the decoder reads the
true token, else the one that it would have written itself, having read the mixture so far. Then

    loss = − Σ log p(y_t | ŷ_<t, x) / (number of target tokens),   ŷ the mixture

and no gradient flows through the choice of ŷ (Bengio et al. 2015, arXiv:1506.03099). So the inputs
can be chosen first, step by step and without gradients, and the loss is then that of teacher
forcing with ŷ as inputs. One way for every network: a Transformer also reads what it would truly
have written. (Mihaylova & Martins 2019, arXiv:1906.07651, choose all positions at once from what
the model says after the true prefix, which is faster for long targets and only approximate.)

What is still asked for after a wrong ŷ is the next token of the true target, as if nothing had
happened. That is another objective than the likelihood, and not one that the true distribution
minimises (Huszár 2015, arXiv:1511.05101). Whether it helps has to be measured.

Shapes: N rows, T target tokens, V vocabulary.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from s2s_core.errors import SettingError
from s2s_core.models.network import Network
from s2s_core.text.tokenizer import BOS_ID, PAD_ID
from s2s_core.training.objective import Batch, teacher_forced_loss
from s2s_core.training.schedules import SAMPLE, ObjectiveConfig


def training_loss(
    network: Network[Any],
    batch: Batch,
    objective: ObjectiveConfig,
    *,
    step: int,
    label_smoothing: float = 0.0,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Mean loss in nats a target token, with the inputs that the objective asks for at this step.

    generator: of the coins and the drawn tokens; torch's own by default.

    Raises:
        EmptyBatchError: no target token counts.
    """
    mixed = mixed_inputs(
        network,
        batch,
        share=objective.share_at(step),
        sample=objective.prediction == SAMPLE,
        generator=generator,
    )
    mixed_batch = replace(batch, inputs=mixed)
    return teacher_forced_loss(network, mixed_batch, label_smoothing=label_smoothing)


def mixed_inputs(
    network: Network[Any],
    batch: Batch,
    *,
    share: float,
    sample: bool = False,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Decoder inputs (N, T): true tokens with probability `share`, else the network's own.

    sample: draw the own tokens from the network's distribution, instead of taking the best.

    Raises:
        SettingError: the share isn't from 0 to 1.
    """
    if not 0 <= share <= 1:
        raise SettingError(f"the share of true tokens must be from 0 to 1, not {share}")
    if share == 1:
        return batch.inputs
    true = torch.rand(batch.inputs.shape, generator=generator) < share  # never at share 0
    true[:, 0] = True  # every target begins after BOS
    read = [batch.inputs[:, 0]]
    with torch.no_grad():
        state = network.start(batch.source, batch.source_mask)
        for position in range(1, batch.inputs.shape[1]):
            step = network.step(state, read[-1])
            own = _own_tokens(step.logits.float(), sample, generator)
            read.append(torch.where(true[:, position], batch.inputs[:, position], own))
            state = step.state
    return torch.stack(read, dim=1)


def _own_tokens(logits: Tensor, sample: bool, generator: torch.Generator | None) -> Tensor:
    """Logits (N, V) → what the network writes, (N,). No search writes PAD or BOS."""
    logits[:, [PAD_ID, BOS_ID]] = -torch.inf
    if not sample:
        return logits.argmax(dim=1)
    return torch.multinomial(logits.softmax(dim=1), 1, generator=generator).squeeze(1)
