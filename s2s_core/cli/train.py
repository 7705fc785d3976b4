"""`train`: a checkpoint from a configuration file."""

from __future__ import annotations

import argparse
from pathlib import Path

from s2s_core.cli.command import Command
from s2s_core.cli.streams import note, write_line
from s2s_core.training.config import load_config

_DESCRIPTION = """\
Train a model and write it as a checkpoint: card.json, weights.safetensors, tokenizer.json.

A run that was stopped goes on from its last saved step when the same command is given again. The
bar is shown on standard error; at the end the folder is printed."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("config", type=Path, metavar="CONFIG", help="the run, a TOML file")
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
    config = load_config(args.config)
    data = args.config.parent if args.data is None else args.data

    from s2s_core.training.finish import finish_run
    from s2s_core.training.rate_choice import choose_learning_rate
    from s2s_core.training.trainer import Trainer

    try:
        config, trials = choose_learning_rate(config, data=data, folder=args.out)
        trainer = Trainer(config, data=data, folder=args.out)
        trainer.train()
    except KeyboardInterrupt:
        note("stopped; the same command goes on from the last saved step")
        raise
    finish_run(trainer, data=data, trials=trials)
    write_line(str(args.out))


COMMAND = Command("train", "train a checkpoint", _DESCRIPTION, add_options, run)
