"""The smoothing methods side by side: what each puts into each order."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.theme import LIGHT, SMALL_SIZE, Theme, base_layout, font
from s2s_core.metrics.display import shown_score
from s2s_core.metrics.smoothing_view import SmoothingRow

_HEIGHT = 340
_PATTERNS = ("", "/", "x", ".", "-")


def smoothing_figure(rows: Sequence[SmoothingRow], *, theme: Theme = LIGHT) -> go.Figure:
    """Bars of the precision of each order, one colour and pattern for each method.

    A bar with a star isn't what was counted.
    """
    traces = [
        {
            "type": "bar",
            "meta": row.settings.smooth,
            "name": f"{row.settings.smooth}: BLEU {shown_score(row.score)}",
            "x": list(range(len(row.orders))),
            "y": [min(order.precision, 100.0) for order in row.orders],
            "text": [
                f"{min(order.precision, 100.0):.1f}"
                + ("*" if order.fraction.source == "smoothed" else "")
                for order in row.orders
            ],
            "textposition": "outside",
            "textfont": font(theme, 12),
            "cliponaxis": False,
            "marker": {
                "color": theme.categories[place],
                "pattern": {"shape": _PATTERNS[place], "size": 7, "solidity": 0.25},
            },
            "customdata": [order.fraction.explanation for order in row.orders],
            "hovertemplate": f"{row.settings.smooth}: %{{y:.2f}} %<br>%{{customdata}}"
            "<extra></extra>",
        }
        for place, row in enumerate(rows)
    ]
    orders = len(rows[0].orders)
    layout = base_layout(theme, height=_HEIGHT) | {
        "barmode": "group",
        "showlegend": True,
        "legend": {"orientation": "h", "y": -0.14, "yanchor": "top", "font": font(theme)},
        "xaxis": {
            "tickvals": list(range(orders)),
            "ticktext": [f"{order}-grams" for order in range(1, orders + 1)],
            "tickfont": font(theme),
            "fixedrange": True,
        },
        "yaxis": {
            "title": {"text": "precision in %", "font": font(theme)},
            "range": [0, 112],
            "tickvals": [0, 25, 50, 75, 100],
            "tickfont": font(theme, SMALL_SIZE),
            "gridcolor": theme.grid,
            "zeroline": False,
            "fixedrange": True,
        },
    }
    return make_figure(traces, layout)


def smoothing_alt(rows: Sequence[SmoothingRow]) -> str:
    """The picture in plain sentences."""
    scores = ", ".join(f"{row.settings.smooth} {shown_score(row.score)}" for row in rows)
    return f"Precisions of every order under each smoothing method. The scores: {scores}."
