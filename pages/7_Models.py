"""Each checkpoint's card in readable form, and checks that run on it."""

from __future__ import annotations

import streamlit as st

from s2s_core.models.checkpoint import checkpoint_folder, load_card
from s2s_core.ui import checks_panel, cost_panel, model_card, saving, sentence, shell, state
from s2s_core.ui.models_link import FIELDS, TAB, TABS
from s2s_core.ui.shared_link import MODEL


def main() -> None:
    """The choice of the model, and its tabs."""
    sentence.draw_model()
    name = state.get(MODEL)
    card = load_card(checkpoint_folder(name, by_path=False))
    about, training, measured, checks, cost = st.tabs(TABS, key=TAB.name, on_change="rerun")
    if about.open:
        with about:
            model_card.draw_card(card)
    if training.open:
        with training:
            model_card.draw_training(card)
    if measured.open:
        with measured:
            model_card.draw_measured(card)
    if checks.open:
        with checks, shell.messages():
            checks_panel.draw(name)
    if cost.open:
        with cost:
            cost_panel.draw_times()
    saving.draw_format()


with shell.page("models", FIELDS):
    main()
