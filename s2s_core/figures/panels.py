"""Rows of horizontal bars in panels side by side: one row for each position or token.

A panel has its own scale. Numbers stand at the ends of the bars, so that none has to be read off.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.labels import token_label
from s2s_core.figures.theme import LIGHT, SMALL_SIZE, TOP, Theme, bare_axis, base_layout, font
from s2s_core.figures.theme import lines as broken

_BAR_HEIGHT = 33
_AROUND = TOP + 34
_LABEL_WIDTH = 16
_GAP = 0.03  # of the width, between panels
_ROOM = 0.45  # of a panel, for the numbers beside the bars
_TITLE_WIDTH = 18

Role = Literal["score", "weight", "effect", "other"]


@dataclass(frozen=True, slots=True)
class Panel:
    """One column of bars.

    title: above it. values: the lengths; NaN and infinite ones have no bar. texts: at their ends.
    role: chooses the colour.
    most: the length that fills the panel; None is the largest of the values.
    """

    title: str
    values: tuple[float, ...]
    texts: tuple[str, ...]
    role: Role = "other"
    most: float | None = None


def panels_figure(
    labels: Sequence[str],
    panels: Sequence[Panel],
    *,
    theme: Theme = LIGHT,
    marked: Sequence[int] = (),
    label_width: int = _LABEL_WIDTH,
) -> go.Figure:
    """Panels from left to right, rows from top to bottom.

    labels: a row each; cut at `label_width` characters. marked: rows (from 0) in the accent colour,
        with a sign in their label.
    """
    colors = {
        "score": theme.pruned,
        "weight": theme.kept,
        "effect": theme.greedy,
        "other": theme.finished,
    }
    shown = [
        f"<b>▸ {token_label(label, label_width)}</b>"
        if row in marked
        else token_label(label, label_width)
        for row, label in enumerate(labels)
    ]
    layout = base_layout(theme, height=_AROUND + _BAR_HEIGHT * len(labels)) | {
        "bargap": 0.3,
        "margin": {"l": 8, "r": 8, "t": TOP + 26, "b": 8},
        "yaxis": bare_axis(theme, shown) | {"range": [len(labels) - 0.5, -0.5]},
        "annotations": [
            _title(panel, place, len(panels), theme) for place, panel in enumerate(panels)
        ],
    }
    traces = []
    for place, panel in enumerate(panels):
        suffix = "" if place == 0 else str(place + 1)
        layout[f"xaxis{suffix}"] = {
            "domain": _domain(place, len(panels)),
            "range": _range(panel),
            "visible": False,
            "fixedrange": True,
            "anchor": "y",
        }
        traces.append(
            {
                "type": "bar",
                "meta": panel.title,
                "orientation": "h",
                "x": [value if math.isfinite(value) else 0.0 for value in panel.values],
                "y": list(range(len(labels))),
                "xaxis": f"x{suffix}",
                "text": list(panel.texts),
                "textposition": "outside",
                "textangle": 0,
                "textfont": font(theme),
                "cliponaxis": False,
                "hoverinfo": "skip",
                "marker": {"color": colors[panel.role]},
            }
        )
    return make_figure(traces, layout)


def panels_alt(labels: Sequence[str], panels: Sequence[Panel]) -> str:
    """The picture in plain sentences, for those who don't see it."""
    told = [
        f"{panel.title}: "
        + ", ".join(f"{label} {text}" for label, text in zip(labels, panel.texts, strict=True))
        for panel in panels
    ]
    return f"Bars for {len(labels)} rows. {'. '.join(told)}."


def _domain(place: int, count: int) -> list[float]:
    width = (1 - _GAP * (count - 1)) / count
    begin = place * (width + _GAP)
    return [begin, min(1.0, begin + width)]


def _range(panel: Panel) -> list[float]:
    """From the largest negative bar, or 0, to the largest, with room for the numbers."""
    finite = [value for value in panel.values if math.isfinite(value)]
    high = max([0.0, *finite]) if panel.most is None else panel.most
    low = min([0.0, *finite])
    spread = (high - low) or 1.0
    room = spread * _ROOM / (1 - _ROOM)
    return [low - (room if low < 0 else 0.0), high + room]


def _title(panel: Panel, place: int, count: int, theme: Theme) -> dict[str, object]:
    return {
        "x": _domain(place, count)[0],
        "xref": "paper",
        "xanchor": "left",
        "y": 1.0,
        "yref": "paper",
        "yanchor": "bottom",
        "align": "left",
        "text": f"<b>{broken(panel.title, _TITLE_WIDTH)}</b>",
        "font": font(theme, SMALL_SIZE),
        "showarrow": False,
    }
