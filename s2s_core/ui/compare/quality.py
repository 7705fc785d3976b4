"""Quality against source length for a family, and the same figures as a table."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from s2s_core.figures.lines import lines_alt, lines_figure
from s2s_core.figures.quality import lengths_label, quality_axes, quality_lines
from s2s_core.models.card import METRICS, CheckpointCard
from s2s_core.models.families import Family, measured_beams, scores_by_length, task_of
from s2s_core.ui import charts, literal, saving, shell, state
from s2s_core.ui.compare.link import AUTOMATIC, MEASURED_BEAM, METRIC

_SEARCHES = {0: "no search: the true prefix given", 1: "greedy search"}


def draw(family: Family) -> None:
    """Draw the choice of figure, the lines of the whole family, and what they don't show."""
    metric, beam_size = _draw_choice(family)
    lines = quality_lines(family.cards, metric, beam_size=beam_size)
    if lines:
        axes = quality_axes(family.cards, metric, beam_size=beam_size)
        charts.draw(
            lines_figure(lines, axes, theme=shell.theme()),
            key="quality",
            alt=lines_alt(lines, axes),
        )
    lacking = [
        card.title
        for card in family.cards
        if not scores_by_length(card, metric, beam_size=beam_size)
    ]
    if lacking:
        literal.show(f"Their cards lack {metric} by length: {'; '.join(lacking)}.", look="small")
    st.caption(
        f"{metric}: {METRICS[metric]}. Length counts words, marks, Chinese characters and digits. "
        "Bars are 95 % intervals by resampling sentences; points at one length are set side by "
        "side. A fall with length alone doesn't prove that the vector is full: what the training "
        "data covers, training itself and the search play a part, and there is no length at which "
        "every such model breaks."
    )
    saving.table(
        "Quality by length", lambda: quality_frame(family.cards, metric, beam_size=beam_size)
    )


def quality_frame(cards: Sequence[CheckpointCard], metric: str, *, beam_size: int) -> pd.DataFrame:
    """One row for each card and group of lengths."""
    return pd.DataFrame(
        {
            "model": card.name,
            "metric": metric,
            "beam size": beam_size,
            "lengths": lengths_label(score),
            "sentences": score.sentences,
            "score": score.score,
            "low": score.low,
            "high": score.high,
            "references": score.references,
            "signature": score.signature,
        }
        for card in cards
        for score in scores_by_length(card, metric, beam_size=beam_size)
    )


def _draw_choice(family: Family) -> tuple[str, int]:
    usual = "exact match" if any(map(task_of, family.cards)) else "BLEU"
    metric_place, beam_place = st.columns(2, gap="medium")
    metric_place.selectbox(
        "Figure",
        (AUTOMATIC, *METRICS),
        key=METRIC.name,
        format_func=lambda name: f"{usual} (usual here)" if name == AUTOMATIC else name,
    )
    metric = usual if state.get(METRIC) == AUTOMATIC else state.get(METRIC)
    beams = measured_beams(family.cards, metric) or (MEASURED_BEAM.default,)
    if state.get(MEASURED_BEAM) not in beams:
        state.put(MEASURED_BEAM, beams[-1])
    beam_place.selectbox(
        "Written with",
        beams,
        key=MEASURED_BEAM.name,
        format_func=lambda beam: _SEARCHES.get(beam, f"beam size {beam}"),
    )
    return metric, state.get(MEASURED_BEAM)
