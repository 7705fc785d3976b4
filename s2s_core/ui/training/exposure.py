"""Right tokens by position, after the true prefix and after the model's own."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from s2s_core.figures.exposure import (
    EXPOSURE_AXES,
    arithmetic_axes,
    arithmetic_lines,
    exposure_lines,
)
from s2s_core.figures.lines import Axes, Line, lines_alt, lines_figure
from s2s_core.figures.theme import percent
from s2s_core.models.card import CheckpointCard
from s2s_core.models.families import task_of, trained_to
from s2s_core.training.lessons.exposure import Exposure, wilson_interval
from s2s_core.ui import cached, charts, literal, saving, shell, state
from s2s_core.ui.training import results
from s2s_core.ui.training.choose import settle
from s2s_core.ui.training.link import (
    ACCURACY,
    EXPOSED,
    FAMILY,
    FIELDS,
    LENGTH,
    LENGTH_OPTION,
    TOKENS,
    TOKENS_OPTION,
    P,
)

_PLACE = (
    "A token counts as right only at the reference's own place: a translation that says the same "
    "one word later has all of it wrong."
)


def draw() -> None:
    """Draw the measurement, the family's table, and the arithmetic beside them.

    Raises:
        CheckpointError: the model can't be read.
    """
    st.markdown("**Trained on true prefixes: how well does a model go on from its own?**")
    measured, arithmetic = st.columns([5, 3], gap="large")
    with measured:
        _draw_measured()
    with arithmetic:
        _draw_arithmetic()


def headline(exposure: Exposure) -> str:
    """Both shares and what follows a mistake, in a sentence."""
    text = (
        f"Right tokens: {percent(exposure.forced_share)} after the true prefix, "
        f"{percent(exposure.free_share)} after its own."
    )
    spotless = exposure.whole == exposure.targets
    return f"{text} No mistake, so nothing to tell apart." if spotless else text


def exposure_frame(exposure: Exposure) -> pd.DataFrame:
    """One row a position, with 95 % intervals."""
    rows = []
    for each in exposure.positions:
        forced, free = (wilson_interval(n, each.count) for n in (each.forced, each.free))
        rows.append(
            {
                "position": each.position,
                "targets": each.count,
                "right after the true prefix": each.forced,
                "low": forced[0],
                "high": forced[1],
                "right after its own": each.free,
                "low of its own": free[0],
                "high of its own": free[1],
            }
        )
    return pd.DataFrame(rows)


def later_line(exposure: Exposure) -> str:
    """What happens behind the first mistake, and the whole targets."""
    whole = f"Right as a whole, in both ways: {exposure.whole} of {exposure.targets} targets"
    if not exposure.later:
        return f"{whole}."
    forced, free = (n / exposure.later for n in (exposure.later_forced, exposure.later_free))
    return (
        f"Behind the first mistake of each target stand {exposure.later:,} tokens: "
        f"{percent(forced)} of them are right after the true prefix, {percent(free)} after its "
        f"own. {whole}, because up to the first mistake both read the same."
    )


def _draw_measured() -> None:
    names = results.exposed_names()
    if not names:
        literal.show("No model is here of which something was measured.")
        return
    settle(EXPOSED, names)
    cards = cached.cards()
    st.selectbox("Model", names, key=EXPOSED.name, format_func=lambda name: cards[name].title)
    toy = task_of(cards[state.get(EXPOSED)]) is not None
    if toy:
        st.slider(
            f"Digits in each string{_trained(cards[state.get(EXPOSED)])}",
            LENGTH_OPTION.minimum,
            LENGTH_OPTION.maximum,
            key=LENGTH.name,
        )
    found = results.exposure(state.read(FIELDS))
    if found is None:
        return
    exposure, data = found
    literal.show(headline(exposure), look="translation")
    _draw_lines("by position", exposure_lines(exposure), EXPOSURE_AXES)
    literal.show(later_line(exposure))
    place = "" if toy else f" {_PLACE}"
    literal.show(
        f"{data}; greedy search; the last token is the end token. Bars are 95 % intervals "
        "(Wilson). A gap is a mismatch of prefixes, and not the reason of every repeated word "
        "(Bengio et al. 2015, arXiv:1506.03099)."
        f"{place}",
        look="small",
    )
    saving.table("Tokens by position", lambda: exposure_frame(exposure))
    if toy:
        st.toggle("All models that reverse digits, at this length", key=FAMILY.name)
        if state.get(FAMILY):
            _draw_family()


def _trained(card: CheckpointCard) -> str:
    longest = trained_to(card)
    return "" if longest is None else f"; it was trained on up to {longest}"


def _draw_family() -> None:
    rows = []
    for card in results.reversal_cards():
        each = results.reversal_exposure(card.name, state.get(LENGTH))
        rows.append(
            (
                card.title,
                percent(each.forced_share),
                percent(each.free_share),
                f"{each.whole} of {each.targets}",
                percent(each.forced_share ** (state.get(LENGTH) + 1)),
            )
        )
    literal.table(
        ("model", "true prefix", "own prefix", "whole strings", "p^T, arithmetic"),
        rows,
        caption=f"Right tokens, strings of {state.get(LENGTH)} digits and their end",
    )


def _draw_arithmetic() -> None:
    st.markdown("**Beside it: arithmetic for independent tokens, not a measurement**")
    st.slider(
        "p: one token is right",
        ACCURACY.minimum,
        ACCURACY.maximum,
        step=ACCURACY.step,
        key=P.name,
    )
    st.slider("T: tokens", TOKENS_OPTION.minimum, TOKENS_OPTION.maximum, key=TOKENS.name)
    p, count = state.get(P), state.get(TOKENS)
    literal.show(
        f"{p:g}^{count} = {results.arithmetic(state.read(FIELDS)):.4f}", look="translation"
    )
    _draw_lines("arithmetic", arithmetic_lines(p, count), arithmetic_axes(count))
    st.caption(
        "If each of T tokens were right with probability p and none knew of the others, all would "
        "be right with probability p to the power of T. Real tokens depend on one another, so "
        "this says nothing about exposure bias; compare it with the whole targets measured."
    )


def _draw_lines(name: str, lines: tuple[Line, ...], axes: Axes) -> None:
    charts.draw(
        lines_figure(lines, axes, theme=shell.theme()),
        key=f"exposure-{name.split()[-1]}",
        alt=lines_alt(lines, axes),
    )
