"""Vectors as strips of cells: one row a vector, one cell a number, blue above 0, orange below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from s2s_core.figures.build import make_figure
from s2s_core.figures.labels import token_label
from s2s_core.figures.theme import LIGHT, SMALL_SIZE, TOP, Theme, bare_axis, base_layout, font

_ROW = 30
_LABEL_WIDTH = 22
_AROUND = TOP + 62
MOST_WRITTEN = 12
"""Numbers stand in the cells of vectors up to this width."""


@dataclass(frozen=True, eq=False)
class Strip:
    """One vector (D,) with its name."""

    name: str
    vector: NDArray[np.floating] = field(repr=False)


def strips_figure(strips: Sequence[Strip], *, theme: Theme = LIGHT) -> go.Figure:
    """Strips below one another on one scale, the same to both sides of 0."""
    width = max(len(strip.vector) for strip in strips)
    cells = np.full((len(strips), width), np.nan, dtype=np.float32)
    for row, strip in enumerate(strips):
        cells[row, : len(strip.vector)] = strip.vector
    finite = np.abs(cells[np.isfinite(cells)])
    reach = float(finite.max(initial=0.0)) or 1.0
    names = [token_label(strip.name, _LABEL_WIDTH) for strip in strips]
    heatmap: dict[str, object] = {
        "type": "heatmap",
        "meta": "strips",
        "z": cells,
        "ygap": 3,
        "xgap": 1 if width <= 64 else 0,
        "zmin": -reach,
        "zmax": reach,
        "colorscale": diverging(theme),
        "hoverongaps": False,
        "hovertemplate": "number %{x} of <b>%{y}</b>: %{z:.4f}<extra></extra>",
        "x0": 1,
        "dx": 1,
        "colorbar": _colorbar(reach, theme),
    }
    if width <= MOST_WRITTEN:
        heatmap |= {"texttemplate": "%{z:.3~g}", "textfont": {"size": SMALL_SIZE}}
    layout = base_layout(theme, height=_AROUND + _ROW * len(strips)) | {
        "xaxis": {"visible": False, "fixedrange": True, "range": [0.5, width + 0.5]},
        "yaxis": bare_axis(theme, names) | {"range": [len(strips) - 0.5, -0.5]},
    }
    return make_figure([heatmap], layout)


def strips_alt(strips: Sequence[Strip]) -> str:
    """The picture in plain sentences, for those who don't see it."""
    told = [
        f"{strip.name}, {len(strip.vector)} numbers from {strip.vector.min():.2f} to "
        f"{strip.vector.max():.2f}"
        for strip in strips
    ]
    return f"Vectors as strips of cells: {'; '.join(told)}."


def diverging(theme: Theme) -> list[list[object]]:
    """From orange over the scale's lightest colour to blue, as plotly takes it."""
    return [[0.0, theme.greedy], [0.5, theme.scale[0]], [1.0, theme.kept]]


def _colorbar(reach: float, theme: Theme) -> dict[str, object]:
    return {
        "orientation": "h",
        "thickness": 10,
        "len": 0.7,
        "x": 0.5,
        "xanchor": "center",
        "y": 0.0,
        "yanchor": "top",
        "ypad": 8,
        "tickvals": [-reach, 0.0, reach],
        "ticktext": [f"−{reach:.2g}", "0", f"{reach:.2g}"],
        "tickangle": 0,
        "tickfont": font(theme, SMALL_SIZE),
        "outlinewidth": 0,
    }
