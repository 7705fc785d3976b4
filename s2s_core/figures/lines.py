"""Measured figures as points with intervals, joined by lines: one line for each model.

A line is told by its colour, its dash, the shape of its points, and the name in the legend.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.theme import LIGHT, SMALL_SIZE, TOP, Theme, base_layout, font, literal

_PLOT_HEIGHT = 330
_LEGEND_ROW = 25
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
"""Of lines, beside their colours."""
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross", "star", "triangle-down")

Scale = Literal["linear", "log"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line.

    xs: places, rising. ys: heights. lows, highs: ends of the intervals; () where there are none.
    labels: what stands in the hover text for each point; () for the height alone.
    look: its colour, dash and shape, by number, so that a model keeps them from chart to chart;
        None takes the line's place among the others.
    """

    name: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    lows: tuple[float, ...] = ()
    highs: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    look: int | None = None


@dataclass(frozen=True, slots=True)
class Axes:
    """How the two axes are named and marked.

    ticks: places on the x axis with a text at each; () leaves them to plotly.
    limit: an upright line with a text, such as the longest length in training.
    """

    x: str
    y: str
    scale: Scale = "linear"
    ticks: tuple[tuple[float, str], ...] = ()
    from_zero: bool = False
    limit: tuple[float, str] | None = None


def lines_figure(lines: Sequence[Line], axes: Axes, *, theme: Theme = LIGHT) -> go.Figure:
    """Lines with their points and intervals, and a legend below."""
    legend = _LEGEND_ROW * len(lines)
    layout = base_layout(theme, height=_PLOT_HEIGHT + legend) | {
        "margin": {"l": 8, "r": 8, "t": TOP + 14, "b": legend + 62},
        "showlegend": len(lines) > 1,
        "legend": {
            "yref": "container",
            "y": 0.0,
            "yanchor": "bottom",
            "x": 0.0,
            "font": font(theme),
            "itemclick": False,
            "itemdoubleclick": False,
        },
        "xaxis": _axis(theme, axes.x, axes.scale)
        | _round_ticks(axes, [x for line in lines for x in line.xs])
        | _ticks(axes),
        "yaxis": _axis(theme, axes.y, axes.scale)
        | _round_ticks(axes, [y for line in lines for y in line.ys])
        | {"gridcolor": theme.grid, "rangemode": "tozero" if axes.from_zero else "normal"},
    }
    if axes.limit is not None:
        layout |= _limit(*axes.limit, theme)
    looks = [place if line.look is None else line.look for place, line in enumerate(lines)]
    traces = [_trace(line, look, theme) for line, look in zip(lines, looks, strict=True)]
    return make_figure(traces, layout)


def lines_alt(lines: Sequence[Line], axes: Axes) -> str:
    """The picture in plain sentences, for those who don't see it."""
    told = [
        f"{line.name}: "
        + ", ".join(f"{y:.3g} at {_tick(axes, x)}" for x, y in zip(line.xs, line.ys, strict=True))
        for line in lines
    ]
    return f"{axes.y} against {axes.x}. {'; '.join(told)}."


def _tick(axes: Axes, x: float) -> str:
    """What stands below a place: the nearest tick's text."""
    if not axes.ticks:
        return f"{x:g}"
    return min(axes.ticks, key=lambda tick: abs(tick[0] - x))[1]


def _trace(line: Line, number: int, theme: Theme) -> dict[str, object]:
    color = theme.categories[number % len(theme.categories)]
    trace: dict[str, object] = {
        "type": "scatter",
        "mode": "lines+markers",
        "meta": "line",
        "name": literal(line.name),
        "x": line.xs,
        "y": line.ys,
        "cliponaxis": False,
        "line": {"color": color, "width": 2.5, "dash": DASHES[number % len(DASHES)]},
        "marker": {"color": color, "size": 10, "symbol": _SYMBOLS[number % len(_SYMBOLS)]},
        "text": [literal(label) for label in line.labels] or [f"{y:.4g}" for y in line.ys],
        "hovertemplate": f"<b>{literal(line.name)}</b><br>%{{text}}<extra></extra>",
    }
    if line.lows:
        trace["error_y"] = {
            "type": "data",
            "symmetric": False,
            "array": [high - y for high, y in zip(line.highs, line.ys, strict=True)],
            "arrayminus": [y - low for low, y in zip(line.lows, line.ys, strict=True)],
            "color": color,
            "thickness": 2,
            "width": 5,
        }
    return trace


def _axis(theme: Theme, title: str, scale: Scale) -> dict[str, object]:
    return {
        "type": scale,
        "title": {"text": literal(title), "font": font(theme)},
        "tickfont": font(theme, SMALL_SIZE),
        "showgrid": True,
        "gridcolor": theme.grid,
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
    }


def _round_ticks(axes: Axes, values: Sequence[float]) -> dict[str, object]:
    """On a logarithmic axis 1, 2 and 5 times powers of ten, a little beyond the values."""
    if axes.scale == "linear" or not values:
        return {}
    low, high = 0.8 * min(values), 1.25 * max(values)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
    ticks = [tick for tick in ticks if low <= tick <= high]
    return {
        "range": [math.log10(low), math.log10(high)],
        "tickvals": ticks,
        "ticktext": [f"{tick:,g}" for tick in ticks],
    }


def _ticks(axes: Axes) -> dict[str, object]:
    if not axes.ticks:
        return {}
    return {
        "tickvals": [place for place, _ in axes.ticks],
        "ticktext": [literal(text) for _, text in axes.ticks],
        "showgrid": False,
    }


def _limit(place: float, text: str, theme: Theme) -> dict[str, object]:
    """An upright line, and its text above the plot."""
    line = {"color": theme.muted, "width": 2, "dash": "dot"}
    return {
        "shapes": [
            {"type": "line", "x0": place, "x1": place, "yref": "paper", "y0": 0, "y1": 1}
            | {"line": line}
        ],
        "annotations": [
            {
                "x": place,
                "yref": "paper",
                "y": 1.0,
                "yanchor": "bottom",
                "text": literal(text),
                "font": font(theme, SMALL_SIZE),
                "showarrow": False,
            }
        ],
    }
