"""Where the probability is after each step of a search: ended, alive, or lost."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.theme import LIGHT, SMALL_SIZE, Theme, base_layout, font, percent
from s2s_core.search.verdict import Mass

_HEIGHT = 240


def mass_figure(masses: Sequence[Mass], *, theme: Theme = LIGHT) -> go.Figure:
    """One bar a step, stacked to 100 %."""
    steps = list(range(1, len(masses) + 1))
    parts = (
        ("in finished strings", [mass.finished for mass in masses], theme.finished, ""),
        ("in live prefixes", [mass.alive for mass in masses], theme.kept, "/"),
        ("lost", [mass.lost for mass in masses], theme.pruned, "x"),
    )
    traces = [
        {
            "type": "bar",
            "meta": name,
            "name": name,
            "x": steps,
            "y": [100 * value for value in values],
            "text": [percent(value) if value >= 0.08 else "" for value in values],
            "textposition": "inside",
            "textangle": 0,
            "insidetextfont": {"size": SMALL_SIZE, "color": theme.background},
            "marker": {"color": color, "pattern": {"shape": shape, "fgopacity": 0.35}},
            "hovertemplate": f"step %{{x}}, {name}: %{{y:.2f}} %<extra></extra>",
        }
        for name, values, color, shape in parts
    ]
    axis = {"tickfont": font(theme, SMALL_SIZE), "zeroline": False, "fixedrange": True}
    layout = base_layout(theme, height=_HEIGHT) | {
        "barmode": "stack",
        "bargap": 0.15,
        "showlegend": True,
        "legend": {
            "orientation": "h",
            "y": 1.0,
            "yanchor": "bottom",
            "traceorder": "normal",
            "font": font(theme, SMALL_SIZE),
            "itemclick": False,
            "itemdoubleclick": False,
        },
        "margin": {"l": 8, "r": 8, "t": 60, "b": 8},
        "xaxis": axis
        | {
            "title": {"text": "step", "font": font(theme, SMALL_SIZE)},
            "tickvals": steps,
            "showgrid": False,
        },
        "yaxis": axis
        | {"ticksuffix": " %", "range": [0, 100], "gridcolor": theme.grid, "automargin": True},
    }
    return make_figure(traces, layout)


def mass_alt(masses: Sequence[Mass]) -> str:
    """The picture in plain sentences, for those who don't see it."""
    last = masses[-1]
    return (
        f"Probability after {len(masses)} steps: {percent(last.finished)} in finished strings, "
        f"{percent(last.alive)} in live prefixes, {percent(last.lost)} lost."
    )
