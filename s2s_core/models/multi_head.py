"""Multi-head attention: several attentions side by side, each in a part of the width.

    Attention(Q, K, V) = softmax(Q Kᵀ / √d) V                    eq. 1
    MultiHead(Q, K, V) = [head_1; …; head_H] W_O                 section 3.2.2

Vaswani et al. 2017, arXiv:1706.03762.

Shapes: N rows, T queries, S keys, D width, H heads, d = D / H.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from torch import Tensor, nn


class KeysValues(NamedTuple):
    """What cross-attention reads: keys (N, H, d, S), already divided by √d, values (N, H, S, d)."""

    keys: Tensor
    values: Tensor


class SelfAttention(nn.Module):
    """Attention of a sequence to itself. One matrix gives queries, keys and values."""

    def __init__(self, width: int, heads: int) -> None:
        """D and H."""
        super().__init__()
        self.heads = heads
        self.query_key_value = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)

    def forward(self, x: Tensor, mask: Tensor | None, *, causal: bool) -> Tensor:
        """Let each position read the others.

        x: (N, T, D). mask: (N, 1, 1, T), True where there is a token. causal: no position reads a
        later one.
        """
        n, t, width = x.shape
        parts = self.query_key_value(x).view(n, t, 3, self.heads, width // self.heads)
        query, keys, values = parts.permute(2, 0, 3, 1, 4)  # each (N, H, T, d)
        context = nn.functional.scaled_dot_product_attention(
            query, keys, values, attn_mask=mask, is_causal=causal
        )  # (N, H, T, d)
        output: Tensor = self.output(join_heads(context))  # (N, T, D)
        return output


class CrossAttention(nn.Module):
    """Attention of the target to the source."""

    def __init__(self, width: int, heads: int) -> None:
        """D and H."""
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key_value = nn.Linear(width, 2 * width)
        self.output = nn.Linear(width, width)

    def project(self, memory: Tensor) -> KeysValues:
        """Source states (N, S, D) → keys and values. Once a sentence."""
        keys, values = self.key_value(memory).chunk(2, dim=-1)  # each (N, S, D)
        scale = 1 / math.sqrt(memory.shape[-1] // self.heads)
        return KeysValues(
            split_heads(keys * scale, self.heads).transpose(2, 3).contiguous(),  # (N, H, d, S)
            split_heads(values, self.heads).contiguous(),  # (N, H, S, d)
        )

    def forward(self, x: Tensor, source: KeysValues, bias: Tensor) -> Tensor:
        """Let each target position read the source: x (N, T, D), bias (N, 1, 1, S)."""
        query = split_heads(self.query(x), self.heads)  # (N, H, T, d)
        context = nn.functional.scaled_dot_product_attention(
            query,
            source.keys.transpose(2, 3),
            source.values,
            attn_mask=bias.to(query.dtype),
            scale=1.0,
        )  # (N, H, T, d)
        output: Tensor = self.output(join_heads(context))  # (N, T, D)
        return output


def split_heads(x: Tensor, heads: int) -> Tensor:
    """Cut the width into heads: (N, T, D) → (N, H, T, d)."""
    n, t, width = x.shape
    return x.view(n, t, heads, width // heads).transpose(1, 2)


def join_heads(x: Tensor) -> Tensor:
    """Undo `split_heads`: (N, H, T, d) → (N, T, D)."""
    n, heads, t, size = x.shape
    return x.transpose(1, 2).reshape(n, t, heads * size)
