"""The beam tree: what the search kept, finished, and gave up.

A column is a step. What became of a candidate shows in the shape of its marker as well as in its
colour; the width of the line to it is its probability.
"""

from __future__ import annotations

from collections.abc import Callable

import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.theme import LIGHT, TOP, Theme, base_layout, font
from s2s_core.figures.tree_traces import (
    MEANINGS,
    edge_traces,
    node_trace,
    path_trace,
    root_trace,
    selection_trace,
)
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.records import ROOT_ID
from s2s_core.search.tree import PRUNED_ROOM, BeamTree, TreeNode

ROW_HEIGHT = (20, 44)
MAX_HEIGHT = 350  # pixels that the rows may take before they get thinner
_BELOW_AXIS = 34  # pixels for the step numbers
_AROUND = TOP + _BELOW_AXIS
_ABOVE, _BELOW = 1.25, 0.6  # rows of room, for the labels of the first row
_ROOMY = 15  # pixels a pruned node, from which its token is written too


def beam_tree_figure(
    tree: BeamTree,
    *,
    penalty: LengthPenalty,
    theme: Theme = LIGHT,
    selected_id: int | None = None,
) -> go.Figure:
    """The tree from left (nothing produced) to right, one column a step.

    penalty: gives the score in the hover text.
    selected_id: the node with a ring around it.
    """
    labelled = _labelled(tree)
    fates = {node.fate for node in tree.nodes[1:]}
    traces = [
        path_trace(tree, theme, best=True),
        *edge_traces(tree, theme),
        path_trace(tree, theme, best=False),
        root_trace(theme),
        *(node_trace(tree, fate, theme, penalty, labelled) for fate in MEANINGS if fate in fates),
        selection_trace(tree, selected_id, theme),
    ]
    return make_figure(traces, _layout(tree, theme))


def beam_tree_height(tree: BeamTree) -> int:
    """Pixels that the figure takes."""
    return _AROUND + round(_row_height(tree) * _row_count(tree))


def beam_tree_alt(tree: BeamTree) -> str:
    """The picture in plain sentences, for those who don't see it."""
    steps = max(node.x for node in tree.nodes)
    fates = [node.fate for node in tree.nodes if node.id != ROOT_ID]
    counts = {fate: fates.count(fate) for fate in MEANINGS}
    told = ", ".join(f"{count} {MEANINGS[fate]}" for fate, count in counts.items() if count)
    best = [node for node in tree.nodes if node.on_best_path][-1]
    return (
        f"Beam tree over {steps} steps. Candidates shown: {told}. "
        f"The best path spells: {best.text or 'nothing'}."
    )


def _row_count(tree: BeamTree) -> float:
    return _ABOVE + _BELOW - min(node.y for node in tree.nodes)


def _row_height(tree: BeamTree) -> float:
    thin, thick = ROW_HEIGHT
    return min(max(MAX_HEIGHT / _row_count(tree), thin), thick)


def _labelled(tree: BeamTree) -> Callable[[TreeNode], bool]:
    """Which nodes have their token written: all, or where rows are thin, only what survived."""
    if _row_height(tree) * PRUNED_ROOM >= _ROOMY:
        return lambda node: True
    return lambda node: node.fate != "pruned" or node.on_greedy_path


def _layout(tree: BeamTree, theme: Theme) -> dict[str, object]:
    steps = max(node.x for node in tree.nodes)
    lowest = min(node.y for node in tree.nodes)
    return base_layout(theme, height=beam_tree_height(tree)) | {
        "margin": {"l": 8, "r": 8, "t": TOP, "b": _BELOW_AXIS},
        "showlegend": True,
        "legend": {
            "orientation": "h",
            "x": 0.0,
            "y": 1.0,
            "yanchor": "bottom",
            "font": font(theme),
            "itemclick": False,
            "itemdoubleclick": False,
            "itemsizing": "trace",
        },
        "hoverdistance": 12,
        "xaxis": {
            "range": [-0.45, steps + 0.3],
            "tickvals": list(range(1, steps + 1)),
            "ticktext": ["step 1", *(str(step) for step in range(2, steps + 1))],
            "tickfont": font(theme),
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
            # The browser chooses the range by the length of the axis: if the labels changed that
            # length in turn, the two could chase each other for ever.
            "automargin": False,
        },
        "yaxis": {
            "range": [lowest - _BELOW, _ABOVE],
            "visible": False,
            "zeroline": False,
            "fixedrange": True,
        },
    }
