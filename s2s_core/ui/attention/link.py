"""The fields of the Attention page's link."""

from __future__ import annotations

import re
from typing import Any

from s2s_core.errors import LinkError, ModelInputError
from s2s_core.models.hand_case import (
    HEADS,
    MISTAKES,
    MOST_POSITIONS,
    MOST_WIDTH,
    SCORES,
    STARTS,
    TEMPERATURE,
    HandCase,
    Matrices,
    Table,
    Vector,
    check_table,
)
from s2s_core.models.hand_presets import PRESETS
from s2s_core.models.occlusion import WAYS
from s2s_core.options import IntegerOption
from s2s_core.search.config import MAX_LENGTH
from s2s_core.ui.decode.link import HEAD, LAYER
from s2s_core.ui.link import (
    LinkField,
    LinkValues,
    choice_field,
    flag_field,
    integer_field,
    real_field,
    show_real,
    text_field,
)
from s2s_core.ui.shared_link import FORMAT, SHARED

BATCH = "batch"
"""A start beside those of `HandCase`: a batch that is too wide to write down."""
STARTS_SHOWN = (*STARTS, BATCH)
TABS = ("By hand", "On the model", "Is it an explanation?")
MOST_TOKENS = 400

_FIRST = PRESETS["plane"].case
_NUMBER = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,20})?(e-?[0-9]{1,3})?")
_ALLOWED = f"rows of numbers such as 1,0;0,1, at most {MOST_POSITIONS} rows"


def _parse_row(name: str, text: str) -> Vector:
    parts = text.split(",")
    if not all(map(_NUMBER.fullmatch, parts)):
        raise LinkError(f"{name} must be {_ALLOWED}, not {text!r}")
    return tuple(map(float, parts))


def _show_table(table: Table) -> str:
    return ";".join(",".join(map(show_real, row)) for row in table)


def table_field(name: str, default: Table) -> LinkField[Table]:
    """A table of numbers; the empty text is the empty table."""

    def parse(text: str) -> Table:
        table = tuple(_parse_row(name, row) for row in text.split(";")) if text else ()
        try:
            if table:
                widest = max(MOST_WIDTH, MOST_POSITIONS)
                check_table(name, table, most_rows=MOST_POSITIONS, most_width=widest)
        except ModelInputError as error:
            raise LinkError(str(error)) from error
        return table

    return LinkField(name, default, _ALLOWED, parse, _show_table)


def _vector_field(name: str) -> LinkField[Vector]:
    """Numbers joined by commas; the empty text is none."""

    def parse(text: str) -> Vector:
        row = _parse_row(name, text) if text else ()
        if len(row) > MOST_TOKENS:
            raise LinkError(f"{name} must have at most {MOST_TOKENS} numbers")
        return row

    return LinkField(
        name, (), "numbers joined by commas", parse, lambda row: ",".join(map(show_real, row))
    )


def _mask_field() -> LinkField[tuple[bool, ...]]:
    allowed = f"a 1 or 0 for each position, at most {MOST_POSITIONS}"

    def parse(text: str) -> tuple[bool, ...]:
        if not re.fullmatch(f"[01]{{0,{MOST_POSITIONS}}}", text):
            raise LinkError(f"mask must be {allowed}, not {text!r}")
        return tuple(mark == "1" for mark in text)

    def show(mask: tuple[bool, ...]) -> str:
        return "".join("1" if kept else "0" for kept in mask)

    return LinkField("mask", _FIRST.mask, allowed, parse, show)


_QUERY = IntegerOption("query", 1, 4, 1, "Which query is followed to its context.")
_HAND_HEAD = IntegerOption("part", 1, MOST_WIDTH, 1, "Which head is shown.")
_STEP = IntegerOption("step", 1, MAX_LENGTH.maximum, 1, "The token of the target that is written.")
SEED_OPTION = IntegerOption("seed", 0, 9999, 1, "Another number shuffles in another way.")

