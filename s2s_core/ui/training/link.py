"""The fields of the Training page's link."""

from __future__ import annotations

from typing import Any

from s2s_core.models.checkpoint import checkpoint_names
from s2s_core.options import IntegerOption, RealOption
from s2s_core.text.tasks import DIGITS as DIGIT_NAMES
from s2s_core.training.lessons.dependencies import LAYERS, POSITIONS
from s2s_core.training.lessons.mask_case import OMISSIONS
from s2s_core.ui.link import (
    LinkField,
    choice_field,
    flag_field,
    integer_field,
    optional_integer_field,
    real_field,
    text_field,
)
from s2s_core.ui.shared_link import FORMAT, SHARED
from s2s_core.ui.training.live.link import LIVE_FIELDS

LIVE, ERRORS, MASKS, EXPOSURE, SAMPLING, PARALLEL = (
    "Train live",
    "Shift and errors",
    "Masks",
    "Exposure bias",
    "Scheduled sampling",
    "Parallelism",
)
TABS = (LIVE, ERRORS, MASKS, EXPOSURE, SAMPLING, PARALLEL)
"""In their order on the page; `panels.PANELS` says what each draws."""

TAB = choice_field("tab", lambda: TABS, TABS[0])

# Shift and errors.
OF_DIGITS, OF_SENTENCE = "digits", "a sentence"
KINDS_OF_TARGET = (OF_DIGITS, OF_SENTENCE)
_LEARNER = "reverse-fixed-every-step"
MOST_DIGITS = 40
MISTAKE_STEP = IntegerOption(
    "step of the mistake", 0, 400, 2, "Where another token is put in; 0 puts none in."
)
_TOKEN = IntegerOption("token of the mistake", 0, 999_999, 0, "Its id in the model's vocabulary.")


def _learner() -> str:
    """The model that the page begins with: one that a mistake throws off its way."""
    names = checkpoint_names()
    return _LEARNER if _LEARNER in names else next(iter(names), "")


OF = choice_field("of", lambda: KINDS_OF_TARGET, OF_DIGITS)
LEARNER = choice_field("learner", checkpoint_names, _learner())
DIGITS = text_field("digits", default="9 4 7")
TARGET = text_field("target")
MISTAKE = integer_field(MISTAKE_STEP, name="mistake")
WRONG_DIGIT = choice_field("wrong", lambda: tuple(DIGIT_NAMES), "5")
WRONG_TOKEN = optional_integer_field(_TOKEN, name="token", absent="second")

# Masks.
CONTEXTS = ("additive", "dot", "general", "scaled_dot")
ORDERS = ("bidirectional", "forward", "reversed")
SEED_OPTION = IntegerOption("seed", 0, 9999, 1, "Another number gives other random weights.")
NOTHING = "nothing"
LEFT_OUT = (NOTHING, *OMISSIONS[1:])

SOURCES = text_field("sources", default="3 4 5 / 4 5 PAD")
TARGETS = text_field("targets", default="4 3 EOS / 5 EOS PAD")
WITHOUT = choice_field("without", lambda: LEFT_OUT, NOTHING)
CONTEXT = choice_field("score", lambda: CONTEXTS, CONTEXTS[0])
ORDER = choice_field("reads", lambda: ORDERS, ORDERS[0])
SEED = integer_field(SEED_OPTION, name="seed")

# Exposure bias.
LENGTH_OPTION = IntegerOption("digits", 1, 40, 12, "How many digits each string has.")
ACCURACY = RealOption("p", 0.5, 1.0, 0.95, 0.01, "How often one token is right.")
TOKENS_OPTION = IntegerOption("tokens", 1, 100, 20, "How many tokens all have to be right.")

EXPOSED = choice_field("exposed", checkpoint_names, _learner())
LENGTH = integer_field(LENGTH_OPTION, name="length")
FAMILY = flag_field("family", False)
P = real_field(ACCURACY, name="p")
TOKENS = integer_field(TOKENS_OPTION, name="tokens")

# Parallelism.
POSITION_COUNT = integer_field(POSITIONS, name="positions")
LAYER_COUNT = integer_field(LAYERS, name="layers")

FIELDS: tuple[LinkField[Any], ...] = (
    *SHARED,
    TAB,
    *(OF, LEARNER, DIGITS, TARGET, MISTAKE, WRONG_DIGIT, WRONG_TOKEN),
    *(SOURCES, TARGETS, WITHOUT, CONTEXT, ORDER, SEED),
    *(EXPOSED, LENGTH, FAMILY, P, TOKENS),
    *(POSITION_COUNT, LAYER_COUNT),
    *LIVE_FIELDS,
    FORMAT,
)
