"""Files of hypotheses and references: what is read, and what is refused with its line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.errors import CorpusError
from s2s_core.text import to_score
from s2s_core.text.to_score import (
    NamedFile,
    json_lines,
    plain_lines,
    plain_texts,
    tab_separated,
    typed_texts,
)

LINES = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\x00")), min_size=1
)


def file(data: bytes | str, name: str = "f.txt") -> NamedFile:
    return NamedFile(name, data.encode() if isinstance(data, str) else data)


@given(LINES)
def test_lines_come_back_as_written(lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    expected = tuple(line.removesuffix("\r") for line in lines)
    expected = (expected[0].removeprefix("\ufeff"), *expected[1:])
    assert plain_lines(file(text)) == expected


def test_blank_lines_are_empty_texts() -> None:
    assert plain_lines(file("a\n\n \n")) == ("a", "", " ")
    assert plain_lines(file("\n")) == ("",)


def test_byte_order_mark_and_crlf_are_left_out_and_other_breaks_stay() -> None:
    data = b"\xef\xbb\xbfone\r\ntwo\rhalf\r\n" + "th\u2028ree\x85\v".encode()
    assert plain_lines(file(data)) == ("one", "two\rhalf", "th\u2028ree\x85\v")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "f.txt is empty: it needs at least one line"),
        (b"one\ntw\xff\n", r"f.txt, line 2: not UTF-8 \(byte 3 is 0xff\)"),
        ("one\ntwo".encode("utf-16"), r"f.txt, line 1: not UTF-8 \(byte 1 is 0xff\)"),
        ("one\ntwo".encode("utf-16-le"), "f.txt, line 1: a NUL character"),
        (b"ab\xed\xa0\x80", r"f.txt, line 1: not UTF-8 \(byte 3"),  # half a character
        (b"a\nb\x00", "f.txt, line 2: a NUL character"),
    ],
)
def test_bytes_that_are_no_text_are_refused_with_their_line(data: bytes, message: str) -> None:
    for read in (plain_lines, tab_separated, json_lines):
        with pytest.raises(CorpusError, match=message):
            read(file(data))


def test_a_large_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(to_score, "MAXIMUM_BYTES", 10)
    assert plain_lines(file("a" * 10)) == ("a" * 10,)
    with pytest.raises(CorpusError, match="has more than 10 bytes"):
        plain_lines(file("a" * 11))


def test_plain_files_go_together_line_by_line() -> None:
    found = plain_texts([file("a\nb"), file("c\nd")], [file("e\nf\n"), file("g\n\n")])
    assert found.systems == (("a", "b"), ("c", "d"))
    assert found.references == (("e", "g"), ("f", ""))


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        ("a\nb\nc", "a\nb", "h has 3 .* but r has 2: line 3 of h has no partner in r"),
        ("a", "a\nb", r"h has 1 line\(s\), but r has 2: line 2 of r has no partner in h"),
    ],
)
def test_unequal_numbers_of_lines_name_the_line(
    hypotheses: str, references: str, message: str
) -> None:
    with pytest.raises(CorpusError, match=message):
        plain_texts([file(hypotheses, "h")], [file(references, "r")])


def test_columns_are_a_hypothesis_and_its_references() -> None:
    found = tab_separated(file('"a"\tb\n\tc\t\td\ne\t \tf'))
    assert found.systems == (('"a"', "", "e"),)
    assert found.references == (("b",), ("c", None, "d"), (None, "f"))
    with pytest.raises(CorpusError, match="line 2: no reference; write hypothesis TAB"):
        tab_separated(file("a\tb\nc\n"))
    with pytest.raises(CorpusError, match="line 1: no reference"):
        tab_separated(file("a\t \t"))
    with pytest.raises(CorpusError, match="line 1: 101 references, but at most 100"):
        tab_separated(file("a" + "\tb" * 101))


def test_json_lines_hold_any_number_of_references() -> None:
    rows = [
        {"hypothesis": "a\nb", "references": ["c"], "id": 7},
        {"references": ["d", None, ""], "hypothesis": ""},
    ]
    found = json_lines(file("\n".join(map(json.dumps, rows))))
    assert found.systems == (("a\nb", ""),)
    assert found.references == (("c",), ("d", None, ""))


def test_json_lines_hold_several_systems() -> None:
    found = json_lines(file('{"x": "a", "y": "b", "references": ["c"]}'), systems=("x", "y"))
    assert found.systems == (("a",), ("b",))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "line 2: the line is empty"),
        ("{", "line 2: not JSON"),
        ("[" * 100_000, "line 2: not JSON"),
        ("1" * 10_000, "line 2: not JSON|a JSON number"),
        ('["a"]', "line 2: a JSON list, but an object is needed"),
        ("null", "line 2: a JSON null"),
        ('{"references": ["a"]}', 'line 2: there is no "hypothesis"'),
        ('{"hypothesis": null, "references": ["a"]}', '"hypothesis" must be a string, not null'),
        ('{"hypothesis": "a"}', '"references" must be a list of strings, but it is missing'),
        ('{"hypothesis": "a", "references": "b"}', "must be a list of strings, but it is string"),
        ('{"hypothesis": "a", "references": ["b", 3]}', "reference 2 must be a string, or null"),
        ('{"hypothesis": "a", "references": []}', "line 2: no reference"),
        ('{"hypothesis": "a", "references": [null]}', "line 2: no reference"),
    ],
)
def test_a_bad_json_line_is_named(line: str, message: str) -> None:
    good = '{"hypothesis": "a", "references": ["b"]}'
    with pytest.raises(CorpusError, match=message):
        json_lines(file(f"{good}\n{line}\n{good}"))


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for read in (plain_lines, tab_separated, json_lines):
        try:
            read(file(data))
        except CorpusError as error:
            assert str(error).startswith("f.txt")


def test_typed_boxes_leave_out_what_is_blank() -> None:
    found = typed_texts("a\r\nb\n", ["c\nd\n", " \n", "e\n "])
    assert found.systems == (("a", "b"),)
    assert found.references == (("c", "e"), ("d", None))
    assert typed_texts("", ["a"]).systems == (("",),)
    assert typed_texts("a", [" "]).references == ((),)
    with pytest.raises(CorpusError, match="line 2 of the box of references 2 has no partner"):
        typed_texts("a", ["", "b\nc"])
