"""Lines in, lines out: UTF-8 whatever the locale, checked as a whole before any is used."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from s2s_core.errors import CorpusError
from s2s_core.text.lines import text_lines

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
    return text_lines(read_bytes(file), name=name)


def read_bytes(file: str, *, limit: int = -1) -> bytes:
    """A file's bytes, or those of standard input for "-".

    limit: read one byte more than this at most, so that a file above it shows; -1 reads all.

    Raises:
        CorpusError: the file can't be read.
    """
    most = limit if limit < 0 else limit + 1
    if file != "-":
        try:
            with Path(file).open("rb") as stream:
                return stream.read(most)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            reason = error.strerror if isinstance(error, OSError) else error
            raise CorpusError(f"{file} can't be read: {reason}") from error
    if sys.stdin.isatty():
        note("reading from the keyboard: one line each, then Ctrl-D")
    return sys.stdin.buffer.read(most)


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
