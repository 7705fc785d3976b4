"""`reversal`: the plain exercise, on the training batch itself."""

from __future__ import annotations

import argparse
import dataclasses

from s2s_core.cli.command import Command
from s2s_core.cli.options import add_json, add_number
from s2s_core.cli.streams import write_json, write_line
from s2s_core.options import IntegerOption

STRINGS = IntegerOption("strings", 1, 10_000, 128, "How many strings the batch has.")
STEPS = IntegerOption("steps", 1, 100_000, 300, "How often it is trained on.")
SEED = IntegerOption("seed", 0, 2**31, 1, "Of the strings and the weights.")

_DESCRIPTION = """\
Train a fixed-vector model to reverse strings of seven digits, the plain way: one batch, no end
token, no padding, no held-out data. It takes seconds.

The accuracy is that of greedy decoding on the training batch itself. That is no validation: as many
fresh strings are decoded beside it, to show the difference. The proper experiment, with variable
length, an end token and held-out strings, is `train checkpoints/reverse-*/config.toml`.
With --json: one object: strings, steps, seed, loss, trained_tokens, trained_strings, fresh_tokens,
fresh_strings (accuracies in percent)."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    for flag, option in (("--strings", STRINGS), ("--steps", STEPS), ("--seed", SEED)):
        add_number(parser, flag, option, default=option.default)
    add_json(parser, "print one object")


def run(args: argparse.Namespace) -> None:
    """Train and report."""
    from s2s_core.models.threads import use_one_thread
    from s2s_core.training.plain_reversal import train_plain_reversal

    use_one_thread()
    result = train_plain_reversal(strings=args.strings, steps=args.steps, seed=args.seed)
    if args.json:
        write_json(dataclasses.asdict(result))
        return
    write_line(
        f"{result.strings} strings of 7 digits, {result.steps} steps, loss {result.loss:.4f} nats "
        "a token"
    )
    write_line(
        "greedy accuracy on the training batch itself (no validation): "
        f"{result.trained_tokens:.1f} % of tokens, {result.trained_strings:.1f} % of strings"
    )
    write_line(
        f"on as many strings it was not trained on: {result.fresh_tokens:.1f} % of tokens, "
        f"{result.fresh_strings:.1f} % of strings"
    )


COMMAND = Command(
    "reversal", "reverse digits the plain way, without validation", _DESCRIPTION, add_options, run
)
