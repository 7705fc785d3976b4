"""How the search is shown: whose path, pieces or words, what the tree holds, which attention."""

from __future__ import annotations

import streamlit as st

from s2s_core.errors import CheckpointError
from s2s_core.figures.grid import AttentionGrid
from s2s_core.figures.moments import ViewOptions, WordStarts, path_grid
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.trace import BeamTrace
from s2s_core.ui import cached, state
from s2s_core.ui.decode.link import (
    END_TOKENS,
    ENDS,
    FOLLOW,
    FOLLOWS,
    HEAD,
    LAYER,
    NODE,
    NUMBERS,
    PRUNED,
    PRUNED_SHOWN,
    VIEW,
    WORDS,
)

_FOLLOW_LABELS = {
    "winner": "the winner's path",
    "best prefix": "the best prefix at each step",
    "selected": "the selected node's path",
}
_PRUNED_LABELS = {
    "few": f"the best {PRUNED_SHOWN['few']} of each step",
    "all": "all that are recorded",
    "none": "none",
}


def draw(trace: BeamTrace) -> None:
    """Draw the controls behind one button; their values are the fields `VIEW`."""
    for field in VIEW:  # said anew: a control that wasn't on the screen yet missed it before
        state.put(field, state.get(field))
    with st.popover("View", key="view", width="stretch"):
        st.selectbox(
            "Attention and next tokens follow",
            FOLLOWS,
            key=FOLLOW.name,
            format_func=_FOLLOW_LABELS.__getitem__,
        )
        st.toggle(
            "Whole words in the heatmap",
            key=WORDS.name,
            help="The weights of a source word's pieces are added; the rows of a target word's "
            "pieces are averaged.",
        )
        st.toggle(
            "End token in the heatmap",
            key=END_TOKENS.name,
            help="Hidden, its row and its column are left out and nothing is rescaled: what a row "
            "then lacks to 100 % went to the end of the source. Files hold everything.",
        )
        st.toggle("Numbers on the cells", key=NUMBERS.name)
        st.selectbox(
            "Pruned candidates in the tree",
            tuple(PRUNED_SHOWN),
            key=PRUNED.name,
            format_func=_PRUNED_LABELS.__getitem__,
        )
        st.toggle("End tokens that never reached the pool", key=ENDS.name)
        _draw_heads(trace)


def options(trace: BeamTrace, penalty: LengthPenalty) -> ViewOptions:
    """What the controls say, for the timeline.

    penalty: ranks the finished translations, and so chooses the winner.
    """
    layer, head = state.get(LAYER), state.get(HEAD)
    return ViewOptions(
        follow=next(follow for follow in FOLLOWS if follow == state.get(FOLLOW)),
        selected_id=state.get(NODE),
        word_starts=word_starts(trace),
        layer=-1 if layer is None else layer - 1,
        head=None if head is None else head - 1,
        show_end_tokens=state.get(END_TOKENS),
        show_unpooled_ends=state.get(ENDS),
        pruned_per_step=PRUNED_SHOWN[state.get(PRUNED)],
        penalty=penalty,
    )


def word_starts(trace: BeamTrace) -> WordStarts | None:
    """Where words begin; None if pieces are asked for, or if the model isn't here to tell."""
    if not state.get(WORDS):
        return None
    try:
        return cached.model(trace.request.checkpoint).tokenizer.word_starts
    except CheckpointError:
        return None


def grid(trace: BeamTrace, node_id: int) -> AttentionGrid | None:
    """The attention along the path to a node, as the controls ask for it; None without any."""
    return path_grid(trace, node_id, options(trace, trace.request.config.length_penalty))


def attention_shape(trace: BeamTrace) -> tuple[int, int]:
    """Layers and heads; (0, 0) for a model without attention."""
    attention = trace.steps[0].attention
    return (0, 0) if attention is None else attention.shape[1:3]


def _draw_heads(trace: BeamTrace) -> None:
    """Which attention; only where the model has more than one."""
    layers, heads = attention_shape(trace)
    if layers > 1:
        st.selectbox(
            "Layer",
            (None, *range(1, layers + 1)),
            key=LAYER.name,
            format_func=lambda layer: f"the last ({layers})" if layer is None else str(layer),
        )
    if heads > 1:
        st.selectbox(
            "Head",
            (None, *range(1, heads + 1)),
            key=HEAD.name,
            format_func=lambda head: "mean over the heads" if head is None else str(head),
        )
