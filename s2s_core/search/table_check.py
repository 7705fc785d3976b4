"""A table file while it is being typed: every row's sum, and everything that is wrong."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

from s2s_core.errors import TableError
from s2s_core.search.table import SUM_TOLERANCE
from s2s_core.search.table_file import parse_table

DEFAULT_ROW = "default"


@dataclass(frozen=True, slots=True)
class RowCheck:
    """One row of the table.

    name: its prefix, "" for the first row, or "default".
    is_default: it is the default row, and not one after a token of that name.
    total: the sum of its probabilities; None where one isn't a number.
    """

    name: str
    is_default: bool
    total: float | None

    @property
    def sums_to_one(self) -> bool:
        """Within the tolerance of the format."""
        return self.total is not None and abs(self.total - 1.0) <= SUM_TOLERANCE


@dataclass(frozen=True, slots=True)
class TableCheck:
    """What can be said about a text that should be a table.

    rows: every row that can be read, in order, the default row last; () if the text isn't JSON.
    problem: the first thing that makes it unusable, in words; None for a valid table.
    """

    rows: tuple[RowCheck, ...]
    problem: str | None


def check_table(text: str) -> TableCheck:
    """Read a table as far as it goes. Nothing is raised."""
    try:
        parse_table(text)
        problem = None
    except TableError as error:
        problem = str(error)
    return TableCheck(_rows(text), problem)


def _rows(text: str) -> tuple[RowCheck, ...]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return ()
    if not isinstance(data, dict):
        return ()
    rows = data.get("next")
    found = [
        RowCheck(prefix, False, _total(row))
        for prefix, row in (rows.items() if isinstance(rows, dict) else ())
    ]
    if "default" in data:
        found.append(RowCheck(DEFAULT_ROW, True, _total(data["default"])))
    return tuple(found)


def _total(row: object) -> float | None:
    if not isinstance(row, dict):
        return None
    values = list(row.values())
    if any(isinstance(v, bool) or not isinstance(v, (int, float)) for v in values):
        return None
    try:
        total = math.fsum(values)
    except (OverflowError, ValueError):  # a huge whole number; infinity and minus infinity
        return None
    return total if math.isfinite(total) else None
