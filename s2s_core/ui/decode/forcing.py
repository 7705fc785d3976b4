"""Putting a token of one's own choice into the translation, and taking it out again."""

from __future__ import annotations

import math
from dataclasses import replace

import streamlit as st

from s2s_core.errors import ExplorerError
from s2s_core.figures.theme import minus, percent, signed
from s2s_core.search.trace import ROOT_ID, BeamTrace, Candidate
from s2s_core.text.normalise import Normalised
from s2s_core.ui import cached, literal, state
from s2s_core.ui.decode.link import BEFORE, FORCED, NODE

_CHOICE = "force_choice"
_TYPED = "force_typed"
_PROBLEM = "_force_problem"
_CHANGED = "_force_changed"  # what was typed and what became of it, until the next act


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


def draw_problem() -> None:
    """Say why the last attempt to force something failed, or what was changed in what was typed."""
    changed: Normalised | None = st.session_state.pop(_CHANGED, None)
    if changed is not None:
        literal.show(
            f"Forced as the model writes it: {changed.text} ({changed.told})", look="small"
        )
    problem: str = st.session_state.pop(_PROBLEM, "")
    if problem:
        st.error(literal.code(problem), icon=":material/error:")


def draw_forced(trace: BeamTrace, before: BeamTrace | None) -> None:
    """Say what is forced and what stood there before, and offer to undo it."""
    forced = trace.request.forced_ids
    if not forced:
        return
    path = trace.path(trace.ranked_ids()[0])[: len(forced)]
    old = f"  ·  before: {before.best.text} ({signed(before.best.score)})" if before else ""
    with st.container(horizontal=True, vertical_alignment="center", key="forced"):
        st.badge("forced", icon=":material/push_pin:", color="orange")
        literal.show(f"{' '.join(c.token for c in path)}{old}")
        st.button("Undo", key="undo", on_click=_undo, icon=":material/undo:")


def draw_selected(trace: BeamTrace, node_id: int) -> None:
    """Say in a line what the selected node is, and offer to force its path or another token."""
    node = trace.node(node_id)
    with st.container(horizontal=True, vertical_alignment="center", key="selected"):
        st.badge("selected", icon=":material/near_me:", color="blue")
        literal.show(f"{node.text}  ·  {describe(node)}")
        st.button(
            "Force this",
            key="force_path",
            disabled=node.token_id == trace.eos_id,
            help="Search again with every token up to this one given.",
            on_click=_force_ids,
            args=(trace, tuple(c.token_id for c in trace.path(node_id))),
        )
        with st.popover("Force another token", key="force_other"):
            draw(trace, node_id)


def describe(node: Candidate) -> str:
    """A candidate in a line: `step 3, token ▁la, log P −0.70, rank 2, kept`."""
    forced = " (forced)" if node.forced else ""
    reason = f": {minus(node.reason)}" if node.reason else ""
    return (
        f"step {node.step}, token {node.token}{forced}, log P {signed(node.log_prob)}, "
        f"rank {node.rank} of its step, {node.fate}{reason}"
    )


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
    """Force what the form says."""
    typed: str = st.session_state[_TYPED]
    chosen: int | None = st.session_state[_CHOICE]
    prepared: Normalised | None = None
    try:
        if typed.strip():
            model = cached.model(trace.request.checkpoint)
            prepared = model.prepare_target(typed)
            ids = tuple(model.target.ids(prepared.text))
        elif chosen is not None:
            ids = tuple(c.token_id for c in trace.path(chosen))
        else:
            st.session_state[_PROBLEM] = "Choose a token or type how the translation begins."
            return
    except ExplorerError as error:
        st.session_state[_PROBLEM] = str(error)
        return
    _force_ids(trace, ids)
    if prepared is not None and prepared.changed and state.get(FORCED) == ids:
        st.session_state[_CHANGED] = prepared


def _force_ids(trace: BeamTrace, ids: tuple[int, ...]) -> None:
    """Start a run that begins with the ids; the present one stays beside it."""
    try:
        cached.search(replace(trace.request, forced_ids=ids))
    except ExplorerError as error:
        st.session_state[_PROBLEM] = str(error)
        return
    state.put(NODE, None)
    state.put(FORCED, ids)
    state.put(BEFORE, trace.request.forced_ids)
    state.show_result()


def _undo() -> None:
    """Go back to the run before."""
    state.put(NODE, None)
    state.put(FORCED, state.get(BEFORE))
    state.put(BEFORE, ())
