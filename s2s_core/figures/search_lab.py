"""The pictures of the search lab: beam width, word by word, and utilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.theme import (
    LIGHT,
    SMALL_SIZE,
    TOP,
    Theme,
    bare_axis,
    base_layout,
    font,
    lines,
    literal,
    shorten,
)
from s2s_core.search.mbr import MbrResult
from s2s_core.search.width_sweep import WidthResult
from s2s_core.search.word_by_word import BeamPlace, TokenSurprisal, TotalsLine

_HEIGHT = 380
_BELOW = 130  # pixels for the labels of the axis, its title and the legend
_NAME_WIDTH = 40
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "5px,2px", "1px,4px")
MOST_LINES = len(_DASHES)
_MATRIX_TEXTS = 20


def width_figure(results: Sequence[WidthResult], *, theme: Theme = LIGHT) -> go.Figure:
    """log P and score of rank 1 against the beam size."""
    sizes = [result.beam_size for result in results]
    texts = [lines(result.best.text, 48) or "(empty output)" for result in results]
    series = (
        ("log P", [result.best.log_prob for result in results], theme.kept, "circle", "solid"),
        ("score", [result.best.score for result in results], theme.greedy, "square", "dash"),
    )
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "meta": name,
            "name": name,
            "x": sizes,
            "y": values,
            "text": texts,
            "line": {"color": color, "width": 3, "dash": dash},
            "marker": {"size": 10, "symbol": symbol},
            "hovertemplate": f"B = %{{x}}: {name} %{{y:.4f}}<br>%{{text}}<extra></extra>",
        }
        for name, values, color, symbol, dash in series
    ]
    axis = {"type": "log", "tickvals": sizes, "ticktext": list(map(str, sizes))}
    layout = _layout(theme, across="beam size B", up="", xaxis=axis)
    return make_figure(traces, layout)


def surprisal_figure(tokens: Sequence[TokenSurprisal], *, theme: Theme = LIGHT) -> go.Figure:
    """A bar for each token: how surprising it was to the model, in bits."""
    bars = {
        "type": "bar",
        "meta": "surprisal",
        "showlegend": False,
        "x": list(range(len(tokens))),
        "y": [token.surprisal for token in tokens],
        "customdata": [[token.log_prob, token.total] for token in tokens],
        "marker": {"color": theme.kept},
        "hovertemplate": "%{y:.2f} bits, log-prob %{customdata[0]:.2f}"
        "<br>log P so far %{customdata[1]:.2f}<extra></extra>",
    }
    axis = bare_axis(theme, [literal(shorten(token.token, 14)) for token in tokens])
    layout = _layout(theme, across="", up="surprisal in bits") | {"xaxis": axis}
    return make_figure([bars], layout)


def totals_figure(totals: Sequence[TotalsLine], *, theme: Theme = LIGHT) -> go.Figure:
    """Cumulative log P, a line for each hypothesis; the first is the one that is looked at."""
    traces = [
        _line(place, line.text, [0.0, *line.totals], theme) | {"meta": "total"}
        for place, line in enumerate(totals[:MOST_LINES])
    ]
    for trace in traces:
        trace["hovertemplate"] = "step %{x}: log P %{y:.3f}<extra></extra>"
    return make_figure(traces, _layout(theme, across="step", up="log P so far"))


def bump_figure(
    named: Sequence[tuple[str, Sequence[BeamPlace]]], *, theme: Theme = LIGHT
) -> go.Figure:
    """The rank of each hypothesis' prefix among all candidates of its step.

    named: text and places; ranks beyond ten are drawn on a logarithmic scale like all others.
    """
    traces = []
    for number, (text, places) in enumerate(named[:MOST_LINES]):
        ranks: list[float] = [place.rank for place in places]
        trace = _line(number, text, ranks, theme)
        trace["x"] = [place.step for place in places]
        trace["meta"] = "places"
        trace["hovertemplate"] = "step %{x}: rank %{y}<extra></extra>"
        traces.append(trace)
    highest = max((place.rank for _, places in named for place in places), default=1)
    ticks = [rank for rank in (1, 2, 3, 5, 10, 20, 50, 100, 1000) if rank <= max(highest, 2)]
    axis = {
        "type": "log",
        "autorange": "reversed",
        "tickvals": ticks,
        "ticktext": list(map(str, ticks)),
    }
    layout = _layout(theme, across="step", up="rank of the prefix", yaxis=axis)
    return make_figure(traces, layout)


def utility_figure(result: MbrResult, *, theme: Theme = LIGHT) -> go.Figure:
    """The utility of each text (row) if another (column) were the reference."""
    shown = range(min(len(result.texts), _MATRIX_TEXTS))
    texts = [literal(shorten(result.texts[i], 32)) or "(empty output)" for i in shown]
    heatmap = {
        "type": "heatmap",
        "meta": "utility",
        "z": result.matrix[: len(shown), : len(shown)].tolist(),
        "zmin": 0,
        "zmax": 100,
        "colorscale": theme.colorscale,
        "customdata": [[[row, column] for column in texts] for row in texts],
        "hovertemplate": "%{customdata[0]}<br>against %{customdata[1]}: %{z:.1f}<extra></extra>",
        "colorbar": {"tickfont": font(theme, SMALL_SIZE)},
    }
    layout = base_layout(theme, height=140 + 26 * len(shown)) | {
        "xaxis": bare_axis(theme, [str(i + 1) for i in shown]),
        "yaxis": bare_axis(
            theme, [f"{i + 1}  {text}" for i, text in zip(shown, texts, strict=True)]
        )
        | {"autorange": "reversed"},
    }
    return make_figure([heatmap], layout)


def _line(place: int, text: str, values: Sequence[float], theme: Theme) -> dict[str, object]:
    name = literal(shorten(text, _NAME_WIDTH)) or "(empty output)"
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": f"{place + 1}  {name}",
        "x": list(range(len(values))),
        "y": list(values),
        "line": {
            "color": theme.categories[place],
            "width": 5 if place == 0 else 2.5,
            "dash": _DASHES[place],
        },
        "marker": {"size": 8},
    }


def _layout(
    theme: Theme,
    *,
    across: str,
    up: str,
    xaxis: Mapping[str, object] = MappingProxyType({}),
    yaxis: Mapping[str, object] = MappingProxyType({}),
) -> dict[str, object]:
    axis = {"tickfont": font(theme, SMALL_SIZE), "zeroline": False, "fixedrange": True}
    return base_layout(theme, height=_HEIGHT) | {
        "margin": {"l": 8, "r": 8, "t": TOP, "b": _BELOW},
        "showlegend": True,
        "legend": {
            "orientation": "h",
            "yref": "container",
            "y": 0.0,
            "yanchor": "bottom",
            "font": font(theme, SMALL_SIZE),
            "itemclick": False,
            "itemdoubleclick": False,
        },
        "xaxis": axis
        | {"title": {"text": across, "font": font(theme)}, "showgrid": False}
        | dict(xaxis),
        "yaxis": axis
        | {"title": {"text": up, "font": font(theme)}, "gridcolor": theme.grid, "automargin": True}
        | dict(yaxis),
    }
