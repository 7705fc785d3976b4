"""The brevity penalty on its curve, and which reference length counts for a segment."""

from __future__ import annotations

import streamlit as st

from s2s_core.figures.brevity import brevity_alt, brevity_figure
from s2s_core.metrics.lengths import ClosestLength
from s2s_core.metrics.report import BleuReport
from s2s_core.ui import charts, literal, shell
from s2s_core.ui.bleu import arithmetic, choice


def draw(report: BleuReport) -> None:
    """Draw the curve with c and r, and the choice of the closest reference."""
    segment = choice.segment(report)
    single = len(report.segments) == 1
    given = [length for length in segment.closest.lengths if length is not None]
    c, r = report.hypothesis_length, report.reference_length
    picture, story = st.columns([3, 2], gap="medium")
    with picture:
        charts.draw(
            brevity_figure(c, r, lengths=given if single else (), theme=shell.theme()),
            key="brevity",
            alt=brevity_alt(c, r),
        )
    with story:
        st.latex(arithmetic.penalty_latex(report))
        choice.draw_segment(report)
        literal.table(
            ("reference", "tokens", "away from c", ""),
            _rows(segment.closest, len(segment.tokens)),
            marked=(segment.closest.reference,),
            caption=f"Segment {segment.number}: c = {len(segment.tokens):,} tokens",
        )
        literal.show(tie_story(segment.closest, len(segment.tokens)), look="small")
        if not single:
            literal.show(
                f"Over the corpus the chosen lengths add up to r = {r:,}, and the hypotheses have "
                f"c = {c:,} tokens. The penalty is taken once, of these two sums.",
                look="small",
            )


def tie_story(closest: ClosestLength, length: int) -> str:
    """Which length counts, and why."""
    if closest.tied_length is not None:
        return (
            f"{closest.length} and {closest.tied_length} are equally close to {length}: a tie, and "
            "the shorter one counts."
        )
    if len([each for each in closest.lengths if each is not None]) == 1:
        return "There is one reference, so its length counts."
    return (
        f"{closest.length} is closest to {length}, so it counts, whichever reference the n-grams "
        "matched."
    )


def _rows(closest: ClosestLength, length: int) -> list[tuple[str | int, ...]]:
    rows: list[tuple[str | int, ...]] = []
    for place, own in enumerate(closest.lengths):
        if own is None:
            rows.append((f"{place + 1}", "missing", "", ""))
            continue
        sign = "◀ counts" if place == closest.reference else ""
        if own == closest.tied_length:
            sign = "tied, longer"
        rows.append((f"{place + 1}", own, abs(own - length), sign))
    return rows
