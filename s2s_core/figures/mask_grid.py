"""A padded batch as grids of tokens: what counts is filled, padding is empty and says so."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.theme import FONT_SIZE, LIGHT, Theme, bare_axis, base_layout, font, literal

_ROW_HEIGHT = 44
_AROUND = 74
_GAP = 0.08


@dataclass(frozen=True, slots=True)
class TokenGrid:
    """One matrix of the batch.

    title: what stands above it. tokens, mask: (N, columns). leaks: padding counts, though it
    shouldn't, because a mask was left out.
    """

    title: str
    tokens: tuple[tuple[str, ...], ...]
    mask: tuple[tuple[bool, ...], ...]
    leaks: bool = False

    def shown(self, row: int, column: int) -> str:
        """What stands in a cell."""
        token = self.tokens[row][column]
        return f"{token} ✗" if self.leaks and not self.mask[row][column] else token


def mask_figure(grids: tuple[TokenGrid, ...], *, theme: Theme = LIGHT) -> go.Figure:
    """The grids side by side, a sentence a row."""
    rows = len(grids[0].tokens)
    layout = base_layout(theme, height=_AROUND + _ROW_HEIGHT * rows)
    width = (1 + _GAP) / len(grids) - _GAP
    traces: list[dict[str, object]] = []
    texts: list[dict[str, object]] = []
    for number, grid in enumerate(grids, start=1):
        suffix = "" if number == 1 else str(number)
        left = (number - 1) * (width + _GAP)
        columns = len(grid.tokens[0])
        layout[f"xaxis{suffix}"] = bare_axis(theme, [""] * columns) | {
            "anchor": f"y{suffix}",
            "domain": [left, min(1.0, left + width)],
            "title": {"text": literal(grid.title), "font": font(theme), "standoff": 4},
            "side": "top",
            "range": [-0.5, columns - 0.5],
        }
        names = [str(row + 1) for row in range(rows)] if number == 1 else [""] * rows
        layout[f"yaxis{suffix}"] = bare_axis(theme, names) | {
            "anchor": f"x{suffix}",
            "range": [rows - 0.5, -0.5],
        }
        traces.append(_heatmap(grid, suffix, theme))
        texts += _texts(grid, suffix, theme)
    return make_figure(traces, layout | {"annotations": texts})


def mask_alt(grids: tuple[TokenGrid, ...]) -> str:
    """The picture in plain sentences, for those who don't see it."""
    told = []
    for grid in grids:
        counted = sum(map(sum, grid.mask))
        rows = "; ".join(" ".join(row) for row in grid.tokens)
        leaks = " Padding leaks in." if grid.leaks else ""
        told.append(f"{grid.title}: {rows}. {counted} of them are tokens.{leaks}")
    return " ".join(told)


def _texts(grid: TokenGrid, suffix: str, theme: Theme) -> list[dict[str, object]]:
    """A text in each cell; on full colour it has the colour of the page behind."""
    return [
        {
            "x": column,
            "y": row,
            "xref": f"x{suffix}",
            "yref": f"y{suffix}",
            "text": literal(grid.shown(row, column)),
            "font": {
                "size": FONT_SIZE,
                "color": theme.background if counts or grid.leaks else theme.text,
            },
            "showarrow": False,
        }
        for row, line in enumerate(grid.mask)
        for column, counts in enumerate(line)
    ]


def _heatmap(grid: TokenGrid, suffix: str, theme: Theme) -> dict[str, object]:
    return {
        "type": "heatmap",
        "meta": "mask",
        "z": [[int(true) for true in row] for row in grid.mask],
        "text": [
            [literal(grid.shown(row, column)) for column in range(len(grid.tokens[row]))]
            for row in range(len(grid.tokens))
        ],
        "x0": 0,
        "dx": 1,
        "y0": 0,
        "dy": 1,
        "xgap": 4,
        "ygap": 4,
        "zmin": 0,
        "zmax": 1,
        "colorscale": [[0.0, theme.greedy if grid.leaks else theme.grid], [1.0, theme.kept]],
        "showscale": False,
        "hovertemplate": "%{text}<extra></extra>",
        "xaxis": f"x{suffix}",
        "yaxis": f"y{suffix}",
    }
