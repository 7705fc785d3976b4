"""The first screen: one translation with its attention, and the way to the other pages."""

from __future__ import annotations

import streamlit as st

from s2s_core.errors import TraceFormatError
from s2s_core.figures.attention import attention_alt, attention_figure
from s2s_core.figures.grid import attention_grid
from s2s_core.search.config import SearchRequest
from s2s_core.search.trace import BeamTrace
from s2s_core.ui import cached, charts, literal, sentence, shell, state
from s2s_core.ui.decode import headline
from s2s_core.ui.examples import FIRST_SCREEN
from s2s_core.ui.shared_link import MODEL, SOURCE, check_source


def draw() -> None:
    """Draw the sentence, its translation and attention, and the way to each page."""
    st.markdown(
        "A small translation model, opened up. Type a sentence, see what the model makes of it and "
        "where it looks, then follow its search step by step."
    )
    sentence.draw()
    picture, ways = st.columns([4, 3], gap="medium")
    with ways:
        _draw_ways()
    with picture, shell.messages():
        trace = _trace(SearchRequest(state.get(MODEL), check_source(state.get(SOURCE))))
        headline.draw(trace, trace.request.config.length_penalty)
        _draw_attention(trace)


def _trace(request: SearchRequest) -> BeamTrace:
    """The search; the one of the first visit lies ready, so that no model is loaded for it."""
    ready = _ready()
    return ready if ready is not None and ready.request == request else cached.search(request)


@st.cache_resource(max_entries=1, show_spinner=False)
def _ready() -> BeamTrace | None:
    try:
        return BeamTrace.from_json(FIRST_SCREEN.read_text(encoding="utf-8"))
    except (OSError, TraceFormatError):
        return None


def _draw_attention(trace: BeamTrace) -> None:
    attention = trace.best.attention
    if attention is None:
        literal.show("This model has no attention to show.")
        return
    grid = attention_grid(attention)
    charts.draw(
        attention_figure(grid, theme=shell.theme()), key="attention", alt=attention_alt(grid)
    )
    st.caption(f"Each row is a produced token, each column one of the source. {charts.CAUTION}")


def _draw_ways() -> None:
    """The other pages, two abreast and close together, so that all are on the first screen."""
    columns = st.columns(2, gap="small")
    ways = [(name, entry) for name, entry in shell.PAGES.items() if name != "start"]
    for place, (name, entry) in enumerate(ways):
        first_column = place < (len(ways) + 1) // 2
        with columns[0 if first_column else 1], st.container(gap=None):
            shell.link_to(name, label=f"**{entry.title}**")
            st.caption(entry.summary)
