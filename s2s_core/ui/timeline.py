"""The timeline: three linked pictures and the controls that move them, in the browser.

`st.plotly_chart` draws each figure whole. A small element of JavaScript (`timeline.js`) finds the charts by
their keys and moves them together; Python hears of it only when it comes to rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import plotly.graph_objects as go
import streamlit as st

from s2s_core.figures.attention import attention_alt, attention_figure
from s2s_core.figures.beam_tree import beam_tree_alt, beam_tree_figure
from s2s_core.figures.moments import TimelineView
from s2s_core.figures.next_token import next_token_alt, next_token_figure
from s2s_core.figures.payload import bar_slots, shown_grid, timeline_payload
from s2s_core.figures.theme import LIGHT, Theme

_HERE = Path(__file__).parent

_conductor = st.components.v2.component(
    "seq2seq_timeline",
    html=(_HERE / "timeline.html").read_text(encoding="utf-8"),
    css=(_HERE / "timeline.css").read_text(encoding="utf-8"),
    js=(_HERE / "timeline.js").read_text(encoding="utf-8"),
)

CHART_CONFIG = {
    "modeBarButtonsToRemove": [
        *("zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "autoScale2d", "resetScale2d")
    ],
}


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """Where the timeline came to rest.

    step: 1-based; None (only as `start`) means the last.
    node_id: the selected tree node, or None.
    cell: (row, column) of the selected attention cell, or None.
    """

    step: int | None = None
    node_id: int | None = None
    cell: tuple[int, int] | None = None


AT_THE_END = TimelineEvent()


def timeline(
    view: TimelineView,
    *,
    key: str,
    theme: Theme = LIGHT,
    start: TimelineEvent = AT_THE_END,
    numbers: bool = False,
) -> TimelineEvent:
    """Draw the controls, the heatmap, the bars and the tree; say where the timeline is at rest.

    key: letters, digits and hyphens; one for all sources, so that the place is kept.
    start: where it begins, as read from a link; afterwards the timeline keeps its own place, as long
        as the source stays the same.
    numbers: write the weights on the heatmap's cells.
    """
    roles = ("attention", "next", "tree") if view.grids else ("next", "tree")
    charts = {role: f"{key}-{role}" for role in roles}
    step = view.steps if start.step is None else min(max(start.step, 1), view.steps)
    start = TimelineEvent(step, start.node_id, start.cell)
    result = _conductor(
        key=key,
        data=timeline_payload(view, theme)
        | {
            "charts": charts,
            "start": {"step": start.step, "node": start.node_id, "cell": start.cell},
        },
        on_rest_change=lambda: None,
    )
    _draw_charts(view, charts, theme, numbers=numbers)
    return _read(result.get("rest"), view, start)


def _draw_charts(view: TimelineView, charts: dict[str, str], theme: Theme, *, numbers: bool) -> None:
    """Each figure whole, as it is at the last moment."""
    grid, last = shown_grid(view), view.moments[-1]
    right = st.container()
    if grid is not None:
        left, right = st.columns([3, 2])
        with left:
            figure = attention_figure(grid, theme=theme, numbers=numbers)
            _chart(figure, charts["attention"], attention_alt(view.grids[last.grid]))
    with right:
        figure = next_token_figure(last.next_tokens, theme=theme, slots=bar_slots(view))
        _chart(figure, charts["next"], next_token_alt(last.next_tokens))
    figure = beam_tree_figure(view.tree, penalty=view.penalty, theme=theme)
    _chart(figure, charts["tree"], beam_tree_alt(view.tree))


def _chart(figure: go.Figure, key: str, alt: str) -> None:
    st.plotly_chart(figure, key=key, config=CHART_CONFIG, alt=alt)


def _read(rest: object, view: TimelineView, start: TimelineEvent) -> TimelineEvent:
    """What the browser reported, as far as it still fits what is shown now."""
    if not isinstance(rest, Mapping) or rest.get("story") != view.story:
        return start
    step, node, cell = rest.get("step"), rest.get("node"), rest.get("cell")
    same_search, same_map = rest.get("search") == view.search, rest.get("map") == view.map
    return TimelineEvent(
        step=step if rest.get("steps") == view.steps
    )
