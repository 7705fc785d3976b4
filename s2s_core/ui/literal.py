"""Typed text and model output, shown exactly as they are.

Markdown reads `*x*`, `$1$`, `:smile:` and `->`; HTML reads `<b>`. Everything that a person typed or
a model wrote goes through here on its way to the screen, and every piece finds its own direction,
so that Arabic and Hebrew stand right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Literal

import streamlit as st

from s2s_core.search.penalty_base import readable
from s2s_core.text.difference import Piece, PieceKind

Look = Literal["translation", "second", "body", "small"]
Cell = str | float | int

_LONG = 60  # characters, from which large type gets smaller and a cell holds a sentence

_NUMBER = ' class="s2s-number"'
_MARKS: dict[PieceKind, str] = {
    "same": "{}",
    "added": "<ins>{}</ins>",
    "missing": "<del>{}</del>",
}

_NUMERAL = re.compile(r"[−<>-]?[0-9][0-9,.]*( ?%)?")
_LONGEST_WORD = 24

_TICKS = re.compile(r"`+")
_BREAKS = re.compile(r"[\r\n\u2028\u2029]+")


def code(text: str) -> str:
    """The text as a Markdown code span: the one form in which Markdown changes nothing.

    For messages and labels; the style sheet makes it look like the text around it. Line breaks
    become spaces.
    """
    line = _BREAKS.sub(" ", text)
    if not line.strip():
        return ""
    fence = "`" * (1 + max((len(run) for run in _TICKS.findall(line)), default=0))
    return f"{fence} {line} {fence}"


def show(text: str, *, look: Look = "body") -> None:
    """Write a text."""
    long = " s2s-long" if len(text) > _LONG else ""
    st.html(f'<div class="s2s-{look}{long}" dir="auto">{escape(text) or "&nbsp;"}</div>')


def marked(pieces: Sequence[Piece]) -> None:
    """Write an output with what differs: added is underlined and bold, missing is struck out."""
    body = "".join(_MARKS[piece.kind].format(escape(piece.text)) for piece in pieces)
    st.html(f'<div class="s2s-second s2s-pieces" dir="auto">{body or "&nbsp;"}</div>')


def table(
    header: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    marked: Sequence[int] = (),
    struck: Sequence[int] = (),
    caption: str = "",
    decimals: int | None = None,
) -> None:
    """Write a small table; numbers are set with two decimals and to the right.

    decimals: how many instead, always.
    marked, struck: places of rows (from 0) that stand out, that stand back. They also carry a sign,
        so that colour alone says nothing.
    """
    numbers = [bool(rows) and all(_is_number(row[i]) for row in rows) for i in range(len(header))]
    head = "".join(
        f'<th scope="col"{_NUMBER if number else ""}>{escape(name)}</th>'
        for name, number in zip(header, numbers, strict=True)
    )
    body = "".join(
        f"<tr{_row_class(place, marked, struck)}>"
        f"{''.join(_cell(*cell, decimals) for cell in zip(row, numbers, strict=True))}</tr>"
        for place, row in enumerate(rows)
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    st.html(
        f'<div class="s2s-scroll"><table class="s2s-table">{title}'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row_class(place: int, marked: Sequence[int], struck: Sequence[int]) -> str:
    if place in marked:
        return ' class="s2s-marked"'
    return ' class="s2s-struck"' if place in struck else ""


def _is_number(value: Cell) -> bool:
    return not isinstance(value, str) or bool(_NUMERAL.fullmatch(value))


def _cell(value: Cell, in_numbers: bool, decimals: int | None) -> str:
    """A cell; in_numbers: its column holds nothing else."""
    if isinstance(value, str):
        kind = ' class="s2s-number"' if in_numbers else ""
        if max(map(len, value.split()), default=0) > _LONGEST_WORD:
            kind = ' class="s2s-unbroken"'  # no line could hold it: it may break anywhere
        elif len(value) > _LONG:
            kind = ' class="s2s-sentence"'  # not in a tower of single words
        return f'<td{kind} dir="auto">{escape(value)}</td>'
    if isinstance(value, float):
        shown = readable(value) if decimals is None else f"{value:.{decimals}f}"
    else:
        shown = str(value)
    return f'<td class="s2s-number">{shown.replace("-", "−")}</td>'
