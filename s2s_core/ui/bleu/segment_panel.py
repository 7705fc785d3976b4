"""The corpus, segment by segment: sorted, filtered, by length, and beside the mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from s2s_core.figures.score_distribution import (
    bucket_alt,
    bucket_figure,
    distribution_alt,
    distribution_figure,
)
from s2s_core.metrics.corpus_view import (
    SegmentRow,
    length_buckets,
    mean_of_sentences,
    segment_rows,
)
from s2s_core.metrics.display import shown_score
from s2s_core.metrics.report import BleuReport
from s2s_core.ui import charts, literal, shell, state
from s2s_core.ui.bleu import frames
from s2s_core.ui.bleu.fields import CONTAINS, POSITION, SEGMENT, SORT, SORTS

_TABLE = "segment_table"
_MOST_ROWS = 500
_SCORE = st.column_config.NumberColumn(format="%.2f")
_SORT_KEYS: dict[str, Callable[[SegmentRow], float]] = dict(
    zip(
        SORTS,
        (
            lambda row: row.number,
            lambda row: row.score,
            lambda row: row.length_ratio,
            lambda row: -row.lost,
        ),
        strict=True,
    )
)


def draw(report: BleuReport) -> None:
    """Draw the distribution, the length ranges and the table of segments."""
    rows = segment_rows(report)
    if len(rows) == 1:
        literal.show(
            "There is one segment. Paste several lines, one segment each, or upload files, and "
            "they are listed here.",
        )
        return
    mean = mean_of_sentences(report)
    scores = [row.score for row in rows]
    spread, ranges = st.columns(2, gap="medium")
    with spread:
        charts.draw(
            distribution_figure(scores, report.score, mean, theme=shell.theme()),
            key="distribution",
            alt=distribution_alt(scores, report.score, mean),
        )
    with ranges:
        buckets = length_buckets(report)
        charts.draw(
            bucket_figure(buckets, theme=shell.theme()), key="buckets", alt=bucket_alt(buckets)
        )
    literal.show(
        f"Corpus BLEU is {shown_score(report.score)}, the mean of the sentence scores "
        f"{shown_score(mean)}. They differ because corpus BLEU adds up counts and lengths of all "
        "segments before it divides, so that long segments weigh more and one order without a "
        "match in a short sentence does no harm; sentence scores smooth each such order, and the "
        "mean counts three tokens as much as sixty. Never call the mean “BLEU”."
    )
    _draw_table(rows)


def arranged(rows: Sequence[SegmentRow], sort: str, contains: str) -> tuple[SegmentRow, ...]:
    """The rows whose hypothesis or reference holds a text, in the order asked for."""
    wanted = contains.casefold()
    found = [
        row
        for row in rows
        if not wanted
        or any(
            wanted in text.casefold()
            for text in (row.hypothesis, *row.references)
            if text is not None
        )
    ]
    return tuple(sorted(found, key=_SORT_KEYS[sort]))


def _draw_table(rows: Sequence[SegmentRow]) -> None:
    for field in (SORT, CONTAINS):
        state.put(field, state.get(field))
    sort, contains = st.columns([1, 2])
    sort.selectbox("Sort by", SORTS, key=SORT.name)
    contains.text_input("Only segments that contain", key=CONTAINS.name, max_chars=200)
    found = arranged(rows, state.get(SORT), state.get(CONTAINS))
    shown = found[:_MOST_ROWS]
    st.caption(
        f"{len(found):,} of {len(rows):,} segments"
        + (f", the first {_MOST_ROWS} shown; the saved table has all" if found != shown else "")
        + f". Select a row to look at that segment; now it is segment {state.get(SEGMENT)}."
    )
    st.dataframe(
        frames.segments(shown),
        hide_index=True,
        key=_TABLE,
        on_select=_take,
        selection_mode="single-row",
        column_config={"sentence BLEU": _SCORE, "length ratio": _SCORE},
        alt="Segments with their scores",
    )
    st.session_state["_segment_numbers"] = tuple(row.number for row in shown)


def _take() -> None:
    """Show the selected segment in the other parts."""
    chosen = st.session_state[_TABLE]["selection"]["rows"]
    numbers: tuple[int, ...] = st.session_state.get("_segment_numbers", ())
    if chosen and chosen[0] < len(numbers):
        state.put(SEGMENT, numbers[chosen[0]])
        state.put(POSITION, None)
