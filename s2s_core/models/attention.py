"""Attention scores: how well one decoder state matches each encoder state.

A score reads a query s (N, D) and encoder states h (N, S, E) and gives scores e (N, S), which
become weights and a context (`attend`):

    e_i = score(s, h_i)      alpha = softmax over the source      c = sum_i alpha_i h_i

The part of a score that doesn't depend on the query (`project`) is computed once a sentence.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from s2s_core.errors import ModelInputError
from s2s_core.models.network import check_mask


class AttentionScore(nn.Module):
    """Base of the scores: `project` once, then `forward` at each step."""

    def __init__(self, query_size: int, key_size: int, size: int) -> None:
        """Widths of the query (D), of the encoder states (E), and of the space they meet in (A)."""
        super().__init__()
        self.query_size, self.key_size, self.size = query_size, key_size, size

    def project(self, states: Tensor) -> Tensor:
        """Encoder states (N, S, E) → keys (N, S, A)."""
        raise NotImplementedError

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        """Query (N, D) and keys (N or 1, S, A) → scores (N, S)."""
        raise NotImplementedError


class AdditiveScore(AttentionScore):
    """e_i = vᵀ tanh(W_s s + W_h h_i). Bahdanau et al. 2015, arXiv:1409.0473, appendix A.1.2."""

    def __init__(self, query_size: int, key_size: int, size: int) -> None:
        """See `AttentionScore`."""
        super().__init__(query_size, key_size, size)
        self.query_projection = nn.Linear(query_size, size, bias=False)
        self.key_projection = nn.Linear(key_size, size)
        self.vector = nn.Linear(size, 1, bias=False)

    def project(self, states: Tensor) -> Tensor:
        """W_h h_i."""
        keys: Tensor = self.key_projection(states)
        return keys

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        """vᵀ tanh(W_s s + W_h h_i)."""
        meeting = torch.tanh(self.query_projection(query).unsqueeze(1) + keys)  # (N, S, A)
        scores: Tensor = self.vector(meeting)  # (N, S, 1)
        return scores.squeeze(-1)


class DotScore(AttentionScore):
    """e_i = sᵀ h_i; both must have the same width. Luong et al. 2015, arXiv:1508.04025, eq. 8."""

    def __init__(self, query_size: int, key_size: int, size: int) -> None:
        """See `AttentionScore`; `size` plays no part.

        Raises:
            ModelInputError: the widths differ.
        """
        super().__init__(query_size, key_size, size)
        if query_size != key_size:
            raise ModelInputError(
                f"the dot score needs equal widths, but the decoder state has {query_size} and the "
                f"encoder state {key_size}; use the general score, which has a matrix between them"
            )

    def project(self, states: Tensor) -> Tensor:
        """The states themselves."""
        return states

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        """sᵀ h_i."""
        return match(query, keys)


class GeneralScore(DotScore):
    """e_i = sᵀ W h_i. Luong et al. 2015, arXiv:1508.04025, eq. 8."""

    def __init__(self, query_size: int, key_size: int, size: int) -> None:
        """See `AttentionScore`; `size` plays no part, W maps straight to the query's width."""
        super().__init__(query_size, query_size, size)
        self.matrix = nn.Linear(key_size, query_size, bias=False)

    def project(self, states: Tensor) -> Tensor:
        """W h_i."""
        keys: Tensor = self.matrix(states)
        return keys


class ScaledDotScore(AttentionScore):
    """e_i = (W_q s)ᵀ (W_k h_i) / √A. Vaswani et al. 2017, arXiv:1706.03762, eq. 1, one head."""

    def __init__(self, query_size: int, key_size: int, size: int) -> None:
        """See `AttentionScore`."""
        super().__init__(query_size, key_size, size)
        self.query_projection = nn.Linear(query_size, size, bias=False)
        self.key_projection = nn.Linear(key_size, size, bias=False)

    def project(self, states: Tensor) -> Tensor:
        """W_k h_i."""
        keys: Tensor = self.key_projection(states)
        return keys

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        """(W_q s)ᵀ (W_k h_i) / √A."""
        return match(self.query_projection(query), keys) / math.sqrt(self.size)


def attention_weights(scores: Tensor, mask: Tensor) -> Tensor:
    """Scores (N, S) and mask (N or 1, S), True where the source has a token → weights (N, S).

    They sum to 1 over the source and are exactly 0 where the mask is False.
    """
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)


def attend(scores: Tensor, mask: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    """Scores (N, S), mask and values (N or 1, S, E) → the context (N, E) and the weights (N, S)."""
    weights = attention_weights(scores, mask)
    return mix(weights, values), weights


def match(query: Tensor, keys: Tensor) -> Tensor:
    """e_i = sᵀ k_i: query (N, A) and keys (N or 1, S, A) → scores (N, S)."""
    if len(keys) == 1:
        return query @ keys[0].T
    return torch.bmm(keys, query.unsqueeze(-1)).squeeze(-1)


def mix(weights: Tensor, values: Tensor) -> Tensor:
    """c = sum_i alpha_i h_i: weights (N, S) and values (N or 1, S, E) → the context (N, E)."""
    if len(values) == 1:
        return weights @ values[0]
    return torch.bmm(weights.unsqueeze(1), values).squeeze(1)


def check_memory(states: Tensor, mask: Tensor) -> None:
    """Check what attention is about to read.

    Raises:
        ModelInputError: the shapes don't fit, or a state is NaN or infinite. A mask on the scores
            doesn't save a NaN in the values: 0 times NaN is NaN.
        EmptySourceError: a source has no valid position.
    """
    if states.shape[:2] != mask.shape:
        raise ModelInputError(
            f"encoder states {tuple(states.shape)} and mask {tuple(mask.shape)} don't fit: "
            "the first two sizes must be the same (sentences, positions)"
        )
    check_mask(mask)
    if not bool(torch.isfinite(states).all()):
        raise ModelInputError("the encoder states hold NaN or infinite values")


ATTENTION_SCORES: dict[str, type[AttentionScore]] = {
    "additive": AdditiveScore,
    "dot": DotScore,
    "general": GeneralScore,
    "scaled_dot": ScaledDotScore,
}
