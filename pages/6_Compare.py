"""Models side by side on one sentence, and what length does to them."""

from __future__ import annotations

import streamlit as st

from s2s_core.errors import CheckpointError
from s2s_core.ui import page_file, shell, state
from s2s_core.ui.compare import head, next_tokens, outputs, quality
from s2s_core.ui.compare.link import FIELDS, TAB, TABS
from s2s_core.ui.compare.run import ModelRun, family_of, right_outputs, run_models
from s2s_core.ui.decode.link import BEAM
from s2s_core.ui.exercises import progress
from s2s_core.ui.exercises.facts import Answered
from s2s_core.ui.models import cost
from s2s_core.ui.shared_link import MODEL


def main() -> None:
    """Models and source, the outputs, and the tabs."""
    family = family_of(state.get(MODEL))
    if family is None:
        raise CheckpointError(f"the card of {state.get(MODEL)!r} can't be read: choose another")
    cards = head.draw_models(family)
    if len(family.cards) == 1:
        head.draw_larger_family()
    source = head.draw_source(family)
    runs: tuple[ModelRun, ...] = ()
    with shell.messages():
        runs = run_models(cards, source, beam_size=state.get(BEAM))
        progress.watch(Answered(right_outputs(runs)))
        outputs.draw_outputs(runs)
        if count := head.joined_clauses(family):
            outputs.draw_clauses(runs, family.source_language, count)
    shell.draw_tabs(
        TAB,
        TABS,
        (
            lambda: outputs.draw_attention(runs),
            lambda: next_tokens.draw(runs),
            lambda: quality.draw(family),
            lambda: cost.draw(runs, family),
        ),
    )
    with st.expander("Save and open", icon=":material/save:"):
        page_file.draw("compare", FIELDS, {"Outputs": lambda: outputs.outputs_frame(runs)})


with shell.page("compare", FIELDS):
    main()
