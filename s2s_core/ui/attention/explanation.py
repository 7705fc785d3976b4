"""The tab "Is it an explanation?": weights beside what the model loses, and weights replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd
import streamlit as st

from s2s_core.figures.effect_maps import EffectMap, effect_alt, effect_figure
from s2s_core.figures.panels import Panel, panels_alt, panels_figure
from s2s_core.models.occlusion import WAYS
from s2s_core.ui import charts, literal, shell, state
from s2s_core.ui.attention import model_controls, replaced
from s2s_core.ui.attention.effects import (
    RIVAL_NOTE,
    WAY_LABELS,
    WAY_NOTES,
    correlation_story,
    effects_frame,
    share_told,
    step_effects,
)
from s2s_core.ui.attention.link import FIELDS, PADDING, WAY
from s2s_core.ui.attention.model_run import (
    ExplanationScreen,
    explanation_screen,
    padded,
    target_request,
)
from s2s_core.ui.exercises import progress


def draw() -> Mapping[str, Callable[[], pd.DataFrame]]:
    """Draw maps, correlation and replaced weights; returns the tables to save.

    Raises:
        ExplorerError: the model has no attention, or source, target or weights can't be used.
    """
    st.markdown(
        "**Do the weights explain the prediction?** Take a source token away, and see what the "
        "next token loses. Does it lose most where the model looks most?"
    )
    model_controls.draw_sentence()
    with model_controls.draw_step():
        st.segmented_control(
            "How a source token is taken away",
            WAYS,
            key=WAY.name,
            required=True,
            format_func=WAY_LABELS.__getitem__,
            label_visibility="collapsed",
        )
    screen = explanation_screen(replaced.usable(state.read(FIELDS)))
    progress.watch(screen.swaps)
    _draw_maps(screen)
    _draw_step(screen)
    replaced.draw(screen)
    replaced.draw_singles(screen.swaps)
    _draw_padding()
    st.caption(f"{charts.CAUTION} {RIVAL_NOTE}")
    return {
        "Effects": lambda: effects_frame(screen),
        "Replaced weights": lambda: replaced.swaps_frame(screen.swaps),
    }


def maps(screen: ExplanationScreen) -> tuple[EffectMap, EffectMap]:
    """Weights, and the share of probability lost, on one scale."""
    rows, columns = screen.occlusion.target_tokens, screen.occlusion.source_tokens
    return (
        EffectMap(screen.attention, rows, columns, "looks at"),
        EffectMap(screen.lost, rows, columns, "loses without"),
    )


def _draw_maps(screen: ExplanationScreen) -> None:
    titles = ("Where it looks: weights", "What it loses without: share of its probability")
    places = st.columns(2, gap="medium")
    for place, title, effects, key in zip(
        places, titles, maps(screen), ("map_weights", "map_lost"), strict=True
    ):
        with place:
            literal.show(title)
            charts.draw(
                effect_figure(effects, theme=shell.theme(), row=screen.step - 1),
                key=key,
                alt=effect_alt(effects),
            )
    literal.show(correlation_story(screen), look="second")
    st.caption(f"{WAY_NOTES[screen.way]} Ranks count small differences as much as large ones.")


def _draw_step(screen: ExplanationScreen) -> None:
    """The framed row of both maps, with both ways and the single positions, as numbers."""
    prediction = screen.occlusion.predictions[screen.step - 1]
    literal.show(f"Step {screen.step}, {prediction.token}: each source token in numbers")
    labels, effects = screen.occlusion.source_tokens, step_effects(screen)
    looks = (
        Panel("weight", effects.weights, share_told(effects.weights), "weight", most=1.0),
        Panel("lost with all weight here", effects.alone, share_told(effects.alone), most=1.0),
    )
    losses = (
        Panel("lost when removed", effects.removed, share_told(effects.removed), "effect", 1.0),
        Panel("lost when masked", effects.masked, share_told(effects.masked), "effect", 1.0),
    )
    places = st.columns(2, gap="medium")  # two panels each, so that they fit on a phone
    for place, given, key in zip(
        places, (looks, losses), ("step_looks", "step_losses"), strict=True
    ):
        panels = tuple(map(_clipped, given))
        with place:
            charts.draw(
                panels_figure(labels, panels, theme=shell.theme()),
                key=key,
                alt=panels_alt(labels, panels),
            )
    st.caption(
        "Lost is a share of the token's own probability. “× 1.2” instead: it gets 1.2 times as "
        "likely."
    )


def _draw_padding() -> None:
    """A check that a person can run: padding plays no part."""
    place = st.expander("A check: padding plays no part", key=PADDING.name, on_change="rerun")
    if not place.open:
        return
    with place, shell.messages():
        drops = padded(target_request(state.read(FIELDS)))
        largest = max(abs(drop) for row in drops for drop in row)
        literal.show(
            f"In a batch beside the same sentence written twice, this source gets {len(drops[0])} "
            f"positions of padding. Each was masked at each of {len(drops)} steps: the log P of "
            f"the target's token changed by at most {largest:g}."
        )


def _clipped(panel: Panel) -> Panel:
    """A gain has no bar, only its number: a token can get many times likelier."""
    values = tuple(max(0.0, value) for value in panel.values)
    return Panel(panel.title, values, panel.texts, panel.role, panel.most)
