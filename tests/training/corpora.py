"""A tiny made-up corpus and a tiny configuration, so that a run takes a second."""

from __future__ import annotations

from pathlib import Path

_SUBJECTS = (("I", "je"), ("you", "tu"), ("she", "elle"), ("we", "nous"))
_THINGS = (("bread", "du pain"), ("tea", "du thé"), ("soup", "de la soupe"), ("rice", "du riz"))

CONFIG = """
name = "tiny"
title = "Tiny"
architecture = "recurrent"
[data]
train = "train.tsv"
development = "dev.tsv"
test = "dev.tsv"
source_language = "en"
target_language = "fr"
description = "made up"
licence = "CC0"
attribution = "nobody"
[tokenizer]
size = 320
[model]
embedding_size = 16
encoder_size = 16
decoder_size = 16
attention_size = 16
dropout = 0.1
[optimiser]
steps = 12
batch_tokens = 40
learning_rate = 0.01
warmup_steps = 2
evaluate_every = 4
average_decay = 0.9
precision = "float32"
"""

TASK = """
name = "NAME"
title = "Tiny reversal"
architecture = "recurrent"
[data]
task = "reverse"
longest = 3
pairs = 200
[tokenizer]
size = 280
[model]
context = "CONTEXT"
embedding_size = 16
encoder_size = 8
decoder_size = 16
attention_size = 16
dropout = 0.0
[optimiser]
steps = 6
batch_tokens = 100
evaluate_every = 6
precision = "float32"
"""


def write_corpus(folder: Path) -> Path:
    """Write train.tsv, dev.tsv and config.toml; return the configuration's path."""
    lines = [
        f"{subject} want {thing}.\t{sujet} veux {chose}."
        for subject, sujet in _SUBJECTS
        for thing, chose in _THINGS
    ]
    (folder / "train.tsv").write_text("\n".join(lines[:-2]) + "\n", encoding="utf-8")
    (folder / "dev.tsv").write_text("\n".join(lines[-2:]) + "\n", encoding="utf-8")
    config = folder / "config.toml"
    config.write_text(CONFIG, encoding="utf-8")
    return config
