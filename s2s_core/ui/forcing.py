"""Putting a token of one's own choice into the translation, and taking it out again."""

from __future__ import annotations

import math
from dataclasses import replace

import streamlit as st

from s2s_core.errors import ExplorerError
from s2s_core.figures.theme import percent
from s2s_core.search.trace import ROOT_ID, BeamTrace, Candidate
from s2s_core.ui import cached, literal, state
from s2s_core.ui.decode_link import BEFORE, FORCED, RUN, STEP

_CHOICE = "force_choice"
_TYPED = "force_typed"
_PROBLEM = "_force_problem"


def draw(trace: BeamTrace, node_id: int) -> None:
    """Draw the two ways to force: a recorded candidate, or typed words.

    node_id: the selected node; 0 is the empty prefix.
    """
    candidates = _candidates(trace, node_id)
    with st.form("force", border=True):
        st.selectbox(
            "Force this token",
            [c.id for c in candidates],
            key=_CHOICE,
            index=None,
            placeholder="Choose one of the recorded candidates",
            format_func={c.id: _label(trace, c) for c in candidates}.__getitem__,
        )
        st.text_input(
            "Or type how the translation begins",
            key=_TYPED,
            placeholder=trace.best.text,
            help="The whole beginning. What is typed here is used instead of the choice above.",
        )
        st.form_submit_button("Force it", on_click=_force, args=(trace,))
    problem: str = st.session_state.pop(_PROBLEM, "")
    if problem:
        st.error(literal.code(problem), icon=":material/error:")


def draw_forced(trace: BeamTrace) -> None:
    """Say what is forced, and offer to undo it."""
    forced = trace.request.forced_ids
    if not forced:
        return
    path = trace.path(trace.ranked_ids()[0])[: len(forced)]
    with st.container(horizontal=True, vertical_alignment="center", key="forced"):
        st.badge("forced", icon=":material/push_pin:", color="orange")
        literal.show(f"{path[-1].text} ({', '.join(c.token for c in path)})")
        st.button("Undo", key="undo", on_click=_undo, icon=":material/undo:")


def _candidates(trace: BeamTrace, node_id: int) -> tuple[Candidate, ...]:
    """What can stand at a node's place, and what can follow it; likeliest first.

    The end token can't be forced: nothing would be left to search.
    """
    here = (trace.node(node_id).parent_id, node_id) if node_id != ROOT_ID else (ROOT_ID,)
    found = []
    for parent_id in here:
        length = len(trace.path(parent_id))
        if length < len(trace.steps):
            row = trace.steps[length].row(parent_id)
            going_on = [c for c in row if c.token_id != trace.eos_id]
            found += sorted(going_on, key=lambda c: -c.token_log_prob)
    return tuple(found)


def _label(trace: BeamTrace, candidate: Candidate) -> str:
    parent = candidate.parent_id
    after = f"after “{trace.node(parent).text}”" if parent != ROOT_ID else "at the start"
    return f"{candidate.token}  {after}  ({percent(math.exp(candidate.token_log_prob))})"


def _force(trace: BeamTrace) -> None:
    """Start a run with the chosen tokens; the present one stays beside it."""
    typed: str = st.session_state[_TYPED]
    chosen: int | None = st.session_state[_CHOICE]
    try:
        if typed:
            ids = tuple(cached.model(trace.request.checkpoint).target.ids(typed))
        elif chosen is not None:
            ids = tuple(c.token_id for c in trace.path(chosen))
        else:
            st.session_state[_PROBLEM] = "Choose a token or type how the translation begins."
            return
        cached.search(replace(trace.request, forced_ids=ids))
    except ExplorerError as error:
        st.session_state[_PROBLEM] = str(error)
        return
    before = trace.request.forced_ids
    state.reset(RUN)
    state.put(FORCED, ids)
    state.put(BEFORE, before)
    state.put(STEP, len(ids))


def _undo() -> None:
    """Go back to the run before."""
    before = state.get(BEFORE)
    state.reset(RUN)
    state.put(FORCED, before)
