"""Beam size against length penalty as a heatmap of one measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.theme import LIGHT, SMALL_SIZE, Theme, bare_axis, base_layout, font
from s2s_core.search.sweep import SweepCell, best_cell

MEASURES: dict[str, Callable[[SweepCell], float]] = {
    "BLEU": lambda cell: cell.measure.score,
    "brevity penalty": lambda cell: cell.measure.brevity_penalty,
    "length ratio": lambda cell: cell.measure.length_ratio,
    "seconds a sentence": lambda cell: cell.seconds,
}
"""What a cell can show, by its name."""

_ROW = 52


def sweep_figure(cells: Sequence[SweepCell], name: str, *, theme: Theme = LIGHT) -> go.Figure:
    """A row for each beam size, a column for each penalty, the best BLEU in a frame.

    cells: whole rows, in the order of the plan; at least one.
    name: a key of `MEASURES`.
    """
    sizes = list(dict.fromkeys(cell.beam_size for cell in cells))
    penalties = list(dict.fromkeys(cell.penalty for cell in cells))
    values = {(cell.beam_size, cell.penalty): MEASURES[name](cell) for cell in cells}
    digits = 1 if name == "BLEU" else 3
    best = best_cell(cells)
    column, row = penalties.index(best.penalty), sizes.index(best.beam_size)
    heatmap = {
        "type": "heatmap",
        "meta": "grid",
        "z": [[values[size, penalty] for penalty in penalties] for size in sizes],
        "colorscale": theme.colorscale,
        "texttemplate": f"%{{z:.{digits}f}}",
        "textfont": {"size": SMALL_SIZE},
        "hovertemplate": f"{name} %{{z:.4f}}<extra></extra>",
        "xgap": 2,
        "ygap": 2,
        "colorbar": {"tickfont": font(theme, SMALL_SIZE)},
    }
    parameter = best.penalty.parameter_name
    labels = [f"{each.parameter:g}" if parameter else each.label for each in penalties]
    frame = {"x0": column - 0.5, "x1": column + 0.5, "y0": row - 0.5, "y1": row + 0.5}
    layout = base_layout(theme, height=150 + _ROW * len(sizes)) | {
        "xaxis": bare_axis(theme, labels)
        | {"title": {"text": parameter or "", "font": font(theme)}},
        "yaxis": bare_axis(theme, list(map(str, sizes)))
        | {"title": {"text": "beam size", "font": font(theme)}, "autorange": "reversed"},
        "shapes": [{"type": "rect", "line": {"color": theme.accent, "width": 4}, **frame}],
    }
    return make_figure([heatmap], layout)


def sweep_alt(cells: Sequence[SweepCell], name: str) -> str:
    """The picture in plain sentences, for those who don't see it."""
    best = best_cell(cells)
    return (
        f"{name} for each beam size and length penalty. The best BLEU, "
        f"{best.measure.score:.1f}, has beam size {best.beam_size}."
    )
