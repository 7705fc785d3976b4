"""`models`: the checkpoints that are there."""

from __future__ import annotations

import argparse
import dataclasses

from s2s_core.cli.command import Command
from s2s_core.cli.options import add_json
from s2s_core.cli.streams import note, write_json, write_line
from s2s_core.models.checkpoint import (
    CHECKPOINTS,
    CheckpointCard,
    checkpoint_folder,
    checkpoint_names,
    load_card,
)
from s2s_core.text.normalise import DIGITS

_DESCRIPTION = """\
List the checkpoints, by name.

Plain output, a line each: name TAB title TAB parameters TAB measured scores.
With --json: a list of cards, with sizes, data, licence, budget and learning curve."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_json(parser, "print a list of the whole cards")


def run(args: argparse.Namespace) -> None:
    """List the checkpoints.

    Raises:
        CheckpointError: a card is damaged.
    """
    cards = [load_card(checkpoint_folder(name)) for name in checkpoint_names()]
    if not cards:
        note(f"there is no checkpoint in {CHECKPOINTS}")
    if args.json:
        write_json([dataclasses.asdict(card) for card in cards], indent=1)
        return
    for card in cards:
        write_line(card.name, card.title, f"{card.parameters:,} parameters", _scores(card))


def _scores(card: CheckpointCard) -> str:
    """BLEU of all sources, one reference and several, greedy and beam."""
    whole = {(s.shortest, s.longest) for s in card.scores[:1]}
    return "; ".join(
        f"{score.metric} {score.score:.1f} ({score.data}, beam {score.beam_size}, "
        f"{score.references})"
        for score in card.scores
        if score.metric == _headline(card) and (score.shortest, score.longest) in whole
    )


def _headline(card: CheckpointCard) -> str:
    """What a model is told by: a toy task has one right answer."""
    return "exact match" if card.target_language == DIGITS else "BLEU"


COMMAND = Command("models", "list the checkpoints", _DESCRIPTION, add_options, run)
