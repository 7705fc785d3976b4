"""Every figure on a card is what the command that the card names prints.

`S2S_DATA=FOLDER python -m pytest -m benchmark tests/benchmarks/test_cards_long.py -s` measures all
checkpoints again. FOLDER holds a folder for each pair of languages (`en-fr`, `zh-en`); without the
variable, only the checkpoints of toy tasks are measured, which make their own data.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from s2s_core.models.checkpoint import CHECKPOINTS, checkpoint_names, load_card
from s2s_core.models.families import task_of

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(3600)]

ROOT = Path(__file__).parents[2]
DATA = os.environ.get("S2S_DATA")
KEY = ("metric", "beam_size", "references", "shortest", "longest", "sentences", "signature")
VALUES = ("score", "low", "high")
ROUNDING = 1e-3
"""Figures that differ by less are the same but for the rounding of float32."""


def measured(name: str, command: str) -> dict[str, Any]:
    card = load_card(CHECKPOINTS / name)
    if "DATA" in command:
        if DATA is None:
            pytest.skip("S2S_DATA doesn't say where the corpora are")
        pair = f"{card.source_language}-{card.target_language}"
        command = command.replace("DATA", str(Path(DATA).resolve() / pair))
    program, *arguments = shlex.split(command)
    assert program == "python"
    done = subprocess.run(
        [sys.executable, *arguments, "--json"], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", checkpoint_names())
def test_the_command_of_a_card_gives_its_figures(name: str) -> None:
    card = load_card(CHECKPOINTS / name)
    again = {
        tuple(score[key] for key in KEY): score
        for score in measured(name, card.commands["test"])["scores"]
    }
    assert len(again) == len(card.scores)
    off: dict[str, float] = {}
    for score in card.scores:
        other = again[tuple(getattr(score, key) for key in KEY)]
        for value in VALUES:
            difference = abs(getattr(score, value) - other[value])
            off[score.metric] = max(off.get(score.metric, 0.0), difference)
    loss = measured(name, card.commands["development"])["loss"]
    off["development loss"] = abs(card.development_loss - loss)
    print(f"\n{name}: {len(card.scores)} figures; furthest off: {off}")
    assert max(off.values()) <= ROUNDING


def test_every_checkpoint_says_how_it_was_measured() -> None:
    for name in checkpoint_names():
        commands = load_card(CHECKPOINTS / name).commands
        assert {*commands} >= {"test", "development"}
        assert ("DATA" in commands["test"]) == (task_of(load_card(CHECKPOINTS / name)) is None)
