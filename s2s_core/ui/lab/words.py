"""One hypothesis word by word: how surprising each token was, and its place in the beam."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from s2s_core.figures.search_lab import MOST_LINES, bump_figure, surprisal_figure, totals_figure
from s2s_core.search.trace import BeamTrace
from s2s_core.search.word_by_word import (
    lost_rivals,
    places_over_time,
    surprisals,
    totals_against_rivals,
)
from s2s_core.ui import charts, literal, shell, state
from s2s_core.ui.lab.link import RANK
from s2s_core.ui.length.tables import shown
from s2s_core.ui.tables import shown as styled


def draw(trace: BeamTrace) -> None:
    """Draw the choice of hypothesis and its story."""
    pool = trace.pool()
    chosen = state.get(RANK) or 1
    if chosen > len(pool):
        state.refuse(RANK, f"1 to {len(pool)}, or first")
    state.put(RANK, chosen)
    st.selectbox(
        "Hypothesis",
        range(1, len(pool) + 1),
        key=RANK.name,
        format_func=lambda rank: f"{rank}  {shown(pool[rank - 1].text)}",
    )
    own = pool[chosen - 1]
    ids = [h.node_id for h in (own, *pool) if h.node_id is not None]
    ids = list(dict.fromkeys(ids))[:MOST_LINES]
    tokens = surprisals(own)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Surprisal of each token**")
        charts.draw(
            surprisal_figure(tokens, theme=shell.theme()),
            key="surprisal",
            alt="; ".join(f"{token.token}: {token.surprisal:.2f} bits" for token in tokens),
        )
        st.markdown("**Rank over time**")
        charts.draw(
            bump_figure(
                [(trace.node(i).text, places_over_time(trace, i)) for i in ids],
                theme=shell.theme(),
            ),
            key="bump",
            alt=f"The rank of the prefixes of {len(ids)} hypotheses at each step.",
        )
    with right:
        st.markdown("**log P so far, against the rivals**")
        charts.draw(
            totals_figure(totals_against_rivals(trace, ids), theme=shell.theme()),
            key="totals",
            alt=f"Cumulative log P of {len(ids)} hypotheses.",
        )
        _draw_lost(trace, ids[0])


def _draw_lost(trace: BeamTrace, node_id: int) -> None:
    lost = lost_rivals(trace, node_id)
    st.markdown("**Rivals that looked better, and were pruned**")
    if not lost:
        literal.show("None: no prefix that was ahead of it was lost.")
        return
    st.dataframe(
        styled(
            pd.DataFrame(
                [
                    {
                        "step": rival.step,
                        "rival": shown(rival.text),
                        "ahead by (nats)": rival.lead,
                        "then missed the beam by (nats)": rival.gap,
                    }
                    for rival in lost
                ]
            ),
            decimals=3,
        ),
        hide_index=True,
        key="lost_table",
        alt="Rivals that were ahead and then fell out of the beam",
    )
