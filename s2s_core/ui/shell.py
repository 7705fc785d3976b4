"""The frame of every page: title, navigation, errors as messages, and whose data the models use.

A page file runs alone when it is opened by its own link, so each page opens this frame itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

from s2s_core.errors import ExplorerError
from s2s_core.figures.theme import THEMES, Theme
from s2s_core.ui import cached, literal, state
from s2s_core.ui.exercises import progress, strip
from s2s_core.ui.link import LinkField, LinkValues, write_link
from s2s_core.ui.shared_link import SHARED

T = TypeVar("T")

_STYLE = Path(__file__).with_name("style.css")
_ICON = Path(__file__).with_name("icon.svg")


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One page of the app: where its file is, and how it is announced.

    short: the title in the navigation, where all pages stand in one line; "" for the title itself.
    """

    path: str
    title: str
    icon: str
    summary: str
    short: str = ""

    @property
    def label(self) -> str:
        """What the navigation says."""
        return self.short or self.title


@contextmanager
def page(name: str, fields: Sequence[LinkField[Any]]) -> Iterator[None]:
    """Open a page's frame and bring its link in; inside it an `ExplorerError` becomes a message.

    fields: what the page's link says; `SHARED` among them, or passed over.
    """
    entry = PAGES[name]
    st.set_page_config(
        page_title=f"{entry.title} · Seq2Seq Explorer", page_icon=str(_ICON), layout="wide"
    )
    st.html(_STYLE)
    fields = (*fields, *progress.FIELDS)
    state.open_link(name, fields, others=[field.name for field in SHARED])
    _draw_navigation(name)
    top = st.container()  # always there, so that a notice doesn't draw everything below it anew
    with top:
        state.show_notices()
    with messages():
        yield
    with top:
        _draw_exercise(name)  # now that the page has told what it shows
        state.write(name, fields)
    _draw_footer()


@contextmanager
def messages() -> Iterator[None]:
    """Show an `ExplorerError` as a clear message, and go on after the block."""
    try:
        yield
    except ExplorerError as error:
        st.error(literal.code(as_sentence(str(error))), icon=":material/error:")


def draw_tabs(
    field: LinkField[str], names: Sequence[str], panels: Sequence[Callable[[], T]]
) -> T | None:
    """Draw tabs of these names, and the panel of the open one; an error stays within its tab.

    field: says which one is open.

    Returns:
        what the open panel returned; None if it had an error.
    """
    returned = None
    tabs = st.tabs(names, key=field.name, on_change="rerun")
    for tab, draw in zip(tabs, panels, strict=True):
        if tab.open:
            with tab, messages():
                returned = draw()
    return returned


def link_to(
    name: str,
    *,
    label: str = "",
    values: LinkValues | None = None,
    fields: Sequence[LinkField[Any]] = SHARED,
) -> None:
    """A link to a page that carries what pages share, by default the present values.

    fields: what it carries. Blank values are left out, so that the page starts with its own.
    """
    link_with(name, write_link(state.read(fields) if values is None else values, fields), label)


def link_with(name: str, parameters: Mapping[str, str], label: str = "") -> None:
    """A link to a page with these parameters, and what was done of the exercises."""
    entry = PAGES[name]
    carried = {**parameters, **write_link(state.read(progress.CARRIED), progress.CARRIED)}
    try:
        st.page_link(
            entry.path,
            label=label or entry.title,
            icon=entry.icon,
            query_params={name: value for name, value in carried.items() if value},
        )
    except StreamlitPageNotFoundError:  # a page file that was started on its own has no others
        st.markdown(f"{entry.icon} {label or entry.title}", width="content")


def theme() -> Theme:
    """The figures' look that goes with what the visitor has chosen."""
    return THEMES["dark" if st.context.theme.type == "dark" else "light"]


def _draw_navigation(current: str) -> None:
    with st.container(key="navigation", horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown("**Seq2Seq Explorer**", width="content")
        for name, entry in PAGES.items():
            if name == current:
                st.markdown(f"{entry.icon} **{entry.label}**", width="content")
            else:
                link_to(name, label=entry.label)


def _draw_exercise(name: str) -> None:
    """The task that was opened on this page, and the way back."""
    exercise = progress.current(name)
    if exercise is None:
        return
    with strip.draw(exercise):
        if progress.is_done(exercise):
            after = progress.following(exercise)
            if after:
                link_with(after.page, progress.start_of(after), f"Next: {after.title}")
        link_to("exercises", label="All exercises", values=LinkValues({}), fields=())


def _draw_footer() -> None:
    with st.expander("About the models and their data", icon=":material/info:"):
        for card in cached.cards().values():
            st.markdown(f"**{literal.code(card.title)}** ({literal.code(card.name)})")
            literal.show(
                f"{card.parameters:,} parameters, {card.training_pairs:,} training pairs. "
                f"Data: {card.data}. Licence: {card.licence}. {card.attribution}",
                look="small",
            )


def as_sentence(message: str) -> str:
    """An error's message with a capital letter and a full stop."""
    return message[:1].upper() + message[1:] + ("" if message.endswith((".", "?", "!")) else ".")


PAGES: dict[str, PageEntry] = {
    "start": PageEntry("app.py", "Start", ":material/home:", "A translation at a glance."),
    "decode": PageEntry(
        "pages/1_Decode.py",
        "Decode",
        ":material/account_tree:",
        "Follow the search step by step, force a token, and rank the results again.",
    ),
    "bleu": PageEntry(
        "pages/2_BLEU.py",
        "BLEU",
        ":material/functions:",
        "Every part of the score on your own text, and what changes it.",
    ),
    "length": PageEntry(
        "pages/3_Length_penalty.py",
        "Length penalty",
        ":material/straighten:",
        "Rank by any length penalty, and see where one hypothesis overtakes another.",
        "Length",
    ),
    "playground": PageEntry(
        "pages/4_Search_playground.py",
        "Search playground",
        ":material/schema:",
        "A probability table as the model: greedy, beam and exact search on one tree.",
        "Playground",
    ),
    "lab": PageEntry(
        "pages/5_Search_lab.py",
        "Search lab",
        ":material/science:",
        "Exact search, beam width, other decoders, and a hypothesis word by word.",
        "Lab",
    ),
    "compare": PageEntry(
        "pages/6_Compare.py",
        "Compare",
        ":material/compare_arrows:",
        "Put models side by side on one sentence, and make it longer.",
    ),
    "models": PageEntry(
        "pages/7_Models.py",
        "Models",
        ":material/badge:",
        "Read each model's card, and run checks on it.",
    ),
    "attention": PageEntry(
        "pages/8_Attention.py",
        "Attention",
        ":material/center_focus_strong:",
        "Scores, weights and context with your own numbers, and what the weights explain.",
    ),
    "training": PageEntry(
        "pages/9_Training.py",
        "Training",
        ":material/model_training:",
        "Watch a small network learn, and see what a wrong token does to the rest.",
    ),
    "exercises": PageEntry(
        "pages/10_Exercises.py",
        "Exercises",
        ":material/task_alt:",
        "Tasks on every page that tick themselves when you have done them.",
    ),
    "glossary": PageEntry(
        "pages/11_Glossary.py",
        "Glossary",
        ":material/menu_book:",
        "The field's words and formulas, each with the page to try it on.",
    ),
}
"""Every page, in the order of the navigation; adding one is one line."""
