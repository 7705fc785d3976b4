"""Where the hypotheses come from: a search, a person's own table, or a published list."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from s2s_core.errors import SettingError
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.published import PUBLISHED_LISTS, PublishedList
from s2s_core.search.rank_entries import entries_from_rows, rank
from s2s_core.search.ranking import RankEntry
from s2s_core.ui import cached, literal, search_inputs, sentence, state
from s2s_core.ui.length.link import (
    AGAIN,
    BEAM,
    FIELDS,
    LIMIT,
    LIST,
    LISTS,
    MAXIMUM_ROWS,
    OWN,
    OWN_LIST,
    PENALTY,
    SENTENCE,
    OwnRow,
    exhaustive_request,
    parameter_field,
)

_COPIED = 20
_BASE = "_own_rows"  # what the editor started from, and which editor it is
_COLUMNS = ("hypothesis", "log P", "length L")


def draw() -> tuple[RankEntry, ...]:
    """Draw the choice and what belongs to it; returns the hypotheses with L counting EOS.

    Raises:
        ExplorerError: the source, a setting or a row can't be used.
    """
    names = {SENTENCE: "A sentence and a model", OWN_LIST: "Your own candidates"}
    names |= {name: each.title for name, each in PUBLISHED_LISTS.items()}
    st.segmented_control(
        "Hypotheses from",
        LISTS,
        key=LIST.name,
        required=True,
        format_func=names.__getitem__,
        on_change=_choose_list,
    )
    chosen = state.get(LIST)
    if chosen == SENTENCE:
        return _draw_sentence()
    if chosen == OWN_LIST:
        return _draw_own()
    published = PUBLISHED_LISTS[chosen]
    literal.show(f"{published.lesson} (Source: {published.source}.)", look="body")
    return published.entries


def draw_copy(entries: Sequence[RankEntry], penalty: LengthPenalty) -> None:
    """Offer to go on with the best of these as one's own candidates."""
    if state.get(LIST) != OWN_LIST:
        st.button(
            f"Copy the best {min(_COPIED, len(entries))} to edit them",
            key="copy_list",
            icon=":material/edit:",
            on_click=_copy,
            args=(tuple(item.entry for item in rank(entries, penalty)[:_COPIED]),),
        )


def _choose_list() -> None:
    """A published list starts with the penalty that it was published with."""
    state.reset(AGAIN)
    published = PUBLISHED_LISTS.get(state.get(LIST))
    if published:
        _take_penalty(published)


def _take_penalty(published: PublishedList) -> None:
    family = type(published.penalty)
    state.put(PENALTY, family.name)
    if published.penalty.parameter is not None:
        state.put(parameter_field(family), published.penalty.parameter)


def _copy(entries: tuple[RankEntry, ...]) -> None:
    state.put(OWN, tuple((entry.text, entry.log_prob, entry.length) for entry in entries))
    state.put(LIST, OWN_LIST)
    st.session_state.pop(_BASE, None)


def _draw_sentence() -> tuple[RankEntry, ...]:
    sentence.draw(forget=AGAIN)
    beam, limit, story = st.columns([1, 1, 5], gap="small", vertical_alignment="bottom")
    search_inputs.beam_size(beam, BEAM)
    search_inputs.max_length(limit, LIMIT, more="Empty: 2·S + 10 for S source tokens.")
    entries = cached.finished_entries(exhaustive_request(state.read(FIELDS)))
    with story:
        literal.show(
            f"{len(entries)} hypotheses: every one that ended in a search to the maximum length. "
            "A penalty that looks at the length alone changes nothing on the way there, so ranking "
            "them again gives what a new search to that length would give.",
            look="small",
        )
    return entries


def _draw_own() -> tuple[RankEntry, ...]:
    literal.show(
        "Text, log P (natural log, at most 0) and L (tokens, the end token counted, so at least "
        "1). Click a cell to change it; the last row adds one.",
        look="small",
    )
    rows = state.get(OWN)
    base: tuple[tuple[OwnRow, ...], tuple[OwnRow, ...], int]
    base = st.session_state.get(_BASE, ((), (), 0))
    if base[1] != rows:  # not what the editor gave last: a link, a file, or a copied list
        base = (rows, rows, base[2] + 1)
    edited = st.data_editor(
        pd.DataFrame(base[0], columns=list(_COLUMNS)).astype(
            {"hypothesis": "string", "log P": "float", "length L": "float"}
        ),
        num_rows="dynamic",
        hide_index=True,
        key=f"own_editor_{base[2]}",
        column_config={
            "hypothesis": st.column_config.TextColumn(width="large", default=""),
            "log P": st.column_config.NumberColumn(format="%.5f"),
            "length L": st.column_config.NumberColumn(format="%d"),
        },
        alt="Your own candidates",
    )
    given = _rows(edited)
    if len(given) > MAXIMUM_ROWS:
        raise SettingError(
            f"there are {len(given)} candidates, but at most {MAXIMUM_ROWS} are allowed: take "
            "some out"
        )
    st.session_state[_BASE] = (base[0], given, base[2])
    state.put(OWN, given)
    return entries_from_rows(given)


def _rows(frame: pd.DataFrame) -> tuple[OwnRow, ...]:
    """The rows of an edited frame; those without any value are left out."""
    rows = []
    for text, log_prob, length in frame.itertuples(index=False):
        row = ("" if pd.isna(text) else str(text), _value(log_prob), _value(length))
        if row != ("", None, None):
            rows.append(row)
    return tuple(rows)


def _value(number: float | None) -> float | None:
    if number is None or math.isnan(number):
        return None
    return int(number) if float(number).is_integer() else float(number)
