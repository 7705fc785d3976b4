"""Lines in, lines out: UTF-8 whatever the locale, checked as a whole before any is used."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from s2s_core.errors import CorpusError

Item = TypeVar("Item")

_LINE_BREAKS = str.maketrans("\t\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029", " " * 11)


def read_lines(file: str) -> tuple[str, ...]:
    """All lines of a UTF-8 file, or of standard input for "-".

    A byte order mark at the start and the CR of a CRLF are left out.

    Raises:
        CorpusError: the file can't be read or is empty, or a line isn't UTF-8 or is blank; the
            message names the line.
    """
    name = "standard input" if file == "-" else file
    rows = _read(file).removeprefix(codecs.BOM_UTF8).split(b"\n")
    if not rows[-1]:
        rows.pop()
    if not rows:
        raise CorpusError(f"{name} is empty: give at least one line")
    return tuple(_decode(row, f"{name}, line {i}") for i, row in enumerate(rows, start=1))


def _read(file: str) -> bytes:
    if file != "-":
        try:
            return Path(file).read_bytes()
        except OSError as error:
            raise CorpusError(f"{file} can't be read: {error.strerror}") from error
    if sys.stdin.isatty():
        note("reading from the keyboard: one line each, then Ctrl-D")
    return sys.stdin.buffer.read()


def _decode(row: bytes, where: str) -> str:
    try:
        line = row.removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{where}: not UTF-8 (byte {error.start + 1} is 0x{row[error.start]:02x}); "
            "save the file as UTF-8"
        ) from error
    if not line.strip():
        raise CorpusError(f"{where}: the line is empty; remove it")
    return line


def write_line(*columns: str) -> None:
    """Write columns with TAB between, at once; a tab or line break inside one becomes a space."""
    print("\t".join(column.translate(_LINE_BREAKS) for column in columns), flush=True)


def write_json(data: object, *, indent: int | None = None) -> None:
    """Write one JSON value, on one line unless indented, at once."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent)
    print(text, flush=True)


def note(text: str) -> None:
    """Tell the person something that isn't data."""
    print(text, file=sys.stderr, flush=True)


def progress(items: Sequence[Item]) -> Iterable[Item]:
    """The items, with a bar on standard error if that is a terminal and the output isn't."""
    from tqdm import tqdm

    return tqdm(items, unit="line", disable=True if sys.stdout.isatty() else None)
