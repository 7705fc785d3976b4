"""Maps on the scale of attention weights, 0 to 100 %: weights, or the share of probability lost.

Rows are target tokens, columns source tokens, as in `attention`. A share below 0 has no colour of
its own: the cell is as pale as 0, and an arrow says that the token gets likelier.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from s2s_core.figures.attention import map_height, weight_axis
from s2s_core.figures.build import make_figure
from s2s_core.figures.labels import token_label
from s2s_core.figures.theme import (
    LIGHT,
    SMALL_SIZE,
    Theme,
    bare_axis,
    base_layout,
    font,
    literal,
    percent,
)

RISE = 0.05
"""A token that gets likelier by more than this share is marked."""


@dataclass(frozen=True, eq=False)
class EffectMap:
    """What a map shows.

    shares: (T, S), up to 1; negative where a token gets likelier.
    rows: T target tokens. columns: S source tokens.
    verb: how a row stands to a column, such as "looks at", in hover and alternative text.
    """

    shares: NDArray[np.float64] = field(repr=False)
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    verb: str


def effect_figure(effects: EffectMap, *, theme: Theme = LIGHT, row: int | None = None) -> go.Figure:
    """A heatmap on the fixed scale 0 to 1.

    row: the one (from 0) that gets a frame.
    """
    count, width = effects.shares.shape
    hover = [
        [
            f"<b>{literal(target)}</b> {effects.verb} <b>{literal(source)}</b>: {_told(share)}"
            for source, share in zip(effects.columns, shares, strict=True)
        ]
        for target, shares in zip(effects.rows, effects.shares, strict=True)
    ]
    heatmap = {
        "type": "heatmap",
        "meta": "effects",
        "z": np.clip(effects.shares, 0.0, 1.0).astype(np.float32),
        "text": [["↑" if share < -RISE else "" for share in each] for each in effects.shares],
        "texttemplate": "%{text}",
        "textfont": {"size": SMALL_SIZE},
        "customdata": hover,
        "hovertemplate": "%{customdata}<extra></extra>",
        "xgap": 2,
        "ygap": 2,
        "coloraxis": "coloraxis",
    }
    layout = base_layout(theme, height=map_height(count)) | {
        "coloraxis": weight_axis(theme),
        "xaxis": bare_axis(theme, [token_label(token) for token in effects.columns])
        | {
            "side": "top",
            "title": {"text": "source", "standoff": 4, "font": font(theme, SMALL_SIZE)},
            "range": [-0.5, width - 0.5],
            "autotickangles": [0, -45, -90],
            "ticklabeloverflow": "allow",
        },
        "yaxis": bare_axis(theme, [token_label(token) for token in effects.rows])
        | {"range": [count - 0.5, -0.5]},
    }
    if row is not None:
        edges = {"x0": -0.5, "x1": width - 0.5, "y0": row - 0.5, "y1": row + 0.5}
        layout["shapes"] = [{"type": "rect", "line": {"color": theme.accent, "width": 3}, **edges}]
    return make_figure([heatmap], layout)


def effect_alt(effects: EffectMap) -> str:
    """The picture in plain sentences, for those who don't see it."""
    strongest = [
        f"{row} {effects.verb} {effects.columns[int(np.argmax(shares))]} most "
        f"({_told(float(np.max(shares)))})"
        for row, shares in zip(effects.rows, effects.shares, strict=True)
    ]
    return (
        f"Map of {len(effects.rows)} target tokens down and {len(effects.columns)} source tokens "
        f"across. {'; '.join(strongest)}."
    )


def _told(share: float) -> str:
    if share >= 0:
        return percent(share)
    return f"likelier, by the factor {1 - share:.3g}"
