"""What the search pages put into a link or a file comes back unchanged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.errors import LinkError, TraceFormatError
from s2s_core.search.presets import PRESETS
from s2s_core.ui import page_file
from s2s_core.ui.length import link as length
from s2s_core.ui.link import LinkValues, read_link, write_link
from s2s_core.ui.playground import link as playground

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.none() | st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6)
ROWS = st.lists(st.tuples(TEXTS, NUMBERS, NUMBERS), max_size=8).map(tuple)


@given(ROWS, st.floats(-1.0, 3.0))
def test_own_candidates_survive_link_and_file(
    rows: tuple[length.OwnRow, ...], alpha: float
) -> None:
    values = LinkValues({}).replace(length.OWN, rows).replace(length.ALPHA, alpha)
    read, notices = read_link(write_link(values, length.FIELDS), length.FIELDS)
    assert not notices
    assert read.get(length.OWN) == rows and read.get(length.ALPHA) == alpha
    again = page_file.load(
        page_file.dump("length", values, length.FIELDS).encode(), "length", length.FIELDS
    )
    assert again.get(length.OWN) == rows


@pytest.mark.parametrize("text", ['[["a",1]]', "[1]", '[["a",1,"b"]]', "{", '[["a",false,1]]'])
def test_other_rows_are_refused(text: str) -> None:
    with pytest.raises(LinkError):
        length.OWN.parse(text)


def test_more_rows_than_allowed_are_refused() -> None:
    rows = (("a", -1.0, 1),) * (length.MAXIMUM_ROWS + 1)
    with pytest.raises(LinkError, match="up to 200"):
        length.OWN.parse(length.OWN.show(rows))


def test_the_exhaustive_search_does_not_depend_on_the_penalty() -> None:
    values = LinkValues({}).replace(length.SOURCE, "a")
    first = length.exhaustive_request(values)
    other = values.replace(length.PENALTY, "gnmt").replace(length.ALPHA, 2.0)
    assert length.exhaustive_request(other) == first
    assert first.config.stop_rule == "exhaust"


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_by_its_name_alone_has_its_own_limit(name: str) -> None:
    values = LinkValues({}).replace(playground.TABLE, name)
    assert playground.search_config(values).max_length == PRESETS[name].config.max_length
    assert playground.table_text(values) == PRESETS[name].text
    assert "own" not in write_link(values, playground.FIELDS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "valid JSON"),
        ("[]", "format is 'seq2seq-explorer page'"),
        (
            '{"format": "seq2seq-explorer page", "version": 2, "page": "length"}',
            "version is 1, and here it is '2'",
        ),
        (
            '{"format": "seq2seq-explorer page", "version": 1, "page": "length", "screen": 1}',
            "texts",
        ),
        (
            '{"format": "seq2seq-explorer page", "version": 1, "page": "length", '
            '"screen": {"alpha": "9"}}',
            "alpha: “9”",
        ),
    ],
    ids=range(5),
)
def test_a_file_that_is_no_screen_is_refused(text: str, message: str) -> None:
    with pytest.raises(TraceFormatError, match=message):
        page_file.load(text.encode(), "length", length.FIELDS)
