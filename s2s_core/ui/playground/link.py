"""The fields of the Search playground's link, and what they ask for."""

from __future__ import annotations

from typing import Any, Literal, get_args

from s2s_core.search.config import (
    BEAM_SIZE,
    DECODING_ALPHA,
    GAMMA,
    MAX_LENGTH,
    RECORDED_CANDIDATES,
    TABLE_MAX_LENGTH,
    SearchConfig,
    StopRule,
)
from s2s_core.search.length_penalty import LENGTH_PENALTIES, LengthPenalty, NoPenalty
from s2s_core.search.presets import PRESETS
from s2s_core.ui.link import (
    LinkField,
    LinkValues,
    choice_field,
    integer_field,
    optional_integer_field,
    real_field,
    text_field,
)
from s2s_core.ui.shared_link import FORMAT, SHARED

OWN_TABLE: Literal["own"] = "own"
CHOICES = (*PRESETS, OWN_TABLE)
_STOP_RULES = get_args(StopRule)

TABLE = choice_field("table", lambda: CHOICES, CHOICES[0])
OWN = text_field("own")
BEAM = integer_field(BEAM_SIZE, name="beam", default=2)
PENALTY = choice_field("penalty", lambda: tuple(LENGTH_PENALTIES), NoPenalty.name)
ALPHA = real_field(DECODING_ALPHA, name="alpha")
REWARD = real_field(GAMMA, name="gamma")
STOP = choice_field("stop", lambda: _STOP_RULES, "exhaust")
LIMIT = optional_integer_field(MAX_LENGTH, name="max", absent="auto")
RIGHT = text_field("right")

SETTINGS: tuple[LinkField[Any], ...] = (BEAM, PENALTY, ALPHA, REWARD, STOP, LIMIT)
FIELDS: tuple[LinkField[Any], ...] = (*SHARED, TABLE, OWN, *SETTINGS, RIGHT, FORMAT)


def parameter_field(family: type[LengthPenalty]) -> LinkField[float]:
    """The field that holds a family's number."""
    return REWARD if family.parameter_name == "gamma" else ALPHA


def table_text(values: LinkValues) -> str:
    """The table file that is searched, as text."""
    chosen = values.get(TABLE)
    return values.get(OWN) if chosen == OWN_TABLE else PRESETS[chosen].text


def automatic_limit(values: LinkValues) -> int:
    """The maximum length where none is set: the preset's own."""
    preset = PRESETS.get(values.get(TABLE))
    return (preset.config.max_length if preset else None) or TABLE_MAX_LENGTH


def search_config(values: LinkValues) -> SearchConfig:
    """How to search."""
    family = LENGTH_PENALTIES[values.get(PENALTY)]
    limit = values.get(LIMIT)
    return SearchConfig(
        beam_size=values.get(BEAM),
        max_length=automatic_limit(values) if limit is None else limit,
        length_penalty=family.from_parameter(values.get(parameter_field(family))),
        stop_rule=next(rule for rule in _STOP_RULES if rule == values.get(STOP)),
        recorded_candidates=RECORDED_CANDIDATES.maximum,
    )
