"""Parallel corpora: tab-separated UTF-8 text, plain or gzipped, one pair a line.

A training file has two columns, source and target. A development or test file has one line for each
source: column 1 is the source, columns 2 and up are its references. There is no quoting, so a quote
mark is an ordinary character.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from s2s_core.errors import CorpusError
from s2s_core.text.lines import text_lines

MAXIMUM_FILE_BYTES = 2_000_000_000


@dataclass(frozen=True, slots=True)
class SentencePair:
    """One source with its references; the first reference is the one to train on."""

    source: str
    references: tuple[str, ...]

    @property
    def target(self) -> str:
        """The first reference."""
        return self.references[0]


def read_pairs(path: Path) -> tuple[SentencePair, ...]:
    """Read a training file: exactly two columns a line.

    Raises:
        CorpusError: the file can't be read, or a line is not a pair (the message says which line).
    """
    return tuple(_pair(path, number, line, most=2) for number, line in _lines(path))


def read_references(path: Path) -> tuple[SentencePair, ...]:
    """Read a development or test file: a source and one or more references a line.

    Raises:
        CorpusError: the file can't be read, or a line has no reference (the message says which).
    """
    return tuple(_pair(path, number, line, most=None) for number, line in _lines(path))


def _pair(path: Path, number: int, line: str, *, most: int | None) -> SentencePair:
    columns = line.split("\t")
    if len(columns) < 2 or (most is not None and len(columns) > most):
        wanted = "2 columns (source TAB target)" if most else "a source and at least one reference"
        raise CorpusError(
            f"{path.name}, line {number}: {len(columns)} column(s), but {wanted} are needed"
        )
    if any(not column.strip() for column in columns):
        empty = next(i for i, column in enumerate(columns, start=1) if not column.strip())
        raise CorpusError(f"{path.name}, line {number}: column {empty} is empty")
    return SentencePair(columns[0], tuple(columns[1:]))


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines with their numbers from 1; CRLF ends are accepted, a lone CR inside a line is not."""
    for number, line in enumerate(text_lines(_read(path), name=path.name), start=1):
        if "\r" in line:
            raise CorpusError(
                f"{path.name}, line {number}: a carriage return inside the line; save the file "
                "with the line ends of Unix or Windows (LF or CRLF)"
            )
        if "\x00" in line:
            raise CorpusError(f"{path.name}, line {number}: a NUL character; is this a text file?")
        yield number, line


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAXIMUM_FILE_BYTES:
            raise CorpusError(f"{path.name} is larger than {MAXIMUM_FILE_BYTES:,} bytes")
        if path.suffix != ".gz":
            return path.read_bytes()
        with gzip.open(path) as stream:
            data = stream.read(MAXIMUM_FILE_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise CorpusError(f"{path} can't be read: {reason}") from error
    if len(data) > MAXIMUM_FILE_BYTES:
        raise CorpusError(f"{path.name} unpacks to more than {MAXIMUM_FILE_BYTES:,} bytes")
    return data
