"""Decoding again with the penalty that ranks now, and what that changed in the pool."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from s2s_core.figures.theme import minus
from s2s_core.search.config import STOP_RULES, SearchRequest
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.pool_change import pool_changes
from s2s_core.search.rank_entries import rank
from s2s_core.search.ranking import RankEntry
from s2s_core.search.trace import BeamTrace
from s2s_core.ui import cached, literal, state
from s2s_core.ui.decode.link import DECODING_OPTIONS
from s2s_core.ui.length import tables
from s2s_core.ui.length.link import (
    BEFORE,
    DECODED,
    FIELDS,
    LIST,
    SENTENCE,
    STOP,
    decoding_request,
    family_of,
    parameter_field,
)
from s2s_core.ui.tables import shown


def draw(entries: Sequence[RankEntry], penalty: LengthPenalty) -> None:
    """Draw the button, and the two pools if it was pressed.

    entries: of the exhaustive search, with L as the search counts it.
    """
    st.markdown("**Decode again**")
    if state.get(LIST) != SENTENCE:
        literal.show("Only a sentence and a model can be decoded again.", look="small")
        return
    value = 0.0 if penalty.parameter is None else penalty.parameter
    name = penalty.parameter_name or "alpha"
    option = DECODING_OPTIONS[name]
    refused = not option.minimum <= value <= option.maximum
    rule, button = st.columns([1, 3], vertical_alignment="bottom")
    rule.selectbox("Stop rule", tuple(STOP_RULES), key=STOP.name, help=_stop_help())
    with button:
        told = f"with {penalty.parameter_name} {value:g}" if penalty.parameter_name else ""
        st.button(
            minus(f"Decode again {told}".strip()),
            key="decode_again",
            disabled=refused,
            on_click=_again,
            args=(value,),
        )
    if refused:
        literal.show(
            f"A search takes {name} from {option.minimum:g} to {option.maximum:g}: below 0, longer "
            "outputs would be punished twice, and no stop rule could tell when to stop. Ranking "
            "goes lower.",
            look="small",
        )
    decoded = state.get(DECODED)
    if decoded is not None:
        _draw_change(decoded, entries)


def _stop_help() -> str:
    return "\n".join(f"- **{rule}**: {text}" for rule, text in STOP_RULES.items())


def _again(value: float) -> None:
    decoded = state.get(DECODED)
    if decoded != value:
        state.put(BEFORE, decoded)
    state.put(DECODED, value)


def _requests(decoded: float) -> tuple[SearchRequest, SearchRequest]:
    """The search before and the one after; without one before, that with the default number."""
    values = state.read(FIELDS)
    family = family_of(values)
    option = DECODING_OPTIONS[parameter_field(family).name]
    if family.parameter_name:
        for field in (DECODED, BEFORE):
            value = state.get(field)
            if value is not None and not option.minimum <= value <= option.maximum:
                state.refuse(field, f"{option.minimum:g} to {option.maximum:g} with this penalty")
    before = state.get(BEFORE)
    first = option.default if before is None else before
    return decoding_request(values, first), decoding_request(values, decoded)


def _draw_change(decoded: float, entries: Sequence[RankEntry]) -> None:
    first, second = _requests(decoded)
    before, after = cached.search(first), cached.search(second)
    old, new = (_named(trace.request.config.length_penalty) for trace in (before, after))
    found = pool_changes(before, after)
    changed = [each for each in found if each.what != "same"]
    literal.show(
        f"The pool {new} against the pool {old}: "
        + (f"{len(changed)} of {len(found)} hypotheses moved." if changed else "nothing changed."),
        look="body",
    )
    st.dataframe(
        shown(tables.changes(found), decimals=4),
        hide_index=True,
        key="changes_table",
        alt="What became of each hypothesis of the two pools",
    )
    literal.show(_against_ranking(after, entries), look="small")


def _named(penalty: LengthPenalty) -> str:
    if penalty.parameter_name is None:
        return "without a penalty"
    return minus(f"with {penalty.parameter_name} {penalty.parameter:g}")


def _against_ranking(after: BeamTrace, entries: Sequence[RankEntry]) -> str:
    """Whether ranking again had said the same, hypothesis by hypothesis."""
    pool = [(h.text, h.length) for h in after.pool()]
    ranked = rank(entries, after.request.config.length_penalty)[: len(pool)]
    same = 0
    for (text, length), item in zip(pool, ranked, strict=True):
        if (text, length) != (item.entry.text, item.entry.length):
            break
        same += 1
    rule = after.request.config.stop_rule
    if same == len(pool):
        return f"Ranking again had given this list of {same}, in this order, without a search."
    if same:
        return (
            f"Ranking again gives the same up to rank {same}. The rule “{rule}” stops sooner, so "
            "what comes later in this list may be other."
        )
    return f"Ranking again gives another rank 1: the rule “{rule}” stopped before it was found."
