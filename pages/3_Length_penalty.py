"""Rank hypotheses under a length penalty, and see where the ranking turns over."""

from __future__ import annotations

import streamlit as st

from s2s_core.search.rank_entries import rank, recount
from s2s_core.ui import literal, page_file, shell, state
from s2s_core.ui.exercises import progress
from s2s_core.ui.exercises.facts import RankingShown
from s2s_core.ui.length import again, candidates, controls, ranking, tables
from s2s_core.ui.length.link import FIELDS, LIST, length_count, ranking_penalty


def main() -> None:
    """Hypotheses, controls, ranking, and what a new search would change."""
    entries = candidates.draw()
    controls.draw()
    values = state.read(FIELDS)
    penalty = ranking_penalty(values)
    found = recount(entries, length_count(values))
    best_first = tuple(item.entry for item in rank(found.entries, penalty))
    progress.watch(RankingShown(state.get(LIST), best_first, penalty))
    curve = ranking.draw(found, penalty)
    candidates.draw_copy(entries, penalty)
    again.draw(entries, penalty)
    with st.expander("What toolkits compute", icon=":material/table_chart:"):
        literal.table(tables.TOOLKIT_COLUMNS, tables.toolkits())
    with st.expander("Save and open", icon=":material/save:"):
        page_file.draw("length", FIELDS, tables.frames(curve, penalty) if curve else {})


with shell.page("length", FIELDS):
    main()
