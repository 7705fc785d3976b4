"""The examples of the BLEU page, and how one of them comes onto the screen."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from s2s_core.metrics.textbook import EXAMPLES, Example
from s2s_core.ui import state
from s2s_core.ui.bleu.fields import (
    BOXES,
    HYPOTHESIS,
    REFERENCES,
    RESULTS,
    SETTINGS,
    TEXTS,
    settings_values,
)

FIRST = Example(
    "Every part at work",
    "the cat sat on the the mat",
    ("yesterday the cat sat on the mat again",),
    "One “the” too many is clipped away, no precision is perfect, and the hypothesis is one token "
    "too short.",
)
"""What a first visit shows: no part of its score is 0 or 100 %."""

MENU = (FIRST, *EXAMPLES)
_CHOSEN = "textbook"


def fill_if_nothing_is_given() -> None:
    """Put the first example on the screen of a visit that brings no text."""
    blank = not any(state.get(field) for field in (HYPOTHESIS, *REFERENCES))
    if blank and HYPOTHESIS.name not in st.query_params:
        state.put(HYPOTHESIS, FIRST.hypothesis)
        put_references(FIRST.references)


def draw_menu() -> None:
    """Draw the menu of examples."""
    st.menu_button(
        "Examples",
        MENU,
        key=_CHOSEN,
        format_func=lambda example: example.title,
        on_click=_take,
        width="stretch",
    )


def note() -> str:
    """What the text on the screen shows, if it is one of the examples."""
    given = (state.get(HYPOTHESIS), _references())
    found = (each.shows for each in MENU if (each.hypothesis, each.references) == given)
    return next(found, "")


def put(example: Example) -> None:
    """Put an example on the screen, with its settings; in a callback."""
    state.reset((*TEXTS, *SETTINGS, *RESULTS))
    state.put(HYPOTHESIS, example.hypothesis)
    put_references(example.references)
    values = settings_values(example.settings)
    for field in SETTINGS:
        state.put(field, values.get(field))


def put_references(references: Sequence[str]) -> None:
    """Fill the boxes of references, one for each."""
    for place, field in enumerate(REFERENCES):
        state.put(field, references[place] if place < len(references) else "")
    state.put(BOXES, max(len(references), 1))


def _references() -> tuple[str, ...]:
    return tuple(state.get(field) for field in REFERENCES if state.get(field))


def _take() -> None:
    put(st.session_state[_CHOSEN])
    state.close_notices()
