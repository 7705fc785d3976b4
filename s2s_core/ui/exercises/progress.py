"""Which exercise is being done, which are done, and whether answers may be shown.

All of it is in the link, so a bookmark keeps it; the navigation hands it from page to page.
"""

from __future__ import annotations

from typing import Any

from s2s_core.errors import LinkError
from s2s_core.ui import state
from s2s_core.ui.exercises.task import AnyExercise
from s2s_core.ui.exercises.tasks import EXERCISES
from s2s_core.ui.link import LinkField, choice_field, flag_field


def _done_field(name: str) -> LinkField[tuple[str, ...]]:
    allowed = "names of exercises joined by dots"

    def parse(text: str) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(text.split("."))) if text else ()
        if any(each not in EXERCISES for each in names):
            raise LinkError(f"{name} must be {allowed}, not {text!r}")
        return names

    return LinkField(name, (), allowed, parse, ".".join)


NONE = "none"
CURRENT = choice_field("exercise", lambda: (NONE, *EXERCISES), NONE)
DONE = _done_field("done")
ANSWERS = flag_field("answers", True)

CARRIED: tuple[LinkField[Any], ...] = (DONE, ANSWERS)
"""What the navigation hands from page to page."""
FIELDS: tuple[LinkField[Any], ...] = (CURRENT, *CARRIED)
"""What every page's link can say."""


def current(page: str) -> AnyExercise | None:
    """The exercise that is being done on a page."""
    exercise = EXERCISES.get(state.get(CURRENT))
    return exercise if exercise and exercise.page == page else None


def is_done(exercise: AnyExercise) -> bool:
    """Whether it has been done."""
    return exercise.name in state.get(DONE)


def watch(fact: object) -> None:
    """See whether what a page shows is what the present exercise asks for, and tick it."""
    exercise = EXERCISES.get(state.get(CURRENT))
    if exercise is None or is_done(exercise) or not exercise.is_done(fact):
        return
    state.put(DONE, (*state.get(DONE), exercise.name))


def start_of(exercise: AnyExercise) -> dict[str, str]:
    """The link of the exercise's page, with the exercise on it."""
    return {**exercise.start, CURRENT.name: exercise.name}


def following(exercise: AnyExercise) -> AnyExercise | None:
    """The next exercise that isn't done yet; None if all are."""
    names = list(EXERCISES)
    place = names.index(exercise.name)
    order = [*names[place + 1 :], *names[:place]]
    return next((EXERCISES[name] for name in order if name not in state.get(DONE)), None)
