"""Files of hypotheses and references: plain lines, tab-separated columns, or JSON lines.

All are UTF-8, decoded strictly; every message names the file and the line. A lone carriage return
inside a line is white space to every tokenizer, so it stays, and lines keep their numbers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from s2s_core.errors import CorpusError
from s2s_core.text.lines import text_lines

MAXIMUM_BYTES = 50_000_000
"""The largest file that is read: some 400,000 lines."""

MAXIMUM_REFERENCES = 100
"""The most references that one segment may have."""


@dataclass(frozen=True, slots=True)
class TextsToScore:
    """Systems' outputs, and the references of each segment.

    systems: for each system its hypotheses, one for each segment.
    references: for each segment its own; None where one is missing.
    """

    systems: tuple[tuple[str, ...], ...]
    references: tuple[tuple[str | None, ...], ...]


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file's bytes, and what messages call it."""

    name: str
    data: bytes


def plain_texts(systems: Sequence[NamedFile], references: Sequence[NamedFile]) -> TextsToScore:
    """Files of one segment a line, all with the same number of lines.

    A blank line is an empty text, not a missing one.

    Raises:
        CorpusError: a file can't be used, or the numbers of lines differ; names the first line
            that has no partner.
    """
    read = [plain_lines(file) for file in (*systems, *references)]
    names = [file.name for file in (*systems, *references)]
    check_line_counts(names, [len(lines) for lines in read])
    return TextsToScore(tuple(read[: len(systems)]), tuple(zip(*read[len(systems) :], strict=True)))


def typed_texts(hypotheses: str, references: Sequence[str]) -> TextsToScore:
    """What was typed into a box of hypotheses and boxes of references, a segment a line.

    A blank box of references, and a blank line in one, is missing (None), not an empty reference.

    Raises:
        CorpusError: the numbers of lines differ; names the first line without a partner.
    """
    boxes = {
        f"the box of references {number}": _typed_lines(box)
        for number, box in enumerate(references, start=1)
        if box.strip()
    }
    lines = _typed_lines(hypotheses)
    names, counts = list(boxes), [len(box) for box in boxes.values()]
    check_line_counts(["the box of hypotheses", *names], [len(lines), *counts])
    return TextsToScore(
        (lines,),
        tuple(
            tuple(box[row] if box[row].strip() else None for box in boxes.values())
            for row in range(len(lines))
        ),
    )


def _typed_lines(text: str) -> tuple[str, ...]:
    """At least one; line breaks at the end don't count."""
    return tuple(line.removesuffix("\r") for line in text.rstrip("\r\n").split("\n"))


def check_line_counts(names: Sequence[str], counts: Sequence[int]) -> None:
    """Texts that belong together have the same number of lines.

    Raises:
        CorpusError: one has another number than the first; names the first line without a partner.
    """
    for name, count in zip(names[1:], counts[1:], strict=True):
        if count != counts[0]:
            shorter, longer = (names[0], name) if counts[0] < count else (name, names[0])
            raise CorpusError(
                f"{names[0]} has {counts[0]:,} line(s), but {name} has {count:,}: line "
                f"{min(count, counts[0]) + 1} of {longer} has no partner in {shorter}; "
                "line n of every file belongs to segment n"
            )


def plain_lines(file: NamedFile) -> tuple[str, ...]:
    """One text a line.

    Raises:
        CorpusError: the file is too large or empty, or a line can't be used.
    """
    if len(file.data) > MAXIMUM_BYTES:
        raise CorpusError(
            f"{file.name} has more than {MAXIMUM_BYTES:,} bytes, the most that is read; "
            "cut it into parts"
        )
    lines = text_lines(file.data, name=file.name, allow_blank=True)
    for number, line in enumerate(lines, start=1):
        if "\x00" in line:
            raise CorpusError(f"{file.name}, line {number}: a NUL character; is this a text file?")
    return lines


def tab_separated(file: NamedFile) -> TextsToScore:
    """A hypothesis TAB its references, any number; an empty column is a missing reference.

    There is no quoting, so a quote mark is an ordinary character.

    Raises:
        CorpusError: the file can't be used, or a line has no reference.
    """
    hypotheses, references = [], []
    for number, line in enumerate(plain_lines(file), start=1):
        hypothesis, *own = line.split("\t")
        where = f"{file.name}, line {number}"
        if not any(reference.strip() for reference in own):
            raise CorpusError(f"{where}: no reference; write hypothesis TAB reference [TAB …]")
        _check_count(where, own)
        hypotheses.append(hypothesis)
        references.append(tuple(reference if reference.strip() else None for reference in own))
    return TextsToScore((tuple(hypotheses),), tuple(references))


def json_lines(file: NamedFile, *, systems: Sequence[str] = ("hypothesis",)) -> TextsToScore:
    """An object a line: {"hypothesis": "…", "references": ["…", …]}; other keys don't matter.

    A reference that is null is missing; "" is a reference of length 0.

    systems: the keys of the hypotheses, where a line holds those of several systems.

    Raises:
        CorpusError: the file can't be used, or a line isn't such an object.
    """
    hypotheses: list[tuple[str, ...]] = []
    references: list[tuple[str | None, ...]] = []
    for number, line in enumerate(plain_lines(file), start=1):
        where = f"{file.name}, line {number}"
        fields = _json_object(where, line)
        hypotheses.append(tuple(_text(where, fields, key) for key in systems))
        references.append(_references(where, fields))
    return TextsToScore(tuple(zip(*hypotheses, strict=True)), tuple(references))


def _json_object(where: str, line: str) -> dict[str, object]:
    if not line.strip():
        raise CorpusError(f"{where}: the line is empty; remove it")
    try:
        found: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it is too deep or long"
        raise CorpusError(f"{where}: not JSON ({reason}); write one object a line") from error
    if not isinstance(found, dict):
        raise CorpusError(f"{where}: a JSON {_json_kind(found)}, but an object is needed")
    return found


def _text(where: str, fields: dict[str, object], key: str) -> str:
    if key not in fields:
        raise CorpusError(f'{where}: there is no "{key}"')
    value = fields[key]
    if not isinstance(value, str):
        raise CorpusError(f'{where}: "{key}" must be a string, not {_json_kind(value)}')
    return value


def _references(where: str, fields: dict[str, object]) -> tuple[str | None, ...]:
    given = fields.get("references")
    if not isinstance(given, list):
        found = _json_kind(given) if "references" in fields else "missing"
        raise CorpusError(
            f'{where}: "references" must be a list of strings, but it is {found}; '
            'write {"hypothesis": "…", "references": ["…"]}'
        )
    checked: list[str | None] = []
    for place, reference in enumerate(given, start=1):
        if reference is not None and not isinstance(reference, str):
            raise CorpusError(
                f"{where}: reference {place} must be a string, or null where it is missing, not "
                f"{_json_kind(reference)}"
            )
        checked.append(reference)
    if all(reference is None for reference in checked):
        raise CorpusError(f"{where}: no reference; give one, or leave the line out")
    _check_count(where, checked)
    return tuple(checked)


def _check_count(where: str, references: Sequence[str | None]) -> None:
    if len(references) > MAXIMUM_REFERENCES:
        raise CorpusError(
            f"{where}: {len(references)} references, but at most {MAXIMUM_REFERENCES} are read"
        )


def _json_kind(value: object) -> str:
    names = {dict: "object", list: "list", str: "string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "number")
