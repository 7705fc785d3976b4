"""The fields of the tabs Train live and Scheduled sampling, and the run that they ask for."""

from __future__ import annotations

from typing import Any

from s2s_core.errors import LinkError
from s2s_core.text.tasks import TASKS
from s2s_core.training.lessons.sampling_study import METRICS as STUDY_METRICS
from s2s_core.training.live.config import (
    HALF,
    LENGTH,
    LIVE_MODELS,
    RATE,
    SECONDS,
    SEED,
    SHARE,
    STEPS,
    WIDTH,
    WIDTH_STEP,
    LiveConfig,
)
from s2s_core.training.schedules import (
    ARGMAX,
    CONSTANT,
    FALLING,
    PREDICTIONS,
    SCHEDULES,
    ObjectiveConfig,
)
from s2s_core.ui.link import (
    LinkField,
    LinkValues,
    choice_field,
    flag_field,
    integer_field,
    real_field,
)


def _width_field() -> LinkField[int]:
    inner = integer_field(WIDTH, name="width")
    allowed = f"{inner.allowed}, a multiple of {WIDTH_STEP}"

    def parse(text: str) -> int:
        width = inner.parse(text)
        if width % WIDTH_STEP:
            raise LinkError(f"width must be {allowed}, not {text!r}")
        return width

    return LinkField("width", WIDTH.default, allowed, parse, str)


METRICS = ("exact match", "free-running accuracy", "teacher-forced accuracy", "loss")
"""What runs are compared by."""
STEP_AXIS, TIME_AXIS = "steps", "seconds"

NET = choice_field("net", lambda: tuple(LIVE_MODELS), "additive")
TASK = choice_field("task", lambda: tuple(TASKS), "reverse")
DIGITS = integer_field(LENGTH, name="training_digits")
MIXED = flag_field("mixed", False)
NET_WIDTH = _width_field()
LEARNING_RATE = real_field(RATE, name="rate")
READS = choice_field("inputs", lambda: SCHEDULES, CONSTANT)
TRUE_SHARE = real_field(SHARE, name="true")
FALLS_AT = integer_field(HALF, name="half")
OWN_TOKEN = choice_field("own", lambda: PREDICTIONS, ARGMAX)
BUDGET = integer_field(STEPS, name="steps")
LIMIT = integer_field(SECONDS, name="limit")
START = integer_field(SEED, name="start")
CURVE = choice_field("curve", lambda: METRICS, METRICS[0])
PAIR = choice_field("pair", lambda: tuple(FALLING), "inverse_sigmoid")
STUDY_METRIC = choice_field("study", lambda: tuple(STUDY_METRICS), next(iter(STUDY_METRICS)))
AXIS = choice_field("axis", lambda: (STEP_AXIS, TIME_AXIS), STEP_AXIS)

LIVE_FIELDS: tuple[LinkField[Any], ...] = (
    NET,
    TASK,
    DIGITS,
    MIXED,
    NET_WIDTH,
    LEARNING_RATE,
    READS,
    TRUE_SHARE,
    FALLS_AT,
    OWN_TOKEN,
    BUDGET,
    LIMIT,
    START,
    CURVE,
    AXIS,
    PAIR,
    STUDY_METRIC,
)


def live_config(values: LinkValues) -> LiveConfig:
    """The run that the controls ask for; a constant share knows no `half`, and the other way."""
    schedule = values.get(READS)
    constant = schedule == CONSTANT
    return LiveConfig(
        model=values.get(NET),
        task=values.get(TASK),
        length=values.get(DIGITS),
        mixed=values.get(MIXED),
        width=values.get(NET_WIDTH),
        learning_rate=values.get(LEARNING_RATE),
        objective=ObjectiveConfig(
            schedule=schedule,
            share=values.get(TRUE_SHARE) if constant else 1.0,
            half=ObjectiveConfig().half if constant else values.get(FALLS_AT),
            prediction=values.get(OWN_TOKEN),
        ),
        steps=values.get(BUDGET),
        seconds=values.get(LIMIT),
        seed=values.get(START),
    )
