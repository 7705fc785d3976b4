"""How the sentence scores of a corpus are spread, and how its length ranges do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.theme import LIGHT, SMALL_SIZE, Theme, base_layout, font
from s2s_core.metrics.corpus_view import LengthBucket
from s2s_core.metrics.display import shown_score

_HEIGHT = 320
_BINS = 20


def distribution_figure(
    scores: Sequence[float], corpus: float, mean: float, *, theme: Theme = LIGHT
) -> go.Figure:
    """A histogram of sentence BLEU, with corpus BLEU and the mean as upright lines.

    scores, corpus, mean: 0-100.
    """
    counts, edges = np.histogram(np.clip(scores, 0, 100), bins=_BINS, range=(0, 100))
    width = 100 / _BINS
    bars = {
        "type": "bar",
        "meta": "segments",
        "x": edges[:-1] + width / 2,
        "y": counts,
        "width": width * 0.94,
        "marker": {"color": theme.kept},
        "customdata": np.stack([edges[:-1], edges[1:]], axis=1),
        "hovertemplate": "%{y} segments from %{customdata[0]:.0f} to %{customdata[1]:.0f}"
        "<extra></extra>",
    }
    corpus_right = corpus >= mean
    whole: dict[str, object] = {"tickformat": "d"}
    if max(counts) < 6:
        whole["dtick"] = 1
    layout = _layout(("sentence BLEU", {"range": [0, 100]}), ("segments", whole), theme) | {
        "shapes": [
            _upright(min(corpus, 100), theme.accent, "solid"),
            _upright(min(mean, 100), theme.greedy, "dash"),
        ],
        "annotations": [
            _label(f"corpus {shown_score(corpus)}", corpus, theme.accent, right=corpus_right),
            _label(f"mean {shown_score(mean)}", mean, theme.greedy, right=not corpus_right),
        ],
    }
    return make_figure([bars], layout)


def distribution_alt(scores: Sequence[float], corpus: float, mean: float) -> str:
    """The picture in plain sentences."""
    lower, middle, upper = np.percentile(np.clip(scores, 0, 100), [25, 50, 75])
    return (
        f"Sentence BLEU of {len(scores)} segments: half of them lie between {lower:.1f} and "
        f"{upper:.1f}, the median is {middle:.1f}. Corpus BLEU is {shown_score(corpus)}, the mean "
        f"of the sentences {shown_score(mean)}."
    )


def bucket_figure(buckets: Sequence[LengthBucket], *, theme: Theme = LIGHT) -> go.Figure:
    """Corpus BLEU and the mean of sentence BLEU for ranges of reference length."""
    places = list(range(len(buckets)))
    counts = [bucket.segments for bucket in buckets]
    both = (
        ("corpus BLEU", [bucket.score for bucket in buckets], theme.accent, ""),
        ("mean of sentence BLEU", [b.mean_of_sentences for b in buckets], theme.greedy, "/"),
    )
    traces = [
        {
            "type": "bar",
            "meta": name,
            "name": name,
            "x": places,
            "y": [None if score is None else min(score, 100.0) for score in scores],
            "marker": {"color": color, "pattern": {"shape": shape, "size": 7, "solidity": 0.25}},
            "customdata": counts,
            "hovertemplate": f"{name}: %{{y:.2f}}, %{{customdata}} segments<extra></extra>",
        }
        for name, scores, color, shape in both
    ]
    labels = [f"{bucket.label}<br>({bucket.segments:,})" for bucket in buckets]
    ticks: dict[str, object] = {"tickvals": places, "ticktext": labels, "showgrid": False}
    title = "tokens of the closest reference (segments)"
    layout = _layout((title, ticks), ("BLEU", {}), theme) | {
        "barmode": "group",
        "showlegend": True,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "font": font(theme)},
    }
    return make_figure(traces, layout)


def bucket_alt(buckets: Sequence[LengthBucket]) -> str:
    """The picture in plain sentences."""
    told = [
        f"{bucket.label} tokens: {shown_score(bucket.score)} ({bucket.segments} segments)"
        for bucket in buckets
        if bucket.score is not None
    ]
    return f"Corpus BLEU by reference length: {'; '.join(told)}."


def differences_figure(differences: Sequence[float], *, theme: Theme = LIGHT) -> go.Figure:
    """The difference of each segment, from the most lost to the most won.

    differences: system minus baseline, in points of sentence BLEU.
    """
    ordered = sorted(differences)
    bars = {
        "type": "bar",
        "meta": "differences",
        "x": list(range(1, len(ordered) + 1)),
        "y": ordered,
        "marker": {
            "color": [theme.finished if value > 0 else theme.greedy for value in ordered],
            "line": {"width": 0},
        },
        "hovertemplate": "%{y:+.2f}<extra></extra>",
    }
    line: dict[str, object] = {"zeroline": True, "zerolinecolor": theme.muted, "zerolinewidth": 2}
    bare: dict[str, object] = {"showticklabels": False, "showgrid": False}
    layout = _layout(("segments, from lost to won", bare), ("system − baseline", line), theme) | {
        "bargap": 0.05
    }
    return make_figure([bars], layout)


def differences_alt(differences: Sequence[float]) -> str:
    """The picture in plain sentences."""
    won = sum(value > 0 for value in differences)
    lost = sum(value < 0 for value in differences)
    same = len(differences) - won - lost
    return (
        f"Of {len(differences)} segments the system scores higher in {won}, lower in {lost}, the "
        f"same in {same}."
    )


_Axis = tuple[str, dict[str, object]]  # its title, and what it has of its own


def _layout(x: _Axis, y: _Axis, theme: Theme) -> dict[str, object]:
    axis: dict[str, object] = {
        "tickfont": font(theme, SMALL_SIZE),
        "gridcolor": theme.grid,
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
    }
    return base_layout(theme, height=_HEIGHT) | {
        "xaxis": axis | {"title": {"text": x[0], "font": font(theme)}} | x[1],
        "yaxis": axis | {"title": {"text": y[0], "font": font(theme)}} | y[1],
    }


def _upright(x: float, color: str, dash: str) -> dict[str, object]:
    line = {"color": color, "width": 3, "dash": dash}
    return {"type": "line", "x0": x, "x1": x, "yref": "paper", "y0": 0, "y1": 1, "line": line}


def _label(text: str, x: float, color: str, *, right: bool) -> dict[str, object]:
    return {
        "text": f"<b>{text}</b>",
        "x": min(x, 100),
        "yref": "paper",
        "y": 1.0,
        "yanchor": "bottom",
        "xanchor": "left" if right else "right",
        "font": {"size": SMALL_SIZE + 1, "color": color},
        "showarrow": False,
    }
