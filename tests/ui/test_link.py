"""Links: what is written reads back, and nonsense never does harm."""

from __future__ import annotations

import math
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.errors import LinkError
from s2s_core.options import IntegerOption, RealOption
from s2s_core.ui.link import (
    LinkField,
    LinkValues,
    choice_field,
    flag_field,
    ids_field,
    integer_field,
    link_length,
    optional_integer_field,
    optional_real_field,
    read_link,
    real_field,
    show_real,
    text_field,
    write_link,
)

WHOLE = IntegerOption("beam size", 1, 64, 5, "")
REAL = RealOption("alpha", -1.0, 3.0, 0.6, 0.05, "")
TEXT = text_field("source", always=True)
COUNT = integer_field(WHOLE, name="beam")
LIMIT = optional_integer_field(WHOLE, name="max", absent="auto")
ALPHA = real_field(REAL, name="alpha")
RANK = optional_real_field(REAL, name="rank", absent="same")
STOP = choice_field("stop", lambda: ("best", "bound"), "best")
ENDS = flag_field("ends", False)
FORCED = ids_field("forced")
FIELDS: tuple[LinkField[Any], ...] = (TEXT, COUNT, LIMIT, ALPHA, RANK, STOP, ENDS, FORCED)

NUMBERS = st.floats(REAL.minimum, REAL.maximum)
COUNTS = st.integers(WHOLE.minimum, WHOLE.maximum)
CHARACTERS = st.text(st.characters(exclude_categories=["Cs"]))  # what UTF-8 can carry
VALUES = st.fixed_dictionaries(
    {
        "source": CHARACTERS,
        "beam": COUNTS,
        "max": st.none() | COUNTS,
        "alpha": NUMBERS,
        "rank": st.none() | NUMBERS,
        "stop": st.sampled_from(["best", "bound"]),
        "ends": st.booleans(),
        "forced": st.lists(st.integers(0, 999_999_999), max_size=20).map(tuple),
    }
).map(LinkValues)


@given(VALUES)
def test_what_is_written_reads_back_unchanged(values: LinkValues) -> None:
    query = urlencode(write_link(values, FIELDS))
    parameters = dict(parse_qsl(query, keep_blank_values=True))
    assert read_link(parameters, FIELDS) == (values, ())


@given(VALUES)
def test_the_length_is_that_of_the_encoded_query(values: LinkValues) -> None:
    parameters = write_link(values, FIELDS)
    assert link_length(parameters) == len(urlencode(parameters))


@given(st.dictionaries(st.sampled_from([f.name for f in FIELDS]), CHARACTERS))
def test_any_text_in_any_field_is_used_or_reported(parameters: dict[str, str]) -> None:
    values, notices = read_link(parameters, FIELDS)
    reported = {notice.name for notice in notices}
    for field in FIELDS:
        if field.name not in parameters or field.name in reported:
            assert values.get(field) == field.default
        else:
            assert field.parse(field.show(values.get(field))) == values.get(field)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("beam", "0"),
        ("beam", "65"),
        ("beam", "5.0"),
        ("beam", "５"),
        ("beam", " 5"),
        ("beam", "1_0"),
        ("beam", "9" * 10_000),
        ("beam", ""),
        ("max", "never"),
        ("alpha", "nan"),
        ("alpha", "inf"),
        ("alpha", "1e400"),
        ("alpha", "3.01"),
        ("alpha", "0,6"),
        ("rank", "-1.5"),
        ("stop", "Best"),
        ("ends", "true"),
        ("forced", "1.2."),
        ("forced", "-1"),
        ("forced", "1,2"),
        ("forced", ".".join(["1"] * 401)),
    ],
)
def test_a_bad_value_falls_back_and_says_field_value_and_what_is_allowed(
    name: str, given: str
) -> None:
    field = next(field for field in FIELDS if field.name == name)
    values, (notice,) = read_link({name: given}, FIELDS)
    assert values.get(field) == field.default
    assert notice.message.startswith(f"{name}: “{given[:60]}")
    assert field.allowed in notice.message
    assert len(notice.message) < 300
    with pytest.raises(LinkError):
        field.parse(given)


def test_an_unknown_name_is_reported_unless_another_page_reads_it() -> None:
    _, (notice,) = read_link({"beem": "3"}, FIELDS)
    assert notice.name == "beem"
    assert read_link({"beem": "3"}, FIELDS, others=["beem"])[1] == ()


def test_defaults_are_left_out_except_where_the_link_is_about_them() -> None:
    assert write_link(LinkValues({}), FIELDS) == {"source": ""}


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_written_exactly(value: float) -> None:
    assert float(show_real(value)) == value
    assert not show_real(value).endswith(".0") or math.isinf(value)
