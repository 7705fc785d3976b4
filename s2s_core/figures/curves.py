"""Curves that grow while one watches: many points, no marks, and axes that stay where they are.

`lines` draws few measured points with intervals; this draws what is measured again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.lines import DASHES, Line
from s2s_core.figures.theme import LIGHT, SMALL_SIZE, TOP, Theme, base_layout, font, literal

_PLOT_HEIGHT = 190
_LEGEND_ROW = 22
_BELOW = 56  # pixels for the numbers and the title of the x axis


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the curves are drawn.

    x, y: what the axes are called. width: the x axis goes from 0 to here.
    height: the y axis goes from 0 to here; None leaves the upper end to the curves.
    rows: lines that the legend has room for, so that pictures side by side are of one height.
    """

    x: str
    y: str
    width: float
    height: float | None = None
    rows: int = 0


def curves_figure(lines: Sequence[Line], frame: Frame, *, theme: Theme = LIGHT) -> go.Figure:
    """Curves, with bands where they have intervals, and a legend below."""
    legend = _LEGEND_ROW * max(frame.rows, len(lines))
    layout = base_layout(theme, height=TOP + _PLOT_HEIGHT + _BELOW + legend) | {
        "margin": {"l": 8, "r": 12, "t": TOP, "b": _BELOW + legend},
        "showlegend": True,
        "hovermode": "x unified",
        "legend": {
            "yref": "container",
            "y": 0.0,
            "yanchor": "bottom",
            "x": 0.0,
            "font": font(theme, SMALL_SIZE),
            "itemclick": False,
            "itemdoubleclick": False,
        },
        "xaxis": _axis(theme, frame.x, frame.width),
        "yaxis": _axis(theme, frame.y, frame.height),
    }
    traces = [trace for number, line in enumerate(lines) for trace in _traces(line, number, theme)]
    return make_figure(traces, layout)


def curves_alt(lines: Sequence[Line], frame: Frame) -> str:
    """The picture in plain sentences, for those who don't see it."""
    if not any(line.ys for line in lines):
        return f"{frame.y} against {frame.x}: nothing is measured yet."
    told = [
        f"{line.name}: {line.ys[0]:.3g} at {line.xs[0]:.4g}, {line.ys[-1]:.3g} at {line.xs[-1]:.4g}"
        for line in lines
        if line.ys
    ]
    return f"{frame.y} against {frame.x}, first and last. {'; '.join(told)}."


def _traces(line: Line, number: int, theme: Theme) -> list[dict[str, object]]:
    color = theme.categories[number % len(theme.categories)]
    curve: dict[str, object] = {
        "type": "scatter",
        "mode": "lines" if len(line.xs) > 1 else "markers",
        "meta": "curve",
        "name": literal(line.name),
        "x": line.xs,
        "y": line.ys,
        "cliponaxis": False,
        "line": {"color": color, "width": 3, "dash": DASHES[number % len(DASHES)]},
        "marker": {"color": color, "size": 8},
        "hovertemplate": "%{y:.4~g}",
    }
    if not line.lows:
        return [curve]
    band: dict[str, object] = {
        "type": "scatter",
        "mode": "lines",
        "meta": "band",
        "x": (*line.xs, *reversed(line.xs)),
        "y": (*line.lows, *reversed(line.highs)),
        "fill": "toself",
        "fillcolor": color,
        "opacity": 0.18,
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    return [band, curve]


def _axis(theme: Theme, title: str, end: float | None) -> dict[str, object]:
    ends: dict[str, object] = {"rangemode": "tozero"} if end is None else {"range": [0, end]}
    return ends | {
        "title": {"text": literal(title), "font": font(theme, SMALL_SIZE)},
        "tickfont": font(theme, SMALL_SIZE),
        "showgrid": True,
        "gridcolor": theme.grid,
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
    }
