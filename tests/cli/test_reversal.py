"""`reversal`: its accuracy is labelled as what it is."""

from __future__ import annotations

import dataclasses

from s2s_core.training.plain_reversal import train_plain_reversal
from tests.cli.running import Run

SETTING = ("reversal", "--strings", 8, "--steps", 20)


def test_json_is_what_the_library_gives(run: Run) -> None:
    (found,) = run(*SETTING, "--json").objects
    assert found == dataclasses.asdict(train_plain_reversal(strings=8, steps=20))


def test_plain_output_says_that_it_is_no_validation(run: Run) -> None:
    lines = run(*SETTING).lines
    assert lines[0].startswith("8 strings of 7 digits, 20 steps, loss ")
    assert lines[1].startswith("greedy accuracy on the training batch itself (no validation): ")
    assert lines[2].startswith("on as many strings it was not trained on: ")
    assert "strings must be between 1 and" in run("reversal", "--strings", 0).error
