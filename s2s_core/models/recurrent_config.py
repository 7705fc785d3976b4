"""Sizes and choices of the recurrent models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from s2s_core.errors import ConfigError
from s2s_core.models.attention import ATTENTION_SCORES
from s2s_core.models.cells import CELLS
from s2s_core.models.sizes import check_choice, check_share, check_size

SourceOrder = Literal["forward", "reversed", "bidirectional"]
Context = Literal["fixed_once", "fixed_every_step", "additive", "dot", "general", "scaled_dot"]


@dataclass(frozen=True, slots=True)
class RecurrentConfig:
    """Sizes and choices of a recurrent model.

    context: `fixed_once` (the source's vector only starts the decoder), `fixed_every_step` (it is
        read at every step as well), or the name of an attention score.
    source_order: how the encoder reads: left to right, right to left, or both.
    encoder_size: width of the encoder's state in each direction.
    dropout: share of the numbers of a vector set to 0 in training, the same at every position;
        token_dropout: share of tokens whose embedding is set to 0 (both: Gal & Ghahramani 2016,
        arXiv:1512.05287).
    """

    vocabulary_size: int
    cell: Literal["gru", "lstm"] = "gru"
    source_order: SourceOrder = "bidirectional"
    context: Context = "additive"
    embedding_size: int = 256
    encoder_size: int = 256
    decoder_size: int = 256
    attention_size: int = 256
    dropout: float = 0.2
    token_dropout: float = 0.0

    def __post_init__(self) -> None:
        """Check the choices.

        Raises:
            ConfigError: a name isn't known, or a number lies outside its bounds.
        """
        check_choice("cell", self.cell, tuple(CELLS))
        check_choice("source_order", self.source_order, ("forward", "reversed", "bidirectional"))
        check_choice("context", self.context, ("fixed_once", "fixed_every_step", *ATTENTION_SCORES))
        check_size("vocabulary_size", self.vocabulary_size)
        check_size("embedding_size", self.embedding_size)
        check_size("encoder_size", self.encoder_size)
        check_size("decoder_size", self.decoder_size)
        check_size("attention_size", self.attention_size)
        check_share("dropout", self.dropout)
        check_share("token_dropout", self.token_dropout)
        if self.context == "dot" and self.decoder_size != self.memory_size:
            raise ConfigError(
                f"the dot score needs decoder and source states of equal width, not "
                f"{self.decoder_size} and {self.memory_size}; change a size, or use general"
            )

    @property
    def memory_size(self) -> int:
        """E, the width of one source state."""
        return self.encoder_size * (2 if self.source_order == "bidirectional" else 1)

    @property
    def uses_attention(self) -> bool:
        """Whether the context is looked up anew at each step."""
        return self.context in ATTENTION_SCORES

    @property
    def reads_context(self) -> bool:
        """Whether the decoder reads a context beside its state."""
        return self.context != "fixed_once"
