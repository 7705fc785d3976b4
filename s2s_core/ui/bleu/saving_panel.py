"""Saving what is on the BLEU screen, and opening what was saved."""

from __future__ import annotations

import streamlit as st

from s2s_core.metrics.corpus_view import length_buckets, segment_rows
from s2s_core.metrics.differences import segment_differences
from s2s_core.metrics.report import BleuReport
from s2s_core.text.to_score import TextsToScore
from s2s_core.ui import saving, state
from s2s_core.ui.bleu import choice, frames, saved, scoring, uploads
from s2s_core.ui.bleu.fields import FIELDS, TEXTS
from s2s_core.ui.bleu.scoring import Scored


def draw(texts: TextsToScore, scored: Scored) -> None:
    """Draw the buttons that save, and the place to drop a saved file. Saving reruns nothing."""
    report = scored.report
    save, open_ = st.columns(2, gap="medium")
    with save:
        st.markdown("**Save**")
        with st.container(horizontal=True):
            _draw_buttons(texts, report)
        saving.draw_format()
    with open_:
        st.markdown("**Open a saved screen**")
        draw_opener()


def draw_opener() -> None:
    """Draw the place to drop a saved screen, and say what is wrong with it."""
    saving.draw_opener("saved_bleu", _open, megabytes=uploads.MAXIMUM_MEGABYTES)


def _draw_buttons(texts: TextsToScore, report: BleuReport) -> None:
    values = state.read(FIELDS)
    order, segment = choice.order(report), choice.segment(report)
    saving.button(
        "Screen and result (JSON)",
        lambda: saved.to_json(values, texts, report),
        "bleu.json",
        "application/json",
    )
    saving.button(
        "Segments with all n-grams (JSON lines)",
        lambda: saved.segments_json_lines(report),
        "segments.jsonl",
        "application/x-ndjson",
    )
    saving.table("Orders", lambda: frames.orders(report))
    saving.table("Segments", lambda: frames.segments(segment_rows(report)))
    saving.table(f"{order}-grams of the segment", lambda: frames.ngrams(segment.ngrams(order)))
    saving.table(f"{order}-grams of the corpus", lambda: frames.ngram_totals(report.ngrams(order)))
    saving.table("Length ranges", lambda: frames.buckets(length_buckets(report)))
    if len(texts.systems) > 1:
        baseline = scoring.scored(scoring.request(texts, 1)).report
        saving.table(
            "Differences",
            lambda: frames.segment_differences(segment_differences(baseline, report)),
        )


def _open(data: bytes) -> str:
    found = saved.from_json(data)
    uploads.put(scoring.check_characters(found.texts))
    for field in FIELDS:
        if field not in TEXTS:
            state.put(field, found.values.get(field))
    return ""
