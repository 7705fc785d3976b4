"""What if: pin a version, edit it, and see what the edit does to every part of the score."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from s2s_core.errors import ExplorerError, SettingError
from s2s_core.figures.theme import minus
from s2s_core.metrics.differences import report_difference
from s2s_core.metrics.display import shown_difference, shown_score
from s2s_core.metrics.edits import Words, drop, insert, repeat, swap, text_of, words_of
from s2s_core.metrics.report import BleuReport
from s2s_core.ui import literal, state
from s2s_core.ui.bleu import choice, scoring
from s2s_core.ui.bleu.fields import FIELDS, HYPOTHESIS, INPUT, LINES, PINNED, SEGMENT

_WORD, _NEW = "edit_word", "edit_new"
_PROBLEM = "_edit_problem"
_MOST_WORDS = 1000

Edit = Callable[[Words, int], Words]


def draw(report: BleuReport) -> None:
    """Draw the buttons that edit, and the present version beside the pinned one."""
    if state.get(INPUT) == "files":
        literal.show("Editing works on typed texts. Go back to typing, or upload a smaller file.")
        return
    choice.segment(report)
    edit, effect = st.columns([2, 3], gap="medium")
    with edit:
        choice.draw_segment(report)
        _draw_buttons(_line().split())
        problem: str = st.session_state.pop(_PROBLEM, "")
        if problem:
            st.error(literal.code(problem), icon=":material/error:")
        literal.show("Or edit the hypothesis in its box above.", look="small")
    with effect:
        _draw_effect(report)


def effect_rows(before: BleuReport, after: BleuReport) -> list[tuple[str, str, str, str]]:
    """Every part of the score: name, pinned, now, change."""
    change = report_difference(before, after)
    rows = [
        (
            f"{old.order}-grams",
            f"{old.matches} / {old.totals} = {_percent(old.precision)}",
            f"{new.matches} / {new.totals} = {_percent(new.precision)}",
            _change(each.precision),
        )
        for old, new, each in zip(before.orders, after.orders, change.orders, strict=False)
    ]
    return [
        *rows,
        (
            "geometric mean",
            _percent(before.geometric_mean),
            _percent(after.geometric_mean),
            _change(change.geometric_mean),
        ),
        _count_row("c", before.hypothesis_length, after.hypothesis_length),
        _count_row("r", before.reference_length, after.reference_length),
        (
            "brevity penalty",
            f"{before.brevity_penalty:.4f}",
            f"{after.brevity_penalty:.4f}",
            _change(change.brevity_penalty, 4),
        ),
        (
            "BLEU",
            shown_score(before.score),
            shown_score(after.score),
            _change(change.score),
        ),
    ]


def _draw_buttons(words: list[str]) -> None:
    shown = words[:_MOST_WORDS]
    if shown:
        if st.session_state.get(_WORD, 0) >= len(shown):
            st.session_state[_WORD] = len(shown) - 1
        st.selectbox(
            "Word",
            range(len(shown)),
            key=_WORD,
            format_func=lambda place: f"{place + 1}: {shown[place]}",
        )
    with st.container(horizontal=True, gap="small"):
        _button("Drop it", drop, not shown)
        _button("Repeat it", repeat, not shown)
        last = st.session_state.get(_WORD, 0) >= len(words) - 1
        _button("Swap with the next", lambda row, place: swap(row, place, place + 1), last)
    new, add = st.columns([2, 1], vertical_alignment="bottom")
    new.text_input("New word", key=_NEW, placeholder="the", max_chars=100)
    with add:
        _button("Add after it", _insert_after, False)
    with st.container(horizontal=True, gap="small"):
        st.button("Pin this version", icon=":material/push_pin:", on_click=_pin)
        st.button(
            "Back to the pinned one",
            icon=":material/undo:",
            disabled=not state.get(PINNED),
            on_click=_unpin,
        )


def _button(label: str, edit: Edit, disabled: bool) -> None:
    st.button(label, disabled=disabled, on_click=_apply, args=(edit,))


def _insert_after(words: Words, place: int) -> Words:
    new = str(st.session_state.get(_NEW) or "the")
    return insert(words, min(place + 1, len(words)), new)


def _apply(edit: Edit) -> None:
    """Edit the line on show; what stood there is pinned first, if nothing is."""
    if not state.get(PINNED):
        _pin()
    place: int = st.session_state.get(_WORD, 0)
    lines = state.get(HYPOTHESIS).split("\n") if state.get(LINES) else [state.get(HYPOTHESIS)]
    line = min(state.get(SEGMENT), len(lines)) - 1
    try:
        lines[line] = text_of(edit(words_of(lines[line]), place))
    except SettingError as error:
        st.session_state[_PROBLEM] = str(error)
        return
    state.put(HYPOTHESIS, "\n".join(lines))


def _line() -> str:
    if not state.get(LINES):
        return state.get(HYPOTHESIS)
    lines = state.get(HYPOTHESIS).split("\n")
    return lines[min(state.get(SEGMENT), len(lines)) - 1]


def _pin() -> None:
    state.put(PINNED, state.get(HYPOTHESIS))


def _unpin() -> None:
    state.put(HYPOTHESIS, state.get(PINNED))


def _draw_effect(report: BleuReport) -> None:
    pinned = state.get(PINNED)
    if not pinned:
        literal.show(
            "Change a word with a button: the version before is pinned, and what changes in every "
            "part stands here.",
        )
        return
    before = _pinned_report(pinned)
    if before is None:
        return
    rows = effect_rows(before, report)
    literal.table(
        ("part", "pinned", "now", "change"),
        rows,
        marked=(len(rows) - 1,),
        caption="The present version beside the pinned one",
    )
    if "\n" not in pinned.strip():
        literal.show(f"Pinned: {pinned}", look="small")


def _pinned_report(pinned: str) -> BleuReport | None:
    try:
        values = state.read(FIELDS).replace(HYPOTHESIS, pinned)
        texts = scoring.texts(values)
        return None if texts is None else scoring.scored(scoring.request(texts)).report
    except ExplorerError as error:
        literal.show(f"The pinned version can't be scored beside this one: {error}", look="small")
        return None


def _count_row(name: str, before: int, after: int) -> tuple[str, str, str, str]:
    return (
        name,
        f"{before:,}",
        f"{after:,}",
        minus(f"{after - before:+,}") if after != before else "0",
    )


def _percent(value: float) -> str:
    return f"{min(value, 100):.2f} %"


def _change(difference: float, digits: int = 2) -> str:
    return minus(shown_difference(difference, digits))
