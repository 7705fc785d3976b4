"""What Python makes of the place that the browser reported."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from s2s_core.figures.moments import TimelineView, ViewOptions, timeline_view
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.ui.decode import timeline as module
from s2s_core.ui.decode.timeline import TimelineEvent, timeline
from tests.browser.apps.demo_model import DemoModel

SENTENCE = "the cat saw the dog ."


def view_of(beam_size: int = 3, source: str = SENTENCE, **options: Any) -> TimelineView:
    trace = beam_search(DemoModel(), source, SearchConfig(beam_size=beam_size))
    return timeline_view(trace, options=ViewOptions(**options))


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What went to the browser; nothing is drawn."""
    calls: list[dict[str, Any]] = []
    monkeypatch.setattr(module, "_conductor", lambda **call: calls.append(call))
    monkeypatch.setattr(module, "_draw_charts", lambda *_, **__: None)
    monkeypatch.setattr(st, "session_state", {})
    return calls


def rest(view: TimelineView, step: int, **more: Any) -> dict[str, Any]:
    report = {
        "story": view.story,
        "search": view.search,
        "map": view.map,
        "step": step,
        "steps": view.steps,
        "node": None,
        "cell": None,
    }
    return {"rest": report | more}


def draw(view: TimelineView, start: TimelineEvent = module.AT_THE_END) -> TimelineEvent:
    return timeline(view, key="key", start=start)


def test_it_begins_at_the_end_or_where_the_link_says(sent: list[dict[str, Any]]) -> None:
    view = view_of()
    assert draw(view) == TimelineEvent(view.steps)
    assert draw(view, TimelineEvent(3, 7)) == TimelineEvent(3, 7)
    assert draw(view, TimelineEvent(10_000)) == TimelineEvent(view.steps)
    assert sent[1]["data"]["start"] == {"step": 3, "node": 7, "cell": None}


def test_what_the_browser_reported_wins_over_the_link(sent: list[dict[str, Any]]) -> None:
    view = view_of()
    st.session_state["key"] = rest(view, 2, node=5, cell=[1, 0])
    assert draw(view, TimelineEvent(4)) == TimelineEvent(2, 5, (1, 0))


def test_another_source_begins_anew(sent: list[dict[str, Any]]) -> None:
    st.session_state["key"] = rest(view_of(), 2, node=5)
    other = view_of(source="the dog")
    assert draw(other) == TimelineEvent(other.steps)


def test_another_search_keeps_the_step_and_forgets_the_node(sent: list[dict[str, Any]]) -> None:
    st.session_state["key"] = rest(view_of(3), 2, node=5, cell=[1, 0])
    assert draw(view_of(1)).step == 2
    assert draw(view_of(1)).node_id is None


def test_who_was_at_the_end_stays_at_the_end(sent: list[dict[str, Any]]) -> None:
    view = view_of()
    st.session_state["key"] = rest(view, 6, steps=6)
    assert draw(view).step == view.steps


def test_another_map_forgets_the_cell(sent: list[dict[str, Any]]) -> None:
    view = view_of()
    st.session_state["key"] = rest(view, 2, node=5, cell=[1, 0])
    merged = view_of(word_starts=lambda tokens: [token.startswith("▁") for token in tokens])
    assert draw(merged) == TimelineEvent(2, 5, None)


def test_without_attention_no_heatmap_is_asked_for(sent: list[dict[str, Any]]) -> None:
    trace = beam_search(DemoModel(attends=False), SENTENCE, SearchConfig(beam_size=2))
    draw(timeline_view(trace))
    assert sent[0]["data"]["charts"] == {"next": "key-next", "tree": "key-tree"}
