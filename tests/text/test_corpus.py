"""Corpus files: what is read exactly, and that every error names the line."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import s2s_core.text.corpus as corpus
from s2s_core.errors import CorpusError
from s2s_core.text.corpus import SentencePair, read_pairs, read_references

Reader = Callable[[Path], tuple[SentencePair, ...]]
both = pytest.mark.parametrize("read", [read_pairs, read_references])


@pytest.fixture
def write(tmp_path: Path) -> Callable[[bytes], Path]:
    def write_file(content: bytes) -> Path:
        path = tmp_path / "pairs.tsv"
        path.write_bytes(content)
        return path

    return write_file


Write = Callable[[bytes], Path]


def refused(read: Reader, path: Path, *parts: str) -> None:
    with pytest.raises(CorpusError) as caught:
        read(path)
    for part in (path.name, *parts):
        assert part in str(caught.value)
    assert "\n" not in str(caught.value)


# --- what is read --------------------------------------------------------------------------------


def test_a_training_file_has_two_columns(write: Write) -> None:
    pairs = read_pairs(write(b"a b\tc\n d \te\n"))
    assert pairs == (SentencePair("a b", ("c",)), SentencePair(" d ", ("e",)))
    assert pairs[0].target == "c"


def test_a_test_file_has_any_number_of_references(write: Write) -> None:
    assert read_references(write(b"a\tb\nc\td\te\tf\n")) == (
        SentencePair("a", ("b",)),
        SentencePair("c", ("d", "e", "f")),
    )


@both
def test_quotes_and_spaces_are_ordinary_characters(read: Reader, write: Write) -> None:
    (pair,) = read(write('"a" b"\t\u3000«c»\u2028\x0b\x85"\n'.encode()))
    assert pair == SentencePair('"a" b"', ('\u3000«c»\u2028\x0b\x85"',))


@both
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends_byte_order_mark_and_a_missing_last_end_make_no_difference(
    read: Reader, write: Write, end: bytes, start: bytes, last: bool
) -> None:
    content = start + b"a\tb" + end + "猫\tchat".encode() + (end if last else b"")
    assert read(write(content)) == (SentencePair("a", ("b",)), SentencePair("猫", ("chat",)))


@both
def test_a_gzipped_file_reads_the_same(read: Reader, tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv.gz"
    path.write_bytes(gzip.compress("a\té\n".encode()))
    assert read(path) == (SentencePair("a", ("é",)),)


columns = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r\x00\ufeff"), min_size=1
).filter(lambda text: text.strip())


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.lists(columns, min_size=2, max_size=4), min_size=1, max_size=5))
def test_whatever_was_written_is_read_exactly(rows: list[list[str]], write: Write) -> None:
    content = "".join("\t".join(row) + "\n" for row in rows).encode()
    assert read_references(write(content)) == tuple(
        SentencePair(row[0], tuple(row[1:])) for row in rows
    )


# --- what is refused -----------------------------------------------------------------------------


@both
def test_one_column_is_refused_by_its_line(read: Reader, write: Write) -> None:
    refused(read, write(b"a\tb\nc d\ne\tf\n"), "line 2", "1 column(s)")


def test_three_columns_are_refused_in_a_training_file_only(write: Write) -> None:
    path = write(b"a\tb\nc\td\ne\tf\tg\n")
    refused(read_pairs, path, "line 3", "3 column(s)", "source TAB target")
    assert len(read_references(path)) == 3


@both
@pytest.mark.parametrize(
    ("row", "column"),
    [(b"\tb", "column 1"), (b"a\t", "column 2"), (b"a\t \xe3\x80\x80", "column 2")],
)
def test_an_empty_column_is_refused_by_line_and_column(
    read: Reader, write: Write, row: bytes, column: str
) -> None:
    refused(read, write(b"a\tb\n" + row + b"\n"), "line 2", column, "is empty")


def test_an_empty_reference_is_refused_by_its_column(write: Write) -> None:
    refused(read_references, write(b"a\tb\t\tc\n"), "line 1", "column 3")


@both
@pytest.mark.parametrize("row", [b"", b"  ", b"\r", b"\t\t"])
def test_an_empty_line_is_refused_by_its_number(read: Reader, write: Write, row: bytes) -> None:
    refused(read, write(b"a\tb\n" + row + b"\nc\td\n"), "line 2", "empty")


@both
def test_an_empty_last_line_is_refused(read: Reader, write: Write) -> None:
    refused(read, write(b"a\tb\n\n"), "line 2", "empty")


@both
@pytest.mark.parametrize("content", [b"a\rb\tc\n", b"a\tb\rc\td\r", b"a\tb\r\r\n"])
def test_a_lone_carriage_return_is_refused_with_what_to_do(
    read: Reader, write: Write, content: bytes
) -> None:
    refused(read, write(b"x\ty\n" + content), "line 2", "carriage return", "LF or CRLF")


@both
def test_a_nul_character_is_refused(read: Reader, write: Write) -> None:
    refused(read, write(b"a\tb\nc\td\x00\n"), "line 2", "NUL")


@both
def test_what_is_not_utf_8_is_refused_by_line_and_byte(read: Reader, write: Write) -> None:
    refused(read, write(b"a\tb\ncaf\xe9\tc\n"), "line 2", "byte 4", "0xe9", "UTF-8")


@both
@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(read: Reader, write: Write, content: bytes) -> None:
    refused(read, write(content), "is empty")


@both
def test_a_missing_file_and_a_folder_are_refused(read: Reader, tmp_path: Path) -> None:
    refused(read, tmp_path / "none.tsv", "can't be read", "No such file")
    refused(read, tmp_path, "can't be read")


@both
@pytest.mark.parametrize("spoil", ["plain", "cut", "changed"])
def test_a_damaged_gzip_file_is_refused(read: Reader, tmp_path: Path, spoil: str) -> None:
    packed = gzip.compress(b"".join(b"a%d\tb\n" % i for i in range(1000)))
    spoiled = {
        "plain": b"a\tb\n",
        "cut": packed[:-20],
        "changed": packed[:40] + bytes(byte ^ 0xFF for byte in packed[40:60]) + packed[60:],
    }
    path = tmp_path / "pairs.tsv.gz"
    path.write_bytes(spoiled[spoil])
    refused(read, path, "can't be read")


@both
@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_is_too_large_is_refused(
    read: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    monkeypatch.setattr(corpus, "MAXIMUM_FILE_BYTES", 1000)
    content = b"a\tb\n" * 251
    path = tmp_path / ("pairs.tsv.gz" if packed else "pairs.tsv")
    path.write_bytes(gzip.compress(content) if packed else content)
    refused(read, path, "1,000 bytes")
    path.write_bytes(gzip.compress(content[4:]) if packed else content[4:])
    assert len(read(path)) == 250
