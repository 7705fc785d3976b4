"""The Transformer, encoder and decoder.

    encoder layer:  x ← x + SelfAttention(norm(x));   x ← x + FeedForward(norm(x))
    decoder layer:  x ← x + SelfAttention(norm(x)), each position reading itself and earlier ones
                    x ← x + CrossAttention(norm(x), source);   x ← x + FeedForward(norm(x))
    P(y_t)        = softmax(embedding · norm(x_t))                 one table embeds and scores

Vaswani et al. 2017, arXiv:1706.03762, with the normalisation before each part (Xiong et al. 2020,
arXiv:2002.04745), which trains well without a long warm-up. All positions of a target are trained
at once; decoding gives one position at a time and keeps the keys and values of those before it.

Shapes: N rows, S source tokens, T target tokens, D width, L layers, H heads, d = D / H.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import cast

import torch
from torch import Tensor, nn

from s2s_core.models.attention import check_memory
from s2s_core.models.initial import Embedding, draw_normal
from s2s_core.models.multi_head import KeysValues
from s2s_core.models.network import (
    DecodingState,
    Network,
    NetworkInspection,
    NetworkStep,
    check_mask,
    check_source,
)
from s2s_core.models.transformer_config import TransformerConfig
from s2s_core.models.transformer_layers import DecoderLayer, EncoderLayer, drop, positions
from s2s_core.models.transformer_step import (
    CrossAttended,
    LayerWeights,
    SharedSource,
    Source,
    decoder_layer_step,
    layer_weights,
    mix,
    share,
)


@dataclass(frozen=True, slots=True)
class TransformerState(DecodingState):
    """What decoding carries along; the tuples hold one tensor for each layer."""

    of_source = ("memory", "bias", "source_keys", "source_values")
    constant = ("layers", "shared")

    memory: Tensor  # (N or 1, S, D): the encoder's states
    bias: Tensor  # (N or 1, 1, 1, S): 0 at a token, -inf on padding
    source_keys: tuple[Tensor, ...]  # each (N or 1, H, d, S)
    source_values: tuple[Tensor, ...]  # each (N or 1, H, S, d)
    past: tuple[Tensor, ...]  # each (N, 2, H, T, d): keys, values of the target positions so far
    layers: tuple[LayerWeights, ...]  # the decoder's weights, at hand
    shared: tuple[SharedSource, ...]  # where there is one source, what each layer reads of it


class TransformerNetwork(Network[TransformerState]):
    """See the module."""

    def __init__(self, config: TransformerConfig) -> None:
        """Build with random weights."""
        super().__init__()
        self.config = config
        self.inspectable = True
        self.embedding = Embedding(config.vocabulary_size, config.width)
        self.encoder = nn.ModuleList(EncoderLayer(config) for _ in range(config.layers))
        self.encoder_norm = nn.LayerNorm(config.width)
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.layers))
        self.decoder_norm = nn.LayerNorm(config.width)
        self.dropout = config.dropout
        for parameter in self.parameters():
            if parameter.ndim == 2:
                nn.init.xavier_uniform_(parameter)
        draw_normal(self.embedding.weight, deviation=config.width**-0.5)

    def start(self, source: Tensor, mask: Tensor) -> TransformerState:
        """Read the sources (N, S); see `Network`."""
        check_source(source, mask)
        x = self._embed(source, first=0)  # (N, S, D)
        for layer in self.encoder:
            x = layer(x, mask[:, None, None, :])  # (N, S, D)
        memory = self.encoder_norm(x)  # (N, S, D)
        check_memory(memory, mask)
        decoder = list(cast("Iterable[DecoderLayer]", self.decoder))
        projected = [layer.cross_attention.project(memory) for layer in decoder]
        layers = tuple(map(layer_weights, decoder))
        bias = torch.zeros(mask.shape).masked_fill(~mask, -math.inf)  # (N, S)
        nothing = memory.new_zeros(  # no target position was read yet
            len(memory), 2, self.config.heads, 0, self.config.width // self.config.heads
        )
        return TransformerState(
            memory=memory,
            bias=bias[:, None, None, :],
            source_keys=tuple(layer.keys for layer in projected),
            source_values=tuple(layer.values for layer in projected),
            past=(nothing,) * self.config.layers,
            layers=layers,
            shared=self._shared(layers, projected, mask),
        )

    def step(self, state: TransformerState, last_ids: Tensor) -> NetworkStep[TransformerState]:
        """One position; see `Network`."""
        return self._step(state, last_ids, None)[0]

    def forward(self, source: Tensor, mask: Tensor, target_inputs: Tensor) -> Tensor:
        """Teacher forcing, all positions at once; see `Network`."""
        state = self.start(source, mask)
        x = self._embed(target_inputs, first=0)  # (N, T, D)
        for layer, keys, values in zip(
            self.decoder, state.source_keys, state.source_values, strict=True
        ):
            x = layer(x, KeysValues(keys, values), state.bias)
        readouts: Tensor = self.decoder_norm(x)  # (N, T, D)
        return readouts

    def logits(self, readouts: Tensor) -> Tensor:
        """Readouts (..., D) → scores over the vocabulary, by the embedding table."""
        return nn.functional.linear(readouts, self.embedding.weight)

    def inspect(
        self, state: TransformerState, last_ids: Tensor, weights: Tensor | None
    ) -> NetworkInspection[TransformerState]:
        """One step, opened; see `Network`."""
        step, readout, crosses = self._step(state, last_ids, weights)
        contexts = [
            mix(cross.weights, values)
            for cross, values in zip(crosses, state.source_values, strict=True)
        ]
        return NetworkInspection(
            step=step,
            query=torch.stack([cross.query for cross in crosses], dim=1),  # (N, L, D)
            scores=torch.stack([cross.scores for cross in crosses], dim=1),  # (N, L, H, S)
            context=torch.stack(contexts, dim=1),  # (N, L, D)
            decoder_state=readout,
        )

    def source_states(self, state: TransformerState) -> Tensor:
        """See `Network`."""
        return state.memory.expand(len(state.past[0]), -1, -1)

    def hide_source(self, state: TransformerState, hidden: Tensor) -> TransformerState:
        """See `Network`."""
        bias = state.bias.masked_fill(hidden[:, None, None, :], -math.inf)
        check_mask(bias[:, 0, 0] == 0)
        shared = tuple(
            each._replace(bias=(each.bias.view(-1, hidden.shape[1]) + bias[0, 0]).flatten())
            for each in (state.shared if len(bias) == 1 else ())  # not where rows hide their own
        )
        return replace(state, bias=bias, shared=shared)

    def _step(
        self, state: TransformerState, last_ids: Tensor, weights: Tensor | None
    ) -> tuple[NetworkStep[TransformerState], Tensor, list[CrossAttended]]:
        """One position → the step, its readout (N, D), and each layer's cross-attention."""
        x = self._embed(last_ids[:, None], first=state.past[0].shape[3])[:, 0]  # (N, D)
        sources = state.shared or [
            Source(keys, values, state.bias)
            for keys, values in zip(state.source_keys, state.source_values, strict=True)
        ]
        past, crosses = [], []
        for index, layer in enumerate(state.layers):
            x, so_far, cross = decoder_layer_step(
                x,
                layer,
                past=state.past[index],
                source=sources[index],
                given=None if weights is None else weights[:, index],
            )
            past.append(so_far)
            crosses.append(cross)
        readout = self.decoder_norm(x)  # (N, D)
        attention = torch.stack([cross.weights for cross in crosses], dim=1)  # (N, L, H, S)
        step = NetworkStep(self.logits(readout), attention, replace(state, past=tuple(past)))
        return step, readout, crosses

    def _shared(
        self, layers: tuple[LayerWeights, ...], projected: list[KeysValues], mask: Tensor
    ) -> tuple[SharedSource, ...]:
        """What steps read of one source; () for several, or where it wouldn't be less work."""
        sources, length = mask.shape
        if sources > 1 or length * self.config.heads > 2 * self.config.width:
            return ()
        return tuple(
            share(layer, each.keys[0], each.values[0])
            for layer, each in zip(layers, projected, strict=True)
        )

    def _embed(self, ids: Tensor, *, first: int) -> Tensor:
        """Ids (N, T) of positions first, first + 1, … → embeddings with positions, (N, T, D)."""
        embedded = self.embedding(ids) * math.sqrt(self.config.width)  # (N, T, D)
        embedded = embedded + positions(first, ids.shape[1], self.config.width)  # (N, T, D)
        return drop(embedded, self.dropout, self.training)
