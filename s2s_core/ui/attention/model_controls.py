"""The sentence, the target, the step and the head that the tabs on a model share."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from s2s_core.models.along_target import OpenedStep
from s2s_core.text.difference import Piece
from s2s_core.ui import literal, sentence, state
from s2s_core.ui.attention.link import FIELDS, OF_SENTENCE, OF_STEP, STEP, TARGET
from s2s_core.ui.attention.model_run import opened, target_request
from s2s_core.ui.decode.link import HEAD, LAYER
from s2s_core.ui.shared_link import MAXIMUM_CHARACTERS


def draw_sentence() -> None:
    """Draw model and sentence."""
    sentence.draw(forget=OF_SENTENCE)


def draw_step() -> DeltaGenerator:
    """Draw the step, the layer and head, and the target; returns the free place beside its tokens.

    Raises:
        UnsupportedModelError: the model has no attention.
        ExplorerError: source or target can't be used.
    """
    steps = opened(target_request(state.read(FIELDS)))
    if state.get(STEP) > len(steps):
        state.refuse(STEP, f"1 to {len(steps)}")
    step_place, layer_place, head_place, target_place = st.columns(
        [4, 1.3, 1.3, 3], gap="small", vertical_alignment="bottom"
    )
    if len(steps) > 1:
        step_place.slider(
            "Step: which token of the target is written",
            1,
            len(steps),
            key=STEP.name,
            on_change=state.reset,
            args=(OF_STEP,),
        )
    _draw_heads(steps[0], layer_place, head_place)
    target_place.text_input(
        "Target (empty: the model's own)",
        key=TARGET.name,
        max_chars=MAXIMUM_CHARACTERS,
        on_change=state.reset,
        args=((STEP, *OF_STEP),),
        help="Another output to look at: what the model gives each of its tokens.",
    )
    tokens_place, free_place = st.columns(2, gap="medium", vertical_alignment="center")
    with tokens_place:
        literal.marked(_target(steps, state.get(STEP)))
    return free_place


def _target(steps: Sequence[OpenedStep], present: int) -> tuple[Piece, ...]:
    """The target's tokens, the present one marked."""
    return tuple(
        Piece(f"{step.prediction.token} ", "added" if step.step == present else "same")
        for step in steps
    )


def _draw_heads(
    step: OpenedStep,
    layer_place: DeltaGenerator,
    head_place: DeltaGenerator,
) -> None:
    """Which attention; only where the model has more than one."""
    for field, count in ((LAYER, step.layers), (HEAD, step.heads)):
        if (state.get(field) or 1) > count:
            state.refuse(field, f"1 to {count}, or nothing")
    if step.layers > 1:
        layer_place.selectbox(
            "Layer",
            (None, *range(1, step.layers + 1)),
            key=LAYER.name,
            format_func=lambda layer: f"last ({step.layers})" if layer is None else str(layer),
            on_change=state.reset,
            args=(OF_STEP,),
        )
    if step.heads > 1:
        head_place.selectbox(
            "Head",
            (None, *range(1, step.heads + 1)),
            key=HEAD.name,
            format_func=lambda head: "mean" if head is None else str(head),
            on_change=state.reset,
            args=(OF_STEP,),
        )
