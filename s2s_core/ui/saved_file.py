"""Saved screens as JSON: what every such file has, and how it is read. Nothing is drawn here."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from s2s_core.errors import TraceFormatError
from s2s_core.ui.link import LinkField, LinkValues, read_link, write_link

_SHOWN_CHARACTERS = 20


def write(
    kind: Mapping[str, object],
    values: LinkValues,
    fields: Sequence[LinkField[Any]],
    added: Mapping[str, object] | None = None,
) -> str:
    """The screen as JSON text.

    kind: what kind of file it is, such as its format and version; `read` asks for the same.
    fields: those that are saved. added: what else the file holds.
    """
    data = {**kind, "screen": write_link(values, fields), **(added or {})}
    return json.dumps(data, ensure_ascii=False, indent=1)


def read(data: bytes, kind: Mapping[str, object]) -> dict[str, Any]:
    """The fields of a file that `write` wrote.

    Raises:
        TraceFormatError: it isn't such a file.
    """
    try:
        found: object = json.loads(text(data))
    except (ValueError, RecursionError) as error:
        raise TraceFormatError("it isn't valid JSON; choose one that was saved here") from error
    for name, wanted in kind.items():
        given = found.get(name) if isinstance(found, dict) else None
        if given != wanted:
            raise TraceFormatError(
                f"this page reads files whose {name} is {wanted!r}, and here it is "
                f"{str(given)[:_SHOWN_CHARACTERS]!r}; choose one that was saved on this page"
            )
    assert isinstance(found, dict)
    return found


def screen(
    found: Mapping[str, Any],
    fields: Sequence[LinkField[Any]],
    *,
    others: Sequence[str] = (),
    optional: Collection[str] = (),
) -> LinkValues:
    """The values of the saved fields; the others at their defaults.

    others: names that may stand there and are passed over.
    optional: names of fields whose values may be ones that can't be used here.

    Raises:
        TraceFormatError: a value can't be used.
    """
    given = found.get("screen")
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise TraceFormatError("its screen must be an object of texts")
    values, notices = read_link(given, fields, others=others)
    for notice in notices:
        if notice.name not in optional:
            raise TraceFormatError(notice.message)
    return values


def text(data: bytes) -> str:
    """What a file says.

    Raises:
        TraceFormatError: it isn't text.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TraceFormatError("it isn't text in UTF-8; choose one that was saved here") from error
