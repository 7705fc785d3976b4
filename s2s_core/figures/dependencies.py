"""A decoder's operations and what waits for what, with a longest chain drawn out."""

from __future__ import annotations

import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.theme import LIGHT, SMALL_SIZE, Theme, base_layout
from s2s_core.training.lessons.dependencies import DependencyGraph

_LEVEL_HEIGHT = 52
_MOST_NAMED = 8  # positions up to which labels fit into the nodes
_LARGE, _SMALL = 40, 18  # pixels of a node


def dependency_figure(graph: DependencyGraph, *, theme: Theme = LIGHT) -> go.Figure:
    """Positions across, what is read at the foot, the distributions on top."""
    top = graph.layers + 1
    chain = set(graph.chain)
    on_way = set(zip(graph.chain, graph.chain[1:], strict=False))
    traces = [
        _edges(graph, [edge for edge in graph.edges if edge not in on_way], theme, chain=False),
        _edges(graph, sorted(on_way), theme, chain=True),
        _nodes(graph, [i for i, node in enumerate(graph.nodes) if node.given], "given", theme),
        _nodes(
            graph,
            [i for i, node in enumerate(graph.nodes) if not node.given and i not in chain],
            "operation",
            theme,
        ),
        _nodes(graph, sorted(chain), "chain", theme),
    ]
    axis = {"visible": False, "fixedrange": True}
    layout = base_layout(theme, height=74 + _LEVEL_HEIGHT * top) | {
        "margin": {"l": 4, "r": 4, "t": 30, "b": 4},
        "xaxis": axis | {"range": [0.5, graph.positions + 0.5]},
        "yaxis": axis | {"range": [-0.45, top + 0.45]},
    }
    return make_figure(traces, layout)


def dependency_alt(graph: DependencyGraph) -> str:
    """The picture in plain sentences, for those who don't see it."""
    order = ", ".join(graph.nodes[index].label for index in graph.chain)
    return (
        f"{graph.architecture}, {graph.use}: {graph.operations} operations for "
        f"{graph.positions} target positions. The longest chain has {graph.longest}: {order}."
    )


def _edges(
    graph: DependencyGraph, edges: list[tuple[int, int]], theme: Theme, *, chain: bool
) -> dict[str, object]:
    xs: list[float | None] = []
    ys: list[float | None] = []
    for first, second in edges:
        a, b = graph.nodes[first], graph.nodes[second]
        xs += [a.position, b.position, None]
        ys += [a.level, b.level, None]
    return {
        "type": "scatter",
        "mode": "lines",
        "meta": "chain edges" if chain else "edges",
        "x": xs,
        "y": ys,
        "line": {
            "color": theme.greedy if chain else theme.muted,
            "width": 4 if chain else 1.2,
        },
        "hoverinfo": "skip",
    }


def _nodes(graph: DependencyGraph, chosen: list[int], look: str, theme: Theme) -> dict[str, object]:
    """Given inputs are open, operations filled, those on the chain squares."""
    colors = {"given": theme.background, "operation": theme.kept, "chain": theme.greedy}
    nodes = [graph.nodes[index] for index in chosen]
    named = graph.positions <= _MOST_NAMED
    return {
        "type": "scatter",
        "mode": "markers+text" if named else "markers",
        "meta": look,
        "x": [node.position for node in nodes],
        "y": [node.level for node in nodes],
        "text": [node.label for node in nodes],
        "textposition": "middle center",
        "textfont": {
            "size": SMALL_SIZE,
            "color": theme.text if look == "given" else theme.background,
        },
        "marker": {
            "size": _LARGE if named else _SMALL,
            "color": colors[look],
            "symbol": "square" if look == "chain" else "circle",
            "line": {"width": 2, "color": theme.muted if look == "given" else colors[look]},
        },
        "hovertemplate": f"%{{text}}, {'given' if look == 'given' else 'computed'}<extra></extra>",
        "cliponaxis": False,
    }
