"""Reading a probability table from its JSON file."""

from __future__ import annotations

import json
from pathlib import Path

from s2s_core.errors import TableError
from s2s_core.search.table import ProbabilityTable

_KEYS = ("start", "eos", "next", "default")


def load_table(path: Path | str) -> ProbabilityTable:
    """Read a table file.

    Raises:
        TableError: the file can't be read or isn't a valid table.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise TableError(f"the table file {str(path)!r} isn't UTF-8 text") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else error
        raise TableError(f"the table file {str(path)!r} can't be read: {reason}") from error
    return parse_table(text)


def parse_table(text: str) -> ProbabilityTable:
    """Read a table from JSON text: `start`, `eos`, `next` and, if wanted, `default`.

    Raises:
        TableError: the text isn't JSON, has other keys, or a row isn't valid; the message names it.
    """
    try:
        data = json.loads(text, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:  # ValueError also for a number of 5000 digits
        raise TableError(f"the table isn't valid JSON: {error}") from error
    if not isinstance(data, dict):
        raise TableError('the table must be a JSON object with "start", "eos" and "next"')
    missing = [key for key in _KEYS[:3] if key not in data]
    unknown = [key for key in data if key not in _KEYS]
    if missing:
        raise TableError(f"the table lacks {missing[0]!r}; it needs 'start', 'eos' and 'next'")
    if unknown:
        raise TableError(f"the table has an unknown key {unknown[0]!r}; known: {', '.join(_KEYS)}")
    rows = data["next"]
    if not isinstance(rows, dict):
        raise TableError("'next' must be an object from prefixes to rows")
    default = data.get("default")
    return ProbabilityTable(
        {prefix: _row(f"row {prefix!r}", row) for prefix, row in rows.items()},
        default=None if default is None else _row("the default row", default),
        start=_text("start", data["start"]),
        eos=_text("eos", data["eos"]),
    )


def _text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise TableError(f"{key!r} must be a text, not {value!r}")
    return value


def _row(name: str, value: object) -> dict[str, float]:
    if not isinstance(value, dict):
        raise TableError(f"{name} must be an object from tokens to probabilities, not {value!r}")
    row = {}
    for token, probability in value.items():
        if isinstance(probability, bool) or not isinstance(probability, (int, float)):
            raise TableError(
                f"{name}: the probability of {token!r} must be a number, not {probability!r}"
            )
        try:
            row[token] = float(probability)
        except OverflowError as error:
            raise TableError(
                f"{name}: the probability of {token!r} must be from 0 to 1, not a huge number"
            ) from error
    return row


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result: dict[str, object] = {}
    for key, value in pairs:
        if key in result:
            raise TableError(f"row or token {key!r} is given twice")
        result[key] = value
    return result
