"""Toy tasks on random digit strings, where the right answer is known: reversal, copy, sort.

A string such as 4 9 7 belongs to one of three splits, and a hash of it says to which: eight in ten
are for training, one in ten for development, one in ten for testing. So no string that a model is
tested on was ever in its training data, at any length. That matters for the short ones: there are
ten strings of one digit and a hundred of two, and a training set drawn at random holds them all.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from itertools import product
from typing import Literal

import numpy as np

from s2s_core.errors import SettingError
from s2s_core.text.corpus import SentencePair

Split = Literal["training", "development", "test"]

DIGITS = "0123456789"
LONGEST = 100
"""The longest string that a task has."""

_SALT = "f"  # with it, each split has a string of length 1
_TENTHS: dict[int, Split] = {0: "development", 1: "test"}
_COUNTABLE = 3  # up to this length all strings are looked at; longer ones are drawn

TASKS: dict[str, Callable[[str], str]] = {
    "reverse": lambda digits: digits[::-1],
    "copy": lambda digits: digits,
    "sort": lambda digits: "".join(sorted(digits)),
}
"""Every task: what it makes of a string of digits. A new one is one line here."""


def split_of(digits: str) -> Split:
    """The split to which a string of digits belongs, whatever the task."""
    hashed = blake2b((_SALT + digits).encode(), digest_size=8).digest()
    return _TENTHS.get(int.from_bytes(hashed) % 10, "training")


def spaced(digits: str) -> str:
    """Digits as a model reads and writes them: 497 → 4 9 7, so that each is the same token."""
    return " ".join(digits)


def training_pairs(
    task: str, *, shortest: int, longest: int, count: int, seed: int
) -> tuple[SentencePair, ...]:
    """Random pairs of the training split; a length is as likely as any other.

    Strings come again where there are few: a model sees each single digit many times.

    Raises:
        SettingError: the task isn't known, or the lengths aren't 1 to `LONGEST`.
    """
    check_task(task, shortest, longest)
    generator = np.random.default_rng((seed, 0))
    lengths = generator.integers(shortest, longest + 1, count)
    return tuple(_pair(task, _draw(generator, int(n), "training")) for n in lengths)


def held_out_pairs(
    task: str, split: Split, *, shortest: int, longest: int, per_length: int
) -> tuple[SentencePair, ...]:
    """Different strings of a split, by length: so many of each, or all there are if fewer.

    The same arguments give the same strings, always.

    Raises:
        SettingError: the task isn't known, or the lengths aren't 1 to `LONGEST`.
    """
    check_task(task, shortest, longest)
    return tuple(
        _pair(task, digits)
        for length in range(shortest, longest + 1)
        for digits in _different(split, length, per_length)
    )


def random_source(length: int, seed: int) -> str:
    """A string of the test split, as a model reads it; the same arguments give the same string.

    Raises:
        SettingError: the length isn't 1 to `LONGEST`.
    """
    check_task("copy", length, length)
    return spaced(_draw(np.random.default_rng((length, seed)), length, "test"))


def _different(split: Split, length: int, count: int) -> list[str]:
    generator = np.random.default_rng((length, *split.encode()))
    if length <= _COUNTABLE:
        every = [d for d in map("".join, product(DIGITS, repeat=length)) if split_of(d) == split]
        return [every[i] for i in sorted(generator.permutation(len(every))[:count])]
    found: dict[str, None] = {}
    while len(found) < count:
        found[_draw(generator, length, split)] = None
    return list(found)


def _draw(generator: np.random.Generator, length: int, split: Split) -> str:
    while True:
        digits = bytes(generator.integers(ord("0"), ord("9") + 1, length, dtype=np.uint8)).decode()
        if split_of(digits) == split:
            return digits


def _pair(task: str, digits: str) -> SentencePair:
    return SentencePair(spaced(digits), (spaced(TASKS[task](digits)),))


def check_task(task: str, shortest: int, longest: int) -> None:
    """Check what a task is asked for.

    Raises:
        SettingError: it isn't known, or the lengths aren't 1 to `LONGEST`.
    """
    if task not in TASKS:
        raise SettingError(f"task must be one of {', '.join(TASKS)}, not {task!r}")
    if not 1 <= shortest <= longest <= LONGEST:
        raise SettingError(
            f"lengths must be 1 to {LONGEST}, the shorter one first, not {shortest} to {longest}"
        )