# By hand: the tables and settings of a `HandCase`.
START = choice_field("start", lambda: STARTS_SHOWN, _FIRST.start)
QUERIES = table_field("q", _FIRST.queries)
KEYS = table_field("k", _FIRST.keys)
VALUES = table_field("v", _FIRST.values)
GIVEN_SCORES = table_field("e", _FIRST.scores)
GIVEN_WEIGHTS = table_field("a", _FIRST.weights)
MASK = _mask_field()
SCORE = choice_field("score", lambda: SCORES, _FIRST.score)
HEAD_COUNT = integer_field(HEADS, name="heads")
WARMTH = real_field(TEMPERATURE, name="temperature")
MISTAKE = choice_field("mistake", lambda: MISTAKES, _FIRST.mistake)
QUERY_MATRIX = table_field("wq", ())
KEY_MATRIX = table_field("wk", ())
VALUE_MATRIX = table_field("wv", ())
MEETING_VECTOR = _vector_field("wm")
# What is shown of it.
QUERY_SHOWN = integer_field(_QUERY, name="query")
PART_SHOWN = integer_field(_HAND_HEAD, name="part")
# On the model.
TARGET = text_field("target")
STEP = integer_field(_STEP, name="step")
WAY = choice_field("way", lambda: WAYS, "masked")
EVERYWHERE = flag_field("everywhere", True)
YOURS = _vector_field("yours")
SEED = integer_field(SEED_OPTION, name="seed")
SINGLES = flag_field("singles", False)
PADDING = flag_field("padding", False)
TAB = choice_field("tab", lambda: TABS, TABS[0])

CASE: tuple[LinkField[Any], ...] = (
    *(START, QUERIES, KEYS, VALUES, GIVEN_SCORES, GIVEN_WEIGHTS, MASK, SCORE),
    *(HEAD_COUNT, WARMTH, MISTAKE, QUERY_MATRIX, KEY_MATRIX, VALUE_MATRIX, MEETING_VECTOR),
)
"""What is computed by hand."""
OF_SENTENCE: tuple[LinkField[Any], ...] = (TARGET, STEP, YOURS)
"""What belongs to one sentence only."""
OF_STEP: tuple[LinkField[Any], ...] = (YOURS,)
FIELDS: tuple[LinkField[Any], ...] = (
    *SHARED,
    TAB,
    *CASE,
    QUERY_SHOWN,
    PART_SHOWN,
    *OF_SENTENCE,
    LAYER,
    HEAD,
    WAY,
    EVERYWHERE,
    SEED,
    SINGLES,
    PADDING,
    FORMAT,
)


def hand_case(values: LinkValues) -> HandCase:
    """What the controls ask to compute by hand.

    Raises:
        ModelInputError: the tables don't fit together.
    """
    return HandCase(
        start=next(start for start in STARTS if start == values.get(START)),
        queries=values.get(QUERIES),
        keys=values.get(KEYS),
        values=values.get(VALUES),
        scores=values.get(GIVEN_SCORES),
        weights=values.get(GIVEN_WEIGHTS),
        mask=values.get(MASK),
        score=next(score for score in SCORES if score == values.get(SCORE)),
        heads=values.get(HEAD_COUNT),
        temperature=values.get(WARMTH),
        mistake=next(mistake for mistake in MISTAKES if mistake == values.get(MISTAKE)),
        matrices=Matrices(
            query=values.get(QUERY_MATRIX) or None,
            key=values.get(KEY_MATRIX) or None,
            value=values.get(VALUE_MATRIX) or None,
            vector=values.get(MEETING_VECTOR) or None,
        ),
    )


def case_values(case: HandCase) -> LinkValues:
    """The values of the controls for a case."""
    return LinkValues(
        {
            START.name: case.start,
            QUERIES.name: case.queries,
            KEYS.name: case.keys,
            VALUES.name: case.values,
            GIVEN_SCORES.name: case.scores,
            GIVEN_WEIGHTS.name: case.weights,
            MASK.name: case.mask,
            SCORE.name: case.score,
            HEAD_COUNT.name: case.heads,
            WARMTH.name: case.temperature,
            MISTAKE.name: case.mistake,
            QUERY_MATRIX.name: case.matrices.query or (),
            KEY_MATRIX.name: case.matrices.key or (),
            VALUE_MATRIX.name: case.matrices.value or (),
            MEETING_VECTOR.name: case.matrices.vector or (),
        }
    )
