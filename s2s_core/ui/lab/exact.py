"""Exact search on a trained model: progress, cancel, and what it says about the beam."""

from __future__ import annotations

import time
from dataclasses import dataclass

import streamlit as st

from s2s_core.errors import ExplorerError
from s2s_core.figures.theme import minus
from s2s_core.search.config import SearchRequest
from s2s_core.search.exact import ExactProgress, ExactResult, exact_search
from s2s_core.search.penalty_base import readable
from s2s_core.search.records import Hypothesis
from s2s_core.search.score import score_target
from s2s_core.search.verdict import judge
from s2s_core.ui import cached, literal, state
from s2s_core.ui.exercises import progress
from s2s_core.ui.lab.link import BUDGET, BUDGET_OPTION, REFERENCE
from s2s_core.ui.length.tables import shown
from s2s_core.ui.tables import Row

_RUNNING = "_exact_running"
_PROGRESS = "_exact_progress"
_RUNS = "_exact_runs"
_KEPT = 30
_EVERY = 0.2  # seconds between two signs of life
_COLUMNS = (
    "min. length",
    "penalty",
    "found",
    "log P",
    "L",
    "score",
    "outcome",
    "prefixes continued",
    "beam search found",
    "its score",
)


@dataclass(frozen=True)
class Run:
    """One exact search of this session.

    result: None if it was cancelled.
    progress: how far it had come then.
    """

    request: SearchRequest
    budget: int
    result: ExactResult | None
    progress: ExactProgress | None = None


def draw(request: SearchRequest) -> None:
    """Draw the button, the progress of a search that runs, and what came out."""
    budget = state.get(BUDGET)
    amount, button = st.columns([1, 3], vertical_alignment="bottom")
    amount.number_input(
        "Node budget",
        BUDGET_OPTION.minimum,
        BUDGET_OPTION.maximum,
        step=1000,
        key=BUDGET.name,
        help=BUDGET_OPTION.help,
    )
    running = st.session_state.get(_RUNNING) == (request, budget)
    with button, st.container(horizontal=True):
        st.button(
            "Search exactly",
            key="exact_start",
            type="primary",
            disabled=running,
            on_click=_start,
            args=(request, budget),
        )
        if running:
            st.button("Cancel", key="exact_cancel", on_click=_cancel)
    literal.show(
        "Depth first over every string, leaving out what can't score higher than the best found so "
        "far. Set a minimum length of 2 to leave out the empty output.",
        look="small",
    )
    if running:
        _run(request, budget)
    _draw_runs(request)


def _start(request: SearchRequest, budget: int) -> None:
    st.session_state[_RUNNING] = (request, budget)
    st.session_state.pop(_PROGRESS, None)


def _cancel() -> None:
    """Keep what the search had found; its script has been stopped by this very press."""
    request, budget = st.session_state.pop(_RUNNING)
    progress = st.session_state.pop(_PROGRESS, None)
    _keep(Run(request, budget, None, progress))


def _run(request: SearchRequest, budget: int) -> None:
    bar = st.progress(0.0, "Searching …")
    last = time.monotonic()

    def watch(progress: ExactProgress) -> bool:
        nonlocal last
        st.session_state[_PROGRESS] = progress
        if time.monotonic() - last > _EVERY:
            last = time.monotonic()
            best = f", best score {readable(progress.best_score)}" if progress.best_ids else ""
            told = f"{progress.expanded:,} of at most {budget:,} prefixes continued{best}"
            bar.progress(progress.expanded / budget, minus(told))
        return True

    try:
        result = exact_search(
            cached.model(request.checkpoint),
            request.source,
            request.config,
            node_budget=budget,
            watch=watch,
        )
    except ExplorerError:
        st.session_state.pop(_RUNNING, None)
        raise
    st.session_state.pop(_RUNNING, None)
    _keep(Run(request, budget, result))
    st.rerun()


def _keep(run: Run) -> None:
    runs: tuple[Run, ...] = st.session_state.get(_RUNS, ())
    others = [r for r in runs if (r.request, r.budget) != (run.request, run.budget)]
    st.session_state[_RUNS] = (run, *others)[:_KEPT]


def _draw_runs(request: SearchRequest) -> None:
    runs: tuple[Run, ...] = st.session_state.get(_RUNS, ())
    here = [
        run
        for run in runs
        if (run.request.checkpoint, run.request.source) == (request.checkpoint, request.source)
    ]
    if not here:
        return
    latest = next((run for run in here if run.request == request), None)
    if latest:
        _draw_latest(latest)
    literal.table(
        _COLUMNS,
        [_row(run) for run in here],
        caption="Exact searches of this sentence, the latest first",
        decimals=4,
    )


def _draw_latest(run: Run) -> None:
    result = run.result
    if result is None:
        literal.show("Cancelled: what it found so far isn't proved to be the best.", look="second")
        return
    progress.watch(result)
    literal.show(f"{_outcome(result)}: {shown(result.best.text)}", look="second")
    found = result.beam.best if result.beam else None
    if found is None:
        literal.show("Beam search found nothing at all.", look="small")
        return
    verdict = judge(found, result, _reference(run.request))
    literal.show(f"Beam search: {verdict.label}. {minus(verdict.text)}", look="body")


def _outcome(result: ExactResult) -> str:
    if result.proved:
        return "Proved: the best of all"
    return f"Budget hit: the best so far; nothing scores above {result.ceiling:.4f}"


def _reference(request: SearchRequest) -> Hypothesis | None:
    """The reference as the model scores it; None without one, or if the model can't spell it."""
    text = state.get(REFERENCE)
    if not text.strip():
        return None
    model = cached.model(request.checkpoint)
    try:
        ids = (*model.target.ids(text), model.target.eos_id)
        return score_target(model, request.source, ids, penalty=request.config.length_penalty)
    except ExplorerError as error:
        st.warning(literal.code(f"The reference can't be scored: {error}"))
        return None


def _row(run: Run) -> Row:
    config = run.request.config
    penalty = config.length_penalty
    named = penalty.label
    if penalty.parameter_name:
        named += f", {penalty.parameter_name} {penalty.parameter:g}"
    result = run.result
    if result is None:
        done = run.progress.expanded if run.progress else 0
        best = run.progress.best_score if run.progress and run.progress.best_ids else "none"
        return (config.min_length, named, _text(run), "", "", best, "cancelled", done, "", "")
    found = result.beam.best if result.beam else None
    return (
        config.min_length,
        named,
        shown(result.best.text),
        result.best.log_prob,
        result.best.length,
        result.best.score,
        result.outcome,
        result.expanded,
        shown(found.text) if found else "nothing",
        found.score if found else "",
    )


def _text(run: Run) -> str:
    ids = run.progress.best_ids if run.progress else None
    if ids is None:
        return "nothing yet"
    return shown(cached.model(run.request.checkpoint).target.join(ids))
