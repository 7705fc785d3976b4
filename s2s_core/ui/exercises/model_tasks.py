"""The exercises about models: what they can carry, what they attend to, how they learn."""

from __future__ import annotations

from s2s_core.models.families import ATTENTION, FIXED
from s2s_core.ui.exercises.facts import Answered, Checked
from s2s_core.ui.exercises.task import AnyExercise, Exercise


def _fixed_lets_go(found: Answered) -> bool:
    fixed = [right for kind, right in found.right if kind == FIXED]
    attending = [right for kind, right in found.right if kind == ATTENTION]
    return bool(fixed) and not any(fixed) and any(attending)


def _something_does_not_apply(found: Checked) -> bool:
    return any(result.outcome == "doesn't apply" for result in found.results)


_BOTTLENECK = {
    "model": "reverse-additive",
    "models": "reverse-fixed-every-step,reverse-additive",
    "from": "longer",
}

BOTTLENECK = Exercise(
    name="bottleneck",
    title="Where one vector lets go",
    task="Both models reverse this short string rightly. The first has to carry all of it "
    "in one vector, the second can look back. **Make the string longer** until the first fails and "
    "the second is still right.",
    hint="Move the slider of the string's length, and look for marks in the outputs.",
    answer="It depends on the string, but from some ten digits on the fixed vector is hardly ever "
    "right, while attention is. Past 20 digits, longer than any in training, attention begins to "
    "fail as well.",
    page="compare",
    start=_BOTTLENECK | {"length": "2"},
    solution=_BOTTLENECK | {"length": "14"},
    fact=Answered,
    done=_fixed_lets_go,
)

NO_ATTENTION = Exercise(
    name="does-not-apply",
    title="A check that doesn't apply",
    task="All checks were run on this model. **Choose a model** for which the checks on attention "
    "don't apply, and say why.",
    hint="Which kind of model has no weights over the source?",
    answer="Any model with a fixed vector, “reverse-fixed-once” for one: its decoder gets one "
    "vector and has nothing to spread weights over.",
    page="models",
    start={"model": "reverse-additive", "tab": "Checks"},
    solution={"model": "reverse-fixed-once", "tab": "Checks"},
    fact=Checked,
    done=_something_does_not_apply,
)

MODEL_TASKS: tuple[AnyExercise, ...] = (BOTTLENECK, NO_ATTENTION)
