"""Measures steps, decoding and its memory against length; writes the file that the app shows.

    python -m tests.benchmarks.measure_cost [--repeats 15] [--out FILE]

Networks of the English–French family, with the sizes of their training configurations and random
weights: what a step costs doesn't depend on what was learned. One thread, float32.
Processor time is taken, not time on the wall, so that what else runs there matters little.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import platform
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from s2s_core.models.architectures import build_network
from s2s_core.models.checkpoint import CHECKPOINTS, load_card
from s2s_core.models.cost import TIMES, CostTimes, Spread, Times
from s2s_core.models.families import families
from s2s_core.models.network import Network
from s2s_core.models.threads import use_one_thread
from s2s_core.text.tokenizer import BOS_ID
from s2s_core.training.config import TrainingConfig, load_config
from s2s_core.training.objective import make_batch, teacher_forced_loss

FAMILY = "en-fr"
LENGTHS = (5, 10, 20, 40, 80)
BATCH = 16


Act = Callable[[], object]


class Measured:
    """One network of the family, built with random weights, and its times so far."""

    def __init__(self, config: TrainingConfig, lengths: Sequence[int]) -> None:
        """Build it once for training and once for decoding."""
        torch.manual_seed(1)
        self.config, self.lengths = config, tuple(lengths)
        sizes = {"vocabulary_size": config.tokenizer.size, **config.model}
        trained = build_network(config.architecture, sizes)
        decoding = build_network(config.architecture, sizes).eval()
        decoding.prepare_decoding()
        self.memory = tuple(_state_bytes(decoding, n) for n in self.lengths)
        self.acts: list[Act] = [_training_step(trained, n) for n in self.lengths]
        self.acts += [_decoding(decoding, n) for n in self.lengths]
        self.seconds: list[list[float]] = [[] for _ in self.acts]

    def take(self) -> None:
        """Measure everything once more."""
        for act, seconds in zip(self.acts, self.seconds, strict=True):
            begin = process_time()
            act()
            seconds.append(process_time() - begin)

    def times(self) -> Times:
        """The first measurement left out: it also builds what the later ones find."""
        spreads = [_spread(seconds[1:]) for seconds in self.seconds]
        count = len(self.lengths)
        return Times(
            self.config.name,
            self.config.title,
            self.lengths,
            tuple(spreads[:count]),
            tuple(spreads[count:]),
            self.memory,
        )


def measure(
    configs: Sequence[TrainingConfig], *, lengths: Sequence[int], repeats: int
) -> tuple[Times, ...]:
    """The networks in turns, so that what else the machine does meets all of them alike."""
    networks = [Measured(config, lengths) for config in configs]
    for _ in tqdm(range(repeats + 1)):
        for network in networks:
            network.take()
    return tuple(network.times() for network in networks)


def _spread(seconds: Sequence[float]) -> Spread:
    low, middle, high = np.percentile(seconds, [25, 50, 75])
    return Spread(*(round(float(each), 6) for each in (middle, low, high)))


def _state_bytes(network: Network[Any], length: int) -> int:
    """What two sources' states don't have in common is the source's own; the rest are weights."""
    states = [_decoding(network, length)() for _ in range(2)]  # both alive: no address twice
    first, second = map(_storages, states)
    return sum(size for address, size in first.items() if address not in second)


def _storages(value: object) -> dict[int, int]:
    """The memory behind all tensors of a state: address and bytes."""
    if isinstance(value, torch.Tensor):
        storage = value.untyped_storage()
        return {storage.data_ptr(): storage.nbytes()}
    if dataclasses.is_dataclass(value):
        value = [getattr(value, field.name) for field in dataclasses.fields(value)]
    found: dict[int, int] = {}
    for each in value if isinstance(value, (tuple, list)) else ():
        found |= _storages(each)
    return found


def _training_step(network: Network[Any], length: int) -> Act:
    rows = torch.randint(3, 300, (BATCH, length - 1)).tolist()  # the end token makes it `length`
    batch = make_batch(rows, rows)
    optimiser = torch.optim.AdamW(network.parameters())

    def act() -> None:
        network.train()
        optimiser.zero_grad()
        teacher_forced_loss(network, batch).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()

    return act


def _decoding(network: Network[Any], length: int) -> Act:
    source = torch.randint(3, 300, (1, length))

    def act() -> object:
        with torch.inference_mode():
            state = network.start(source, torch.ones(1, length, dtype=torch.bool))
            last = torch.tensor([BOS_ID])
            for _ in range(length):
                step = network.step(state, last)
                state, last = step.state, step.logits.argmax(dim=-1)
        return state

    return act


def machine() -> str:
    """The processor and what runs on it, without a date or a name."""
    processor = platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        processor = names[0].partition(":")[2].strip() if names else processor
    return (
        f"{processor}, {os.cpu_count()} cores, of which one was used; "
        f"torch {torch.__version__.partition('+')[0]}, float32"
    )


def main() -> None:
    """Measure every network of the family and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--out", type=Path, default=TIMES)
    arguments = parser.parse_args()
    use_one_thread()
    cards = [load_card(path.parent) for path in CHECKPOINTS.glob(f"{FAMILY}-*/config.toml")]
    (family,) = families(cards)  # in its order, as all charts have them
    configs = [load_config(CHECKPOINTS / name / "config.toml") for name in family.names]
    found = measure(configs, lengths=LENGTHS, repeats=arguments.repeats)
    times = CostTimes(machine(), BATCH, arguments.repeats, found)
    arguments.out.write_text(times.to_json(), encoding="utf-8")


if __name__ == "__main__":
    main()
