"""A BLEU screen as JSON that can be opened again: its texts, its settings, and its result."""

from __future__ import annotations

import json
from dataclasses import dataclass

from s2s_core.errors import CorpusError, TraceFormatError
from s2s_core.metrics.export import report_fields, segment_fields
from s2s_core.metrics.report import BleuReport
from s2s_core.text.to_score import NamedFile, TextsToScore, json_lines
from s2s_core.ui.bleu.fields import FIELDS, INPUT, TEXTS
from s2s_core.ui.link import LinkValues, read_link, write_link

FORMAT = "seq2seq-explorer-bleu"
VERSION = 1
_SYSTEMS = ("hypothesis", "baseline")


@dataclass(frozen=True, slots=True)
class SavedScreen:
    """What a file gives back.

    values: of all fields that say how it is scored and shown.
    texts: hypotheses, baseline and references.
    """

    values: LinkValues
    texts: TextsToScore


def to_json(values: LinkValues, texts: TextsToScore, report: BleuReport) -> str:
    """The screen as one JSON object; `result` has raw figures and isn't read back."""
    shown = [field for field in FIELDS if field not in TEXTS or field is INPUT]
    rows = zip(*texts.systems, texts.references, strict=True)
    return json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "screen": write_link(values, shown),
            "segments": [
                dict(zip(_SYSTEMS, systems, strict=False)) | {"references": references}
                for *systems, references in rows
            ],
            "result": report_fields(report),
        },
        ensure_ascii=False,
        indent=1,
    )


def from_json(data: bytes) -> SavedScreen:
    """Read what `to_json` wrote.

    Raises:
        TraceFormatError: it isn't such a file.
    """
    try:
        found: object = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise TraceFormatError("it isn't text in UTF-8; choose one that was saved here") from error
    except (ValueError, RecursionError) as error:
        raise TraceFormatError("it isn't valid JSON; choose one that was saved here") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise TraceFormatError("it isn't a BLEU screen; choose one that was saved on this page")
    if found.get("version") != VERSION:
        raise TraceFormatError(
            f"it is of version {str(found.get('version'))[:20]}, and this app reads {VERSION}"
        )
    return SavedScreen(_values(found.get("screen")), _texts(found.get("segments")))


def segments_json_lines(report: BleuReport) -> str:
    """Every segment with every n-gram, an object a line."""
    return "".join(
        json.dumps(segment_fields(each), ensure_ascii=False) + "\n" for each in report.segments
    )


def _values(given: object) -> LinkValues:
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise TraceFormatError("its screen must be an object of strings")
    shown = [field for field in FIELDS if field not in TEXTS]
    values, notices = read_link(given, shown, others=[field.name for field in TEXTS])
    for notice in notices:
        if notice.name not in ("model", "source"):  # shared with other pages, and not needed here
            raise TraceFormatError(notice.message)
    return values


def _texts(given: object) -> TextsToScore:
    """Checked by the reader of JSON lines, which names the segment."""
    if not isinstance(given, list) or not given:
        raise TraceFormatError("its segments must be a list with at least one")
    both = all(isinstance(row, dict) and "baseline" in row for row in given)
    lines = "\n".join(json.dumps(row) for row in given).encode()
    try:
        return json_lines(NamedFile("segments", lines), systems=_SYSTEMS if both else _SYSTEMS[:1])
    except CorpusError as error:
        raise TraceFormatError(str(error)) from error
