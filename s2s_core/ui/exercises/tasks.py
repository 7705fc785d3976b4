"""Every exercise, in the order in which they are best done; adding one is one line in its list."""

from __future__ import annotations

from s2s_core.ui.exercises.bleu_tasks import BLEU_TASKS
from s2s_core.ui.exercises.model_tasks import MODEL_TASKS
from s2s_core.ui.exercises.search_tasks import SEARCH_TASKS
from s2s_core.ui.exercises.task import AnyExercise

EXERCISES: dict[str, AnyExercise] = {
    exercise.name: exercise for exercise in (*SEARCH_TASKS, *BLEU_TASKS, *MODEL_TASKS)
}
