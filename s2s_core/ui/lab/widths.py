"""One sentence at beam sizes from 1 to 64: what a wider beam finds, and what it costs."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from s2s_core.errors import ExplorerError
from s2s_core.figures.search_lab import width_figure
from s2s_core.metrics.utility import bleu_utility, chrf_utility
from s2s_core.search.config import SearchRequest
from s2s_core.search.width_sweep import WIDTHS, WidthResult, sweep_widths
from s2s_core.ui import cached, charts, literal, shell, state
from s2s_core.ui.lab.link import REFERENCE
from s2s_core.ui.length import tables
from s2s_core.ui.tables import shown

_RUNNING = "_widths_running"
_DONE = "_widths_done"


def draw(request: SearchRequest) -> None:
    """Draw the button, the progress of a sweep that runs, and what came out."""
    running = st.session_state.get(_RUNNING) == request
    with st.container(horizontal=True):
        st.button(
            "Search with every beam size",
            key="widths_start",
            type="primary",
            disabled=running,
            on_click=_start,
            args=(request,),
        )
        if running:
            st.button("Cancel", key="widths_cancel", on_click=_cancel)
    if running:
        _run(request)
    results = done(request)
    if not results:
        return
    charts.draw(width_figure(results, theme=shell.theme()), key="widths", alt=_alt(results))
    literal.show(
        "A wider beam may find an output of higher score, and may lose one that a narrower beam "
        "had. Times are of this machine, just now.",
        look="small",
    )
    st.dataframe(
        shown(frame(results), decimals=4),
        hide_index=True,
        key="widths_table",
        alt="Rank 1 at each beam size",
    )


def done(request: SearchRequest) -> tuple[WidthResult, ...]:
    """The results there are for a request, of this session."""
    kept: tuple[SearchRequest, tuple[WidthResult, ...]] | None = st.session_state.get(_DONE)
    return kept[1] if kept and kept[0] == request else ()


def frame(results: tuple[WidthResult, ...]) -> pd.DataFrame:
    """A row for each beam size; with a reference, what metrics say about the output."""
    reference = state.get(REFERENCE).strip()
    rows = []
    for result in results:
        best = result.best
        row: dict[str, object] = {
            "B": result.beam_size,
            "output": tables.shown(best.text),
            "log P": best.log_prob,
            "score": best.score,
            "L": best.length,
            "steps": result.steps,
            "prefixes continued": result.rows,
            "ms": 1000 * result.seconds,
        }
        if reference:
            row["sentence BLEU"] = bleu_utility(best.text, reference)
            row["chrF"] = chrf_utility(best.text, reference)
        rows.append(row)
    return pd.DataFrame(rows)


def _start(request: SearchRequest) -> None:
    st.session_state[_RUNNING] = request
    st.session_state[_DONE] = (request, ())


def _cancel() -> None:
    """What was found so far stays."""
    st.session_state.pop(_RUNNING, None)


def _run(request: SearchRequest) -> None:
    bar = st.progress(0.0, "Searching …")
    results: tuple[WidthResult, ...] = ()
    model = cached.model(request.checkpoint)
    try:
        for result in sweep_widths(model, request.source, request.config):
            results = (*results, result)
            st.session_state[_DONE] = (request, results)
            bar.progress(len(results) / len(WIDTHS), f"beam size {result.beam_size} is done")
    except ExplorerError:
        st.session_state.pop(_RUNNING, None)
        raise
    st.session_state.pop(_RUNNING, None)
    st.rerun()


def _alt(results: tuple[WidthResult, ...]) -> str:
    told = [f"{r.beam_size}: log P {r.best.log_prob:.2f}" for r in results]
    return f"log P and score of rank 1 against the beam size. {'; '.join(told)}."
