"""Which segment, which order and which n-gram are looked at."""

from __future__ import annotations

import streamlit as st

from s2s_core.metrics.report import BleuReport, SegmentReport
from s2s_core.ui import state
from s2s_core.ui.bleu.fields import ORDER, POSITION, SEGMENT


def segment(report: BleuReport) -> SegmentReport:
    """The chosen segment; a number that the texts don't have is refused."""
    count = len(report.segments)
    if state.get(SEGMENT) > count:
        state.refuse(SEGMENT, f"a segment from 1 to {count}")
    return report.segments[state.get(SEGMENT) - 1]


def order(report: BleuReport) -> int:
    """The chosen order; one above the maximum order is refused."""
    if state.get(ORDER) > report.settings.max_order:
        state.refuse(ORDER, f"an order from 1 to {report.settings.max_order}")
    return state.get(ORDER)


def position(chosen: SegmentReport, ngram_order: int) -> int | None:
    """Where the chosen n-gram starts, from 0; a place without an n-gram is refused."""
    given = state.get(POSITION)
    count = max(len(chosen.tokens) - ngram_order + 1, 0)
    if given is not None and given > count:
        state.refuse(POSITION, f"none, or the place of an n-gram, from 1 to {count}")
    return None if given is None else given - 1


def draw_segment(report: BleuReport) -> None:
    """Draw the control for the segment, where there are several."""
    if len(report.segments) == 1:
        return
    state.put(SEGMENT, state.get(SEGMENT))
    st.number_input(
        f"Segment, of {len(report.segments):,}",
        1,
        len(report.segments),
        key=SEGMENT.name,
        on_change=state.put,
        args=(POSITION, None),
        width=200,
    )


def draw_order(report: BleuReport) -> None:
    """Draw the control for the order."""
    state.put(ORDER, state.get(ORDER))
    st.segmented_control(
        "n-grams of order",
        range(1, report.settings.max_order + 1),
        key=ORDER.name,
        required=True,
        on_change=state.put,
        args=(POSITION, None),
    )
