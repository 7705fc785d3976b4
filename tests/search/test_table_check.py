"""A table while it is being typed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.search.presets import PRESETS
from s2s_core.search.table_check import RowCheck, check_table


@pytest.mark.parametrize("preset", PRESETS.values(), ids=str)
def test_a_valid_table_has_no_problem_and_every_row_sums_to_one(preset: object) -> None:
    text = preset.text  # type: ignore[attr-defined]
    found = check_table(text)
    assert found.problem is None
    assert all(row.sums_to_one for row in found.rows)
    assert [row.name for row in found.rows] == [*json.loads(text)["next"], "default"]
    assert found.rows[-1].is_default


def test_every_row_has_its_sum_also_where_the_first_is_wrong() -> None:
    table = {
        "start": "B",
        "eos": "E",
        "next": {"": {"a": 0.7, "E": 0.2}, "a": {"E": 1.0}, "b": {"E": "x"}},
    }
    found = check_table(json.dumps(table))
    assert found.rows == (
        RowCheck("", False, pytest.approx(0.9)),
        RowCheck("a", False, 1.0),
        RowCheck("b", False, None),
    )
    assert [row.sums_to_one for row in found.rows] == [False, True, False]
    assert found.problem and "row" in found.problem


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "{",
            "[]",
            "null",
            '{"next": 3}',
            '{"next": {"": 1}}',
            '{"default": [1]}',
            "[" * 99999,
        ),
        *(
            '{"next": {"": {"a": 1e999}}}',
            '{"next": {"": {"a": NaN}}}',
            '{"next": {"": {"a": 1%s}}}',
        ),
        '{"next": {"": {"a": ' + "9" * 999 + "}}}",
    ],
)
def test_no_text_raises(text: str) -> None:
    found = check_table(text)
    assert found.problem
    assert not any(row.sums_to_one for row in found.rows)


@given(st.text(max_size=60))
def test_no_typed_text_raises(text: str) -> None:
    assert check_table(text).problem
