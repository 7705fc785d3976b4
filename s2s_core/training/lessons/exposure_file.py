"""Exposure of translation models, measured once: no corpus comes with the program.

The file holds counts alone. `python -m tests.benchmarks.measure_exposure` writes it.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from s2s_core.training.lessons.exposure import Exposure, PositionCount

MEASURED = Path(__file__).with_name("exposure_measured.json")


@dataclass(frozen=True, slots=True)
class MeasuredExposure:
    """What one run of the benchmark found.

    name: of the checkpoint. data: which targets, in words. exposure: the counts.
    """

    name: str
    data: str
    exposure: Exposure


@cache
def measured() -> tuple[MeasuredExposure, ...]:
    """The figures that come with the program, by model."""
    return from_json(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else ()


def from_json(text: str) -> tuple[MeasuredExposure, ...]:
    """Read what `to_json` wrote."""
    found = []
    for each in json.loads(text):
        positions = tuple(PositionCount(*row) for row in each["exposure"].pop("positions"))
        exposure = Exposure(positions=positions, **each["exposure"])
        found.append(MeasuredExposure(each["name"], each["data"], exposure))
    return tuple(found)


def to_json(figures: Iterable[MeasuredExposure]) -> str:
    """As the text of the file, a model a line; a position is [position, count, forced, free]."""
    rows = []
    for each in figures:
        exposure = dataclasses.asdict(each.exposure)
        exposure["positions"] = [list(row.values()) for row in exposure["positions"]]
        row = {"name": each.name, "data": each.data, "exposure": exposure}
        rows.append(" " + json.dumps(row, ensure_ascii=False))
    return "[\n" + ",\n".join(rows) + "\n]\n"
