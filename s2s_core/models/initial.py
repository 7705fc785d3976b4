"""Random initial weights.

A checkpoint is read into a network that was built without memory (on torch's device "meta"). What
is about to be filled needs no random numbers, so weights without memory are passed over here.
"""

from __future__ import annotations

from torch import Tensor, nn


class Embedding(nn.Embedding):
    """torch's table of embeddings; see the module."""

    def reset_parameters(self) -> None:
        """Draw from the standard normal distribution."""
        if not self.weight.is_meta:
            super().reset_parameters()


def draw_normal(tensor: Tensor, *, deviation: float) -> None:
    """Fill with normal random numbers around 0."""
    if not tensor.is_meta:
        nn.init.normal_(tensor, std=deviation)


def draw_orthogonal(tensor: Tensor) -> None:
    """Fill with a random orthogonal matrix (Saxe et al. 2014, arXiv:1312.6120)."""
    if not tensor.is_meta:
        nn.init.orthogonal_(tensor)
