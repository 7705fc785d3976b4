"""Weights replaced by uniform, shuffled or hand-set ones, and the prediction that follows."""

from __future__ import annotations

import math

import pandas as pd
import streamlit as st

from s2s_core.figures.theme import percent, signed
from s2s_core.models.replacement import Swap, Swaps
from s2s_core.ui import literal, state
from s2s_core.ui.attention.link import EVERYWHERE, SEED, SEED_OPTION, SINGLES, YOURS
from s2s_core.ui.attention.model_run import ExplanationScreen, opened, target_request
from s2s_core.ui.link import LinkValues

_BASE = "_yours_table"
_COLUMNS = ("weights", "P of the token", "loses (nats)", "moves by", "most probable now")
_TOLD = 3  # tokens of each prediction
_NAMES = {"own": "the model's own", "uniform": "uniform", "shuffled": "shuffled", "yours": "yours"}


def usable(values: LinkValues) -> LinkValues:
    """The values, without weights set by hand that are all 0: they are said to be, and not used.

    Weights that don't fit the source's tokens are refused.
    """
    yours = values.get(YOURS)
    if not yours:
        return values
    count = len(opened(target_request(values))[0].source_tokens)
    if len(yours) != count or min(yours) < 0:
        state.refuse(YOURS, f"{count} numbers of at least 0, one for each source token")
    return values if any(yours) else values.replace(YOURS, ())


def draw(screen: ExplanationScreen) -> None:
    """Draw the table of weights to set, and what each choice of weights predicts."""
    st.markdown("**Put other weights in: does the prediction follow?**")
    setting, telling = st.columns([2, 3], gap="medium")
    with setting:
        _draw_editor(screen)
    with telling:
        swaps = screen.swaps
        literal.table(
            _COLUMNS,
            [_row(swap, _NAMES[swap.name]) for swap in swaps.named],
        )
        literal.show(positions_story(swaps))
        shuffling, scope = st.columns([1, 2], vertical_alignment="bottom")
        shuffling.number_input(
            "Seed", SEED_OPTION.minimum, SEED_OPTION.maximum, key=SEED.name, help=SEED_OPTION.help
        )
        scope.toggle(
            "In every layer and head",
            key=EVERYWHERE.name,
            help="Off: only in the layer and head that are shown.",
        )
        st.caption(
            "“Moves by” is the total variation distance from the model's own distribution: 0 % is "
            "the same, 100 % nothing in common."
        )


def draw_singles(swaps: Swaps) -> None:
    """Draw what follows with all weight on one position, each in turn."""
    place = st.expander(
        "All weight on one position, each in turn", key=SINGLES.name, on_change="rerun"
    )
    if not place.open:
        return
    first = swaps.own.prediction.top[0].token
    with place:
        literal.table(
            ("all weight on", *_COLUMNS[1:]),
            [_row(swap, swaps.source_tokens[swap.position or 0]) for swap in swaps.positions],
            marked=[
                row
                for row, swap in enumerate(swaps.positions)
                if swap.prediction.top[0].token == first
            ],
        )
        st.caption("Bold: the most probable token is that of the model's own weights.")


def positions_story(swaps: Swaps) -> str:
    """How often a single position is enough for the same most probable token."""
    first = swaps.own.prediction.top[0].token
    same = [swap for swap in swaps.positions if swap.prediction.top[0].token == first]
    tokens = ", ".join(swaps.source_tokens[swap.position or 0] for swap in same)
    told = f": on {tokens}" if same else ""
    return (
        f"With all weight on one position, the most probable token stays {first} for {len(same)} "
        f"of {len(swaps.positions)} positions{told}."
    )


def swaps_frame(swaps: Swaps) -> pd.DataFrame:
    """A row for each choice of weights."""
    return pd.DataFrame(
        {
            "step": swaps.step,
            "weights": swap.name if swap.position is None else f"all on {swap.position}",
            "probability": math.exp(swap.prediction.log_prob),
            "log-probability": swap.prediction.log_prob,
            "drop (nats)": swap.drop,
            "distance": swap.distance,
            "most probable": swap.prediction.top[0].token,
            **{f"weight {place}": weight for place, weight in enumerate(swap.weights)},
        }
        for swap in (*swaps.named, *swaps.positions)
    )


def weights_frame(screen: ExplanationScreen) -> pd.DataFrame:
    """A row for each source token: the model's weight, and the one set by hand."""
    own = screen.swaps.own.weights
    given = state.get(YOURS)
    return pd.DataFrame(
        {
            "source": screen.occlusion.source_tokens,
            "its own": [f"{weight:.4f}" for weight in own],
            "yours": list(given) if given else [round(weight, 4) for weight in own],
        }
    )


def _row(swap: Swap, name: str) -> tuple[str, ...]:
    chances = " · ".join(
        f"{each.token} {percent(each.probability)}" for each in swap.prediction.top[:_TOLD]
    )
    probability = math.exp(swap.prediction.log_prob)
    drop = 0.0 if abs(swap.drop) < 5e-5 else swap.drop
    return (
        name,
        percent(min(1.0, probability)),
        signed(drop),
        percent(min(1.0, swap.distance)),
        chances,
    )


def _draw_editor(screen: ExplanationScreen) -> None:
    frame = weights_frame(screen)
    base: tuple[pd.DataFrame, pd.DataFrame, int]
    base = st.session_state.get(_BASE, (frame, pd.DataFrame(), 0))
    if not frame.equals(base[1]):
        base = (frame, frame, base[2] + 1)
    edited = st.data_editor(
        base[0],
        hide_index=True,
        key=f"yours_{base[2]}",
        disabled=["source", "its own"],
        column_config={
            "yours": st.column_config.NumberColumn(min_value=0.0, max_value=1000.0, format="%.4g")
        },
        alt="Weights of the source tokens, to be set by hand",
    )
    st.session_state[_BASE] = (base[0], edited, base[2])
    given = tuple(map(float, edited["yours"].fillna(0.0)))
    if given != tuple(frame["yours"]):
        state.put(YOURS, given)
        st.rerun()
    st.caption("Change a number; what doesn't sum to 1 is divided by its sum.")
    yours = state.get(YOURS)
    if yours:
        if not any(yours):
            st.warning("All weights are 0: make one larger.", icon=":material/info:")
        st.button("Back to its own", key="yours_back", on_click=state.reset, args=((YOURS,),))
