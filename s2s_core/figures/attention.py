"""The attention heatmap: produced tokens down, source tokens across.

Rows and columns are numbered from 0, and the tokens are only their labels: in "the cat saw the dog"
the two "the" keep a column each.
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.grid import AttentionGrid
from s2s_core.figures.labels import token_label
from s2s_core.figures.theme import (
    LIGHT,
    SMALL_SIZE,
    TOP,
    Theme,
    bare_axis,
    base_layout,
    font,
    literal,
    percent,
)

HOVER = "<b>%{y}</b> looks at <b>%{x}</b><br>weight %{z:.1%}<extra></extra>"
_ROW_HEIGHT = (14, 44)
_ROWS_HEIGHT = 270  # pixels that the rows may take before they get thinner
_AROUND = TOP + 110  # pixels for source tokens and scale


def attention_figure(
    grid: AttentionGrid,
    *,
    theme: Theme = LIGHT,
    numbers: bool = False,
    compare: AttentionGrid | None = None,
    titles: tuple[str, str] = ("", ""),
) -> go.Figure:
    """A heatmap on the fixed scale 0 to 1.

    numbers: write the weight, in %, on each cell.
    compare: a second map, drawn beside the first on the same scale.
    titles: what stands above the two maps.
    """
    grids = [grid] if compare is None else [grid, compare]
    height = max(attention_height(each) for each in grids)
    layout = base_layout(theme, height=height)
    layout["coloraxis"] = weight_axis(theme)
    for number, each in enumerate(grids, start=1):
        suffix = "" if number == 1 else str(number)
        domain = [0.0, 1.0] if compare is None else [(0.0, 0.42), (0.58, 1.0)][number - 1]
        title = {"text": literal(titles[number - 1]), "standoff": 8, "font": font(theme)}
        across = {
            "anchor": f"y{suffix}",
            "domain": domain,
            "title": title,
            "side": "top",
            "autotickangles": [0, -45, -90],
            "ticklabeloverflow": "allow",
        }
        columns = bare_axis(theme, [token_label(token) for token in each.columns])
        rows = bare_axis(theme, [token_label(token) for token in each.rows])
        layout[f"xaxis{suffix}"] = columns | across | {"range": [-0.5, len(each.columns) - 0.5]}
        layout[f"yaxis{suffix}"] = rows | {
            "range": [len(each.rows) - 0.5, -0.5],
            "anchor": f"x{suffix}",
        }
    traces = [_heatmap(each, i, numbers=numbers) for i, each in enumerate(grids, start=1)]
    return make_figure(traces, layout)


def attention_height(grid: AttentionGrid) -> int:
    """Pixels that the figure takes."""
    return map_height(len(grid.rows))


def map_height(rows: int) -> int:
    """Pixels that a map of so many rows takes."""
    thin, thick = _ROW_HEIGHT
    return _AROUND + rows * int(np.clip(_ROWS_HEIGHT / rows, thin, thick))


def attention_alt(grid: AttentionGrid) -> str:
    """The picture in plain sentences, for those who don't see it."""
    strongest = [
        f"{row} looks most at {grid.columns[weights.argmax()]} ({percent(weights.max())})"
        for row, weights in zip(grid.rows, grid.weights, strict=True)
    ]
    return (
        f"Attention heatmap: {len(grid.rows)} produced tokens down, {len(grid.columns)} source "
        f"tokens across. {'; '.join(strongest)}."
    )


def _heatmap(grid: AttentionGrid, number: int, *, numbers: bool) -> dict[str, object]:
    suffix = "" if number == 1 else str(number)
    trace: dict[str, object] = {
        "type": "heatmap",
        "meta": "attention",
        "z": np.asarray(grid.weights, dtype=np.float32),
        "x0": 0,
        "dx": 1,
        "y0": 0,
        "dy": 1,
        "xgap": 2,
        "ygap": 2,
        "coloraxis": "coloraxis",
        "hovertemplate": HOVER,
        "hoverongaps": False,
        "xaxis": f"x{suffix}",
        "yaxis": f"y{suffix}",
    }
    if numbers:
        trace |= {"texttemplate": "%{z:.0%}", "textfont": {"size": SMALL_SIZE}}
    return trace


def weight_axis(theme: Theme) -> dict[str, object]:
    """One scale from 0 to 1 for all maps, drawn as a thin strip at the foot."""
    return {
        "cmin": 0.0,
        "cmax": 1.0,
        "colorscale": theme.colorscale,
        "colorbar": {
            "orientation": "h",
            "thickness": 10,
            "len": 0.7,
            "x": 0.5,
            "xanchor": "center",
            "y": 0.0,
            "yanchor": "top",
            "ypad": 12,
            "tickvals": [0.0, 0.5, 1.0],
            "ticktext": ["0 %", "50 %", "100 %"],
            "tickangle": 0,
            "tickfont": font(theme, SMALL_SIZE),
            "outlinewidth": 0,
        },
    }
