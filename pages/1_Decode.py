"""Follow a search step by step, force a token, and rank the results again."""

from __future__ import annotations

import streamlit as st

from s2s_core.figures.moments import timeline_view
from s2s_core.ui import (
    cached,
    candidates_panel,
    charts,
    comparison,
    forcing,
    headline,
    node_panel,
    ranking_panel,
    run,
    saving,
    search_controls,
    sentence,
    shell,
    state,
    view_controls,
)
from s2s_core.ui.decode_link import (
    FIELDS,
    NODE,
    NUMBERS,
    RUN,
    STEP,
    TAB,
    TABS,
    ranking_penalty,
)
from s2s_core.ui.timeline import TimelineEvent, step_lists, timeline


def main() -> None:
    """Controls, headline, timeline, and what can be done with the result."""
    sentence.draw(forget=RUN)
    result, settings = st.columns([2, 3], gap="medium")
    with settings, st.container(key="settings"):
        view_place = search_controls.draw()
    shown = run.current()
    trace = shown.trace
    penalty = ranking_penalty(state.read(FIELDS))
    with result, st.container(gap="xxsmall"):
        headline.draw(trace, penalty)
        headline.draw_changes(cached.prepared(trace.request))
        headline.draw_note(sentence.note())
    with settings:
        headline.draw_greedy(trace, shown.greedy)
    with view_place:
        view_controls.draw(trace)
    with st.container():  # one place, however much is in it, so that the timeline keeps its own
        forcing.draw_problem()
        forcing.draw_forced(trace, shown.before)
        selected = st.container()

    view = timeline_view(trace, greedy=shown.greedy, options=view_controls.options(trace, penalty))
    key = f"timeline-{state.visit()}"
    with st.container(key="pictures"):
        event = timeline(
            view,
            key=key,
            theme=shell.theme(),
            start=TimelineEvent(state.get(STEP), state.get(NODE)),
            numbers=state.get(NUMBERS),
        )
        step = event.step or view.steps
        with st.container(key="beside"):
            step_lists(view, key=key, step=event.step)
            st.caption(f"Click a node of the tree to force its token. {charts.CAUTION}")
    state.put(STEP, None if step == view.steps else step)
    state.put(NODE, event.node_id)
    chosen = view.moments[step - 1].node.id if event.node_id is None else event.node_id
    if event.node_id:
        with selected:
            forcing.draw_selected(trace, event.node_id)
    if shown.before:
        comparison.draw(trace, shown.before, penalty)

    ranking, node, candidates, save = st.tabs(TABS, key=TAB.name, on_change="rerun")
    if ranking.open:
        with ranking:
            ranking_panel.draw(trace, penalty)
    if node.open:
        with node:
            node_panel.draw(trace, chosen, penalty)
    if candidates.open:
        with candidates:
            candidates_panel.draw(trace)
    if save.open:
        with save:
            saving.draw(trace, penalty)


with shell.page("decode", FIELDS):
    main()
