"""The three masks of a padded batch, and what happens without each.

    packing     the encoder's state stays as it is where the source is padding
    weights     padding gets exactly 0 of the attention over the source
    ignore      the loss is the mean over target tokens, padding left out

A sentence must not care who shares its batch: with all three, the loss of the batch is that of its
sentences one by one. Leaving one out is done here, around the network, which knows no such thing: a
state is begun with one mask and goes on with another.

Shapes: N sentences, S source tokens, T target tokens, V vocabulary, E width of a source state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import torch
from torch import Tensor

from s2s_core.errors import EmptyBatchError
from s2s_core.models.network import check_mask
from s2s_core.models.recurrent import RecurrentNetwork
from s2s_core.models.recurrent_config import Context, RecurrentConfig, SourceOrder
from s2s_core.training.lessons.mask_batch import case_batch
from s2s_core.training.lessons.mask_case import IGNORE, OMISSIONS, PACKING, WEIGHTS, MaskCase
from s2s_core.training.objective import Batch

WIDTH = 8
LEARNING_RATE = 0.5

Gradients = dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class MaskSettings:
    """Which network the lesson builds: small, with random weights.

    context: an attention score. source_order: see `RecurrentConfig`, which also checks both.
    """

    case: MaskCase
    context: str = "additive"
    source_order: str = "bidirectional"
    seed: int = 1


@dataclass(frozen=True, slots=True)
class MaskEffect:
    """What one way of masking gives on the untrained network.

    left_out: a key of `OMISSIONS`. loss: nats a counted token. counted: target positions in it.
    gradient_norm: of all parameters together. gradient_change: norm of the difference to the
        gradient with all masks, divided by that gradient's norm.
    padding_weight: the largest share of attention that goes to padding in one step.
    state_change: the largest change of a number in the states of source tokens and in the
        decoder's first state, against all masks.
    """

    left_out: str
    loss: float
    counted: int
    gradient_norm: float
    gradient_change: float
    padding_weight: float
    state_change: float


@dataclass(frozen=True, slots=True)
class ParameterStep:
    """A parameter in the training step: its gradient, and whether that has numbers only."""

    name: str
    shape: tuple[int, ...]
    gradient_norm: float
    finite: bool


@dataclass(frozen=True, slots=True)
class MaskLesson:
    """Everything that the lesson shows of one batch.

    source, inputs, targets: ids, (N, S) and (N, T). source_mask, target_mask: True at a token.
    effects: in the order of `OMISSIONS`.
    alone: the loss when every sentence has a batch of its own, without padding.
    states_shape: (N, S, E). logits_shape: (N, T, V). valid: target tokens that count.
    steps: of one training step with all masks. loss_after: of the same batch, after the step.
    """

    source: tuple[tuple[int, ...], ...]
    source_mask: tuple[tuple[bool, ...], ...]
    inputs: tuple[tuple[int, ...], ...]
    targets: tuple[tuple[int, ...], ...]
    target_mask: tuple[tuple[bool, ...], ...]
    effects: tuple[MaskEffect, ...]
    alone: float
    states_shape: tuple[int, ...]
    logits_shape: tuple[int, ...]
    valid: int
    steps: tuple[ParameterStep, ...]
    loss_after: float

    def effect(self, left_out: str) -> MaskEffect:
        """The effect of one omission."""
        return self.effects[OMISSIONS.index(left_out)]


def teach_masks(settings: MaskSettings) -> MaskLesson:
    """Compute the lesson; the same settings give the same numbers.

    Raises:
        EmptyBatchError: no target token counts.
        EmptySourceError: a source has no token.
    """
    batch = case_batch(settings.case)
    if not bool(batch.target_mask.any()):
        raise EmptyBatchError("the batch has no valid target token: all targets are padding")
    network = build(settings)
    passes = {left_out: run(network, batch, left_out) for left_out in OMISSIONS}
    effects = _effects(network, passes)
    alone = _alone(network, settings.case)
    logits, states = passes[""].logits, passes[""].states
    steps, loss_after = _train(network, batch)
    return MaskLesson(
        source=_rows(batch.source),
        source_mask=_truths(batch.source_mask),
        inputs=_rows(batch.inputs),
        targets=_rows(batch.targets),
        target_mask=_truths(batch.target_mask),
        effects=effects,
        alone=alone,
        states_shape=tuple(states.shape),
        logits_shape=tuple(logits.shape),
        valid=batch.target_tokens,
        steps=steps,
        loss_after=loss_after,
    )


def build(settings: MaskSettings) -> RecurrentNetwork:
    """The lesson's network: one layer each way, 8 numbers wide, random weights.

    Raises:
        ConfigError: a name isn't known.
    """
    torch.manual_seed(settings.seed)
    memory = WIDTH * (2 if settings.source_order == "bidirectional" else 1)
    config = RecurrentConfig(
        vocabulary_size=settings.case.vocabulary,
        context=cast(Context, settings.context),
        source_order=cast(SourceOrder, settings.source_order),
        embedding_size=WIDTH,
        encoder_size=WIDTH,
        decoder_size=memory,  # the dot score needs both of one width
        attention_size=WIDTH,
        dropout=0.0,
    )
    return RecurrentNetwork(config)


@dataclass(frozen=True, slots=True)
class Pass:
    """One forward pass: logits (N, T, V), loss, counted positions, and what was looked at.

    states: (N, S, E). tokens: (N, S), True where a source has a token. first: the decoder's first
    state (N, D). on_padding: the largest weight on padding.
    """

    logits: Tensor
    loss: Tensor
    counted: int
    states: Tensor
    tokens: Tensor
    first: Tensor
    on_padding: float


def run(network: RecurrentNetwork, batch: Batch, left_out: str = "") -> Pass:
    """Teacher forcing, step by step, with one of the masks left out.

    Raises:
        EmptySourceError: a source has no token.
    """
    mask, everything = batch.source_mask, torch.ones_like(batch.source_mask)
    check_mask(mask)
    state = network.start(batch.source, everything if left_out == PACKING else mask)
    state = replace(state, mask=everything if left_out == WEIGHTS else mask)
    first, memory = state.hidden, state.memory
    logits, on_padding = [], 0.0
    for read in batch.inputs.unbind(dim=1):
        step = network.step(state, read)
        state = step.state
        logits.append(step.logits)
        if step.attention is not None:
            weights = step.attention[:, 0, 0].detach()
            on_padding = max(on_padding, float(weights.masked_fill(mask, 0.0).sum(dim=1).max()))
    scores = torch.stack(logits, dim=1)  # (N, T, V)
    counts = torch.ones_like(batch.target_mask) if left_out == IGNORE else batch.target_mask
    loss = torch.nn.functional.cross_entropy(scores[counts], batch.targets[counts])
    return Pass(scores, loss, int(counts.sum()), memory, mask, first, on_padding)


def gradients(network: RecurrentNetwork, loss: Tensor) -> Gradients:
    """The gradient of every parameter by its name; zeros where the loss doesn't depend on it."""
    named = dict(network.named_parameters())
    found = torch.autograd.grad(loss, list(named.values()), retain_graph=True, allow_unused=True)
    return {
        name: torch.zeros_like(parameter) if gradient is None else gradient
        for (name, parameter), gradient in zip(named.items(), found, strict=True)
    }


