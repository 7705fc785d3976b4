"""Score against alpha: how the ranking changes with the length penalty, in closed form.

For a penalty that divides, ln(-score) is a straight line in alpha, so the scores stand on a
logarithmic axis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.labels import tell_apart
from s2s_core.figures.ranking_traces import (
    LETTERS,
    NAME_WIDTH,
    Scale,
    crossings,
    letter_marks,
    letter_places,
    line,
    other_lines,
    strip,
)
from s2s_core.figures.theme import (
    FONT_SIZE,
    LIGHT,
    SMALL_SIZE,
    Theme,
    base_layout,
    font,
)
from s2s_core.search.ranking import RankEntry, RankingCurve

NAMED = 8
"""The most hypotheses with a letter and a colour; the others are thin grey lines."""

_POINTS = 41
_PLOT_HEIGHT = 420
_LEGEND_ROW = 25


def ranking_figure(curve: RankingCurve, parameter: float, *, theme: Theme = LIGHT) -> go.Figure:
    """One line for each hypothesis, the crossings of rank 1, and a strip with the winners.

    parameter: the current alpha (or gamma), marked by an upright line.
    """
    named = named_entries(curve, parameter)
    scale = Scale.of(curve, parameter)
    grid = np.linspace(curve.minimum, curve.maximum, _POINTS)
    letters = {c.id: LETTERS[i] for i, c in enumerate(named)}
    colors = {c.id: theme.categories[i] for i, c in enumerate(named)}
    names = tell_apart([c.text for c in named], NAME_WIDTH)
    traces = [
        other_lines(curve, named, scale, grid, theme),
        *(line(c, i, scale, grid, theme, names[i]) for i, c in enumerate(named)),
        letter_marks(named, scale, theme),
        crossings(curve, scale, letters, theme),
        strip(curve, letters, colors, theme),
    ]
    layout = _layout(curve, named, scale, parameter, theme) | _present(
        curve, parameter, letters, theme
    )
    return make_figure(traces, layout)


def named_entries(curve: RankingCurve, parameter: float) -> tuple[RankEntry, ...]:
    """Those with a letter: every winner from left to right, then the best at the parameter.

    If there are more winners than letters, the widest intervals have them.
    """
    by_width = sorted(curve.intervals, key=lambda i: i.start - i.end)[:NAMED]
    winners = {interval.entry_id for interval in by_width}
    ordered = [i.entry_id for i in curve.intervals if i.entry_id in winners]
    penalty = curve.family.from_parameter(parameter)
    best = sorted(curve.entries, key=lambda c: (-penalty.score(c.log_prob, c.length), c.id))
    by_id = {c.id: c for c in curve.entries}
    ids = dict.fromkeys([*ordered, *(c.id for c in best)])
    return tuple(by_id[i] for i in list(ids)[:NAMED])


def ranking_caption(curve: RankingCurve, parameter: float) -> str:
    """How to read the heights, in a line."""
    scale = Scale.of(curve, parameter)
    shape = ", on a logarithmic axis" if scale.logarithmic else ""
    return (
        f"Higher is better. Scores are shown relative to what a translation of {scale.reference} "
        f"tokens (the winner's length) gets{shape}: such translations are level, longer ones rise "
        "to the right, and the order at each place is that of the scores."
    )


def ranking_alt(curve: RankingCurve, parameter: float) -> str:
    """The picture in plain sentences, for those who don't see it."""
    name = curve.family.parameter_name or "the parameter"
    by_id = {c.id: c for c in curve.entries}
    won = [
        f"from {i.start:.2f} to {i.end:.2f} “{by_id[i.entry_id].text}” ranks first"
        for i in curve.intervals
    ]
    return (
        f"Scores of {len(curve.entries)} hypotheses against {name}: {'; '.join(won)}. "
        f"At {parameter:g}, “{curve.winner(parameter).text}” ranks first."
    )


def _layout(
    curve: RankingCurve,
    named: Sequence[RankEntry],
    scale: Scale,
    parameter: float,
    theme: Theme,
) -> dict[str, object]:
    legend = _LEGEND_ROW * (len(named) + (len(curve.entries) > len(named)))
    low, high = _height_range(curve, named, scale, parameter)
    axis: dict[str, object]
    if scale.logarithmic:
        ticks = _log_ticks(low, high)
        axis = {
            "type": "log",
            "range": [math.log10(high), math.log10(low)],
            "tickvals": ticks,
            "ticktext": [f"−{tick:g}" for tick in ticks],
        }
    else:
        axis = {"range": [low, high]}
    return base_layout(theme, height=_PLOT_HEIGHT + legend) | {
        "margin": {"l": 8, "r": 8, "t": 40, "b": legend + 60},
        "showlegend": True,
        "legend": {
            "yref": "container",
            "y": 0.0,
            "yanchor": "bottom",
            "x": 0.0,
            "font": font(theme),
            "itemclick": False,
            "itemdoubleclick": False,
        },
        "xaxis": {
            "title": {"text": curve.family.parameter_name or "", "font": font(theme)},
            "range": [curve.minimum, curve.maximum],
            "anchor": "y2",
            "tickfont": font(theme, SMALL_SIZE),
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
        "yaxis": axis
        | {
            "title": {"text": f"score relative to length {scale.reference}", "font": font(theme)},
            "domain": [0.16, 1.0],
            "tickfont": font(theme, SMALL_SIZE),
            "gridcolor": theme.grid,
            "zeroline": False,
            "fixedrange": True,
            "automargin": True,
        },
        "yaxis2": {
            "domain": [0.0, 0.11],
            "visible": False,
            "range": [-0.5, 0.5],
            "fixedrange": True,
        },
    }


def _height_range(
    curve: RankingCurve, named: Sequence[RankEntry], scale: Scale, parameter: float
) -> tuple[float, float]:
    """Room for every winner where it wins, the named ones at the parameter, and their letters."""
    by_id = {c.id: c for c in curve.entries}
    heights = [
        scale.height(by_id[i.entry_id], x) for i in curve.intervals for x in (i.start, i.end)
    ]
    heights += [scale.height(c, parameter) for c in named]
    heights += [scale.height(c, x) for c, x in zip(named, letter_places(named, curve), strict=True)]
    low, high = min(heights), max(heights)
    if scale.logarithmic:
        room = 0.12 * math.log(high / low) or 0.5
        return low * math.exp(-room), high * math.exp(room)
    room = 0.12 * (high - low) or 1.0
    return low - room, high + room


def _log_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten, from low to high."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    ticks = [digit * 10.0**power for power in range(first, last + 1) for digit in (1, 2, 5)]
    return [tick for tick in ticks if low <= tick <= high]


def _present(
    curve: RankingCurve, parameter: float, letters: dict[int, str], theme: Theme
) -> dict[str, object]:
    """The upright line at the current parameter, and who ranks first there."""
    winner = letters.get(curve.winner(parameter).id, "another")
    name = curve.family.parameter_name or "here"
    right = parameter > (curve.minimum + curve.maximum) / 2
    return {
        "shapes": [
            {
                "type": "line",
                "x0": parameter,
                "x1": parameter,
                "yref": "paper",
                "y0": 0,
                "y1": 1,
                "line": {"color": theme.accent, "width": 3},
            }
        ],
        "annotations": [
            {
                "x": parameter,
                "yref": "paper",
                "y": 1.0,
                "yanchor": "bottom",
                "xanchor": "right" if right else "left",
                "text": f"{name} {parameter:g}: <b>{winner}</b> ranks first",
                "font": {"size": FONT_SIZE, "color": theme.accent},
                "showarrow": False,
            }
        ],
    }
