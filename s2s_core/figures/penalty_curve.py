"""A length penalty against L: what log P is divided by, or what is added to it."""

from __future__ import annotations

from collections.abc import Collection

import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.theme import LIGHT, SMALL_SIZE, Theme, base_layout, font
from s2s_core.search.penalty_shape import PenaltyCurve

_HEIGHT = 250


def penalty_curve_figure(
    curve: PenaltyCurve, *, marked: Collection[int] = (), theme: Theme = LIGHT
) -> go.Figure:
    """The curve, with a dot at each length that a hypothesis has.

    marked: those lengths.
    """
    points = [
        (length, value)
        for length, value in zip(curve.lengths, curve.values, strict=True)
        if length in marked
    ]
    what = "divided by" if curve.divides else "added"
    traces = [
        {
            "type": "scatter",
            "mode": "lines",
            "meta": "curve",
            "x": curve.lengths,
            "y": curve.values,
            "line": {"color": theme.kept, "width": 3},
            "hovertemplate": f"L %{{x}}: {what} %{{y:.4f}}<extra></extra>",
        },
        {
            "type": "scatter",
            "mode": "markers",
            "meta": "lengths",
            "x": [length for length, _ in points],
            "y": [value for _, value in points],
            "marker": {"size": 10, "color": theme.accent},
            "hoverinfo": "skip",
        },
    ]
    axis = {"tickfont": font(theme, SMALL_SIZE), "zeroline": False, "fixedrange": True}
    title = "log P is divided by" if curve.divides else "added to log P"
    layout = base_layout(theme, height=_HEIGHT) | {
        "xaxis": axis
        | {"title": {"text": "length L", "font": font(theme, SMALL_SIZE)}, "showgrid": False},
        "yaxis": axis
        | {
            "title": {"text": title, "font": font(theme, SMALL_SIZE)},
            "gridcolor": theme.grid,
            "automargin": True,
        },
    }
    return make_figure(traces, layout)


def penalty_curve_alt(curve: PenaltyCurve) -> str:
    """The picture in plain sentences, for those who don't see it."""
    what = "log P is divided by" if curve.divides else "is added to log P:"
    ends = f"{curve.values[0]:.4f} at length {curve.lengths[0]}"
    return (
        f"The {curve.penalty.label} penalty against the length: {what} {ends} and "
        f"{curve.values[-1]:.4f} at length {curve.lengths[-1]}."
    )
