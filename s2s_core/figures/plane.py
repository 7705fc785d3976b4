"""Vectors of width 2 as arrows: what the query meets, and how values are mixed to the context.

The mixture is drawn as a walk: each value, shortened by its weight, begins where the one before
ends, and the last one ends at the context.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from s2s_core.figures.build import make_figure
from s2s_core.figures.theme import LIGHT, SMALL_SIZE, TOP, Theme, base_layout, font, literal, signed

Role = Literal["query", "key", "value", "part", "context"]
Point = tuple[float, float]

_HEIGHT = 300
_ROOM = 0.22  # of the span, at each end


@dataclass(frozen=True, slots=True)
class Arrow:
    """From one point to another. name: at its tip; "" for none."""

    name: str
    start: Point
    end: Point
    role: Role


def meeting_arrows(
    query: NDArray[np.floating], keys: NDArray[np.floating], names: Sequence[str]
) -> tuple[Arrow, ...]:
    """A query (2,) and keys (S, 2) from the origin."""
    told = (
        Arrow(name, (0.0, 0.0), _point(key), "key") for name, key in zip(names, keys, strict=True)
    )
    return (*told, Arrow("query", (0.0, 0.0), _point(query), "query"))


def mixing_arrows(
    weights: NDArray[np.floating], values: NDArray[np.floating], names: Sequence[str]
) -> tuple[Arrow, ...]:
    """Values (S, 2) from the origin, the walk of the weighted ones, and the context it ends at."""
    arrows = [
        Arrow(name, (0.0, 0.0), _point(value), "value")
        for name, value in zip(names, values, strict=True)
    ]
    place = np.zeros(2)
    for weight, value in zip(weights, values, strict=True):
        following = place + weight * value
        if weight:
            arrows.append(Arrow("", _point(place), _point(following), "part"))
        place = following
    return (*arrows, Arrow("context", (0.0, 0.0), _point(place), "context"))


def plane_figure(arrows: Sequence[Arrow], *, theme: Theme = LIGHT) -> go.Figure:
    """Arrows in a plane with the same scale on both axes; those that aren't finite are left out."""
    drawn = [arrow for arrow in arrows if np.isfinite([*arrow.start, *arrow.end]).all()]
    axis = {
        "fixedrange": True,
        "zeroline": True,
        "zerolinecolor": theme.muted,
        "gridcolor": theme.grid,
        "tickfont": font(theme, SMALL_SIZE),
        "nticks": 7,
        "automargin": True,
    }
    layout = base_layout(theme, height=_HEIGHT) | {
        "margin": {"l": 8, "r": 8, "t": TOP, "b": 8},
        "xaxis": axis | {"range": _range(drawn, 0), "constrain": "domain"},
        "yaxis": axis | {"range": _range(drawn, 1), "constrain": "domain", "scaleanchor": "x"},
        "annotations": [_arrow(arrow, theme) for arrow in drawn],
    }
    return make_figure([_tips(drawn, theme)], layout)


def plane_alt(arrows: Sequence[Arrow]) -> str:
    """The picture in plain sentences, for those who don't see it."""
    told = [f"{arrow.name} to {_shown(arrow.end)}" for arrow in arrows if arrow.name]
    return f"Arrows in the plane, from the origin: {'; '.join(told)}."


def _range(arrows: Sequence[Arrow], axis: int) -> list[float]:
    """From the lowest to the highest end, 0 among them, with room for the names."""
    ends = [0.0, *(point[axis] for arrow in arrows for point in (arrow.start, arrow.end))]
    low, high = min(ends), max(ends)
    room = _ROOM * max(high - low, 1.0)
    return [low - room, high + room]


def _point(vector: NDArray[np.floating]) -> Point:
    return float(vector[0]), float(vector[1])


def _shown(point: Point) -> str:
    return f"({signed(round(point[0], 4))}, {signed(round(point[1], 4))})"


def _color(role: Role, theme: Theme) -> str:
    return {
        "query": theme.accent,
        "key": theme.pruned,
        "value": theme.pruned,
        "part": theme.kept,
        "context": theme.greedy,
    }[role]


def _arrow(arrow: Arrow, theme: Theme) -> dict[str, object]:
    strong = arrow.role in ("query", "context")
    return {
        "x": arrow.end[0],
        "y": arrow.end[1],
        "ax": arrow.start[0],
        "ay": arrow.start[1],
        "axref": "x",
        "ayref": "y",
        "text": "",
        "showarrow": True,
        "arrowhead": 2,
        "arrowsize": 1.0,
        "arrowwidth": 4 if strong else 2.5,
        "arrowcolor": _color(arrow.role, theme),
    }


def _tips(arrows: Sequence[Arrow], theme: Theme) -> dict[str, object]:
    """The names, beyond the tips, with the coordinates on hover."""
    named = [arrow for arrow in arrows if arrow.name]
    strong = next((arrow for arrow in named if arrow.role in ("query", "context")), None)
    return {
        "type": "scatter",
        "mode": "text",
        "meta": "tips",
        "x": [arrow.end[0] for arrow in named],
        "y": [arrow.end[1] for arrow in named],
        "text": [f"<b>{literal(arrow.name)}</b>" for arrow in named],
        "textposition": [_beside(arrow, strong) for arrow in named],
        "textfont": {
            "size": SMALL_SIZE,
            "color": [
                theme.text if arrow.role in ("key", "value") else _color(arrow.role, theme)
                for arrow in named
            ],
        },
        "hovertext": [f"{literal(arrow.name)} {_shown(arrow.end)}" for arrow in named],
        "hoverinfo": "text",
        "cliponaxis": False,
    }


def _beside(arrow: Arrow, strong: Arrow | None) -> str:
    """Where a name stands: the strong arrow's beyond its tip, the others' on the far side of it."""
    beyond = "bottom" if arrow.end[1] < 0 else "top"
    if strong is None or arrow.role in ("query", "context"):
        return f"{beyond} center"
    turn = strong.end[0] * arrow.end[1] - strong.end[1] * arrow.end[0]
    left = (turn > 0) == (strong.end[1] >= 0)
    return f"{beyond} {'left' if left else 'right'}"
