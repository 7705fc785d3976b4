"""Where things stand that are too many for one column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

T = TypeVar("T")


def two_abreast(things: Sequence[T]) -> Iterator[tuple[DeltaGenerator, T]]:
    """Each thing with its place, row by row, so that one column on a phone keeps the order."""
    for first in range(0, len(things), 2):
        yield from zip(st.columns(2, gap="medium"), things[first : first + 2], strict=False)
