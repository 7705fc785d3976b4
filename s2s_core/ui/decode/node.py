"""The selected node: how it got there, where the model looked, and what else could stand there."""

from __future__ import annotations

import streamlit as st

from s2s_core.figures.attention import attention_alt, attention_figure
from s2s_core.figures.next_token import next_token_alt, next_token_figure, next_tokens
from s2s_core.figures.theme import minus
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.trace import ROOT_ID, BeamTrace
from s2s_core.ui import charts, literal, shell, state, tables
from s2s_core.ui.decode import forcing, view_controls
from s2s_core.ui.decode.link import NODE, NUMBERS


def draw(trace: BeamTrace, node_id: int, penalty: LengthPenalty) -> None:
    """Draw a node's story, attention and candidates, and the form that forces a token."""
    story, picture = st.columns([1, 1], gap="medium")
    with story:
        _draw_story(trace, node_id, penalty)
        if not state.get(NODE):  # with a selected node, the form stands above the pictures
            forcing.draw(trace, node_id)
    with picture:
        _draw_candidates(trace, node_id)
        _draw_attention(trace, node_id)


def _draw_story(trace: BeamTrace, node_id: int, penalty: LengthPenalty) -> None:
    if node_id == ROOT_ID:
        literal.show("The empty prefix: nothing is produced yet.")
        return
    node, hypothesis = trace.node(node_id), trace.hypothesis(node_id, penalty)
    literal.show(node.text, look="second")
    literal.show(forcing.describe(node), look="small")
    st.dataframe(
        tables.shown(tables.tokens(hypothesis)),
        hide_index=True,
        key="node_tokens",
        alt="The tokens on the way to this node, with their log-probabilities",
    )
    literal.show(
        f"score {minus(penalty.arithmetic(hypothesis.log_prob, hypothesis.length))}",
        look="small",
    )


def _draw_candidates(trace: BeamTrace, node_id: int) -> None:
    parent_id = ROOT_ID if node_id == ROOT_ID else trace.node(node_id).parent_id
    places = ((parent_id, node_id, "At its place"), (node_id, None, "After it"))
    for place, taken_id, title in places:
        row = next_tokens(trace, place, taken_id=taken_id)
        if row is None or (node_id == ROOT_ID and taken_id is not None):
            continue
        literal.show(f"{title}: what could follow “{row.prefix}”" if row.prefix else title)
        charts.draw(
            next_token_figure(row, theme=shell.theme()),
            key=f"next_tokens_{title}",
            alt=next_token_alt(row),
        )


def _draw_attention(trace: BeamTrace, node_id: int) -> None:
    grid = view_controls.grid(trace, node_id)
    if grid is None:
        return
    charts.draw(
        attention_figure(grid, theme=shell.theme(), numbers=state.get(NUMBERS)),
        key="node_attention",
        alt=attention_alt(grid),
    )
    st.caption(charts.CAUTION)
