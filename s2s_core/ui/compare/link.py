"""The fields of the Compare page's link."""

from __future__ import annotations

from typing import Any

from s2s_core.errors import LinkError
from s2s_core.models.card import METRICS
from s2s_core.models.checkpoint import checkpoint_names
from s2s_core.options import IntegerOption
from s2s_core.search.config import MAX_LENGTH
from s2s_core.text.clauses import MOST_CLAUSES
from s2s_core.ui.decode.link import BEAM
from s2s_core.ui.link import LinkField, choice_field, integer_field, text_field
from s2s_core.ui.shared_link import FORMAT, SHARED

MOST_MODELS = 4
"""Side by side on one screen."""

CLAUSE_COUNT = IntegerOption("clauses", 1, MOST_CLAUSES, 5, "How many clauses are joined.")
DIGIT_COUNT = IntegerOption("length", 1, 40, 12, "How many digits the string has.")
SEED_OPTION = IntegerOption("seed", 0, 9999, 1, "Another number gives another string.")
_STEP = IntegerOption("step", 1, MAX_LENGTH.maximum, 1, "The step that is shown.")
_BEAM = IntegerOption("beam of the figures", 0, 64, 5, "The beam size that was measured.")


def _models_field(name: str) -> LinkField[tuple[str, ...]]:
    """Names of checkpoints, joined by commas; none is a choice of the page's own."""

    def parse(text: str) -> tuple[str, ...]:
        names = tuple(dict.fromkeys(text.split(","))) if text else ()
        strange = [each for each in names if each not in checkpoint_names()]
        if strange or len(names) > MOST_MODELS:
            raise LinkError(f"{name} must be up to {MOST_MODELS} names, not {text!r}")
        return names

    allowed = f"up to {MOST_MODELS} of {', '.join(checkpoint_names())}, joined by commas"
    return LinkField(name, (), allowed, parse, ",".join)


SENTENCE, LONGER = "one sentence", "longer"
SOURCES = (SENTENCE, LONGER)
TABS = ("Attention", "Next tokens", "Quality and length", "Cost")

MODELS = _models_field("models")
FROM = choice_field("from", lambda: SOURCES, SENTENCE)
CLAUSES = integer_field(CLAUSE_COUNT, name="clauses")
LENGTH = integer_field(DIGIT_COUNT, name="length")
SEED = integer_field(SEED_OPTION, name="seed")
STEP = integer_field(_STEP, name="step")
PREFIX = text_field("prefix")
AUTOMATIC = "automatic"
NOTHING = "nothing"
AGAINST = choice_field("against", lambda: (AUTOMATIC, NOTHING, *checkpoint_names()), AUTOMATIC)
METRIC = choice_field("metric", lambda: (AUTOMATIC, *METRICS), AUTOMATIC)
MEASURED_BEAM = integer_field(_BEAM, name="measured")
TAB = choice_field("tab", lambda: TABS, TABS[0])

FIELDS: tuple[LinkField[Any], ...] = (
    *SHARED,
    MODELS,
    FROM,
    CLAUSES,
    LENGTH,
    SEED,
    BEAM,
    AGAINST,
    PREFIX,
    STEP,
    METRIC,
    MEASURED_BEAM,
    TAB,
    FORMAT,
)
