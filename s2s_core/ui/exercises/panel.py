"""The list of all exercises, what was done, and the teacher's switch."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from s2s_core.ui import shell, state
from s2s_core.ui.exercises import progress, strip
from s2s_core.ui.exercises.task import AnyExercise, unbroken
from s2s_core.ui.exercises.tasks import EXERCISES
from s2s_core.ui.places import abreast

_TEACHES = "_teaches"  # set once this visitor has used the switch


def draw() -> None:
    """How far one is, the exercises two abreast, and what teachers can do."""
    done = [exercise for exercise in EXERCISES.values() if progress.is_done(exercise)]
    st.markdown(
        "Each task opens the page where it is done, in the state to begin with, and ticks itself "
        "when the page shows a solution."
    )
    st.progress(len(done) / len(EXERCISES), f"{len(done)} of {len(EXERCISES)} done")
    for number, (place, exercise) in enumerate(abreast(tuple(EXERCISES.values())), start=1):
        with place:
            _draw_one(number, exercise)
    st.caption(
        "What you have done is in this page's link: bookmark it, or send it in, to keep it beyond "
        "this visit."
    )
    if done:
        st.button("Start over", on_click=state.reset, args=((progress.DONE,),))
    _draw_for_teachers()


def _draw_one(number: int, exercise: AnyExercise) -> None:
    done = progress.is_done(exercise)
    with st.container(border=True, gap="xsmall"):
        sign = ":green[:material/check_circle:]" if done else ":material/radio_button_unchecked:"
        st.markdown(f"{sign} **{number}. {exercise.title}** · {shell.PAGES[exercise.page].title}")
        st.markdown(unbroken(exercise.task))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            label = "Do it again" if done else "**Begin**"
            shell.link_with(exercise.page, progress.start_of(exercise), label)
            strip.draw_hint(exercise)
            if state.get(progress.ANSWERS):
                _draw_answer(exercise)


def _draw_answer(exercise: AnyExercise) -> None:
    with strip.draw_answer(exercise):
        label = f"Open it, and press “{exercise.press}”" if exercise.press else "Open it, done"
        shell.link_with(exercise.page, exercise.solution, label)


def _draw_for_teachers() -> None:
    """The switch; a visitor who came by a link without answers isn't offered it."""
    if not state.get(progress.ANSWERS) and not st.session_state.get(_TEACHES):
        return
    with st.expander("For teachers", icon=":material/school:"):
        shown = st.toggle(
            "Show answers",
            value=state.get(progress.ANSWERS),
            key="answers_shown",
            on_change=_switch,
        )
        if not shown:
            st.markdown(
                "Hand out this page's link as it is now, or add these words to the address of any "
                "page: who comes by it sees no answers until a task is done, and no switch."
            )
            st.code("?" + urlencode({progress.ANSWERS.name: progress.ANSWERS.show(False)}))


def _switch() -> None:
    st.session_state[_TEACHES] = True
    state.put(progress.ANSWERS, st.session_state["answers_shown"])
