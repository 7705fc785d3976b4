"""The traces of the beam tree: few, with many nodes each, since plotly's time goes into traces."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from s2s_core.figures.labels import token_label
from s2s_core.figures.theme import (
    FONT_SIZE,
    SMALL_SIZE,
    Theme,
    lines,
    literal,
    signed,
)
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.records import ROOT_ID, Fate
from s2s_core.search.tree import BeamTree, TreeNode

Trace = dict[str, object]

WIDTHS = ((0.5, 6.0), (0.2, 4.0), (0.05, 2.4), (0.0, 1.2))
"""From a probability on, a line is so many pixels wide."""
BEND = 0.35
"""Where a line from a parent has reached the height of the child."""
_LABEL_WIDTH = 9  # characters; more would reach back into the step before
_LIFT = 0.16  # rows; keeps the greedy path beside the edges that it shares

MEANINGS: dict[Fate, str] = {
    "kept": "kept",
    "finished": "finished",
    "cut": "cut",
    "pruned": "pruned",
}
"""The fates in words, as the legend has them."""

HOVER = (
    "<b>%{customdata[2]}</b>  %{customdata[3]:.1%} (log-prob %{customdata[4]:.2f})"
    "<br>log P %{customdata[5]:.2f}, score %{customdata[6]}"
    "<br>rank %{customdata[7]} at step %{x}: FATE%{customdata[8]}"
    "<br><i>%{customdata[9]}</i><extra></extra>"
)

_SHAPES: dict[Fate, tuple[str, int]] = {
    "kept": ("circle", 11),
    "finished": ("square", 13),
    "cut": ("diamond-tall-open", 15),
    "pruned": ("x-thin-open", 8),
}


def edge_traces(tree: BeamTree, theme: Theme) -> Iterable[Trace]:
    """One trace for each width, of survivors and of the pruned."""
    for survived, color in ((False, theme.pruned), (True, theme.kept)):
        above = math.inf
        for least, width in WIDTHS:
            children = [
                node
                for node in tree.nodes[1:]
                if (node.fate != "pruned") == survived
                and least <= math.exp(node.token_log_prob) < above
            ]
            above = least
            if children:
                yield _lines(children, tree) | {
                    "meta": "edges",
                    "line": {"color": color, "width": width},
                    "opacity": 0.75 if survived else 0.45,
                }


def path_trace(tree: BeamTree, theme: Theme, *, best: bool) -> Trace:
    """The winner's path as a broad band below the edges; the greedy path dashed, just above."""
    path = [n for n in tree.nodes[1:] if (n.on_best_path if best else n.on_greedy_path)]
    width, color, dash = (18, theme.best, "solid") if best else (3, theme.greedy, "4px,3px")
    return _lines(path, tree, lift=0.0 if best else _LIFT) | {
        "meta": "best" if best else "greedy",
        "line": {"color": color, "width": width, "dash": dash},
        "opacity": 0.6 if best else 1.0,
        "name": "best" if best else "greedy",
        "showlegend": bool(path),
    }


def _lines(children: Sequence[TreeNode], tree: BeamTree, *, lift: float = 0.0) -> Trace:
    """Lines from parents: slanted first, then level, so that labels have a line to sit on."""
    by_id = {node.id: node for node in tree.nodes}
    x: list[float | None] = []
    y: list[float | None] = []
    for node in children:
        parent = by_id[node.parent_id or ROOT_ID]
        x += [parent.x, parent.x + BEND, node.x, None]
        y += [parent.y + lift, node.y + lift, node.y + lift, None]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "hoverinfo": "skip",
        "showlegend": False,
    }


def node_trace(
    tree: BeamTree,
    fate: Fate,
    theme: Theme,
    penalty: LengthPenalty,
    labelled: Callable[[TreeNode], bool],
) -> Trace:
    """The nodes of one fate: markers, labels and hover texts."""
    nodes = [node for node in tree.nodes[1:] if node.fate == fate]
    symbol, size = _SHAPES[fate]
    color = {
        "kept": theme.kept,
        "finished": theme.finished,
        "cut": theme.cut,
        "pruned": theme.pruned,
    }[fate]
    return {
        "type": "scatter",
        "mode": "markers+text",
        "meta": "nodes",
        "name": MEANINGS[fate],
        "showlegend": True,
        "x": [node.x for node in nodes],
        "y": [node.y for node in nodes],
        "text": [_label(node) if labelled(node) else "" for node in nodes],
        "textposition": "top left",
        "textfont": {"size": FONT_SIZE if fate != "pruned" else SMALL_SIZE},
        "opacity": 0.75 if fate == "pruned" else 1.0,
        "marker": {
            "symbol": symbol,
            "size": size,
            "color": color,
            "line": {"width": 2 if symbol.endswith("open") else 0, "color": color},
        },
        "customdata": [_told(node, penalty) for node in nodes],
        "hovertemplate": HOVER.replace("FATE", MEANINGS[fate]),
    }


def root_trace(theme: Theme) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "meta": "nodes",
        "x": [0],
        "y": [0],
        "text": ["start"],
        "textposition": "top center",
        "textfont": {"size": FONT_SIZE},
        "marker": {"symbol": "circle", "size": 11, "color": theme.kept},
        "customdata": [[ROOT_ID, None]],
        "hovertemplate": "the empty prefix: nothing is produced yet<extra></extra>",
        "showlegend": False,
    }


def selection_trace(tree: BeamTree, selected_id: int | None, theme: Theme) -> Trace:
    """The path to the selected node, with a ring at its end; a trace of its own, so it can move."""
    by_id = {node.id: node for node in tree.nodes}
    path: list[TreeNode] = []
    while selected_id is not None and selected_id in by_id:
        path.insert(0, by_id[selected_id])
        selected_id = path[0].parent_id
    x = [x for node in path for x in (max(0, node.x - 1 + BEND), node.x)]
    y = [node.y for node in path for _ in range(2)]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "meta": "selection",
        "x": x,
        "y": y,
        "line": {"color": theme.accent, "width": 2.5},
        "marker": {
            "symbol": "circle-open",
            "size": [0] * (len(x) - 1) + [24] * bool(x),
            "color": theme.accent,
            "line": {"width": 3, "color": theme.accent},
        },
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _label(node: TreeNode) -> str:
    """The token; a square says of itself that it is an end."""
    if node.is_end and node.fate == "finished":
        return ""
    return token_label(node.token, _LABEL_WIDTH) + ("*" if node.forced else "")


def _told(node: TreeNode, penalty: LengthPenalty) -> list[object]:
    """The columns of `HOVER`; the first two are the node's id and its parent's."""
    notes = [lines(node.reason, 48)] if node.reason else []
    if node.forced:
        notes.append("forced: given, not chosen (* in the tree)")
    if node.evicted_at is not None:
        notes.append(f"pushed out of the pool at step {node.evicted_at}")
    if node.group is not None:
        notes.append("other pieces spell the same text")
    return [
        node.id,
        node.parent_id,
        literal(node.token),
        round(math.exp(node.token_log_prob), 5),
        round(node.token_log_prob, 3),
        round(node.log_prob, 3),
        signed(penalty.score(node.log_prob, node.x)),
        node.rank,
        "".join(f"<br>{note}" for note in notes),
        lines(node.text, 48),
    ]
