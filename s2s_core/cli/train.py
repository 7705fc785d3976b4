"""`train`: checkpoints from configuration files."""

from __future__ import annotations

import argparse
from pathlib import Path

from s2s_core.cli.command import Command
from s2s_core.cli.score_table import write_comparison
from s2s_core.cli.streams import note, write_line
from s2s_core.models.card import CheckpointCard
from s2s_core.training.config import TrainingConfig, load_config
from s2s_core.training.data import check_data

_DESCRIPTION = """\
Train a model and write it as a checkpoint: card.json, weights.safetensors, tokenizer.json.

A run that was stopped goes on from its last saved step when the same command is given again. The
bar is shown on standard error; at the end the folder is printed.

Several processes train together when torchrun starts them: torchrun --nproc-per-node 2 -m s2s_core
train ... takes the same steps over the same batches, each process a share of every batch.

With several configurations, one after the other, each in FOLDER/name; at the end a table compares
what the models write, by source length."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "configs", type=Path, nargs="+", metavar="CONFIG", help="a run, as a TOML file"
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FOLDER", help="where the run is kept"
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="where the corpora lie; by default the folder of CONFIG",
    )


def run(args: argparse.Namespace) -> None:
    """Train from the start, or from where the folder stands.

    Raises:
        ExplorerError: the configuration, a corpus or the folder's state can't be used.
    """
    runs = [
        (load_config(path), path.parent if args.data is None else args.data)
        for path in args.configs
    ]
    for config, data in runs:
        check_data(config.data, data)
    cards = []
    for config, data in runs:
        folder = args.out if len(runs) == 1 else args.out / config.name
        card = _train(config, data=data, folder=folder)
        if card is not None:
            cards.append(card)
            write_line(str(folder))
    if len(cards) > 1:
        write_comparison(cards)


def _train(config: TrainingConfig, *, data: Path, folder: Path) -> CheckpointCard | None:
    """The card; None in a worker that doesn't lead."""
    from s2s_core.training.finish import finish_run
    from s2s_core.training.rate_choice import choose_learning_rate
    from s2s_core.training.trainer import Trainer

    try:
        config, trials = choose_learning_rate(config, data=data, folder=folder)
        trainer = Trainer(config, data=data, folder=folder)
        trainer.train()
    except KeyboardInterrupt:
        note("stopped; the same command goes on from the last saved step")
        raise
    if not trainer.workers.leads:
        return None
    return finish_run(trainer, data=data, trials=trials)


COMMAND = Command("train", "train checkpoints", _DESCRIPTION, add_options, run)
