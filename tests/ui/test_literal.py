"""Tables of what was typed and measured: numbers whole and to the right, text as it is."""

from __future__ import annotations

import re

import pytest
import streamlit as st

from s2s_core.ui import literal


def written(monkeypatch: pytest.MonkeyPatch, *rows: tuple[literal.Cell, ...]) -> list[str]:
    """The cells of a table as HTML, its head first."""
    bodies: list[str] = []
    monkeypatch.setattr(st, "html", bodies.append)
    literal.table([f"c{i}" for i in range(len(rows[0]))], rows)
    return re.findall(r"<t[hd].*?</t[hd]>", bodies[0])


@pytest.mark.parametrize("number", ["1,036,300", "0.00075", "−0.5", "<0.1 %", "85.7 %", "12"])
def test_a_column_of_numbers_stands_to_the_right_also_where_they_are_texts(
    monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    cells = written(monkeypatch, ("a", number, 1.0), ("b", "7", 2.0))
    assert ["s2s-number" in cell for cell in cells] == [False, True, True] * 3


def test_a_column_with_a_word_in_it_is_one_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = written(monkeypatch, ("6,500",), ("auto",))
    assert not any("s2s-number" in cell for cell in cells)


def test_only_what_no_line_could_hold_breaks_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    _, long, sentence, short = written(monkeypatch, ("x" * 300,), ("word " * 30,), ("as it is",))
    assert "s2s-unbroken" in long and "s2s-sentence" in sentence and "class" not in short


def test_markup_in_a_cell_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = written(monkeypatch, ("<b>*x*</b>",))
    assert "&lt;b&gt;*x*&lt;/b&gt;" in cells[1]
