"""Which model reads which sentence: the first thing on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from s2s_core.text.normalise import LANGUAGES
from s2s_core.text.script import foreign_letters
from s2s_core.ui import cached, state
from s2s_core.ui.examples import Example, examples, find_example, first_source
from s2s_core.ui.link import LinkField
from s2s_core.ui.shared_link import MAXIMUM_CHARACTERS, MODEL, SOURCE

_CHOSEN = "example"  # key of the menu of examples


def draw(*, forget: Sequence[LinkField[Any]] = ()) -> None:
    """Draw model, sentence, button and examples; their values are the fields MODEL and SOURCE.

    forget: fields that go back to their defaults with a new model or sentence.
    """
    forget = tuple(forget)
    fill()
    model_place, sentence_place, example_place = st.columns(
        [2.7, 6.3, 1.2], gap="small", vertical_alignment="bottom"
    )
    with model_place:
        draw_model(forget)
    with sentence_place:
        draw_box(forget)
    example_place.menu_button(
        "Examples",
        examples(),
        key=_CHOSEN,
        format_func=lambda example: example.label,
        width="stretch",
        on_click=_take_example,
        args=(forget,),
    )
    draw_foreign()


def fill() -> None:
    """Put the model's first sentence into an empty box, unless the link says that it is empty."""
    if not state.get(SOURCE) and SOURCE.name not in st.query_params:
        state.put(SOURCE, _first_source(state.get(MODEL)))


def draw_box(forget: Sequence[LinkField[Any]] = ()) -> None:
    """Draw the box for the sentence with its button; see `draw`."""
    with st.form("sentence", border=False):
        text_place, button_place = st.columns([5, 1], vertical_alignment="bottom", gap="small")
        text_place.text_input(
            f"Sentence to translate{_in_language()}, at most {MAXIMUM_CHARACTERS:,} characters",
            key=SOURCE.name,
            placeholder="Type a sentence and press Enter",
        )
        button_place.form_submit_button(
            "Translate", type="primary", width="stretch", on_click=_forget, args=(tuple(forget),)
        )


def note() -> str:
    """What the present sentence shows, if it is one of the examples."""
    example = find_example(state.get(MODEL), state.get(SOURCE))
    return example.note if example else ""


def _source_language() -> str:
    """The code of the language that the model reads; "" if its card can't be read."""
    card = cached.cards().get(state.get(MODEL))
    return card.source_language if card else ""


def _in_language() -> str:
    language = LANGUAGES.get(_source_language())
    return f", in {language.name}" if language else ""


def draw_foreign() -> None:
    """Say so if the sentence is in letters that the model has hardly seen; it is read anyway."""
    letters = foreign_letters(state.get(SOURCE), _source_language())
    if letters:
        language = LANGUAGES[_source_language()].name
        st.info(
            f"This model reads {language}, and the sentence is in {letters}: expect nonsense, or "
            "choose another model.",
            icon=":material/translate:",
        )


def draw_model(forget: Sequence[LinkField[Any]] = ()) -> None:
    """Draw the menu of models; see `draw`."""
    cards = cached.cards()
    names = list(cards)
    if state.get(MODEL) not in names:  # damaged, or named in a file that comes from elsewhere
        names.append(state.get(MODEL))
    st.selectbox(
        "Model",
        names,
        key=MODEL.name,
        format_func=lambda name: cards[name].title if name in cards else name,
        on_change=change_model,
        args=(forget,),
    )


def change_model(forget: Sequence[LinkField[Any]] = ()) -> None:
    """Keep what was typed; an untouched sentence gives way to one in the new language.

    For a callback, after MODEL changed.
    """
    before, source = state.kept(MODEL), state.get(SOURCE)
    if find_example(before, source) or source == _first_source(before):
        state.put(SOURCE, _first_source(state.get(MODEL)) or source)
    _forget(forget)


def _first_source(model: str) -> str:
    """The model's first example, or a sample of its language; blank if the model isn't here."""
    card = cached.cards().get(model)
    language = LANGUAGES.get(card.source_language) if card else None
    return first_source(model) or (language.sample if language else "")


def _take_example(forget: Sequence[LinkField[Any]]) -> None:
    example: Example = st.session_state[_CHOSEN]
    state.put(MODEL, example.model)
    state.put(SOURCE, example.source)
    _forget(forget)


def _forget(forget: Sequence[LinkField[Any]]) -> None:
    """What belonged to the old sentence goes, unless the sentence stayed."""
    if (state.get(MODEL), state.get(SOURCE)) != (state.kept(MODEL), state.kept(SOURCE)):
        state.reset(forget)
        state.close_notices()
