"""The present exercise on the page where it is done: its task, hint and answer, and the tick."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from s2s_core.ui import state
from s2s_core.ui.exercises import progress
from s2s_core.ui.exercises.task import AnyExercise, unbroken


def draw(exercise: AnyExercise) -> DeltaGenerator:
    """Draw it; returns the place for links."""
    done = progress.is_done(exercise)
    with st.container(border=True, key="exercise", gap="xsmall"):
        sign = ":green[:material/check_circle:] **Done:**" if done else ":material/task_alt:"
        st.markdown(f"{sign} **{exercise.title}.** {unbroken(exercise.task)}")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            draw_hint(exercise)
            if done or state.get(progress.ANSWERS):
                draw_answer(exercise)
            links = st.container(horizontal=True, vertical_alignment="center", gap="small")
    return links


def draw_hint(exercise: AnyExercise) -> None:
    """A button that shows the hint."""
    st.popover("Hint", type="tertiary", icon=":material/lightbulb:").markdown(
        unbroken(exercise.hint)
    )


def draw_answer(exercise: AnyExercise) -> DeltaGenerator:
    """A button that shows the answer; returns the place below it."""
    place = st.popover("Answer", type="tertiary", icon=":material/key:")
    place.markdown(unbroken(exercise.answer))
    return place
