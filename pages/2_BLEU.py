"""Take BLEU apart on your own text: every part of the score, and what changes it."""

from __future__ import annotations

import streamlit as st

from s2s_core.ui import shell
from s2s_core.ui.bleu import (
    arithmetic,
    beyond,
    examples,
    headline,
    length_panel,
    ngram_panel,
    saving_panel,
    scoring,
    segment_panel,
    smoothing_panel,
    systems_panel,
    texts,
    what_if,
)
from s2s_core.ui.bleu.fields import FIELDS, PART, PARTS
from s2s_core.ui.exercises import progress


def main() -> None:
    """Texts and score beside each other, and below them one part of the score at a time."""
    examples.fill_if_nothing_is_given()
    given, result = st.columns([1, 1], gap="medium")
    with given:
        texts.draw()
    found = scoring.texts()
    if found is None:
        result.info("Type or paste a reference to score against.", icon=":material/edit:")
        return
    with result, st.container(gap="xsmall"):
        scored = scoring.scored(scoring.request(found))
        headline.draw(scored.report)
    progress.watch(scored.report)
    headline.draw_notices(scored.notices)

    sums, ngrams, length, smoothing, edit, segments, systems, others, save = st.tabs(
        PARTS, key=PART.name, on_change="rerun"
    )
    if sums.open:
        with sums:
            arithmetic.draw(scored)
    if ngrams.open:
        with ngrams:
            ngram_panel.draw(scored.report)
    if length.open:
        with length:
            length_panel.draw(scored.report)
    if smoothing.open:
        with smoothing:
            smoothing_panel.draw(scored.report)
    if edit.open:
        with edit:
            what_if.draw(scored.report)
    if segments.open:
        with segments:
            segment_panel.draw(scored.report)
    if systems.open:
        with systems:
            systems_panel.draw(found, scored)
    if others.open:
        with others:
            beyond.draw(scored)
    if save.open:
        with save:
            saving_panel.draw(found, scored)


with shell.page("bleu", FIELDS):
    main()
