"""Beam sizes and length penalties over a file of sentences, with BLEU for each pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import pandas as pd
import streamlit as st

from s2s_core.errors import ExplorerError, SettingError
from s2s_core.figures.sweep_grid import MEASURES, sweep_alt, sweep_figure
from s2s_core.metrics.sacre import corpus_bleu, tokenizer_of
from s2s_core.search.config import SearchRequest
from s2s_core.search.sweep import (
    CorpusMeasure,
    SweepCell,
    SweepOutput,
    SweepPlan,
    best_cell,
    sweep_cells,
    sweep_file,
)
from s2s_core.text.corpus import SentencePair, read_references
from s2s_core.ui import cached, charts, literal, saving, shell, state
from s2s_core.ui.lab.link import GRID_BEAMS, GRID_PARAMETERS, GRID_SHOWN
from s2s_core.ui.shared_link import check_source

MOST_SENTENCES = 200
_FILE = "grid_file"
_PAIRS = "_grid_pairs"
_PROBLEM = "_grid_problem"
_RUNNING = "_grid_running"
_OUTPUTS = "_grid_outputs"

Number = TypeVar("Number", int, float)
Job = tuple[str, tuple[SentencePair, ...], SweepPlan]
"""Checkpoint, sentences and plan: what the outputs of a sweep belong to."""


def draw(request: SearchRequest) -> None:
    """Draw file and grid, the progress of a sweep that runs, and its heatmaps."""
    literal.show(
        "One search to the maximum length for each sentence and beam size serves every alpha, "
        "since a length penalty doesn't change which prefixes live. Choose on development data, "
        "not on the test set.",
        look="small",
    )
    file, beams, parameters = st.columns([2, 1, 1], gap="small", vertical_alignment="bottom")
    file.file_uploader(
        f"A text file, source TAB reference a line, at most {MOST_SENTENCES} lines",
        type=["tsv", "txt"],
        key=_FILE,
        max_upload_size=1,
        on_change=_open,
    )
    beams.text_input("Beam sizes", key=GRID_BEAMS.name, max_chars=100)
    family = type(request.config.length_penalty)
    parameters.text_input(
        f"Values of {family.parameter_name or 'alpha'}",
        key=GRID_PARAMETERS.name,
        max_chars=100,
        disabled=family.parameter_name is None,
    )
    if problem := st.session_state.get(_PROBLEM, ""):
        st.error(literal.code(problem), icon=":material/error:")
    pairs: tuple[SentencePair, ...] = st.session_state.get(_PAIRS, ())
    if pairs:
        _draw_job((request.checkpoint, pairs, plan_of(request)))


def plan_of(request: SearchRequest) -> SweepPlan:
    """The grid that the fields ask for.

    Raises:
        SettingError: a value isn't a number or lies outside its bounds, or stands there twice.
    """
    family = type(request.config.length_penalty)
    values = numbers(state.get(GRID_PARAMETERS), float) if family.parameter_name else (0.0,)
    return SweepPlan(
        numbers(state.get(GRID_BEAMS), int),
        tuple(family.from_parameter(value) for value in values),
        request.config.max_length,
        request.config.min_length,
    )


def numbers(text: str, kind: Callable[[str], Number]) -> tuple[Number, ...]:
    """Numbers with commas between.

    Raises:
        SettingError: a part isn't one.
    """
    try:
        return tuple(kind(part) for part in text.split(","))
    except ValueError as error:
        raise SettingError(f"give numbers with commas between, not {text!r}") from error


def _open() -> None:
    """Read the file, if it is one."""
    st.session_state[_PROBLEM], st.session_state[_PAIRS] = "", ()
    file = st.session_state[_FILE]
    if file is None:
        return
    try:
        with TemporaryDirectory() as folder:
            path = Path(folder, "the file")
            path.write_bytes(file.getvalue())
            pairs = read_references(path)
        if not 0 < len(pairs) <= MOST_SENTENCES:
            raise SettingError(
                f"the file has {len(pairs)} lines; 1 to {MOST_SENTENCES} are allowed here, and any "
                "number by the command `sweep`"
            )
        for pair in pairs:
            check_source(pair.source)
    except ExplorerError as error:
        st.session_state[_PROBLEM] = str(error)
    else:
        st.session_state[_PAIRS] = pairs


def _draw_job(job: Job) -> None:
    outputs, total = _outputs(job), len(job[1]) * len(job[2].beam_sizes)
    running = st.session_state.get(_RUNNING) == job
    with st.container(horizontal=True):
        st.button(
            "Go on" if 0 < len(outputs) < total else "Sweep",
            key="grid_start",
            type="primary",
            disabled=running or len(outputs) == total,
            on_click=_start,
            args=(job,),
        )
        if running:
            st.button("Cancel", key="grid_cancel", on_click=_cancel)
    if running:
        _run(job, total)
    if outputs and len(outputs) < total:
        literal.show(f"{len(outputs)} of {total} searches are done, and are kept.", look="small")
    cells = _cells(job, outputs)
    if cells:
        _draw_cells(cells, tokenizer_of(_language(job)))


def _start(job: Job) -> None:
    st.session_state[_RUNNING] = job


def _cancel() -> None:
    """What is done stays; the sweep can go on from there."""
    st.session_state.pop(_RUNNING, None)


def _outputs(job: Job) -> tuple[SweepOutput, ...]:
    kept: tuple[Job, tuple[SweepOutput, ...]] | None = st.session_state.get(_OUTPUTS)
    return kept[1] if kept and kept[0] == job else ()


def _run(job: Job, total: int) -> None:
    bar = st.progress(0.0, "Searching …")
    checkpoint, pairs, plan = job
    outputs = _outputs(job)
    done = {(output.beam_size, output.line) for output in outputs}
    sources = [pair.source for pair in pairs]
    try:
        for output in sweep_file(cached.model(checkpoint), sources, plan, done=done):
            outputs = (*outputs, output)
            st.session_state[_OUTPUTS] = (job, outputs)
            bar.progress(len(outputs) / total, f"{len(outputs)} of {total} searches")
    except ExplorerError:
        st.session_state.pop(_RUNNING, None)
        raise
    st.session_state.pop(_RUNNING, None)
    st.rerun()


def _cells(job: Job, outputs: Sequence[SweepOutput]) -> tuple[SweepCell, ...]:
    """The cells of every beam size that is complete."""
    _, pairs, plan = job
    references = [pair.references for pair in pairs]
    language = _language(job)

    def measure(texts: Sequence[str]) -> CorpusMeasure:
        found = corpus_bleu(texts, references, language=language)
        return CorpusMeasure(found.score, found.brevity_penalty, found.length_ratio)

    return sweep_cells(outputs, plan, len(pairs), measure)


def _language(job: Job) -> str:
    """The language that the model writes."""
    return cached.model(job[0]).target_language


def _draw_cells(cells: tuple[SweepCell, ...], tokenizer: str) -> None:
    best = best_cell(cells)
    name = best.penalty.parameter_name
    told = f", {name} {best.penalty.parameter:g}" if name else ""
    literal.show(
        f"Best BLEU on this file: {best.measure.score:.1f} with beam size {best.beam_size}{told}",
        look="second",
    )
    literal.show(
        f"BLEU of all lines together as sacreBLEU computes it, tokenizer {tokenizer}, against all "
        "references of a line.",
        look="small",
    )
    st.segmented_control("Shown", tuple(MEASURES), key=GRID_SHOWN.name, required=True)
    shown = state.get(GRID_SHOWN)
    charts.draw(
        sweep_figure(cells, shown, theme=shell.theme()), key="grid", alt=sweep_alt(cells, shown)
    )
    saving.table("Grid", lambda: frame(cells))


def frame(cells: Sequence[SweepCell]) -> pd.DataFrame:
    """A row for each cell."""
    rows = [
        {
            "beam size": cell.beam_size,
            "penalty": cell.penalty.name,
            "parameter": cell.penalty.parameter,
            **{name: read(cell) for name, read in MEASURES.items()},
        }
        for cell in cells
    ]
    return pd.DataFrame(rows)
