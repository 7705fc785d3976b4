"""The fields of the Length penalty page's link, and what they ask for."""

from __future__ import annotations

import json
import math
from typing import Any, Literal, cast, get_args

from s2s_core.errors import LinkError
from s2s_core.options import RealOption
from s2s_core.search.config import (
    BEAM_SIZE,
    GAMMA,
    MAX_LENGTH,
    RANKING_ALPHA,
    SearchConfig,
    SearchRequest,
    StopRule,
)
from s2s_core.search.length_penalty import LENGTH_PENALTIES, LengthPenalty, PowerPenalty
from s2s_core.search.published import PUBLISHED_LISTS
from s2s_core.search.rank_entries import LENGTH_COUNTS, LengthCount
from s2s_core.ui.link import (
    LinkField,
    LinkValues,
    choice_field,
    flag_field,
    integer_field,
    optional_integer_field,
    optional_real_field,
    real_field,
)
from s2s_core.ui.shared_link import FORMAT, MODEL, SHARED, SOURCE, check_source

OwnRow = tuple[str, float | None, float | None]
"""Text, log P and L of one of a person's own candidates; None while a number is missing."""

MAXIMUM_ROWS = 200
SENTENCE: Literal["sentence"] = "sentence"
OWN_LIST: Literal["own"] = "own"
_STOP_RULES = get_args(StopRule)
_DECODED = RealOption(
    "decoded with", GAMMA.minimum, RANKING_ALPHA.maximum, 0.0, 0.05, "Of the search shown below."
)
_FIRST_ROWS: tuple[OwnRow, ...] = (("short", -2.5, 4), ("long", -4.0, 12), ("", -3.0, 1))


def _own_field() -> LinkField[tuple[OwnRow, ...]]:
    allowed = f"up to {MAXIMUM_ROWS} rows of text, log P and length, as JSON"

    def parse(text: str) -> tuple[OwnRow, ...]:
        try:
            data = json.loads(text, parse_constant=lambda name: None)
        except (ValueError, RecursionError) as error:
            raise LinkError(f"own must be {allowed}, not {text!r}") from error
        if not isinstance(data, list) or len(data) > MAXIMUM_ROWS:
            raise LinkError(f"own must be {allowed}")
        return tuple(map(_own_row, data))

    def show(rows: tuple[OwnRow, ...]) -> str:
        return json.dumps(rows, ensure_ascii=False, separators=(",", ":"))

    return LinkField("own", _FIRST_ROWS, allowed, parse, show)


def _own_row(row: object) -> OwnRow:
    match row:
        case [str(text), log_prob, length]:
            return text, _number(log_prob), _number(length)
    raise LinkError(f"a row of own is a text and two numbers, not {row!r}")


def _number(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            if math.isfinite(value):
                return value
        except OverflowError:  # a whole number beyond what a float holds
            pass
    raise LinkError(f"log P and length are numbers, not {str(value)[:40]}")


LISTS = (SENTENCE, OWN_LIST, *PUBLISHED_LISTS)

LIST = choice_field("list", lambda: LISTS, SENTENCE)
OWN = _own_field()
BEAM = integer_field(BEAM_SIZE, name="beam")
LIMIT = optional_integer_field(MAX_LENGTH, name="max", absent="auto")
PENALTY = choice_field("penalty", lambda: tuple(LENGTH_PENALTIES), PowerPenalty.name)
ALPHA = real_field(RANKING_ALPHA, name="alpha")
REWARD = real_field(GAMMA, name="gamma")
COUNT = choice_field("count", lambda: tuple(LENGTH_COUNTS), "with EOS")
STOP = choice_field("stop", lambda: _STOP_RULES, "best")
DECODED = optional_real_field(_DECODED, name="decoded", absent="no")
CROSSINGS = flag_field("crossings", False)
BEFORE = optional_real_field(_DECODED, name="before", absent="no")

AGAIN: tuple[LinkField[Any], ...] = (DECODED, BEFORE)
"""What belongs to one sentence and one family of penalties."""
FIELDS: tuple[LinkField[Any], ...] = (
    *SHARED,
    LIST,
    OWN,
    BEAM,
    LIMIT,
    PENALTY,
    ALPHA,
    REWARD,
    COUNT,
    STOP,
    *AGAIN,
    CROSSINGS,
    FORMAT,
)


def parameter_field(family: type[LengthPenalty]) -> LinkField[float]:
    """The field that holds a family's number."""
    return REWARD if family.parameter_name == "gamma" else ALPHA


def parameter_option(family: type[LengthPenalty]) -> RealOption:
    """The bounds of that number for ranking."""
    return GAMMA if family.parameter_name == "gamma" else RANKING_ALPHA


def family_of(values: LinkValues) -> type[LengthPenalty]:
    """The chosen family."""
    return LENGTH_PENALTIES[values.get(PENALTY)]


def ranking_penalty(values: LinkValues) -> LengthPenalty:
    """The penalty that ranks."""
    family = family_of(values)
    return family.from_parameter(values.get(parameter_field(family)))


def length_count(values: LinkValues) -> LengthCount:
    """What L counts."""
    return cast(LengthCount, values.get(COUNT))


def exhaustive_request(values: LinkValues) -> SearchRequest:
    """The search whose finished candidates are ranked: the same for every penalty.

    Raises:
        SourceTooLongError: the source has more characters than allowed.
    """
    config = SearchConfig(
        beam_size=values.get(BEAM),
        max_length=values.get(LIMIT),
        stop_rule="exhaust",
        recorded_candidates=0,
    )
    return SearchRequest(values.get(MODEL), check_source(values.get(SOURCE)), config)


def decoding_request(values: LinkValues, parameter: float) -> SearchRequest:
    """A search that uses the chosen family with a number, and the chosen stop rule.

    Raises:
        SourceTooLongError: the source has more characters than allowed.
    """
    config = SearchConfig(
        beam_size=values.get(BEAM),
        max_length=values.get(LIMIT),
        length_penalty=family_of(values).from_parameter(parameter),
        stop_rule=next(rule for rule in _STOP_RULES if rule == values.get(STOP)),
        recorded_candidates=0,
    )
    return SearchRequest(values.get(MODEL), check_source(values.get(SOURCE)), config)
