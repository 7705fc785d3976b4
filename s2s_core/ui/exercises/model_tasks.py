"""The exercises about models: what they can carry, what they attend to, how they learn."""

from __future__ import annotations

import numpy as np

from s2s_core.models.families import ATTENTION, FIXED
from s2s_core.models.hand_case import HandAttention
from s2s_core.models.replacement import Swaps
from s2s_core.training.lessons.free_running import ErrorStory
from s2s_core.training.live.config import LIVE_MODELS
from s2s_core.ui.exercises.facts import Answered, Checked, Trained
from s2s_core.ui.exercises.task import AnyExercise, Exercise


def _fixed_lets_go(found: Answered) -> bool:
    fixed = [right for kind, right in found.right if kind == FIXED]
    attending = [right for kind, right in found.right if kind == ATTENTION]
    return bool(fixed) and not any(fixed) and any(attending)


def _something_does_not_apply(found: Checked) -> bool:
    return any(result.outcome == "doesn't apply" for result in found.results)


def _quarter_and_three(found: HandAttention) -> bool:
    return (
        found.case.start == "scores"
        and found.weights.shape == (1, 1, 2)
        and bool(np.allclose(found.weights[0, 0], (0.25, 0.75), atol=0.005))
        and bool(np.allclose(found.context, 5, atol=0.02))
    )


def _predicts_otherwise(found: Swaps) -> bool:
    if found.yours is None:
        return False
    return found.yours.prediction.top[0].token != found.own.prediction.top[0].token


def _back_on_the_way(found: ErrorStory) -> bool:
    """Whether a real mistake was put in, with something after it, and all of that is right."""
    if found.mistake is None or not found.disturbed:
        return False
    _, later = found.after_mistake
    return not found.disturbed[found.mistake.step - 1].right and later > 1 and found.recovered


def _attention_learns(found: Trained) -> bool:
    """Whether attention got to 95 % where a fixed vector, in as many steps or more, didn't."""
    plain = [
        (
            LIVE_MODELS[run.config.model].attention,
            run.reports[-1].step,
            run.reports[-1].measured.exact_match,
        )
        for run in found.runs
        if (run.config.task, run.config.length, run.config.mixed) == ("reverse", 7, False)
    ]
    return any(
        attends and not other_attends and steps <= other_steps and exact >= 95 > other
        for attends, steps, exact in plain
        for other_attends, other_steps, other in plain
    )


_STATION = {"model": "en-fr-additive-gru", "source": "Where is the station?"}
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

BY_HAND = Exercise(
    name="weights-by-hand",
    title="A quarter and three quarters",
    task="Two source positions have the values 2 and 6. With equal scores each gets half of the "
    "weight, and the context is 4. **Change the scores** until the weights are 25 % and 75 %: the "
    "context is then 5.",
    hint="The softmax takes e to the power of each score. How much larger must the second power "
    "be, and of which score is that the power?",
    answer="Three times larger: scores 0 and ln 3 = 1.0986. Only the difference counts, so 1 and "
    "2.0986 do as well.",
    page="attention",
    start={"start": "scores", "q": "1", "k": "1;1", "v": "2;6", "e": "0,0", "mask": "11"},
    solution={"start": "scores", "q": "1", "k": "1;1", "v": "2;6", "e": "0,1.0986", "mask": "11"},
    fact=HandAttention,
    done=_quarter_and_three,
)

OTHER_WEIGHTS = Exercise(
    name="other-weights",
    title="Look there instead",
    task="At step 4 the model writes “gare” and looks at “station” with 97 % of its weight. **Set "
    "other weights by hand** until another token becomes the most probable one. Can you also find "
    "quite other weights under which it stays?",
    hint="The table has a number for each source token. Put 1 on one of them and 0 on the others; "
    "not every one will do.",
    answer="All weight on “Where” makes it “boîte”. But equal weights, or all weight on “is”, "
    "leave “gare” in front: the encoder has read the whole sentence into every state. Where so "
    "different weights give the same word, they alone don't explain it.",
    page="attention",
    start={"tab": "Is it an explanation?", **_STATION, "step": "4"},
    solution={"tab": "Is it an explanation?", **_STATION, "step": "4", "yours": "1,0,0,0,0,0"},
    fact=Swaps,
    done=_predicts_otherwise,
)

RECOVER = Exercise(
    name="after-a-mistake",
    title="Back on the way",
    task="The model should write 9 4 7, but a 5 is put in at step 2, so step 3 reads 5, not 4. "
    "This model doesn't find back. **Choose a model that does**: all that follows the mistake is "
    "right.",
    hint="The table of all reversal models marks with ✓ those for which all that follows is right.",
    answer="The models with additive, dot and general attention do: attention can look for "
    "the digit that is next, whatever was written. Here the vector that is read once gets back as "
    "well, and the Transformer doesn't. It is one string: try others.",
    page="training",
    start={"tab": "Shift and errors", "learner": "reverse-fixed-every-step"},
    solution={"tab": "Shift and errors", "learner": "reverse-additive"},
    fact=ErrorStory,
    done=_back_on_the_way,
)

TRAIN = Exercise(
    name="train-two",
    title="One minute of training",
    task="Two networks learn to reverse seven digits. **Press Train** for the fixed vector that is "
    "chosen here, and let it use up its 400 steps; then choose **Additive attention** and press "
    "Train again. In no more steps than the fixed vector took, attention must get at least 95 % of "
    "strings that it has never seen right, and the fixed vector fewer. What does the map of "
    "attention turn to?",
    hint="Leave all other settings as they are. If the seconds run out before the steps do, press "
    "Continue. The chart below sets both runs side by side.",
    answer="400 steps, which is what stands there, are enough. The fixed vector isn't lost: with "
    "many more steps it gets better. What differs is how fast the two learn.",
    page="training",
    start={"tab": "Train live", "net": "fixed-once", "limit": "120"},
    solution={"tab": "Train live", "net": "additive", "limit": "120"},
    press="Train",
    fact=Trained,
    done=_attention_learns,
)

MODEL_TASKS: tuple[AnyExercise, ...] = (
    TRAIN,
    BY_HAND,
    OTHER_WEIGHTS,
    RECOVER,
    BOTTLENECK,
    NO_ATTENTION,
)
