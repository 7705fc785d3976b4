"""The searches that a Decode screen stands on: the run, greedy beside it, and the run before."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from s2s_core.errors import ExplorerError, PrefixError, TraceFormatError
from s2s_core.search.config import DEFAULT_CONFIG, SearchConfig, SearchRequest
from s2s_core.search.trace import BeamTrace
from s2s_core.ui import cached, state
from s2s_core.ui.decode.link import (
    BEFORE,
    FIELDS,
    FORCED,
    HEAD,
    LAYER,
    NODE,
    STEP,
    TAB,
    from_request,
    search_request,
)
from s2s_core.ui.decode.view_controls import attention_shape
from s2s_core.ui.link import read_link, write_link
from s2s_core.ui.shared_link import MODEL

_OPENED = "_opened"  # a saved trace, with the request that stood on the screen when it was opened


@dataclass(frozen=True)
class Run:
    """What is on the screen.

    greedy: the greedy search for the same request; None if the model of a saved trace isn't here.
    before: the run that stood there before a token was forced, or None.
    """

    trace: BeamTrace
    greedy: BeamTrace | None
    before: BeamTrace | None


def current() -> Run:
    """The run that the fields ask for; searches that were done before are not done again.

    Raises:
        ExplorerError: the source or a setting can't be used, or the model can't be loaded.
    """
    request = search_request(state.read(FIELDS))
    try:
        trace = _trace(request)
    except PrefixError as error:
        state.refuse(FORCED, f"ids that this model can force ({error})")
    _check_view(trace)
    before = None
    if request.forced_ids and state.get(BEFORE) != request.forced_ids:
        try:
            before = _trace(replace(request, forced_ids=state.get(BEFORE)))
        except PrefixError as error:
            state.refuse(BEFORE, f"ids that this model can force ({error})")
    return Run(trace, _greedy(request), before)


def open_trace(trace: BeamTrace) -> str:
    """Put a saved trace on the screen, with all its settings; for a callback. The tab stays.

    Returns:
        what a person should know about it; "" if there is nothing.

    Raises:
        TraceFormatError: a setting lies outside what the controls offer.
        SourceTooLongError: the source does.
    """
    values = from_request(trace.request)
    _, notices = read_link(write_link(values, FIELDS), FIELDS)
    for notice in notices:
        if notice.name != MODEL.name:  # a saved trace is shown without its model, too
            raise TraceFormatError(
                f"its {notice.name} is {notice.given}, and this page takes {notice.allowed}"
            )
    request = search_request(values)
    for field in FIELDS:
        if field is not TAB:
            state.put(field, values.get(field))
    st.session_state[_OPENED] = (request, trace)
    state.show_result()
    return _without_control(trace.request.config)


def _without_control(config: SearchConfig) -> str:
    """What a search was told that this page has no control for, in words."""
    told = []
    if config.min_length != DEFAULT_CONFIG.min_length:
        told.append(f"a minimum length of {config.min_length}")
    if config.recorded_candidates != DEFAULT_CONFIG.recorded_candidates:
        told.append(f"{config.recorded_candidates} recorded candidates a prefix")
    if not told:
        return ""
    return (
        f"This result was searched with {' and '.join(told)}, which this page can't set: it is "
        "shown as it was saved, and any change of a setting searches without that."
    )


def _trace(request: SearchRequest) -> BeamTrace:
    opened: tuple[SearchRequest, BeamTrace] | None = st.session_state.get(_OPENED)
    if opened is not None and opened[0] == request:
        return opened[1]
    return cached.search(request)


def _greedy(request: SearchRequest) -> BeamTrace | None:
    try:
        return cached.greedy(request)
    except ExplorerError:  # a saved trace is shown though its model isn't here, or can't read it
        return None


def _check_view(trace: BeamTrace) -> None:
    """Set back what this trace doesn't have."""
    layers, heads = attention_shape(trace)
    limits = ((STEP, len(trace.steps)), (NODE, len(trace.nodes)), (LAYER, layers), (HEAD, heads))
    for field, maximum in limits:
        value = state.get(field)
        if value is not None and value > maximum:
            state.refuse(field, f"1 to {maximum}, or {field.show(None)}")
