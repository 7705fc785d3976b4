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

_LONG = 60  # characters, from which large type gets smaller

_NUMBER = ' class="s2s-number"'
_MARKS: dict[PieceKind, str] = {
    "same": "{}",
    "added": "<ins>{}</ins>",
    "missing": "<del>{}</del>",
}

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
    numbers = [not isinstance(value, str) for value in rows[0]] if rows else [False] * len(header)
    head = "".join(
        f'<th scope="col"{_NUMBER if number else ""}>{escape(name)}</th>'
        for name, number in zip(header, numbers, strict=True)
    )
    body = "".join(
        f"<tr{_row_class(place, marked, struck)}>"
        f"{''.join(_cell(value, decimals) for value in row)}</tr>"
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


def _cell(value: Cell, decimals: int | None) -> str:
    if isinstance(value, str):
        return f'<td dir="auto">{escape(value)}</td>'
    if isinstance(value, float):
        shown = readable(value) if decimals is None else f"{value:.{decimals}f}"
    else:
        shown = str(value)
    return f'<td class="s2s-number">{shown.replace("-", "−")}</td>'
