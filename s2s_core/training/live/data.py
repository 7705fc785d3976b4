"""Strings for a small training run, as batches: digits are token ids, 0 is 3 and 9 is 12."""

from __future__ import annotations

import numpy as np

from s2s_core.text.corpus import SentencePair
from s2s_core.text.tasks import DIGITS, TASKS, held_out_pairs, split_of
from s2s_core.text.tokenizer import BOS, EOS, PAD
from s2s_core.training.live.config import LiveConfig
from s2s_core.training.objective import Batch, make_batch

TOKENS = (PAD, BOS, EOS, *DIGITS)
"""The whole vocabulary, by id."""
BATCH = 64  # strings an update
HELD_OUT = 400  # strings measured, about

_FIRST_DIGIT = TOKENS.index(DIGITS[0])


def training_batch(config: LiveConfig, step: int) -> Batch:
    """Fresh strings of the training split; the same ones for the same seed and step, always."""
    generator = np.random.default_rng((config.seed, step))
    sources: list[str] = []
    while len(sources) < BATCH:
        lengths = generator.integers(config.shortest, config.length + 1, BATCH)
        digits = generator.integers(0, 10, (BATCH, config.length))
        drawn = (
            "".join(map(str, row[:n])) for row, n in zip(digits.tolist(), lengths, strict=True)
        )
        sources += [each for each in drawn if split_of(each) == "training"]
    return _batch(config.task, sources[:BATCH])


def held_out_batch(config: LiveConfig) -> Batch:
    """Strings that no run is ever trained on, the shortest first; the same for every seed."""
    pairs = held_out_pairs(
        config.task,
        "development",
        shortest=config.shortest,
        longest=config.length,
        per_length=HELD_OUT // (config.length - config.shortest + 1),
    )
    return _batch(config.task, [_digits(pair) for pair in pairs])


def _digits(pair: SentencePair) -> str:
    return pair.source.replace(" ", "")


def _batch(task: str, sources: list[str]) -> Batch:
    targets = [TASKS[task](source) for source in sources]
    return make_batch([_ids(source) for source in sources], [_ids(target) for target in targets])


def _ids(digits: str) -> list[int]:
    return [_FIRST_DIGIT + int(digit) for digit in digits]
