"""A sweep on disk: a line of JSON for each output, so that it can go on where it was stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from s2s_core.errors import SettingError, TraceFormatError
from s2s_core.search.json_fields import Fields, parse_object
from s2s_core.search.sweep import SweepOutput, SweepPlan

FORMAT = "seq2seq-explorer sweep"
VERSION = 1


class SweepStore:
    """The outputs so far, kept in a file."""

    def __init__(self, path: Path, *, model: str, sources: Sequence[str], plan: SweepPlan) -> None:
        """Start the file, or read what an earlier run left in it.

        Raises:
            SettingError: the file belongs to another model, other sentences or another plan.
            TraceFormatError: the file isn't a sweep, or is damaged before its last line.
            OSError: it can't be read or written.
        """
        self.outputs: list[SweepOutput] = []
        self._path = path
        self._plan = plan
        self._sentences = len(sources)
        head = _head(model, sources, plan)
        if path.exists() and path.stat().st_size:
            self._read(head)
        else:
            path.write_text(json.dumps(head, ensure_ascii=False) + "\n", encoding="utf-8")

    @property
    def done(self) -> frozenset[tuple[int, int]]:
        """(beam size, line) of every output."""
        return frozenset((output.beam_size, output.line) for output in self.outputs)

    @property
    def missing(self) -> int:
        """How many outputs are still to come."""
        return len(self._plan.beam_sizes) * self._sentences - len(self.done)

    def add(self, output: SweepOutput) -> None:
        """Keep one more, at once on disk."""
        self.outputs.append(output)
        data = {
            "beam_size": output.beam_size,
            "line": output.line,
            "seconds": output.seconds,
            "texts": list(output.texts),
        }
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(data, ensure_ascii=False) + "\n")

    def _read(self, head: dict[str, object]) -> None:
        first, *lines = self._path.read_text(encoding="utf-8").split("\n")
        found = parse_object(first).data
        if found.get("format") != FORMAT or found.get("version") != VERSION:
            raise TraceFormatError(f"{self._path} isn't a sweep of version {VERSION}")
        for key, value in head.items():
            if found.get(key) != value:
                raise SettingError(
                    f"{self._path} holds a sweep with another {key}: {found.get(key)!r}, not "
                    f"{value!r}; give the same settings, or another file"
                )
        if lines[-1]:  # a run that was ended while it wrote: that line is done again
            kept = "\n".join([first, *lines[:-1], ""])
            self._path.write_text(kept, encoding="utf-8")
        self.outputs = [self._load(parse_object(line)) for line in lines[:-1]]

    def _load(self, fields: Fields) -> SweepOutput:
        output = SweepOutput(
            beam_size=fields.integer("beam_size", 1),
            line=fields.integer("line", 1),
            seconds=fields.number("seconds"),
            texts=fields.texts("texts"),
        )
        fits = output.beam_size in self._plan.beam_sizes and output.line <= self._sentences
        if not fits or len(output.texts) != len(self._plan.penalties):
            raise TraceFormatError(f"{self._path} has a line that doesn't belong to the plan")
        return output


def _head(model: str, sources: Sequence[str], plan: SweepPlan) -> dict[str, object]:
    """What must be the same for a sweep to go on."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "model": model,
        "sentences": len(sources),
        "fingerprint of the sentences": hashlib.sha256("\n".join(sources).encode()).hexdigest(),
        "beam sizes": list(plan.beam_sizes),
        "penalties": [[penalty.name, penalty.parameter] for penalty in plan.penalties],
        "maximum length": plan.max_length,
        "minimum length": plan.min_length,
    }
