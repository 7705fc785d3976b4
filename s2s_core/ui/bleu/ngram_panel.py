"""The text with its n-grams marked, one followed into the references, and all as a table."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from s2s_core.metrics.ngrams import NgramMatch
from s2s_core.metrics.report import BleuReport, SegmentReport
from s2s_core.ui import literal, state
from s2s_core.ui.bleu import choice, frames, marked_text
from s2s_core.ui.bleu.fields import WHOLE_CORPUS

_MOST_ROWS = 2000


def draw(report: BleuReport) -> None:
    """Draw one segment's n-grams of one order; on request also those of the whole corpus."""
    order = choice.order(report)
    segment = choice.segment(report)
    position = choice.position(segment, order)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choice.draw_order(report)
        choice.draw_segment(report)
    matches = segment.ngrams(order)
    text, table = st.columns([3, 2], gap="medium")
    with text:
        marked_text.draw(segment, order, position)
        st.caption(
            "Tokens are shown as they are scored, with a space between. Of an n-gram that is "
            "clipped, the first ones are said to count; which ones do is the same to the score."
        )
    with table:
        if position is None:
            literal.show("Click an n-gram to see where it stands and what clips it.", look="small")
        else:
            literal.show(explain(matches, segment, segment.tokens[position : position + order]))
        _draw_table(matches, order)
    if len(report.segments) > 1:
        _draw_corpus(report, order)


def explain(matches: Sequence[NgramMatch], segment: SegmentReport, ngram: tuple[str, ...]) -> str:
    """How often an n-gram occurs, and how often that counts, in a sentence."""
    match = next(match for match in matches if match.ngram == ngram)
    counts = ", ".join(
        f"{count} in reference {place}"
        for place, count in enumerate(match.reference_counts, start=1)
        if count is not None
    )
    most = max(count for count in match.reference_counts if count is not None)
    return (
        f"“{' '.join(ngram)}”: {match.count} in the hypothesis, {counts}. "
        f"min({match.count}, {most}) = {match.clipped}, so "
        + (f"{match.lost} of {match.count} is lost." if match.lost else "all of them count.")
    )


def _draw_table(matches: Sequence[NgramMatch], order: int) -> None:
    if not matches:
        literal.show(f"The segment has no {order}-gram.", look="small")
        return
    shown = matches[:_MOST_ROWS]
    st.dataframe(frames.ngrams(shown), hide_index=True, key="ngrams", alt="n-grams of the segment")
    if len(shown) < len(matches):
        st.caption(f"The first {_MOST_ROWS:,} of {len(matches):,}; the saved table has all.")


def _draw_corpus(report: BleuReport, order: int) -> None:
    state.put(WHOLE_CORPUS, state.get(WHOLE_CORPUS))
    st.toggle(
        "The n-grams of the whole corpus that lose most",
        key=WHOLE_CORPUS.name,
        help="Counted and clipped segment by segment, then added up.",
    )
    if state.get(WHOLE_CORPUS):
        totals = report.ngrams(order)
        st.dataframe(
            frames.ngram_totals(totals[:_MOST_ROWS]),
            hide_index=True,
            key="ngram_totals",
            alt="n-grams of the corpus, those that lose most first",
        )
