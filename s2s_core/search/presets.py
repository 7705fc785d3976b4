"""Probability tables that each show one thing about search, shipped as table files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from s2s_core.search.config import SearchConfig
from s2s_core.search.length_penalty import NoPenalty, PowerPenalty
from s2s_core.search.table import ProbabilityTable
from s2s_core.search.table_file import load_table

FOLDER = Path(__file__).parent / "preset_tables"


@dataclass(frozen=True, slots=True)
class Preset:
    """One table.

    name: the table's file without its ending, and the key in `PRESETS`.
    title, lesson: for a person; what the table shows under the settings.
    config: the settings to start with.
    """

    name: str
    title: str
    lesson: str
    config: SearchConfig

    @property
    def path(self) -> Path:
        """The table file."""
        return FOLDER / f"{self.name}.json"

    @property
    def text(self) -> str:
        """The table file as text, to edit."""
        return self.path.read_text(encoding="utf-8")

    def load(self) -> ProbabilityTable:
        """The table."""
        return load_table(self.path)


_RAW = NoPenalty()

_ALL = (
    Preset(
        "greedy-trap",
        "The greedy trap",
        "A is the more probable first token, so greedy search takes it; but after A nothing is "
        "likely, and B x has the higher probability.",
        SearchConfig(2, 3, _RAW, "exhaust"),
    ),
    Preset(
        "beam-two-is-worse",
        "A beam of 2 is worse than 1 and 3",
        "With one prefix, A x is kept and ends well. With two, both continuations of B push it "
        "out, and they lead nowhere. With three there is room for all.",
        SearchConfig(2, 5, _RAW, "exhaust"),
    ),
    Preset(
        "first-misses",
        "Stopping at the first ends",
        "The rule `first` stops at step 2, where two ends are among the two best candidates. One "
        "step later comes an output that scores higher for its length.",
        SearchConfig(2, 4, PowerPenalty(0.6), "exhaust"),
    ),
    Preset(
        "empty-on-top",
        "The empty output wins",
        "No single sentence is as probable as saying nothing at all, because many good ones share "
        "the rest. With alpha above 0.46 a sentence wins.",
        SearchConfig(5, 4, _RAW, "exhaust"),
    ),
    Preset(
        "crossing-at-one-half",
        "A crossing at alpha 0.5",
        "Two outputs, 2 and 8 tokens long, with probabilities 0.5 and 0.25. With L to the power of "
        "alpha the short one wins below 0.5, the long one above.",
        SearchConfig(2, 10, PowerPenalty(0.5), "exhaust"),
    ),
)

PRESETS: dict[str, Preset] = {preset.name: preset for preset in _ALL}
