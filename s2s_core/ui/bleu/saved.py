"""A BLEU screen as JSON that can be opened again: its texts, its settings, and its result."""

from __future__ import annotations

import json
from dataclasses import dataclass

from s2s_core.errors import CorpusError, TraceFormatError
from s2s_core.metrics.export import report_fields, segment_fields
from s2s_core.metrics.report import BleuReport
from s2s_core.text.to_score import NamedFile, TextsToScore, json_lines
from s2s_core.ui import saved_file
from s2s_core.ui.bleu.fields import FIELDS, INPUT, TEXTS
from s2s_core.ui.link import LinkValues
from s2s_core.ui.shared_link import SHARED

_KIND = {"format": "seq2seq-explorer-bleu", "version": 1}
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
    segments = [
        dict(zip(_SYSTEMS, systems, strict=False)) | {"references": references}
        for *systems, references in rows
    ]
    return saved_file.write(
        _KIND, values, shown, {"segments": segments, "result": report_fields(report)}
    )


def from_json(data: bytes) -> SavedScreen:
    """Read what `to_json` wrote.

    Raises:
        TraceFormatError: it isn't such a file.
    """
    found = saved_file.read(data, _KIND)
    shown = [field for field in FIELDS if field not in TEXTS]
    values = saved_file.screen(
        found,
        shown,
        others=[field.name for field in TEXTS],
        optional=[field.name for field in SHARED],  # not needed here
    )
    return SavedScreen(values, _texts(found.get("segments")))


def segments_json_lines(report: BleuReport) -> str:
    """Every segment with every n-gram, an object a line."""
    return "".join(
        json.dumps(segment_fields(each), ensure_ascii=False) + "\n" for each in report.segments
    )


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
