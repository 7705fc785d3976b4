"""A forced run beside the one before it, on the same scales."""

from __future__ import annotations

import streamlit as st

from s2s_core.figures.attention import attention_alt, attention_figure
from s2s_core.figures.beam_tree import beam_tree_alt, beam_tree_figure
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.trace import BeamTrace
from s2s_core.search.tree import build_tree
from s2s_core.ui import charts, literal, shell, state, tables
from s2s_core.ui.decode import view_controls
from s2s_core.ui.decode.link import NUMBERS


def draw(trace: BeamTrace, before: BeamTrace, penalty: LengthPenalty) -> None:
    """Draw both winners with their arithmetic, their attention side by side, and the old tree."""
    ids = [t.ranked_ids(penalty)[0] for t in (trace, before)]
    new, old = trace.hypothesis(ids[0], penalty), before.hypothesis(ids[1], penalty)
    name_old = "before (also forced)" if before.request.forced_ids else "before (free)"
    literal.table(
        ("run", "translation", "log P", "L", "score"),
        tables.runs_side_by_side([("forced", new), (name_old, old)]),
        caption="The forced run beside the one before",
    )
    grids = [view_controls.grid(trace, ids[0]), view_controls.grid(before, ids[1])]
    if grids[0] is not None and grids[1] is not None:
        charts.draw(
            attention_figure(
                grids[0],
                theme=shell.theme(),
                numbers=state.get(NUMBERS),
                compare=grids[1],
                titles=("forced", name_old),
            ),
            key="comparison_attention",
            alt=f"Forced: {attention_alt(grids[0])} Before: {attention_alt(grids[1])}",
        )
        st.caption(charts.CAUTION)
    steps = max(len(trace.steps), len(before.steps))
    places = st.columns(2, gap="medium")
    for place, t, title in zip(places, (trace, before), ("forced", name_old), strict=True):
        tree = build_tree(t, best_id=t.ranked_ids(penalty)[0], pruned_per_step=0)
        figure = beam_tree_figure(tree, penalty=penalty, theme=shell.theme())
        figure.update_xaxes(range=[-0.45, steps + 0.3])  # a step is as wide in both
        with place:
            literal.show(f"Survivors: {title}")
            charts.draw(figure, key=f"comparison_{title[:6]}", alt=beam_tree_alt(tree))
