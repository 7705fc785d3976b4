"""The tab "On the model": one decoder step opened up, from the query to the next token."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
import streamlit as st

from s2s_core.figures.panels import Panel, panels_alt, panels_figure
from s2s_core.figures.strips import Strip, strips_alt, strips_figure
from s2s_core.figures.theme import percent, signed
from s2s_core.models.along_target import Prediction
from s2s_core.ui import charts, literal, shell, state
from s2s_core.ui.attention import model_controls
from s2s_core.ui.attention.link import FIELDS
from s2s_core.ui.attention.model_run import StepScreen, step_screen

_STATES = 12  # source states drawn between query and context


def draw() -> Mapping[str, Callable[[], pd.DataFrame]]:
    """Draw a step; returns the tables to save.

    Raises:
        ExplorerError: the model has no attention, or source or target can't be used.
    """
    st.markdown(
        "**What happens in one step of the decoder?** The same as by hand, with the numbers of a "
        "trained model: query → scores → weights → context → next token."
    )
    model_controls.draw_sentence()
    model_controls.draw_step()
    screen = step_screen(state.read(FIELDS))
    looking, saying = st.columns([3, 2], gap="medium")
    with looking:
        st.markdown("**Scores, and the weights that the softmax makes of them**")
        panels, labels = step_panels(screen), screen.opened.source_tokens
        charts.draw(
            panels_figure(labels, panels, theme=shell.theme()),
            key="step_flow",
            alt=panels_alt(labels, panels),
        )
    with saying:
        draw_prediction(screen.opened.prediction, "step_next")
    _draw_vectors(screen)
    st.caption(f"{_heads_said(screen)} {charts.CAUTION}")
    return {"Step": lambda: step_frame(screen), "Vectors": lambda: vectors_frame(screen)}


def step_panels(screen: StepScreen) -> tuple[Panel, ...]:
    """Scores and weights over the source tokens."""
    scores, weights = (tuple(map(float, each)) for each in (screen.scores, screen.weights))
    return (
        Panel("score", scores, tuple(map(signed, scores)), role="score"),
        Panel("weight", weights, tuple(map(percent, weights)), role="weight", most=1.0),
    )


def draw_prediction(prediction: Prediction, key: str) -> None:
    """The distribution over the next token, the target's one marked."""
    story = f"log P({prediction.token}) = {signed(prediction.log_prob)}, rank {prediction.rank}"
    literal.show(f"What follows: {story}")
    labels = [*(chance.token for chance in prediction.top), "all others"]
    chances = [*(chance.probability for chance in prediction.top), prediction.rest]
    panel = Panel("probability", tuple(chances), tuple(map(percent, chances)), most=1.0)
    marked = [row for row, label in enumerate(labels[:-1]) if label == prediction.token][:1]
    charts.draw(
        panels_figure(labels, (panel,), theme=shell.theme(), marked=marked),
        key=key,
        alt=panels_alt(labels, (panel,)),
    )


def vectors(screen: StepScreen) -> tuple[Strip, ...]:
    """Query, what is mixed, and the context, as strips; what is mixed where it is the states."""
    opened, layer = screen.opened, screen.layer
    context = opened.context[layer]
    strips = [Strip("query", opened.query[layer])]
    if mixes_states(screen) and len(opened.source_tokens) <= _STATES:
        told = zip(opened.source_tokens, screen.weights, opened.source_states, strict=True)
        strips += [Strip(f"{token}  {percent(weight)}", state) for token, weight, state in told]
    name = "context"
    if screen.head is not None:
        size = len(context) // opened.heads
        context = context[screen.head * size : (screen.head + 1) * size]
        name = f"context of head {screen.head + 1}"
    return (*strips, Strip(name, context), Strip("decoder state", opened.decoder_state))


def mixes_states(screen: StepScreen) -> bool:
    """Whether the context is the mix of the encoder's states themselves; measured, not assumed."""
    opened = screen.opened
    if opened.heads > 1 or opened.context.shape[1] != opened.source_states.shape[1]:
        return False
    mixed = opened.weights[screen.layer, 0] @ opened.source_states
    return bool(np.allclose(mixed, opened.context[screen.layer], atol=1e-4))


def _draw_vectors(screen: StepScreen) -> None:
    st.markdown("**The vectors: what asks, what is mixed, and what comes out**")
    strips = vectors(screen)
    charts.draw(
        strips_figure(strips, theme=shell.theme()), key="step_vectors", alt=strips_alt(strips)
    )
    if mixes_states(screen):
        opened = screen.opened
        mixed = opened.weights[screen.layer, 0] @ opened.source_states
        gap = float(np.abs(mixed - opened.context[screen.layer]).max())
        literal.show(
            "The states mixed by the weights differ from the model's context by at most "
            f"{gap:.1g}.",
            look="small",
        )


def _heads_said(screen: StepScreen) -> str:
    opened = screen.opened
    if opened.layers * opened.heads == 1:
        return "One layer and one head."
    which = "the mean over the heads" if screen.head is None else f"head {screen.head + 1}"
    layer = opened.layers if screen.layer == -1 else screen.layer + 1
    return (
        f"Layer {layer} of {opened.layers}, {which}. Each head mixes values of its own, which a "
        "matrix makes of the encoder's states."
    )


def step_frame(screen: StepScreen) -> pd.DataFrame:
    """A row for each source token."""
    return pd.DataFrame(
        {
            "source token": screen.opened.source_tokens,
            "score": screen.scores,
            "weight": screen.weights,
        }
    )


def vectors_frame(screen: StepScreen) -> pd.DataFrame:
    """A row for each vector; missing numbers are empty."""
    rows = {f"{place}. {s.name}": pd.Series(s.vector) for place, s in enumerate(vectors(screen), 1)}
    return pd.DataFrame(rows).T.reset_index(names="vector")
