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
from torch import Tensor, layer_norm
from torch.nn.functional import linear, scaled_dot_product_attention

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
    """What cross-attention reads, each row its own source (or all rows the same).

    keys (N or 1, H, d, S), already divided by √d, values (N or 1, H, S, d), bias (N or 1, 1, 1, S),
    0 at a token and -inf on padding.
    """

    keys: Tensor
    values: Tensor
    bias: Tensor


class SharedSource(NamedTuple):
    """The one source that all rows read, with the matrices around it multiplied in.

    With q = W_q x + b_q and head h's parts of the matrices,

        scores_h = q_h K_h = x (W_qhᵀ K_h) + b_qh K_h
        context W_O = Σ_h weights_h (V_h W_Oh)

    so the products in brackets are taken once a sentence, and a step has two products less.

    query_keys (D, H·S), bias (H·S), -inf at hidden positions, values_output (H·S, D).
    """

    query_keys: Tensor
    bias: Tensor
    values_output: Tensor


class CrossAttended(NamedTuple):
    """What cross-attention computed: query (N, D), scores and weights (N, H, S)."""

    query: Tensor
    scores: Tensor
    weights: Tensor


def layer_weights(layer: DecoderLayer) -> LayerWeights:
    """The numbers of a layer, to be looked up once a sentence."""
    attention, cross, feed = layer.attention, layer.cross_attention, layer.feed_forward
    parts = (
        layer.attention_norm, attention.query_key_value, attention.output,
        layer.cross_attention_norm, cross.query, cross.output,
        layer.feed_forward_norm, feed.widen, feed.narrow,
    )  # fmt: skip
    return LayerWeights(*(Affine(part.weight, part.bias) for part in parts))


def share(layer: LayerWeights, keys: Tensor, values: Tensor) -> SharedSource:
    """Multiply a layer's matrices into its keys (H, d, S) and values (H, S, d)."""
    heads, size, sources = keys.shape
    query, output = layer.cross_query, layer.cross_output
    query_keys = query.weight.reshape(heads, size, -1).transpose(1, 2) @ keys  # (H, D, S)
    bias = query.bias.view(heads, 1, size) @ keys  # (H, 1, S)
    values_output = values @ output.weight.t().reshape(heads, size, -1)  # (H, S, D)
    return SharedSource(
        query_keys.transpose(0, 1).reshape(-1, heads * sources),
        bias.flatten(),
        values_output.flatten(0, 1),
    )


def decoder_layer_step(
    x: Tensor,
    layer: LayerWeights,
    *,
    past: Tensor,
    source: Source | SharedSource,
    given: Tensor | None,
) -> tuple[Tensor, Tensor, CrossAttended]:
    """The next position through one layer.

    x: (N, D). past: (N, 2, H, T, d), keys and values of the positions before.
    given: weights (N, H, S) for cross-attention instead of the softmax of its scores.

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
    if isinstance(source, SharedSource):
        scores = torch.addmm(source.bias, asks, source.query_keys).view(n, heads, -1)
        weights = torch.softmax(scores, dim=-1) if given is None else given
        mixed = torch.addmm(layer.cross_output.bias, weights.flatten(1), source.values_output)
    else:
        query = linear(asks, *layer.cross_query).view(n, heads, 1, size)
        scores = (query @ source.keys + source.bias).squeeze(2)  # (N, H, S)
        weights = torch.softmax(scores, dim=-1) if given is None else given
        mixed = linear(mix(weights, source.values), *layer.cross_output)
    x = x + mixed

    normal = layer_norm(x, (width,), *layer.feed_forward_norm)
    x = x + linear(torch.relu(linear(normal, *layer.widen)), *layer.narrow)
    return x, past, CrossAttended(asks, scores, weights)


def mix(weights: Tensor, values: Tensor) -> Tensor:
    """Weights (N, H, S) and values (N or 1, H, S, d) → the context, heads side by side (N, D)."""
    return (weights.unsqueeze(2) @ values).flatten(1)
