"""Where things stand that are too many for one column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

T = TypeVar("T")


def abreast(things: Sequence[T], columns: int = 2) -> Iterator[tuple[DeltaGenerator, T]]:
    """Each thing with its place, row by row, so that one column on a phone keeps the order."""
    for first in range(0, len(things), columns):
        places = st.columns(columns, gap="medium")
        yield from zip(places, things[first : first + columns], strict=False)
