"""The traces of the ranking figure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from s2s_core.figures.theme import FONT_SIZE, SMALL_SIZE, Theme, lines, literal, signed
from s2s_core.search.ranking import RankEntry, RankingCurve

Trace = dict[str, object]

OTHERS = 12
"""The most lines drawn for hypotheses without a letter."""
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "5px,2px", "1px,4px")
LETTERS = "ABCDEFGH"
NAME_WIDTH = 44
"""Characters of a hypothesis in the legend."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Where a score stands on the axis.

    The scores of all hypotheses are multiplied (for a penalty that divides) or shifted (for a
    reward) by what length `reference` gets at each parameter. That changes no order and moves no
    crossing, but lines of that length are level and the others gently sloped, instead of all
    shooting up together.

    logarithmic: the axis has -score on a logarithmic scale, upside down.
    """

    curve: RankingCurve
    reference: int
    logarithmic: bool

    @classmethod
    def of(cls, curve: RankingCurve, parameter: float) -> Scale:
        """The scale on which the winner at the parameter is level."""
        divides = curve.family.parameter_name == "alpha"
        negative = all(entry.log_prob < 0 for entry in curve.entries)
        return cls(curve, curve.winner(parameter).length, divides and negative)

    def height(self, entry: RankEntry, parameter: float) -> float:
        """What stands on the axis."""
        intercept, slope = self.curve.family.line(entry.log_prob, entry.length)
        if not self.logarithmic:
            return self.score(entry, parameter) - self._shift(parameter)
        return math.exp(intercept - parameter * (slope - self._reference_slope()))

    def score(self, entry: RankEntry, parameter: float) -> float:
        """The score under the family's penalty with that parameter."""
        penalty = self.curve.family.from_parameter(parameter)
        return penalty.score(entry.log_prob, entry.length)

    def _reference_slope(self) -> float:
        return self.curve.family.line(-1.0, self.reference)[1]

    def _shift(self, parameter: float) -> float:
        """Of a reward only: what the reference length gets."""
        divides = self.curve.family.parameter_name == "alpha"
        return 0.0 if divides else parameter * self._reference_slope()


def line(
    entry: RankEntry,
    place: int,
    scale: Scale,
    grid: NDArray[np.float64],
    theme: Theme,
    name: str,
) -> Trace:
    """One hypothesis. name: its text, short enough for the legend."""
    letter, color = LETTERS[place], theme.categories[place]
    text = literal(name) or "(empty translation)"
    return {
        "type": "scatter",
        "mode": "lines",
        "meta": "hypothesis",
        "name": f"<b>{letter}</b>  {text}",
        "x": grid,
        "y": [scale.height(entry, x) for x in grid],
        "customdata": [scale.score(entry, x) for x in grid],
        "text": f"log P {signed(entry.log_prob)}, {entry.length} tokens<br>{lines(entry.text, 48)}",
        "line": {"color": color, "width": 3, "dash": _DASHES[place]},
        "hovertemplate": f"<b>{letter}</b>  score %{{customdata:.3f}} at %{{x:.2f}}"
        "<br>%{text}<extra></extra>",
    }


def other_lines(
    curve: RankingCurve,
    named: Sequence[RankEntry],
    scale: Scale,
    grid: NDArray[np.float64],
    theme: Theme,
) -> Trace:
    """The best of those without a letter, thin and grey, in one trace."""
    others = [c for c in curve.entries if c not in named][:OTHERS]
    x: list[float | None] = []
    y: list[float | None] = []
    for entry in others:
        x += [*grid[::4], None]
        y += [*(scale.height(entry, value) for value in grid[::4]), None]
    return {
        "type": "scatter",
        "mode": "lines",
        "meta": "others",
        "name": f"{len(others)} others",
        "x": x,
        "y": y,
        "line": {"color": theme.pruned, "width": 1},
        "opacity": 0.5,
        "hoverinfo": "skip",
        "showlegend": bool(others),
        "legendrank": 2000,
    }


def letter_marks(named: Sequence[RankEntry], scale: Scale, theme: Theme) -> Trace:
    """Each line's letter on the line, at a place of its own."""
    places = letter_places(named, scale.curve)
    return {
        "type": "scatter",
        "mode": "markers+text",
        "meta": "letters",
        "x": places,
        "y": [scale.height(c, x) for c, x in zip(named, places, strict=True)],
        "text": [f"<b>{LETTERS[i]}</b>" for i in range(len(named))],
        "textfont": {"size": SMALL_SIZE, "color": theme.background},
        "marker": {"size": 22, "color": list(theme.categories[: len(named)]), "opacity": 1.0},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def letter_places(named: Sequence[RankEntry], curve: RankingCurve) -> list[float]:
    """Evenly spaced, so that no two letters fall together; a winner's near where it wins."""
    width = (curve.maximum - curve.minimum) / len(named)
    free = [curve.minimum + width * (i + 0.5) for i in range(len(named))]
    middles = {i.entry_id: (i.start + i.end) / 2 for i in curve.intervals}
    places: dict[int, float] = {}
    for entry in sorted(named, key=lambda c: c.id not in middles):
        wish = middles.get(entry.id, free[0])
        places[entry.id] = min(free, key=lambda place: abs(place - wish))
        free.remove(places[entry.id])
    return [places[entry.id] for entry in named]


def crossings(curve: RankingCurve, scale: Scale, letters: dict[int, str], theme: Theme) -> Trace:
    """A ring where one winner follows another."""
    by_id = {c.id: c for c in curve.entries}
    pairs = list(zip(curve.intervals, curve.intervals[1:], strict=False))
    return {
        "type": "scatter",
        "mode": "markers",
        "meta": "crossings",
        "x": [after.start for _, after in pairs],
        "y": [scale.height(by_id[after.entry_id], after.start) for _, after in pairs],
        "marker": {
            "symbol": "circle-open",
            "size": 15,
            "color": theme.text,
            "line": {"width": 2.5},
        },
        "text": [
            f"{letters.get(after.entry_id, 'another')} overtakes "
            f"{letters.get(before.entry_id, 'another')}"
            for before, after in pairs
        ],
        "hovertemplate": "%{text} at %{x:.3f}<extra></extra>",
        "showlegend": False,
    }


def strip(
    curve: RankingCurve, letters: dict[int, str], colors: dict[int, str], theme: Theme
) -> Trace:
    """Who ranks first, from left to right, below the lines."""
    return {
        "type": "bar",
        "meta": "strip",
        "orientation": "h",
        "yaxis": "y2",
        "x": [i.end - i.start for i in curve.intervals],
        "base": [i.start for i in curve.intervals],
        "y": [0] * len(curve.intervals),
        "width": 1,
        "text": [f"<b>{letters.get(i.entry_id, '')}</b>" for i in curve.intervals],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "textfont": {"size": FONT_SIZE, "color": theme.background},
        "marker": {
            "color": [colors.get(i.entry_id, theme.pruned) for i in curve.intervals],
            "line": {"width": 2, "color": theme.background},
        },
        "customdata": [[i.start, i.end] for i in curve.intervals],
        "hovertemplate": "%{text} ranks first from %{customdata[0]:.3f} "
        "to %{customdata[1]:.3f}<extra></extra>",
        "showlegend": False,
    }
