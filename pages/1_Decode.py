"""Follow a search step by step, force a token, and rank the results again."""

from __future__ import annotations

import streamlit as st

from s2s_core.figures.moments import timeline_view
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.ui import cached, charts, sentence, shell, state
from s2s_core.ui.bleu import hand_over
from s2s_core.ui.decode import (
    candidates,
    comparison,
    forcing,
    headline,
    node,
    ranking,
    run,
    save_and_open,
    search_controls,
    view_controls,
)
from s2s_core.ui.decode.link import (
    FIELDS,
    NODE,
    NUMBERS,
    RUN,
    STEP,
    TAB,
    TABS,
    ranking_penalty,
)
from s2s_core.ui.decode.timeline import TimelineEvent, step_lists, timeline
from s2s_core.ui.exercises import progress
from s2s_core.ui.exercises.facts import Decoded


def main() -> None:
    """Controls, headline, timeline, and what can be done with the result."""
    sentence.draw(forget=RUN)
    with st.container(key="screen"):
        shown, penalty, node_id = _draw_screen()
    _draw_details(shown, penalty, node_id)


def _draw_screen() -> tuple[run.Run, LengthPenalty, int]:
    """Headline, settings and pictures; `style.css` says where they stand.

    Returns:
        what is shown, the penalty that ranks it, and the node that the timeline is at.
    """
    result = st.container(key="result", gap="xxsmall")
    with st.container(key="settings"):
        view_place = search_controls.draw()
        greedy_place = st.container()
    shown = run.current()
    trace = shown.trace
    progress.watch(Decoded(trace, shown.greedy, shown.before))
    penalty = ranking_penalty(state.read(FIELDS))
    with result:
        headline.draw(trace, penalty)
        headline.draw_changes(cached.prepared(trace.request))
        headline.draw_note(sentence.note())
        hand_over.draw(trace, penalty)
    with greedy_place:
        headline.draw_greedy(trace, shown.greedy)
    with view_place:
        view_controls.draw(trace)
    with st.container(key="above"):  # always there, so that the timeline keeps its place
        forcing.draw_problem()
        forcing.draw_forced(trace, shown.before)
        selected = st.container()
    node_id = _draw_pictures(shown, penalty)
    if state.get(NODE):
        with selected:
            forcing.draw_selected(trace, node_id)
    return shown, penalty, node_id


def _draw_pictures(shown: run.Run, penalty: LengthPenalty) -> int:
    """The timeline and its lists; afterwards the fields STEP and NODE say where it rests."""
    view = timeline_view(
        shown.trace,
        greedy=shown.greedy,
        options=view_controls.options(shown.trace, penalty),
    )
    key = f"timeline-{state.visit()}"
    with st.container(key="pictures"):
        event = timeline(
            view,
            key=key,
            theme=shell.theme(),
            start=TimelineEvent(state.get(STEP), state.get(NODE)),
            numbers=state.get(NUMBERS),
            reveals=state.asks_for_result(),
        )
        step = event.step or view.steps
        with st.container(key="beside"):
            step_lists(view, key=key, step=event.step)
            st.caption(f"Click a node of the tree to force its token. {charts.CAUTION}")
    state.put(STEP, None if step == view.steps else step)
    state.put(NODE, event.node_id)
    return view.moments[step - 1].node.id if event.node_id is None else event.node_id


def _draw_details(shown: run.Run, penalty: LengthPenalty, node_id: int) -> None:
    """What the result is set beside, and the tabs."""
    trace = shown.trace
    if shown.before:
        comparison.draw(trace, shown.before, penalty)

    shell.draw_tabs(
        TAB,
        TABS,
        (
            lambda: ranking.draw(trace, penalty),
            lambda: node.draw(trace, node_id, penalty),
            lambda: candidates.draw(trace),
            lambda: save_and_open.draw(trace, penalty),
        ),
    )


with shell.page("decode", FIELDS):
    main()