def _effects(network: RecurrentNetwork, passes: dict[str, Pass]) -> tuple[MaskEffect, ...]:
    all_masks = passes[""]
    right = _flat(gradients(network, all_masks.loss))
    effects = []
    for left_out, each in passes.items():
        gradient = _flat(gradients(network, each.loss))
        moved = (each.states - all_masks.states).abs()[all_masks.tokens].max()
        begun = (each.first - all_masks.first).abs().max()
        effects.append(
            MaskEffect(
                left_out=left_out,
                loss=float(each.loss.detach()),
                counted=each.counted,
                gradient_norm=float(gradient.norm()),
                gradient_change=float((gradient - right).norm() / right.norm()),
                padding_weight=each.on_padding,
                state_change=float(torch.maximum(moved, begun).detach()),
            )
        )
    return tuple(effects)


def _alone(network: RecurrentNetwork, case: MaskCase) -> float:
    """The loss with a batch for every sentence: the sum over all tokens, by their number."""
    total, tokens = 0.0, 0
    for source, target in zip(case.sources, case.targets, strict=True):
        if target:
            each = run(network, case_batch(MaskCase((source,), (target,))))
            total += float(each.loss.detach()) * each.counted
            tokens += each.counted
    return total / tokens


def _train(network: RecurrentNetwork, batch: Batch) -> tuple[tuple[ParameterStep, ...], float]:
    """One step down the gradient with all masks → every gradient, and the loss after."""
    found = gradients(network, run(network, batch).loss)
    steps = tuple(
        ParameterStep(name, tuple(g.shape), float(g.norm()), bool(torch.isfinite(g).all()))
        for name, g in found.items()
    )
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            parameter.sub_(LEARNING_RATE * found[name])
        return steps, float(run(network, batch).loss)


def _flat(found: Gradients) -> Tensor:
    return torch.cat([gradient.flatten() for gradient in found.values()])


def _rows(tensor: Tensor) -> tuple[tuple[int, ...], ...]:
    """A matrix of ids as plain tuples."""
    return tuple(map(tuple, tensor.tolist()))


def _truths(tensor: Tensor) -> tuple[tuple[bool, ...], ...]:
    """A mask as plain tuples."""
    return tuple(map(tuple, tensor.tolist()))
