"""Every exercise: the five to begin with, then those of each page.

Adding one is one line in its list.
"""

from __future__ import annotations

from s2s_core.ui.exercises.bleu_tasks import BLEU_TASKS, BREVITY
from s2s_core.ui.exercises.model_tasks import MODEL_TASKS, TRAIN
from s2s_core.ui.exercises.search_tasks import GREEDY_TRAP, RANK_ONE, SEARCH_TASKS, WIDER_LOSES
from s2s_core.ui.exercises.task import AnyExercise

_FIRST: tuple[AnyExercise, ...] = (GREEDY_TRAP, RANK_ONE, TRAIN, WIDER_LOSES, BREVITY)

EXERCISES: dict[str, AnyExercise] = {
    exercise.name: exercise for exercise in (*_FIRST, *SEARCH_TASKS, *BLEU_TASKS, *MODEL_TASKS)
}
