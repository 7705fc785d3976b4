"""Lines of UTF-8 text, checked, with errors that name the line."""

from __future__ import annotations

import codecs

from s2s_core.errors import CorpusError


def text_lines(data: bytes, *, name: str, allow_blank: bool = False) -> tuple[str, ...]:
    """Cut the bytes of a file into lines.

    A byte order mark at the start and the CR of a CRLF are left out. Only LF ends a line: a lone
    CR, or one of Unicode's separators, stays inside, so that line numbers are those of the file.

    name: what the messages call the file.
    allow_blank: a line may be blank, as the output of a system may be.

    Raises:
        CorpusError: there is no line, one isn't UTF-8, or one is blank and mustn't be.
    """
    rows = data.removeprefix(codecs.BOM_UTF8).split(b"\n")
    if not rows[-1]:
        rows.pop()
    if not rows:
        raise CorpusError(f"{name} is empty: it needs at least one line")
    return tuple(
        _decode(row, f"{name}, line {number}", allow_blank=allow_blank)
        for number, row in enumerate(rows, start=1)
    )


def _decode(row: bytes, where: str, *, allow_blank: bool) -> str:
    try:
        line = row.removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{where}: not UTF-8 (byte {error.start + 1} is 0x{row[error.start]:02x}); "
            "save the file as UTF-8"
        ) from error
    if not allow_blank and not line.strip():
        raise CorpusError(f"{where}: the line is empty; remove it")
    return line
