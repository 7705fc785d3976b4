"""A run that was recorded, so that there is something to see before anybody trains."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from s2s_core.training.live.config import LiveConfig
from s2s_core.training.live.result import Example, LiveReport, Measured, RunSoFar

RECORDED = Path(__file__).with_name("recorded.json")
"""Written by `python -m tests.benchmarks.record_live_run`."""

_DIGITS = 4  # after the point


def dump(steps: int, reports: Sequence[LiveReport]) -> str:
    """As the text of the file, a report a line; numbers are rounded."""
    rows = ",\n".join("  " + json.dumps(_rounded(asdict(report))) for report in reports)
    return f'{{\n "steps": {steps},\n "reports": [\n{rows}\n ]\n}}\n'


def load(text: str) -> RunSoFar:
    """Read what `dump` wrote."""
    data = json.loads(text)
    return RunSoFar(LiveConfig(steps=data["steps"]), tuple(map(_report, data["reports"])))


@cache
def recorded_run() -> RunSoFar:
    """The run that comes with the program: the settings that Train live begins with."""
    return load(RECORDED.read_text(encoding="utf-8"))


def _report(row: dict[str, Any]) -> LiveReport:
    measured = row["measured"]
    example = measured["example"]
    return LiveReport(
        **{name: row[name] for name in row if name != "measured"},
        measured=Measured(
            **{name: measured[name] for name in measured if name != "example"},
            example=Example(
                source=tuple(example["source"]),
                target=tuple(example["target"]),
                written=tuple(example["written"]),
                attention=tuple(map(tuple, example["attention"])),
            ),
        ),
    )


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return value
