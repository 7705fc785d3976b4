"""The texts: boxes for the hypothesis and its references, examples, and files."""

from __future__ import annotations

import streamlit as st

from s2s_core.ui import literal, state
from s2s_core.ui.bleu import examples, scoring, settings, uploads
from s2s_core.ui.bleu.fields import (
    BOXES,
    FIELDS,
    HYPOTHESIS,
    INPUT,
    LINES,
    MAXIMUM_BOXES,
    MAXIMUM_CHARACTERS,
    REFERENCES,
    TRANSLATED,
    box_count,
)
from s2s_core.ui.shared_link import SOURCE

_LOW, _HIGH = 68, 150  # pixels: two lines, six lines


def draw() -> None:
    """Draw what is scored and how; the values are the fields `TEXTS` and `SETTINGS`."""
    if state.get(INPUT) == "files" and scoring.held() is not None:
        _draw_files()
    else:
        _draw_boxes()
    with st.container(horizontal=True, gap="small", key="bleu-controls"):
        if state.get(INPUT) == "typed":
            _draw_add()
        examples.draw_menu()
        uploads.draw()
        settings.draw()
    note = examples.note()
    if note:
        literal.show(f"Example: {note}", look="small")


def _draw_boxes() -> None:
    if state.get(TRANSLATED) and state.get(SOURCE):
        literal.show(f"Source: {state.get(SOURCE)}", look="small")
    lines = state.get(LINES)
    _area(HYPOTHESIS.name, "Hypothesis" + (": a line is a segment" if lines else ""))
    count = box_count(state.read(FIELDS))
    for place in range(count):
        label = f"Reference {place + 1}" if count > 1 else "Reference"
        if count == 1:
            _area(REFERENCES[place].name, label)
            continue
        box, remove = st.columns([14, 1], vertical_alignment="bottom", gap="xxsmall")
        with box:
            _area(REFERENCES[place].name, label)
        remove.button(
            "",
            icon=":material/close:",
            key=f"remove{place + 1}",
            help=f"Remove reference {place + 1}",
            type="tertiary",
            on_click=_remove,
            args=(place,),
        )


def _area(name: str, label: str) -> None:
    text = str(st.session_state.get(name, ""))
    st.text_area(
        label,
        key=name,
        height=_HIGH if "\n" in text.strip() or len(text) > 250 else _LOW,
        max_chars=MAXIMUM_CHARACTERS,
        placeholder="Type or paste, then Ctrl+Enter",
    )


def _draw_add() -> None:
    count = box_count(state.read(FIELDS))
    st.button(
        "Add reference",
        icon=":material/add:",
        disabled=count == MAXIMUM_BOXES,
        help=f"At most {MAXIMUM_BOXES} here; files may have more.",
        on_click=_add,
        args=(count,),
        width="stretch",
    )


def _draw_files() -> None:
    held = scoring.held()
    if held is None:
        return
    most = max(map(len, held.references))
    systems = "two systems" if len(held.systems) == 2 else "one system"
    literal.show(f"From files: {len(held.references):,} segments, {systems}", look="second")
    literal.show(
        f"Up to {most} reference{'s' if most != 1 else ''} a segment. Texts from files aren't in "
        "the link; save this screen as JSON under “Save and open”.",
        look="small",
    )
    st.button("Back to typing", icon=":material/keyboard:", on_click=_type)


def _add(count: int) -> None:
    state.put(BOXES, count + 1)


def _remove(place: int) -> None:
    """Take a box away; those behind it move up."""
    kept = [state.get(field) for field in REFERENCES]
    del kept[place]
    for field, text in zip(REFERENCES, [*kept, ""], strict=True):
        state.put(field, text)
    state.put(BOXES, max(state.get(BOXES) - 1, 1))


def _type() -> None:
    state.put(INPUT, "typed")
