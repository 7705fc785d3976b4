"""Probability tables: the file format, its errors, and the model protocol."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from s2s_core.errors import EmptyBatchError, PrefixError, TableError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.table import ProbabilityTable
from s2s_core.search.table_file import load_table, parse_table

TABLE = {
    "start": "BOS",
    "eos": "EOS",
    "next": {"": {"A": 0.6, "B": 0.4}, "A": {"x": 0.5, "y": 0.5}, "B": {"x": 0.95, "y": 0.05}},
    "default": {"EOS": 1.0},
}


def changed(**fields: object) -> str:
    data = {**TABLE, **fields}
    return json.dumps({key: value for key, value in data.items() if value is not ...})


def test_a_table_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(TABLE), encoding="utf-8")
    table = load_table(path)
    assert table.target.tokens == ("BOS", "EOS", "A", "B", "x", "y")
    assert beam_search(table, "", SearchConfig(4, 3)).best.text == "B x"


def test_default_serves_every_prefix_that_is_not_listed() -> None:
    table = parse_table(changed())
    _, state = table.encode([""])
    state = table.step(state, np.array([0])).state
    output = table.step(table.step(state, np.array([2])).state, np.array([4]))
    assert output.log_probs[0, table.target.eos_id] == 0.0
    assert np.exp(output.log_probs[0]).sum() == 1.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (changed(next={"": {"A": 0.6, "B": 0.3}}), "row '': .* sum to 0.9"),
        (changed(next={"A x": {"A": 0.6}}), "row 'A x'"),
        (changed(next={"A": {"x": 1.5, "y": -0.5}}), "row 'A': the probability of 'x'"),
        (changed(next={"A": {"x": -0.5, "y": 1.5}}), "row 'A': the probability of 'x'"),
        (changed(next={"A": {"x": True}}), "row 'A': .* a number, not True"),
        (changed(next={"A": {"x": "1"}}), "row 'A': .* a number, not '1'"),
        (changed(next={"A": {}}), "row 'A': .* sum to 0"),
        (changed(next={"A": [1.0]}), "row 'A' must be an object"),
        (changed(next={"A  x": {"EOS": 1.0}}), "row 'A  x': .* exactly one space"),
        (changed(next={"A": {"x y": 1.0}}), "row 'A': a token must be a text without spaces"),
        (changed(next={"A": {"BOS": 0.5, "x": 0.5}}), "row 'A': the start token 'BOS'"),
        (changed(default={"EOS": 0.9}), "the default row: .* sum to 0.9"),
        (changed(next=[]), "'next' must be an object"),
        (changed(next=...), "lacks 'next'"),
        (changed(start=...), "lacks 'start'"),
        (changed(start=1), "'start' must be a text"),
        (changed(start="EOS"), "both 'EOS'"),
        (changed(extra=1), "unknown key 'extra'"),
        ("[]", "must be a JSON object"),
        ("{", "isn't valid JSON"),
        ('{"next": {"A": {"x": 0.5, "x": 0.5}}}', "'x' is given twice"),
        ('{"next": {"A": {"x": NaN}}, "start": "s", "eos": "e"}', "row 'A'"),
    ],
)
def test_a_wrong_table_is_an_error_that_names_the_row(text: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        parse_table(text)


def test_a_sum_within_a_millionth_is_accepted() -> None:
    third = round(1 / 3, 7)
    parse_table(changed(next={"": {"A": third, "B": third, "C": third}}))
    with pytest.raises(TableError):
        parse_table(changed(next={"": {"A": 0.5, "B": 0.500002}}))


def test_a_file_that_cannot_be_read_is_a_named_error(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="can't be read"):
        load_table(tmp_path / "missing.json")
    (tmp_path / "bad.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TableError, match="UTF-8"):
        load_table(tmp_path / "bad.json")


def test_without_a_default_an_unlisted_prefix_is_a_named_error() -> None:
    table = parse_table(changed(default=...))
    with pytest.raises(TableError, match="no row 'B x' and no default"):
        beam_search(table, "", SearchConfig(4, 3))
    assert beam_search(table, "", SearchConfig(4, 2)).best.text == "B x"


def test_any_source_will_do_and_none_has_tokens() -> None:
    table = parse_table(changed())
    tokens, state = table.encode(["", "anything at all"])
    assert tokens == ((), ())
    assert state == ((), ())
    with pytest.raises(EmptyBatchError):
        table.encode([])


def test_steps_are_pure_and_select_reorders() -> None:
    table = parse_table(changed())
    _, start = table.encode(["", ""])
    first = table.step(start, np.array([0, 0]))
    after = table.step(first.state, np.array([2, 3]))
    swapped = table.step(table.select(first.state, np.array([1, 0])), np.array([3, 2]))
    np.testing.assert_array_equal(swapped.log_probs, after.log_probs[[1, 0]])
    again = table.step(first.state, np.array([2, 3]))
    np.testing.assert_array_equal(again.log_probs, after.log_probs)
    turned = table.select(after.state, np.array([1, 0, 0]))
    assert turned == (after.state[1], after.state[0], after.state[0])


def test_tokens_and_text() -> None:
    target = parse_table(changed()).target
    assert target.join((0, 3, 4, 1)) == "B x"
    assert target.ids("B x") == (3, 4)
    assert target.token(target.eos_id) == "EOS"
    assert target.banned_ids == (0,)
    with pytest.raises(PrefixError, match="no token 'q'"):
        target.ids("B q")


def test_rows_hold_natural_logarithms() -> None:
    table = ProbabilityTable({"": {"a": 0.25, "b": 0.75}}, default={"EOS": 1.0})
    _, state = table.encode(["x"])
    row = table.step(state, np.array([0])).log_probs[0]
    assert row.tolist() == pytest.approx([-math.inf, -math.inf, math.log(0.25), math.log(0.75)])


@pytest.mark.parametrize("digits", [400, 5000])
def test_a_huge_probability_is_a_named_error(digits: int) -> None:
    with pytest.raises(TableError):
        parse_table('{"start": "S", "eos": "E", "next": {"": {"A": 1' + "0" * digits + "}}}")


def test_a_name_that_no_file_can_have_is_a_named_error() -> None:
    with pytest.raises(TableError, match="can't be read: embedded null byte"):
        load_table("a\0b")
