"""The layers of the Transformer, and the positions that its inputs are marked with.

Each part reads normalised vectors, and what it gives is added to them. Shapes: N rows, S source
tokens, T target tokens, D width, H heads, d = D / H.
"""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor, nn

from s2s_core.models.multi_head import CrossAttention, KeysValues, SelfAttention
from s2s_core.models.transformer_config import TransformerConfig


class FeedForward(nn.Module):
    """max(0, x W_1 + b_1) W_2 + b_2, at each position alone; eq. 2."""

    def __init__(self, width: int, inner: int) -> None:
        """D, and the width between the two matrices."""
        super().__init__()
        self.widen = nn.Linear(width, inner)
        self.narrow = nn.Linear(inner, width)

    def forward(self, x: Tensor) -> Tensor:
        """(..., D) → (..., D)."""
        changed: Tensor = self.narrow(torch.relu(self.widen(x)))
        return changed


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network."""

    def __init__(self, config: TransformerConfig) -> None:
        """Build with random weights."""
        super().__init__()
        self.attention_norm = nn.LayerNorm(config.width)
        self.attention = SelfAttention(config.width, config.heads)
        self.feed_forward_norm = nn.LayerNorm(config.width)
        self.feed_forward = FeedForward(config.width, config.feed_forward_size)
        self.dropout = config.dropout

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """x (N, S, D) and mask (N, 1, 1, S) → (N, S, D)."""
        attended = self.attention(self.attention_norm(x), mask, causal=False)
        x = x + drop(attended, self.dropout, self.training)  # (N, S, D)
        changed = self.feed_forward(self.feed_forward_norm(x))  # (N, S, D)
        return x + drop(changed, self.dropout, self.training)  # (N, S, D)


class DecoderLayer(nn.Module):
    """Self-attention to the target so far, cross-attention to the source, feed-forward network."""

    def __init__(self, config: TransformerConfig) -> None:
        """Build with random weights."""
        super().__init__()
        self.attention_norm = nn.LayerNorm(config.width)
        self.attention = SelfAttention(config.width, config.heads)
        self.cross_attention_norm = nn.LayerNorm(config.width)
        self.cross_attention = CrossAttention(config.width, config.heads)
        self.feed_forward_norm = nn.LayerNorm(config.width)
        self.feed_forward = FeedForward(config.width, config.feed_forward_size)
        self.dropout = config.dropout

    def forward(self, x: Tensor, source: KeysValues, bias: Tensor) -> Tensor:
        """All positions of a target at once.

        x: (N, T, D). bias: (N, 1, 1, S), 0 at a source token and -inf on padding.
        """
        attended = self.attention(self.attention_norm(x), None, causal=True)
        x = x + drop(attended, self.dropout, self.training)  # (N, T, D)
        attended = self.cross_attention(self.cross_attention_norm(x), source, bias)
        x = x + drop(attended, self.dropout, self.training)  # (N, T, D)
        changed = self.feed_forward(self.feed_forward_norm(x))  # (N, T, D)
        return x + drop(changed, self.dropout, self.training)  # (N, T, D)


def drop(x: Tensor, share: float, training: bool) -> Tensor:
    """Dropout while training."""
    return nn.functional.dropout(x, share) if training else x


def positions(first: int, count: int, width: int) -> Tensor:
    """Sinusoids for positions first, first + 1, … → (count, D). There is no last position.

    PE(p, 2i) = sin(p / 10000^(2i/D)),  PE(p, 2i + 1) = cos(p / 10000^(2i/D)); section 3.5.
    """
    table = _position_table(max(512, 1 << (first + count - 1).bit_length()), width)
    return table[first : first + count]


@lru_cache(maxsize=16)
def _position_table(count: int, width: int) -> Tensor:
    """Positions 0 to count - 1. Kept here, not on a network: it isn't learned, and all share it."""
    with torch.inference_mode(False):  # training must be able to use it too
        rates = 10000 ** (-torch.arange(0, width, 2) / width)  # (D / 2,)
        angles = torch.arange(count)[:, None] * rates  # (count, D / 2)
        return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)  # (count, D)
