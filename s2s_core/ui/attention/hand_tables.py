"""The tables that a person edits, between the link's values and data frames. Nothing is drawn here.

All that belongs to one source position stands in one row: whether attention may look there, its
key or its given scores or weights, and its value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from s2s_core.models.attention_by_hand import attend_by_hand
from s2s_core.models.hand_case import MOST_WIDTH, Table
from s2s_core.ui.attention.link import (
    GIVEN_SCORES,
    GIVEN_WEIGHTS,
    KEYS,
    MASK,
    QUERIES,
    START,
    VALUES,
    hand_case,
)
from s2s_core.ui.link import LinkField, LinkValues

LOOK = "may look"
_GIVEN: dict[str, LinkField[Table]] = {"scores": GIVEN_SCORES, "weights": GIVEN_WEIGHTS}


def names(what: str, width: int) -> list[str]:
    """Names for the numbers of a vector: `key`; `key x`, `key y` in the plane; `key [1]`, …"""
    if width == 1:
        return [what]
    axes = ["x", "y"] if width == 2 else [f"[{place}]" for place in range(1, width + 1)]
    return [f"{what} {axis}" for axis in axes]


def _by_query(what: str, count: int) -> list[str]:
    """Names for what each query has one of: `score`; `score of query 1`, …"""
    if count == 1:
        return [what]
    return [f"{what} of query {place}" for place in range(1, count + 1)]


def positions_frame(values: LinkValues) -> pd.DataFrame:
    """A row for each source position."""
    start, mixed = values.get(START), values.get(VALUES) or ((0.0,),)
    columns: dict[str, Sequence[Any]] = {}
    if start != "weights":
        mask = values.get(MASK)
        columns[LOOK] = _filled(mask, len(mixed), True)
    if start == "vectors":
        columns |= _columns("key", values.get(KEYS), len(mixed))
    else:
        given = values.get(_GIVEN[start]) or ((),)
        rows = [_filled(row, len(mixed), 0.0) for row in given]
        columns |= dict(zip(_by_query(start[:-1], len(given)), rows, strict=True))
    return pd.DataFrame(columns | _columns("value", mixed, len(mixed)))


def take_positions(values: LinkValues, frame: pd.DataFrame) -> LinkValues:
    """The values with an edited table in them; an empty cell counts as 0, or as a yes."""
    start = values.get(START)
    if LOOK in frame:
        mask = tuple(bool(kept) for kept in frame[LOOK].astype("boolean").fillna(True))
        values = values.replace(MASK, mask)
    if start == "vectors":
        values = values.replace(KEYS, _rows(frame, "key"))
    else:
        by_position = _rows(frame, start[:-1])
        values = values.replace(_GIVEN[start], tuple(zip(*by_position, strict=True)))
    return values.replace(VALUES, _rows(frame, "value"))


def queries_frame(values: LinkValues) -> pd.DataFrame:
    """A row for each query."""
    queries = values.get(QUERIES) or ((0.0, 0.0),)
    return pd.DataFrame(_columns("query", queries, len(queries)))


def take_queries(values: LinkValues, frame: pd.DataFrame) -> LinkValues:
    """The values with an edited table of queries in them; an empty cell counts as 0."""
    return values.replace(QUERIES, _rows(frame, "query"))


def resized(table: Table, width: int) -> Table:
    """Rows cut or filled with zeros to a width."""
    return tuple((*row[:width], *[0.0] * (width - len(row))) for row in table)


def recounted(table: Table, rows: int) -> Table:
    """The table cut to so many rows, or with copies of the last one."""
    return (*table[:rows], *table[-1:] * (rows - len(table)))


def start_from(values: LinkValues, before: str) -> LinkValues:
    """Fill in what the new start needs from what was computed from the start before.

    Scores and weights are taken over; vectors that aren't there yet begin as small ones.
    """
    case = hand_case(values.replace(START, before))
    found, start = attend_by_hand(case), values.get(START)
    if start == "scores" and found.scores is not None:
        return values.replace(GIVEN_SCORES, _table(found.scores[0]))
    if start == "scores":
        return values.replace(GIVEN_SCORES, _table(found.weights[0] * 0))
    if start == "weights":
        return values.replace(GIVEN_WEIGHTS, _table(found.weights[0]))
    if len(values.get(KEYS)) != len(case.values):
        width = min(2, MOST_WIDTH)
        values = values.replace(KEYS, resized(case.values, width))
        values = values.replace(QUERIES, ((1.0,) * width,))
    return values


def _table(array: Any) -> Table:
    return tuple(tuple(round(float(number), 8) for number in row) for row in array)


def _columns(what: str, table: Table, rows: int) -> dict[str, Sequence[float]]:
    """A column for each number of the rows; missing rows are zeros."""
    width = len(table[0]) if table else 1
    full = (*table, *[(0.0,) * width] * (rows - len(table)))
    columns = zip(*full[:rows], strict=True)
    return dict(zip(names(what, width), columns, strict=True)) if rows else {}


def _filled(row: Sequence[Any], count: int, filler: Any) -> Sequence[Any]:
    return (*row[:count], *[filler] * (count - len(row)))


def _rows(frame: pd.DataFrame, what: str) -> Table:
    """The numbers of the columns of one name."""
    chosen = [name for name in frame if name == what or str(name).startswith(f"{what} ")]
    numbers = frame[chosen].astype("float64").fillna(0.0)
    return tuple(tuple(map(float, row)) for row in numbers.itertuples(index=False))
