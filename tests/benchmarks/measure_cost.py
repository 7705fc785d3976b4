"""Measures training steps and decoding against length, and writes the file that the app shows.

    python -m tests.benchmarks.measure_cost [--repeats 5] [--out FILE]

Networks of the English–French family, with the sizes of their training configurations and random
weights: what a step costs doesn't depend on what was learned. One thread, float32.
Processor time is taken, not time on the wall, so that what else runs there matters little.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import torch

from s2s_core.models.architectures import build_network
from s2s_core.models.checkpoint import CHECKPOINTS
from s2s_core.models.cost import TIMES, CostTimes, Times
from s2s_core.models.network import Network
from s2s_core.models.threads import use_one_thread
from s2s_core.text.tokenizer import BOS_ID
from s2s_core.training.config import TrainingConfig, load_config
from s2s_core.training.objective import make_batch, teacher_forced_loss

FAMILY = "en-fr"
LENGTHS = (5, 10, 20, 40, 80)
BATCH = 16


def measure(config: TrainingConfig, *, lengths: tuple[int, ...], repeats: int) -> Times:
    """The times of one network, built with random weights."""
    torch.manual_seed(1)
    sizes = {"vocabulary_size": config.tokenizer.size, **config.model}
    network = build_network(config.architecture, sizes)
    training = tuple(_median(_training_step(network, n), repeats) for n in lengths)
    network = build_network(config.architecture, sizes).eval()
    network.prepare_decoding()
    decoding = tuple(_median(_decoding(network, n), repeats) for n in lengths)
    return Times(config.name, config.title, lengths, training, decoding)


def _median(act: Callable[[], None], repeats: int) -> float:
    act()  # the first time also builds what the later ones find
    seconds = []
    for _ in range(repeats):
        begin = process_time()
        act()
        seconds.append(process_time() - begin)
    return round(median(seconds), 6)


def _training_step(network: Network[Any], length: int) -> Callable[[], None]:
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


def _decoding(network: Network[Any], length: int) -> Callable[[], None]:
    source = torch.randint(3, 300, (1, length))

    def act() -> None:
        with torch.inference_mode():
            state = network.start(source, torch.ones(1, length, dtype=torch.bool))
            last = torch.tensor([BOS_ID])
            for _ in range(length):
                step = network.step(state, last)
                state, last = step.state, step.logits.argmax(dim=-1)

    return act


def machine() -> str:
    """The processor and what runs on it, without a date or a name."""
    processor = platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        processor = names[0].partition(":")[2].strip() if names else processor
    return (
        f"{processor}, {os.cpu_count()} cores, of which one was used while both were busy; "
        f"torch {torch.__version__.partition('+')[0]}, float32"
    )


def main() -> None:
    """Measure every network of the family and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--out", type=Path, default=TIMES)
    arguments = parser.parse_args()
    use_one_thread()
    found = []
    for path in sorted(CHECKPOINTS.glob(f"{FAMILY}-*/config.toml")):
        found.append(measure(load_config(path), lengths=LENGTHS, repeats=arguments.repeats))
        print(found[-1], flush=True)
    times = CostTimes(machine(), BATCH, arguments.repeats, tuple(found))
    arguments.out.write_text(times.to_json(), encoding="utf-8")


if __name__ == "__main__":
    main()
