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

    shell.draw_tabs(
        PART,
        PARTS,
        (
            lambda: arithmetic.draw(scored),
            lambda: ngram_panel.draw(scored.report),
            lambda: length_panel.draw(scored.report),
            lambda: smoothing_panel.draw(scored.report),
            lambda: what_if.draw(scored.report),
            lambda: segment_panel.draw(scored.report),
            lambda: systems_panel.draw(found, scored),
            lambda: beyond.draw(scored),
            lambda: saving_panel.draw(found, scored),
        ),
    )


with shell.page("bleu", FIELDS):
    main()
