"""Greedy, beam and exact search on one tree, with the whole tree behind them in grey."""

from __future__ import annotations

import plotly.graph_objects as go

from s2s_core.figures.beam_tree import beam_tree_alt, beam_tree_figure
from s2s_core.figures.theme import LIGHT, Theme
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.tree import BeamTree

_ROOM, _TALLEST = 1.7, 900
_NAMES = {"best": "beam search", "greedy": "greedy search", "selection": "exact search"}


def three_searches_figure(
    tree: BeamTree, *, penalty: LengthPenalty, exact_id: int | None, theme: Theme = LIGHT
) -> go.Figure:
    """The beam tree with the path of each search.

    tree: of `whole_tree`: what the beam search never saw or pruned is grey.
    exact_id: the end of the best string of all, or None where it isn't known.
    """
    figure = beam_tree_figure(tree, penalty=penalty, theme=theme, selected_id=exact_id)
    for trace in figure.data:
        if trace.meta in _NAMES and len(trace.x):
            trace.update(name=_NAMES[trace.meta], showlegend=True)
    # Grey nodes matter here, so their rows get more room than in a search's own tree.
    height = figure.layout.height
    figure.update_layout(height=max(height, min(round(_ROOM * height), _TALLEST)))
    return figure


def three_searches_alt(tree: BeamTree, *, exact_id: int | None) -> str:
    """The picture in plain sentences, for those who don't see it."""
    ends = {
        "Greedy search": [node for node in tree.nodes[1:] if node.on_greedy_path],
        "Exact search": [node for node in tree.nodes[1:] if node.id == exact_id],
    }
    told = [f"{name} spells: {path[-1].text or 'nothing'}." for name, path in ends.items() if path]
    return " ".join([beam_tree_alt(tree), *told])
