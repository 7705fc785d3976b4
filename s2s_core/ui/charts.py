"""How a figure is put on a page: its alt text, and the button that saves it as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from s2s_core.ui import state
from s2s_core.ui.shared_link import FORMAT

if TYPE_CHECKING:
    from s2s_core.figures import Figure


CAUTION = (
    "Attention weights say which source states were mixed into each prediction. Alone they don't "
    "show what caused it."
)
"""Stands beside every attention map."""


def config(name: str) -> dict[str, object]:
    """Plotly's settings for a chart; the browser makes the picture, no server is asked.

    name: of the file that is saved, without its ending.
    """
    return {
        "displaylogo": False,
        "displayModeBar": True,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": state.get(FORMAT), "filename": name, "scale": 2},
    }


def draw(figure: Figure, *, key: str, alt: str) -> None:
    """Draw a figure.

    alt: the picture in plain sentences.
    """
    st.plotly_chart(figure, key=key, alt=alt, config=config(key), width="stretch")
