"""The ranking in pictures and tables, and what the penalty does to each length."""

from __future__ import annotations

import streamlit as st

from s2s_core.figures.penalty_curve import penalty_curve_alt, penalty_curve_figure
from s2s_core.figures.ranking import ranking_alt, ranking_figure
from s2s_core.figures.theme import minus
from s2s_core.search.config import MAX_LENGTH
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.penalty_shape import penalty_curve
from s2s_core.search.rank_entries import Recounted, rank
from s2s_core.search.ranking import RankingCurve, ranking_curve
from s2s_core.ui import charts, literal, shell, state
from s2s_core.ui.length import tables
from s2s_core.ui.length.link import COUNT, CROSSINGS, parameter_field, parameter_option
from s2s_core.ui.tables import shown

_LENGTHS = 20
_MOST_SHOWN = 200
_COUNTS = {
    "with EOS": "L is the number of generated tokens, the end token (EOS) counted.",
    "without EOS": "L is the number of visible tokens: the end token (EOS) isn't counted.",
    "with BOS and EOS": "L counts the end token (EOS) and the start token (BOS) as well.",
}


def draw(found: Recounted, penalty: LengthPenalty) -> RankingCurve | None:
    """Draw everything that moves with the penalty; None if nothing is left to rank.

    found: with L counted in the chosen way.
    """
    if found.left_out:
        literal.show(
            f"Left out: {len(found.left_out)} empty output without any token that counts. Its L "
            "would be 0, and a division by 0 has no result.",
            look="body",
        )
    if not found.entries:
        st.info("Nothing is left to rank.", icon=":material/info:")
        return None
    option = parameter_option(type(penalty))
    curve = ranking_curve(found.entries, type(penalty), option.minimum, option.maximum)
    value = state.get(parameter_field(type(penalty)))
    picture, story = st.columns([3, 2], gap="medium")
    with picture:
        charts.draw(
            ranking_figure(curve, value, theme=shell.theme()),
            key="ranking_chart",
            alt=ranking_alt(curve, value),
        )
    with story:
        _draw_story(curve, penalty)
    _draw_tables(curve, penalty)
    return curve


def _draw_story(curve: RankingCurve, penalty: LengthPenalty) -> None:
    """Who wins, the formula, and its curve against L."""
    best = rank(curve.entries, penalty)[0].entry
    literal.show(f"Rank 1: {tables.shown(best.text)}", look="second")
    sum_ = penalty.arithmetic(best.log_prob, best.length)
    literal.show(minus(f"score {sum_}"), look="body")
    st.latex(f"{penalty.latex}")
    literal.show(f"{_COUNTS[state.get(COUNT)]} Formula: {penalty.source}.", look="small")
    lengths = {entry.length for entry in curve.entries}
    longest = min(max(_LENGTHS, *lengths), MAX_LENGTH.maximum)
    of_length = penalty_curve(penalty, range(1, longest + 1))
    charts.draw(
        penalty_curve_figure(of_length, marked=lengths, theme=shell.theme()),
        key="penalty_chart",
        alt=penalty_curve_alt(of_length),
    )


def _draw_tables(curve: RankingCurve, penalty: LengthPenalty) -> None:
    ranked, won = st.columns([3, 2], gap="medium")
    with ranked:
        st.markdown("**Ranking**")
        st.dataframe(
            shown(tables.ranking(curve.entries, penalty, most=_MOST_SHOWN), decimals=4),
            hide_index=True,
            key="ranking_table",
            alt="Hypotheses, best first",
        )
        if len(curve.entries) > _MOST_SHOWN:
            st.caption(f"The best {_MOST_SHOWN} of {len(curve.entries):,}; the CSV file has all.")
    with won:
        name = curve.family.parameter_name
        st.markdown(f"**Who ranks first at which {name}**" if name else "**Who ranks first**")
        st.dataframe(
            shown(tables.winners(curve), decimals=4),
            hide_index=True,
            key="winners_table",
            alt="Which hypothesis ranks first on which interval",
        )
        if name:
            _draw_crossings(curve, penalty, name)


def _draw_crossings(curve: RankingCurve, penalty: LengthPenalty, name: str) -> None:
    """Every crossing; found only where they are looked at, since there can be hundreds."""
    place = st.expander("All crossings of the best", key=CROSSINGS.name, on_change="rerun")
    if place.open:
        with place:
            st.dataframe(
                shown(tables.crossings(curve, penalty), decimals=4),
                hide_index=True,
                key="crossings_table",
                alt="Where two hypotheses change places",
            )
