"""What is set about the mistake: model, target, step, and the token that is put in."""

from __future__ import annotations

import streamlit as st

from s2s_core.errors import CheckpointError
from s2s_core.text.tasks import DIGITS as DIGIT_NAMES
from s2s_core.training.lessons.free_running import ErrorStory
from s2s_core.ui import sentence, state
from s2s_core.ui.training import results
from s2s_core.ui.training.choose import settle
from s2s_core.ui.training.link import (
    DIGITS,
    FIELDS,
    KINDS_OF_TARGET,
    LEARNER,
    MISTAKE,
    OF,
    OF_DIGITS,
    TARGET,
    WRONG_DIGIT,
    WRONG_TOKEN,
)


def draw_kind() -> None:
    """Draw the choice between digits and a sentence."""
    st.segmented_control(
        "Target of", KINDS_OF_TARGET, key=OF.name, required=True, label_visibility="collapsed"
    )


def draw() -> None:
    """Draw the controls of the chosen kind.

    Raises:
        ExplorerError: the target, the source or the model can't be used.
    """
    if state.get(OF) == OF_DIGITS:
        _draw_digits()
    else:
        _draw_sentence()


def _draw_digits() -> None:
    cards = {card.name: card for card in results.reversal_cards()}
    if not cards:
        raise CheckpointError("no model that reverses digits is here: choose a sentence instead")
    settle(LEARNER, tuple(cards))
    model, target, step, token = st.columns([4, 3, 3, 2], gap="small", vertical_alignment="bottom")
    model.selectbox(
        "Model", list(cards), key=LEARNER.name, format_func=lambda name: cards[name].title
    )
    target.text_input("Target, typed as digits", key=DIGITS.name)
    with step:
        _draw_step(len(results.typed_digits(state.get(DIGITS))))
    token.selectbox("Token put in", tuple(DIGIT_NAMES), key=WRONG_DIGIT.name)


def _draw_sentence() -> None:
    sentence.draw(forget=(TARGET, WRONG_TOKEN, MISTAKE))
    target, step, token = st.columns([6, 3, 3], gap="small", vertical_alignment="bottom")
    target.text_input(
        "Target; left empty: what the model writes itself",
        key=TARGET.name,
        on_change=state.reset,
        args=((WRONG_TOKEN,),),
    )
    plain = results.story(results.undisturbed(state.read(FIELDS)))
    with step:
        _draw_step(len(plain.rows) - 1)
    with token:
        _draw_token(plain)


def _draw_step(last: int) -> None:
    state.put(MISTAKE, min(state.get(MISTAKE), last))
    st.slider(
        "Put in at step (0: nowhere)",
        0,
        last,
        key=MISTAKE.name,
        on_change=state.reset,
        args=((WRONG_TOKEN,),),
    )


def _draw_token(plain: ErrorStory) -> None:
    """The step's most probable tokens; the one of the target isn't among them."""
    step = state.get(MISTAKE)
    if not step:
        return
    names = {choice.token_id: choice.token for choice in results.wrong_choices(plain, step)}
    chosen = state.get(WRONG_TOKEN)
    if chosen is not None and chosen not in names:
        state.refuse(WRONG_TOKEN, f"one of {', '.join(map(str, names))}, or second")
    state.put(WRONG_TOKEN, next(iter(names)) if chosen is None else chosen)
    st.selectbox(
        "Token put in, most probable first",
        list(names),
        key=WRONG_TOKEN.name,
        format_func=lambda token_id: names.get(token_id, ""),
    )
