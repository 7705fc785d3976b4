"""The brevity penalty on its curve: what fewer tokens cost, and where this text stands."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.theme import LIGHT, SMALL_SIZE, Theme, base_layout, font

_POINTS = 121
_HEIGHT = 360


def brevity_penalty(length: float, reference: float) -> float:
    """1 if c >= r, 0 for no token, else exp(1 - r / c) (Papineni et al. 2002, section 2.2.2)."""
    if length >= reference:
        return 1.0
    return math.exp(1 - reference / length) if length > 0 else 0.0


def brevity_figure(
    length: int, reference: int, *, lengths: Sequence[int] = (), theme: Theme = LIGHT
) -> go.Figure:
    """The penalty against the hypothesis length, with c and r marked.

    length, reference: c and r, in tokens.
    lengths: those of all references, where one segment is shown.
    """
    end = max(1.5 * reference, 1.15 * max([length, *lengths]), 1.0)
    grid = np.union1d(np.linspace(0, end, _POINTS), [reference, length])
    penalty = brevity_penalty(length, reference)
    traces = [
        {
            "type": "scatter",
            "mode": "lines",
            "meta": "curve",
            "x": grid,
            "y": [brevity_penalty(x, reference) for x in grid],
            "line": {"color": theme.kept, "width": 3},
            "hovertemplate": "%{x:.0f} tokens: penalty %{y:.4f}<extra></extra>",
        },
        {
            "type": "scatter",
            "mode": "markers",
            "meta": "references",
            "x": list(lengths),
            "y": [0.0] * len(lengths),
            "text": [f"reference {place}" for place in range(1, len(lengths) + 1)],
            "marker": {
                "symbol": "line-ns-open",
                "size": 18,
                "color": theme.finished,
                "line": {"width": 3},
            },
            "hovertemplate": "%{text}: %{x} tokens<extra></extra>",
        },
        {
            "type": "scatter",
            "mode": "markers",
            "meta": "here",
            "x": [length],
            "y": [penalty],
            "marker": {"size": 14, "color": theme.accent},
            "hovertemplate": "c = %{x} tokens: penalty %{y:.4f}<extra></extra>",
        },
    ]
    return make_figure(traces, _layout(length, reference, end, theme))


def brevity_alt(length: int, reference: int) -> str:
    """The picture in plain sentences."""
    return (
        f"The brevity penalty rises with the hypothesis length and is 1 from r = {reference} "
        f"tokens on. At c = {length} it is {brevity_penalty(length, reference):.4f}."
    )


def _layout(length: int, reference: int, end: float, theme: Theme) -> dict[str, object]:
    axis: dict[str, object] = {
        "tickfont": font(theme, SMALL_SIZE),
        "gridcolor": theme.grid,
        "zeroline": False,
        "fixedrange": True,
    }
    penalty = brevity_penalty(length, reference)
    return base_layout(theme, height=_HEIGHT) | {
        "xaxis": axis
        | {
            "title": {"text": "hypothesis length in tokens", "font": font(theme)},
            "range": [0, end],
        },
        "yaxis": axis
        | {
            "title": {"text": "brevity penalty", "font": font(theme)},
            "range": [-0.04, 1.14],
            "tickvals": [0, 0.25, 0.5, 0.75, 1],
        },
        "shapes": [_upright(reference, theme.finished), _upright(length, theme.accent)],
        "annotations": [
            _label(f"r = {reference}", reference, 1.14, theme.finished, left=reference < length),
            _label(
                f"c = {length}: {penalty:.4f}", length, 0.1, theme.accent, left=length > 0.6 * end
            ),
        ],
    }


def _upright(x: float, color: str) -> dict[str, object]:
    line = {"color": color, "width": 2, "dash": "dot"}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "line": line}


def _label(text: str, x: float, y: float, color: str, *, left: bool) -> dict[str, object]:
    return {
        "text": f"<b>{text}</b>",
        "x": x,
        "y": y,
        "xanchor": "right" if left else "left",
        "yanchor": "top",
        "font": {"size": SMALL_SIZE + 1, "color": color},
        "showarrow": False,
    }
