"""A page's values between the link, the controls and the page.

The link is read when it isn't the one that this page wrote last (a cold start, a link from another
page, the browser's back button). Afterwards the controls own the values, and each run ends with the
link brought up to date. A field's name is the key of its control, so `st.session_state` is the one
place where values live.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any, Never, TypeVar, cast

import streamlit as st

from s2s_core.ui import literal
from s2s_core.ui.link import (
    MAXIMUM_CHARACTERS,
    LinkField,
    LinkNotice,
    LinkValues,
    link_length,
    read_link,
    write_link,
)

T = TypeVar("T")

_WRITTEN = "_written"  # the page and the link that it wrote last
_REPLACED = "_replaced"  # the links that stood there before, and when each was replaced
_KEPT = "_kept"  # values at the end of the last run; Streamlit drops those of hidden controls
_NOTICES = "_notices"
_VISIT = "_visit"
_FRESH = "_fresh"
_RESULT = "_result"

_ROUNDING = 1e-9
_ON_THE_WAY = 1.0  # seconds in which an act may still come with a link that was just replaced

_Replaced = tuple[tuple[str, dict[str, str], float], ...]  # page, link, when


def open_link(page: str, fields: Sequence[LinkField[Any]], *, others: Sequence[str] = ()) -> None:
    """Bring the link's values into the session, if the link is new.

    others: names of fields that only other pages read.
    """
    given = st.query_params.to_dict()
    session = st.session_state
    if session.get(_WRITTEN) == (page, given) or _on_the_way(page, given):
        for field in fields:
            if field.name not in session:
                session[field.name] = session[_KEPT].get(field)
        return
    values, notices = read_link(given, fields, others=others)
    for field in fields:
        session[field.name] = values.get(field)
    session[_NOTICES] = notices
    session[_VISIT] = visit() + 1
    session[_FRESH] = True
    session[_WRITTEN] = (page, given)
    session.pop(_REPLACED, None)


def _on_the_way(page: str, given: dict[str, str]) -> bool:
    """Whether a link was replaced a moment ago, and sent before the browser knew.

    In a quick row of acts several links are replaced before the browser hears of the first.
    """
    return (page, given) in [(old_page, link) for old_page, link, _ in _lately_replaced()]


def _lately_replaced() -> _Replaced:
    replaced: _Replaced = st.session_state.get(_REPLACED, ())
    return tuple(each for each in replaced if time.monotonic() - each[2] < _ON_THE_WAY)


def get(field: LinkField[T]) -> T:
    """The present value of a field."""
    return cast(T, st.session_state.get(field.name, field.default))


def put(field: LinkField[T], value: T) -> None:
    """Set a field; before its control is drawn, or in a callback."""
    st.session_state[field.name] = value


def reset(fields: Sequence[LinkField[Any]]) -> None:
    """Set fields back to their defaults; before their controls are drawn, or in a callback."""
    for field in fields:
        put(field, field.default)


def hold(fields: Sequence[LinkField[Any]]) -> None:
    """Send the fields' values to their controls again; before these are drawn.

    For a page that runs again by itself: a slow browser may not have drawn a control yet when the
    second run comes, and would begin with the control's lowest value instead of this one.
    """
    for field in fields:
        st.session_state[field.name] = get(field)


def follow(key: str, value: float) -> None:
    """Let a second control of a number show its value; before it is drawn.

    Only where it differs by more than rounding: setting a control takes it out of the hand of
    somebody who has moved it on since this run began.
    """
    if abs(st.session_state.get(key, math.inf) - value) > _ROUNDING:
        st.session_state[key] = value


def read(fields: Sequence[LinkField[Any]]) -> LinkValues:
    """The present values of some fields."""
    return LinkValues({field.name: get(field) for field in fields})


def kept(field: LinkField[T]) -> T:
    """The value of a field at the end of the last run."""
    values: LinkValues = st.session_state.get(_KEPT, LinkValues({}))
    return values.get(field)


def visit() -> int:
    """Counts the links that came from outside; for keys of what must start anew with each."""
    return int(st.session_state.get(_VISIT, 0))


def opened() -> bool:
    """Whether this run is the first with a link that came from outside."""
    return bool(st.session_state.get(_FRESH))


def show_result() -> None:
    """Ask for the result to be on the screen after this act; for a callback."""
    st.session_state[_RESULT] = asks_for_result() + 1


def asks_for_result() -> int:
    """Counts how often the result was asked for."""
    return int(st.session_state.get(_RESULT, 0))


def write(page: str, fields: Sequence[LinkField[Any]]) -> None:
    """Bring the link up to date; say so if the values don't fit into one."""
    values = read(fields)
    parameters = write_link(values, fields)
    length = link_length(parameters)
    if length > MAXIMUM_CHARACTERS:
        st.info(
            f"This screen doesn't fit into a link: it would have {length:,} characters, and at "
            f"most {MAXIMUM_CHARACTERS:,} pass everywhere. Save it as a JSON file instead, under "
            "“Save and open”.",
            icon=":material/link_off:",
        )
        parameters = {}
    if parameters != st.query_params.to_dict():
        replaced = (page, st.query_params.to_dict(), time.monotonic())
        st.session_state[_REPLACED] = (*_lately_replaced(), replaced)
        st.query_params.from_dict(parameters)
    st.session_state[_WRITTEN] = (page, parameters)
    st.session_state[_KEPT] = values
    st.session_state[_FRESH] = False


def refuse(field: LinkField[T], allowed: str) -> Never:
    """Set a field back to its default and start the run again with a notice.

    For values that only the result shows to be wrong: a step after the last, an unknown node.
    Values that didn't come with a link are outdated, not wrong, and are set back in silence.
    """
    if opened():
        default = field.show(field.default)
        used = f"Used instead: {default}." if default else "It is left out."
        notice = LinkNotice(field.name, field.show(get(field)), allowed, used)
        st.session_state[_NOTICES] = (*st.session_state[_NOTICES], notice)
    put(field, field.default)
    st.rerun()


def show_notices() -> None:
    """Say which values of the link couldn't be used, until the notice is closed."""
    notices: tuple[LinkNotice, ...] = st.session_state.get(_NOTICES, ())
    if not notices:
        return
    lines = "\n".join(f"- {literal.code(notice.message)}" for notice in notices)
    place, close = st.columns([11, 1], vertical_alignment="center")
    place.warning(f"Not everything in the link could be used:\n{lines}", icon=":material/link:")
    close.button("Close", key="close_notices", on_click=close_notices, type="tertiary")


def close_notices() -> None:
    """Show the notices no longer; for a callback."""
    st.session_state[_NOTICES] = ()
