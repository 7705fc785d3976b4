"""Exercises on their pages: none is done at its start, each is at its solution, and it ticks."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from s2s_core.ui.exercises import progress
from s2s_core.ui.exercises.facts import Trained
from s2s_core.ui.exercises.task import AnyExercise, unbroken
from s2s_core.ui.exercises.tasks import EXERCISES
from tests.pages.conftest import OpenPage, shown


def done(app: AppTest) -> tuple[str, ...]:
    names: tuple[str, ...] = app.session_state[progress.DONE.name]
    return names


def assert_whole(app: AppTest) -> None:
    """Nothing failed, and the whole link could be used (BLEU has warnings of its own)."""
    assert not app.exception and not app.error
    assert not any("in the link" in warning.value for warning in app.warning)


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_an_exercise_is_not_done_where_it_begins(
    open_page: OpenPage, exercise: AnyExercise
) -> None:
    app = open_page(exercise.page, progress.start_of(exercise))
    assert_whole(app)
    assert done(app) == ()
    assert f"**{exercise.title}.**" in shown(app)


SOON_DONE = [exercise for exercise in EXERCISES.values() if exercise.fact is not Trained]
"""All but training itself, which takes a minute; `tests/ui/exercises` has its check."""


@pytest.mark.parametrize("exercise", SOON_DONE, ids=lambda exercise: exercise.name)
def test_an_exercise_ticks_itself_at_its_solution(
    open_page: OpenPage, exercise: AnyExercise
) -> None:
    link = {**exercise.solution, progress.CURRENT.name: exercise.name}
    app = open_page(exercise.page, link)
    if exercise.press:
        assert done(app) == ()
        next(button for button in app.button if button.label == exercise.press).click().run()
    assert_whole(app)
    assert done(app) == (exercise.name,)
    assert "**Done:**" in shown(app)


def test_a_solution_alone_ticks_nothing(open_page: OpenPage) -> None:
    exercise = EXERCISES["rank-one-changes"]
    assert done(open_page(exercise.page, exercise.solution)) == ()


def test_the_list_shows_every_task_and_what_is_done(open_page: OpenPage) -> None:
    names = list(EXERCISES)[:2]
    app = open_page("exercises", {"done": ".".join(names)})
    assert not app.exception and not app.warning
    text = shown(app)
    assert all(unbroken(exercise.task) in text for exercise in EXERCISES.values())
    assert text.count("check_circle") == 2
    assert all(unbroken(exercise.answer) in text for exercise in EXERCISES.values())


def test_answers_switched_off_by_a_link_show_only_what_is_done(open_page: OpenPage) -> None:
    app = open_page("exercises", {"answers": "no"})
    text = shown(app)
    assert not any(unbroken(exercise.answer) in text for exercise in EXERCISES.values())
    assert not app.toggle  # who came without answers isn't offered the switch
    exercise = EXERCISES["rank-one-changes"]
    link = {**progress.start_of(exercise), "answers": "no"}
    assert unbroken(exercise.answer) not in shown(open_page(exercise.page, link))
    link = {**link, **exercise.solution}
    assert unbroken(exercise.answer) in shown(open_page(exercise.page, link))


def test_a_teacher_switches_answers_off_and_on_again(open_page: OpenPage) -> None:
    app = open_page("exercises")
    app.toggle(key="answers_shown").set_value(False).run()
    assert not any(unbroken(exercise.answer) in shown(app) for exercise in EXERCISES.values())
    assert app.session_state["_written"][1]["answers"] == "no"
    assert app.code[0].value == "?answers=no"
    app.toggle(key="answers_shown").set_value(True).run()
    assert "answers" not in app.session_state["_written"][1]
    assert unbroken(EXERCISES["rank-one-changes"].answer) in shown(app)


def test_starting_over_forgets_what_was_done(open_page: OpenPage) -> None:
    app = open_page("exercises", {"done": "rank-one-changes"})
    next(button for button in app.button if button.label == "Start over").click().run()
    assert done(app) == () and "done" not in app.session_state["_written"][1]


def test_an_unknown_exercise_in_a_link_is_named(open_page: OpenPage) -> None:
    app = open_page("exercises", {"done": "nonsense", "exercise": "other"})
    (warning,) = app.warning
    assert "done: “nonsense”" in warning.value and "exercise: “other”" in warning.value
