"""Where the models' pictures stand."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def in_pairs(count: int) -> list[DeltaGenerator]:
    """A place for each of `count` pictures, two in a row."""
    places: list[DeltaGenerator] = []
    while len(places) < count:
        places += st.columns(2, gap="medium")
    return places[:count]
