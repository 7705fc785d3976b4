"""Multi-head attention: several attentions side by side, each in a part of the width.

    Attention(Q, K, V) = softmax(Q Kᵀ / √d) V                    eq. 1
    MultiHead(Q, K, V) = [head_1; …; head_H] W_O                 section 3.2.2

Vaswani et al. 2017, arXiv:1706.03762.

Shapes: N rows, T queries, S keys, D width, H heads, d = D / H.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn


class KeysValues(NamedTuple):
    """What attention reads: keys and values, each (N, H, S, d)."""

    keys: Tensor
    values: Tensor


class Attended(NamedTuple):
    """What cross-attention computed.

    output (N, T, D), query (N, T, D), scores and weights (N, H, T, S), context (N, T, D).
    """

    output: Tensor
    query: Tensor
    scores: Tensor
    weights: Tensor
    context: Tensor


class SelfAttention(nn.Module):
    """Attention of a sequence to itself. One matrix gives queries, keys and values."""

    def __init__(self, width: int, heads: int) -> None:
        """D and H."""
        super().__init__()
        self.heads = heads
        self.query_key_value = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)

    def forward(
        self, x: Tensor, *, past: KeysValues | None, mask: Tensor | None, causal: bool
    ) -> tuple[Tensor, KeysValues]:
        """Let each position read the others.

        x: (N, T, D). past: keys and values of the positions before x, which x reads as well.
        mask: (N, 1, 1, S), True where there is a token. causal: no position reads a later one.

        Returns:
            (N, T, D), and the keys and values so far. Those given as `past` are not changed.
        """
        n, t, width = x.shape
        parts = self.query_key_value(x)  # (N, T, 3D)
        parts = parts.view(n, t, 3, self.heads, width // self.heads).transpose(1, 3)  # (N,H,3,T,d)
        query, keys, values = parts.unbind(2)  # each (N, H, T, d)
        if past is not None:
            keys = torch.cat((past.keys, keys), dim=2)  # (N, H, S, d)
            values = torch.cat((past.values, values), dim=2)  # (N, H, S, d)
        context = nn.functional.scaled_dot_product_attention(
            query, keys, values, attn_mask=mask, is_causal=causal
        )  # (N, H, T, d)
        output: Tensor = self.output(join_heads(context))  # (N, T, D)
        return output, KeysValues(keys, values)


class CrossAttention(nn.Module):
    """Attention of the target to the source, written out, so that its weights can be seen."""

    def __init__(self, width: int, heads: int) -> None:
        """D and H."""
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key_value = nn.Linear(width, 2 * width)
        self.output = nn.Linear(width, width)

    def project(self, memory: Tensor) -> KeysValues:
        """Source states (N, S, D) → keys, already divided by √d, and values. Once a sentence."""
        keys, values = self.key_value(memory).chunk(2, dim=-1)  # each (N, S, D)
        scale = 1 / math.sqrt(memory.shape[-1] // self.heads)
        return KeysValues(
            split_heads(keys * scale, self.heads).contiguous(),  # (N, H, S, d)
            split_heads(values, self.heads).contiguous(),  # (N, H, S, d)
        )

    def forward(
        self, x: Tensor, source: KeysValues, bias: Tensor, weights: Tensor | None = None
    ) -> Attended:
        """Let each target position read the source.

        x: (N, T, D). bias: (N, 1, 1, S), 0 at a token and -inf on padding.
        weights: (N, H, T, S), used instead of the softmax of the scores.
        """
        query = split_heads(self.query(x), self.heads)  # (N, H, T, d)
        scores = query @ source.keys.transpose(-2, -1) + bias  # (N, H, T, S)
        if weights is None:
            weights = torch.softmax(scores, dim=-1)  # (N, H, T, S)
        context = join_heads(weights @ source.values)  # (N, T, D)
        return Attended(self.output(context), x, scores, weights, context)


def split_heads(x: Tensor, heads: int) -> Tensor:
    """Cut the width into heads: (N, T, D) → (N, H, T, d)."""
    n, t, width = x.shape
    return x.view(n, t, heads, width // heads).transpose(1, 2)


def join_heads(x: Tensor) -> Tensor:
    """Undo `split_heads`: (N, H, T, d) → (N, T, D)."""
    n, heads, t, size = x.shape
    return x.transpose(1, 2).reshape(n, t, heads * size)
