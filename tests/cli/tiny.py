"""A checkpoint so small that it is made on the spot."""

from __future__ import annotations

from pathlib import Path

import torch

from s2s_core.models.checkpoint import CheckpointCard, save_checkpoint
from s2s_core.models.recurrent import RecurrentNetwork
from s2s_core.models.recurrent_config import RecurrentConfig
from s2s_core.text.tokenizer import EOS_ID, SPACE, SubwordTokenizer

TEXTS = (
    "The cat sat on the mat .",
    "A dog ran in the park .",
    "Le chat dort .",
    "Un chien court dans le parc .",
)


def write_checkpoint(folder: Path, *, context: str) -> Path:
    """Random weights that can only write whole words, so that a text has one way into tokens."""
    torch.manual_seed(7)
    tokenizer = SubwordTokenizer.train(TEXTS * 4, size=330)
    sizes: dict[str, int | float | str | bool] = {
        "vocabulary_size": tokenizer.size,
        "context": context,
        "embedding_size": 8,
        "encoder_size": 8,
        "decoder_size": 8,
        "attention_size": 8,
    }
    network = RecurrentNetwork(RecurrentConfig(**sizes))  # type: ignore[arg-type]
    words = {f"{SPACE}{word}" for text in TEXTS for word in text.split()}
    with torch.no_grad():
        for token_id in range(tokenizer.size):
            writable = tokenizer.token(token_id) in words or token_id == EOS_ID
            network.output_bias[token_id] = 0.0 if writable else -30.0
        network.embedding.weight.mul_(4)
    card = CheckpointCard(
        name=folder.name,
        title="Tiny",
        architecture="recurrent",
        source_language="en",
        target_language="fr",
        sizes=sizes,
        parameters=sum(p.numel() for p in network.parameters()),
        data="made up",
        training_pairs=0,
        licence="CC0",
        attribution="nobody",
        seed=7,
        budget={},
        development_loss=5.0,
        commands={},
    )
    save_checkpoint(folder, card, network, tokenizer)
    return folder
