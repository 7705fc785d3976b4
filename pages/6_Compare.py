"""Models side by side on one sentence, and what length does to them."""

from __future__ import annotations

import streamlit as st

from s2s_core.errors import CheckpointError
from s2s_core.ui import (
    compare_outputs,
    compare_source,
    cost_panel,
    quality_panel,
    saving,
    shell,
    state,
)
from s2s_core.ui.compare_link import FIELDS, TAB, TABS
from s2s_core.ui.compare_run import family_of, right_outputs, run_models
from s2s_core.ui.decode_link import BEAM
from s2s_core.ui.exercises import progress
from s2s_core.ui.exercises.facts import Answered
from s2s_core.ui.shared_link import MODEL


def main() -> None:
    """Models and source, the outputs, and the tabs."""
    family = family_of(state.get(MODEL))
    if family is None:
        raise CheckpointError(f"the card of {state.get(MODEL)!r} can't be read: choose another")
    cards = compare_source.draw_models(family)
    if len(family.cards) == 1:
        compare_source.draw_larger_family()
    source = compare_source.draw_source(family)
    runs = ()
    with shell.messages():
        runs = run_models(cards, source, beam_size=state.get(BEAM))
        progress.watch(Answered(right_outputs(runs)))
        compare_outputs.draw_outputs(runs)
        if count := compare_source.joined_clauses(family):
            compare_outputs.draw_clauses(runs, family.source_language, count)
    attention, tokens, quality, cost = st.tabs(TABS, key=TAB.name, on_change="rerun")
    if attention.open:
        with attention:
            compare_outputs.draw_attention(runs)
    if tokens.open:
        with tokens:
            compare_outputs.draw_next_tokens(runs)
    if quality.open:
        with quality:
            quality_panel.draw(family)
    if cost.open:
        with cost:
            cost_panel.draw(runs)
    saving.draw_format()


with shell.page("compare", FIELDS):
    main()
