"""The timeline: three linked pictures and the controls that move them, in the browser.

`st.plotly_chart` draws each figure whole. A small element of JavaScript (`timeline.js`) finds the
charts by their keys and moves them together; Python hears of it only when it comes to rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from s2s_core.figures.attention import attention_alt, attention_figure
from s2s_core.figures.beam_tree import beam_tree_alt, beam_tree_figure
from s2s_core.figures.moments import TimelineView
from s2s_core.figures.next_token import next_token_alt, next_token_figure
from s2s_core.figures.payload import bar_slots, lists_payload, shown_grid, timeline_payload
from s2s_core.figures.theme import LIGHT, Theme
from s2s_core.ui import charts


def _asset(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


_conductor = st.components.v2.component(
    "seq2seq_timeline",
    html=_asset("timeline.html"),
    css=_asset("timeline.css"),
    js=_asset("timeline_pictures.js") + _asset("timeline.js"),
)
_lists = st.components.v2.component(
    "seq2seq_step_lists",
    html=_asset("step_lists.html"),
    css=_asset("step_lists.css"),
    js=_asset("step_lists.js"),
)


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
    reveals: int = 0,
) -> TimelineEvent:
    """Draw the controls, the heatmap, the bars and the tree; say where the timeline is at rest.

    key: letters, digits and hyphens; one for all sources, so that the place is kept.
    start: where it begins, as read from a link; afterwards the timeline keeps its own place, as
        long as the source stays the same.
    numbers: write the weights on the heatmap's cells.
    reveals: whenever this number changes, the page goes up to the translation.
    """
    roles = ("attention", "next", "tree") if view.grids else ("next", "tree")
    keys = {role: f"{key}-{role}" for role in roles}
    event = _rest(key, view) or _within(start, view)
    place = {"step": event.step, "node": event.node_id, "cell": event.cell}
    _conductor(
        key=key,
        data=timeline_payload(view, theme)
        | {"key": key, "charts": keys, "start": place, "reveals": reveals},
        on_rest_change=lambda: None,
    )
    _draw_charts(view, keys, theme, numbers=numbers)
    return event


def step_lists(view: TimelineView, *, key: str, step: int | None) -> None:
    """Draw what lives and what is finished at the present step of the timeline with the same key.

    It follows the timeline in the browser, at once.

    step: where the timeline is at rest, until the browser says more.
    """
    _lists(
        key=f"{key}-lists",
        data=lists_payload(view) | {"key": key, "step": view.steps if step is None else step},
    )


def _within(start: TimelineEvent, view: TimelineView) -> TimelineEvent:
    step = view.steps if start.step is None else min(max(start.step, 1), view.steps)
    return TimelineEvent(step, start.node_id, start.cell)


def _rest(key: str, view: TimelineView) -> TimelineEvent | None:
    """What the browser reported last, as far as it still fits.

    `update` in `timeline.js` follows the same rules.
    """
    rest = st.session_state.get(key, {}).get("rest")
    if rest is None or rest["story"] != view.story:
        return None
    at_the_end = rest["step"] == rest["steps"]
    return TimelineEvent(
        step=view.steps if at_the_end else min(rest["step"], view.steps),
        node_id=rest["node"] if rest["search"] == view.search else None,
        cell=tuple(rest["cell"]) if rest["cell"] and rest["map"] == view.map else None,
    )


def _draw_charts(view: TimelineView, keys: dict[str, str], theme: Theme, *, numbers: bool) -> None:
    """Each figure whole, as it is at the last moment."""
    grid, last = shown_grid(view), view.moments[-1]
    right = st.container()
    if grid is not None:
        left, right = st.columns([5, 4], gap="small")
        with left:
            figure = attention_figure(grid, theme=theme, numbers=numbers)
            alt = attention_alt(view.grids[last.grid])
            charts.draw(figure, key=keys["attention"], alt=alt)
    with right:
        figure = next_token_figure(last.next_tokens, theme=theme, slots=bar_slots(view))
        charts.draw(figure, key=keys["next"], alt=next_token_alt(last.next_tokens))
    figure = beam_tree_figure(view.tree, penalty=view.penalty, theme=theme)
    charts.draw(figure, key=keys["tree"], alt=beam_tree_alt(view.tree))
