"""What waits for what: recurrence and the Transformer, in training and in writing."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from s2s_core.figures.dependencies import dependency_alt, dependency_figure
from s2s_core.training.lessons.dependencies import LAYERS, POSITIONS, DependencyGraph
from s2s_core.ui import charts, literal, saving, shell, state
from s2s_core.ui.models import cost
from s2s_core.ui.training import results
from s2s_core.ui.training.link import FIELDS, LAYER_COUNT, POSITION_COUNT

_TITLES = {"recurrent": "Recurrent", "Transformer": "Transformer"}


def draw() -> None:
    """Draw the four graphs with their longest chains, and measured times."""
    st.markdown("**With as many processors as one likes: what still has to wait?**")
    length, layers = st.columns([3, 1], gap="medium")
    length.slider(
        "Target positions T", POSITIONS.minimum, POSITIONS.maximum, key=POSITION_COUNT.name
    )
    layers.slider("Layers", LAYERS.minimum, LAYERS.maximum, key=LAYER_COUNT.name)
    graphs = results.graphs(state.read(FIELDS))
    literal.show(headline(graphs), look="translation")
    for row in (graphs[:2], graphs[2:]):
        for place, graph in zip(st.columns(2, gap="medium"), row, strict=True):
            with place:
                _draw_graph(graph)
    st.caption(
        "Squares on the thick line are a longest chain: each needs the one before it. Open circles "
        "are known beforehand. Trained on true prefixes, a Transformer has all of its inputs at "
        "once, and each layer reads all earlier positions of the layer below: its chain doesn't "
        "grow with T. A recurrent state needs the state before it. Writing, both need the token "
        "that was just chosen. The source is read before: a recurrent encoder takes S steps, a "
        "Transformer's one a layer. Vaswani et al. 2017, arXiv:1706.03762, table 1."
    )
    saving.table("Chains", lambda: chains_frame(graphs))
    st.markdown("**Measured: a step of training, and writing a sentence**")
    st.caption(
        "One thread does one operation at a time, so these times count the operations rather than "
        "the chains. What can be done at once pays on hardware that does many things at once."
    )
    cost.draw_times()


def headline(graphs: tuple[DependencyGraph, ...]) -> str:
    """The four longest chains in a sentence."""
    recurrent, transformer, *writing = (graph.longest for graph in graphs)
    return (
        f"Longest chain in training: {recurrent} operations recurrent, {transformer} in the "
        f"Transformer. In writing: {writing[0]} and {writing[1]}."
    )


def chains_frame(graphs: tuple[DependencyGraph, ...]) -> pd.DataFrame:
    """One row a graph."""
    return pd.DataFrame(
        {
            "architecture": graph.architecture,
            "use": graph.use,
            "target positions": graph.positions,
            "layers": graph.layers,
            "operations": graph.operations,
            "longest chain": graph.longest,
        }
        for graph in graphs
    )


def _draw_graph(graph: DependencyGraph) -> None:
    title = f"{_TITLES[graph.architecture]}, {graph.use}"
    st.markdown(f"**{title}**: longest chain {graph.longest} of {graph.operations} operations")
    charts.draw(
        dependency_figure(graph, theme=shell.theme()),
        key=f"chain-{graph.architecture}-{graph.use}".lower(),
        alt=dependency_alt(graph),
    )
