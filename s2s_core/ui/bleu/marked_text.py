"""The n-grams of one segment as buttons in the browser; a click on one shows it everywhere."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from s2s_core.metrics.ngrams import occurrence_fates
from s2s_core.metrics.report import SegmentReport
from s2s_core.ui import state
from s2s_core.ui.bleu.fields import POSITION

MAXIMUM_CHIPS = 400
_KEY = "marked_text"


def _asset(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


_component = st.components.v2.component(
    "seq2seq_marked_text",
    html=_asset("marked_text.html"),
    css=_asset("marked_text.css"),
    js=_asset("marked_text.js"),
)


def draw(segment: SegmentReport, order: int, chosen: int | None) -> None:
    """Draw the segment's n-grams of one order.

    chosen: the first token of the chosen n-gram, from 0, or None. A click sets `POSITION`.
    """
    _component(
        key=_KEY, data=payload(segment, order, chosen), on_chosen_change=_take, height="content"
    )


def payload(segment: SegmentReport, order: int, chosen: int | None) -> dict[str, object]:
    """What the browser gets: tokens, the fate of each n-gram, references, and the choice."""
    fates = occurrence_fates(segment.tokens, segment.reference_tokens, order)
    return {
        "title": f"Hypothesis, as {len(segment.tokens):,} tokens",
        "tokens": segment.tokens,
        "fates": fates[:MAXIMUM_CHIPS],
        "total": len(fates),
        "order": order,
        "chosen": chosen,
        "references": [
            {"title": f"Reference {place}, {len(tokens):,} tokens", "tokens": tokens}
            for place, tokens in enumerate(segment.reference_tokens, start=1)
            if tokens is not None
        ],
    }


def _take() -> None:
    """Choose the n-gram that was clicked; a click on the chosen one lets it go."""
    chosen = st.session_state[_KEY].get("chosen")
    if chosen:
        state.put(POSITION, None if chosen["start"] is None else int(chosen["start"]) + 1)
