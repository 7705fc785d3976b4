"""Each checkpoint's card in readable form, and checks that run on it."""

from __future__ import annotations

from s2s_core.models.checkpoint import checkpoint_folder, load_card
from s2s_core.ui import saving, sentence, shell, state
from s2s_core.ui.models import card, checks, cost
from s2s_core.ui.models.link import FIELDS, TAB, TABS
from s2s_core.ui.shared_link import MODEL


def main() -> None:
    """The choice of the model, and its tabs."""
    sentence.draw_model()
    name = state.get(MODEL)
    shown = load_card(checkpoint_folder(name, by_path=False))
    shell.draw_tabs(
        TAB,
        TABS,
        (
            lambda: card.draw_card(shown),
            lambda: card.draw_training(shown),
            lambda: card.draw_measured(shown),
            lambda: checks.draw(name),
            cost.draw_times,
        ),
    )
    saving.draw_format()


with shell.page("models", FIELDS):
    main()
