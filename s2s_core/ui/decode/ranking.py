"""The hypotheses, ranked again for another length penalty without any model call."""

from __future__ import annotations

import streamlit as st

from s2s_core.figures.ranking import ranking_alt, ranking_caption, ranking_figure
from s2s_core.figures.theme import minus
from s2s_core.search.length_penalty import (
    LENGTH_PENALTIES,
    LengthPenalty,
    NoPenalty,
    PowerPenalty,
)
from s2s_core.search.ranking import ranking_curve
from s2s_core.search.rerank import entries_of, is_exact
from s2s_core.search.trace import BeamTrace
from s2s_core.ui import charts, literal, shell, state, tables
from s2s_core.ui.decode.link import (
    DECODING_OPTIONS,
    PENALTY,
    RANK_ALPHA,
    RANK_REWARD,
    parameter_field,
    ranking_field,
    ranking_option,
)

_SLIDER = "ranking"
_BELOW_ZERO = {
    "alpha": "Below 0, alpha punishes length: log P is multiplied instead of divided, so each "
    "further token costs more, and short translations rise.",
    "gamma": "Below 0, gamma takes something off for each token, so short translations rise.",
}


def draw(trace: BeamTrace, penalty: LengthPenalty) -> None:
    """Draw the slider, the ranking as a picture, and the table of hypotheses.

    penalty: the one that ranks now, from the fields.
    """
    family = _family(trace)
    picture, story = st.columns([3, 2], gap="medium")
    with picture:
        value = _draw_slider(trace, family, penalty)
        if value < 0:
            st.caption(_BELOW_ZERO[family.parameter_name or "alpha"])
        option = ranking_option(family)
        curve = ranking_curve(entries_of(trace), family, option.minimum, option.maximum)
        charts.draw(
            ranking_figure(curve, value, theme=shell.theme()),
            key="ranking_chart",
            alt=ranking_alt(curve, value),
        )
        st.caption(ranking_caption(curve, value))
    with story:
        _draw_story(trace, penalty, family, value)
    _draw_table(trace, penalty)


def _family(trace: BeamTrace) -> type[LengthPenalty]:
    used = trace.request.config.length_penalty
    return PowerPenalty if isinstance(used, NoPenalty) else type(used)


def _draw_slider(trace: BeamTrace, family: type[LengthPenalty], penalty: LengthPenalty) -> float:
    option = ranking_option(family)
    shown = 0.0 if penalty.parameter is None else penalty.parameter
    state.follow(_SLIDER, shown)
    st.slider(
        f"Rank with {family.parameter_name}",
        option.minimum,
        option.maximum,
        step=option.step,
        key=_SLIDER,
        help=option.help,
        on_change=_take_slider,
        args=(ranking_field(family).name, trace.request.config.length_penalty.parameter or 0.0),
    )
    return shown


def _take_slider(name: str, searched: float) -> None:
    field = RANK_REWARD if name == RANK_REWARD.name else RANK_ALPHA
    value = round(float(st.session_state[_SLIDER]), 10)
    state.put(field, None if value == searched else value)


def _draw_story(
    trace: BeamTrace, penalty: LengthPenalty, family: type[LengthPenalty], value: float
) -> None:
    """Say who wins, whether that is what a new search would find, and offer that search."""
    best = trace.hypothesis(trace.ranked_ids(penalty)[0], penalty)
    literal.show(f"Rank 1: {best.text}", look="second")
    st.latex(f"{family.latex}")
    literal.show(minus(penalty.arithmetic(best.log_prob, best.length)), look="body")
    exactness = is_exact(trace, penalty)
    sign = ":material/check:" if exactness.exact else ":material/help:"
    st.markdown(f"{sign} {literal.code(minus(exactness.reason))}")
    option = DECODING_OPTIONS[parameter_field(family).name]
    searched = trace.request.config.length_penalty == penalty
    refused = not option.minimum <= value <= option.maximum
    st.button(
        minus(f"Decode again with {family.parameter_name} {value:g}"),
        disabled=searched or refused,
        on_click=_decode_again,
        args=(family.name, value),
    )
    if refused:
        literal.show(
            f"A search takes {family.parameter_name} from {option.minimum:g} to "
            f"{option.maximum:g}: below 0, longer translations would be punished twice, and no "
            "stop rule could tell when to stop.",
            look="small",
        )


def _decode_again(family: str, value: float) -> None:
    state.put(PENALTY, family)
    state.put(parameter_field(LENGTH_PENALTIES[family]), value)
    state.reset((RANK_ALPHA, RANK_REWARD))


def _draw_table(trace: BeamTrace, penalty: LengthPenalty) -> None:
    frame = tables.hypotheses(trace, penalty).drop(columns=["finished", "node"])
    st.dataframe(
        tables.shown(frame), hide_index=True, key="hypotheses", alt="Hypotheses, best first"
    )
