"""What a model costs: parameters, memory, scored pairs, and times that were measured.

Counts come from a card's sizes. S source tokens and T target tokens, the end tokens among them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from s2s_core.models.card import CheckpointCard
from s2s_core.models.families import FIXED, TRANSFORMER, kind_of, sizes_of

TIMES = Path(__file__).with_name("cost_times.json")
"""Written by `python -m tests.benchmarks.measure_cost`."""

_BYTES = 4  # of a float32


@dataclass(frozen=True, slots=True)
class Pairs:
    """How many pairs of positions are scored for one sentence, summed over layers and heads.

    cross: target against source. source: source against source. target: each target position
        against itself and those before it.
    """

    cross: int
    source: int
    target: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.cross + self.source + self.target


def scored_pairs(card: CheckpointCard, source: int, target: int) -> Pairs:
    """S·T pairs a head; a fixed vector scores none, a Transformer also within source and target."""
    kind = kind_of(card)
    if kind == FIXED:
        return Pairs(0, 0, 0)
    if kind != TRANSFORMER:
        return Pairs(source * target, 0, 0)
    sizes = sizes_of(card)
    heads = int(sizes["layers"]) * int(sizes["heads"])
    return Pairs(
        heads * source * target, heads * source * source, heads * target * (target + 1) // 2
    )


def source_numbers(card: CheckpointCard, source: int) -> int:
    """How many numbers the decoder is given of a source of S tokens.

    A fixed vector: the same at any length. Attention: S states. A Transformer: keys and values of
    S positions in every layer.
    """
    sizes = sizes_of(card)
    if kind_of(card) == TRANSFORMER:
        return 2 * int(sizes["layers"]) * int(sizes["width"]) * source
    directions = 2 if sizes["source_order"] == "bidirectional" else 1
    width = directions * int(sizes["encoder_size"])
    return width if kind_of(card) == FIXED else width * source


def parameter_bytes(card: CheckpointCard) -> int:
    """What the weights take in memory, as float32; in the file they take half of it."""
    return _BYTES * card.parameters


class Spread(NamedTuple):
    """Several measurements of one thing: the middle one, and the ends of the middle half."""

    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Times:
    """What was measured of one network, on one thread; a value for each length.

    lengths: S = T, in tokens. training: a step over a batch (forward, backward, update).
    decoding: reading one source and writing T tokens, greedily. Both in seconds of processor time.
    memory: bytes that the decoder's state takes when T tokens are written, the weights apart.
    """

    name: str
    title: str
    lengths: tuple[int, ...]
    training: tuple[Spread, ...]
    decoding: tuple[Spread, ...]
    memory: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CostTimes:
    """What the benchmark wrote.

    machine: in words, without a date. batch: sentences of a training step. repeats: of each time.
    """

    machine: str
    batch: int
    repeats: int
    networks: tuple[Times, ...]

    def to_json(self) -> str:
        """As the text of the file, a network a line."""
        rows = ",\n".join(
            "  "
            + json.dumps(
                {slot: getattr(each, slot) for slot in Times.__slots__}, ensure_ascii=False
            )
            for each in self.networks
        )
        head = "".join(
            f" {json.dumps(slot)}: {json.dumps(getattr(self, slot), ensure_ascii=False)},\n"
            for slot in ("machine", "batch", "repeats")
        )
        return f'{{\n{head} "networks": [\n{rows}\n ]\n}}\n'


@cache
def cost_times() -> CostTimes:
    """The times that come with the program."""
    data = json.loads(TIMES.read_text(encoding="utf-8"))
    networks = tuple(
        Times(
            each["name"],
            each["title"],
            tuple(each["lengths"]),
            tuple(Spread(*one) for one in each["training"]),
            tuple(Spread(*one) for one in each["decoding"]),
            tuple(each["memory"]),
        )
        for each in data["networks"]
    )
    return CostTimes(data["machine"], data["batch"], data["repeats"], networks)
