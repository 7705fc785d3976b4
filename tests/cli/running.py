"""What a command leaves behind."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of standard output."""
        return self.out.split("\n")[:-1]

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The JSON objects of standard output; NaN and the infinities aren't JSON."""
        return [json.loads(line, parse_constant=_refuse) for line in self.lines]

    @property
    def error(self) -> str:
        """The one line on standard error of a command that failed and wrote nothing else."""
        assert (self.status, self.out) == (2, "")
        (line,) = self.err.splitlines()
        assert line.startswith("error: ")
        return line.removeprefix("error: ")


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} in JSON")


Run = Callable[..., Result]
