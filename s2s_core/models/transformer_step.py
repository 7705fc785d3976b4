"""One position through the Transformer's decoder, on one screen.

What `transformer_layers` computes for all positions of a target at once, for the next one alone:
keys and values of the positions before it are kept. Decoding consists of many small products, each
of which takes about as long as calling a module does, so this is a plain function of the weights.
It also shows what training has no use for: the scores and weights of cross-attention.

Shapes: N rows, S source tokens, T target tokens before this one, D width, H heads, d = D / H.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import layer_norm, linear, scaled_dot_product_attention

from s2s_core.models.transformer_layers import DecoderLayer


class Affine(NamedTuple):
    """The numbers of a linear layer, or of a normalisation."""

    weight: Tensor
    bias: Tensor


class LayerWeights(NamedTuple):
    """The numbers of one decoder layer."""

    attention_norm: Affine
    query_key_value: Affine
    attention_output: Affine
    cross_attention_norm: Affine
    cross_query: Affine
    cross_output: Affine
    feed_forward_norm: Affine
    widen: Affine
    narrow: Affine


class Source(NamedTuple):
    """What cross-attention reads: of all rows one source, or of each row its own.

    keys (H, d, S), already divided by √d, values (H, S, d), bias (1, 1, S), 0 at a token and -inf
    on padding; or the same with the rows before, and a bias of (N, 1, 1, S).
    """

    keys: Tensor
    values: Tensor
    bias: Tensor

    @property
    def shared(self) -> bool:
        """Whether all rows read one source. They are then just several positions that ask."""
        return self.keys.ndim == 3


class CrossAttended(NamedTuple):
    """What cross-attention computed.

    query and context (N, D); scores and weights (H, N, S) for a shared source, else (N, H, 1, S).
    """

    query: Tensor
    scores: Tensor
    weights: Tensor
    context: Tensor


def layer_weights(layer: DecoderLayer) -> LayerWeights:
    """The numbers of a layer, to be looked up once a sentence."""
    attention, cross, feed = layer.attention, layer.cross_attention, layer.feed_forward
    parts = (
        layer.attention_norm, attention.query_key_value, attention.output,
        layer.cross_attention_norm, cross.query, cross.output,
        layer.feed_forward_norm, feed.widen, feed.narrow,
    )  # fmt: skip
    return LayerWeights(*(Affine(part.weight, part.bias) for part in parts))


def decoder_layer_step(
    x: Tensor, layer: LayerWeights, *, past: Tensor, source: Source, given: Tensor | None
) -> tuple[Tensor, Tensor, CrossAttended]:
    """The next position through one layer.

    x: (N, D). past: (N, 2, H, T, d), keys and values of the positions before.
    given: weights for cross-attention instead of the softmax of its scores, shaped as these.

    Returns:
        (N, D), the past with this position, and what cross-attention did.
    """
    n, width = x.shape
    heads = past.shape[2]
    size = width // heads

    normal = layer_norm(x, (width,), *layer.attention_norm)
    parts = linear(normal, *layer.query_key_value).view(n, 3, heads, 1, size)
    past = torch.cat((past, parts[:, 1:]), dim=3)  # (N, 2, H, T + 1, d)
    keys, values = past.unbind(1)
    attended = scaled_dot_product_attention(parts[:, 0], keys, values).view(n, width)
    x = x + linear(attended, *layer.attention_output)

    asks = layer_norm(x, (width,), *layer.cross_attention_norm)  # (N, D)
    query = linear(asks, *layer.cross_query)
    shared = source.shared
    query = query.view(n, heads, size).transpose(0, 1) if shared else query.view(n, heads, 1, size)
    scores = query @ source.keys + source.bias
    weights = torch.softmax(scores, dim=-1) if given is None else given
    context = weights @ source.values  # (H, N, d) or (N, H, 1, d)
    context = (context.transpose(0, 1) if shared else context).reshape(n, width)
    x = x + linear(context, *layer.cross_output)

    normal = layer_norm(x, (width,), *layer.feed_forward_norm)
    x = x + linear(torch.relu(linear(normal, *layer.widen)), *layer.narrow)
    return x, past, CrossAttended(asks, scores, weights, context)


def by_row(parts: list[Tensor], *, shared: bool) -> Tensor:
    """Scores or weights of each layer, shaped as in `CrossAttended` → (N, L, H, S)."""
    if shared:
        return torch.stack(parts, dim=1).permute(2, 1, 0, 3)
    return torch.cat(parts, dim=2).transpose(1, 2)


def by_layer(weights: Tensor, *, shared: bool) -> list[Tensor]:
    """Undo `by_row`."""
    layers = weights.unbind(dim=1)  # each (N, H, S)
    return [part.transpose(0, 1) if shared else part.unsqueeze(2) for part in layers]
