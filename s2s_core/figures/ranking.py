"""Score against alpha: how the ranking changes with the length penalty, in closed form."""

from __future__ import annotations

import plotly.graph_objects as go

from s2s_core.figures.theme import LIGHT, Theme
from s2s_core.search.rerank import RankingCurve


def ranking_figure(curve: RankingCurve, parameter: float, *, theme: Theme = LIGHT) -> go.Figure:
    """One line for each hypothesis, the crossings of rank 1, and a strip with the winners.

    parameter: the current alpha (or gamma), marked by an upright line.
    """
    raise NotImplementedError


def ranking_alt(curve: RankingCurve, parameter: float) -> str:
    """The picture in plain sentences, for those who don't see it."""
    raise NotImplementedError
