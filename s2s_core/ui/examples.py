"""Example sentences, each chosen because it shows something on the bundled model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import shorten

FILE = Path(__file__).with_name("examples.json")
FIRST_SCREEN = Path(__file__).with_name("first_screen.json")
"""The search that the first screen shows before any model is loaded, as a saved trace."""

SHOWS: dict[str, str] = {
    "plain": "a plain sentence",
    "alpha": "alpha changes the winner",
    "beam": "beam search beats greedy",
    "force": "a forced token mends it",
    "repeat": "a word that comes twice",
    "long": "a long sentence",
}
"""What an example can show; the key is what `examples.json` says."""


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence for one model.

    shows: a key of `SHOWS`; a test holds each example to it.
    note: what to look at, in a sentence.
    """

    model: str
    source: str
    shows: str
    note: str

    @property
    def label(self) -> str:
        """For menus: what the sentence shows, and the sentence, shortened."""
        return f"{SHOWS[self.shows]}: {shorten(self.source, 60, placeholder=' …')}"


@cache
def examples() -> tuple[Example, ...]:
    """All examples, by model and in the order of `SHOWS`."""
    return tuple(Example(**item) for item in json.loads(FILE.read_text(encoding="utf-8")))


def first_source(model: str) -> str:
    """The sentence that a model starts with; blank if it has no example."""
    return next((example.source for example in examples() if example.model == model), "")


def find_example(model: str, source: str) -> Example | None:
    """The example that a sentence is."""
    found = (e for e in examples() if e.model == model and e.source == source)
    return next(found, None)
