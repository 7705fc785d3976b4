"""Sizes of the Transformer."""

from __future__ import annotations

from dataclasses import dataclass

from s2s_core.errors import ConfigError
from s2s_core.models.sizes import check_share, check_size

MAXIMUM_LAYERS = 48


@dataclass(frozen=True, slots=True)
class TransformerConfig:
    """Sizes of a Transformer.

    layers: in the encoder, and as many in the decoder.
    width: D, of every vector between the parts.
    heads: H in every attention; each works in D / H dimensions.
    feed_forward_size: inner width of the two-layer network that follows attention.
    dropout: share of the numbers of a vector set to 0 in training, after every part.
    """

    vocabulary_size: int
    layers: int = 3
    width: int = 256
    heads: int = 4
    feed_forward_size: int = 1024
    dropout: float = 0.1

    def __post_init__(self) -> None:
        """Check the sizes.

        Raises:
            ConfigError: a number lies outside its bounds, or the heads can't share the width.
        """
        check_size("vocabulary_size", self.vocabulary_size)
        check_size("layers", self.layers, maximum=MAXIMUM_LAYERS)
        check_size("width", self.width)
        check_size("heads", self.heads)
        check_size("feed_forward_size", self.feed_forward_size)
        check_share("dropout", self.dropout)
        if self.width % self.heads or self.width % 2:
            raise ConfigError(
                f"width must be even and a multiple of heads ({self.heads}), not {self.width}"
            )
