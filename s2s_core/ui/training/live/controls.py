"""What a small run is made of: task, network, size, rate, inputs, budget, seed."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from s2s_core.text.tasks import TASKS
from s2s_core.training.live.config import (
    HALF,
    LENGTH,
    LIVE_MODELS,
    RATE,
    SECONDS,
    SEED,
    SHARE,
    STEPS,
    WIDTH,
    WIDTH_STEP,
)
from s2s_core.training.schedules import ARGMAX, CONSTANT, PREDICTIONS, SCHEDULES
from s2s_core.ui import state
from s2s_core.ui.training.live.link import (
    BUDGET,
    DIGITS,
    FALLS_AT,
    LEARNING_RATE,
    LIMIT,
    MIXED,
    NET,
    NET_WIDTH,
    OWN_TOKEN,
    READS,
    START,
    TASK,
    TRUE_SHARE,
)

_TASK_TITLES = {"reverse": "Write it backwards", "copy": "Copy it", "sort": "Sort it"}
_SCHEDULE_TITLES = {
    CONSTANT: "A fixed share of true tokens",
    "linear": "Fewer and fewer: linear",
    "exponential": "Fewer and fewer: exponential",
    "inverse_sigmoid": "Fewer and fewer: inverse sigmoid",
}
_OWN_TITLES = {ARGMAX: "the most probable", "sample": "drawn by chance"}
_READS_HELP = (
    "In training the decoder reads the tokens before the one it is asked for. Teacher forcing: "
    "always the true ones (share 1). Scheduled sampling (Bengio et al. 2015): a coin decides at "
    "each position whether it reads the true token or its own. That is another aim than making "
    "the data likely (Huszár 2015), so nothing promises that it helps."
)
_RATE_HELP = f"{RATE.help} Too high, and the loss jumps about; too low, and little happens."


def draw(draw_buttons: Callable[[], None]) -> None:
    """Draw all controls in two rows; they count for the next run, not for the one under way.

    draw_buttons: fills the end of the first row.
    """
    net, task, digits, mixed, buttons = st.columns(
        [1.5, 1.15, 1.1, 0.95, 2], vertical_alignment="bottom"
    )
    net.selectbox(
        "Network", LIVE_MODELS, key=NET.name, format_func=lambda name: LIVE_MODELS[name].title
    )
    task.selectbox(
        "Task",
        TASKS,
        key=TASK.name,
        format_func=lambda name: _TASK_TITLES.get(name, name.capitalize()),
        help="A string of digits is the source. What shall the network make of it?",
    )
    digits.slider(
        "Digits", LENGTH.minimum, LENGTH.maximum, key=DIGITS.name, help="Length of the strings."
    )
    mixed.toggle("and all shorter", key=MIXED.name, help="Train on 1 digit up to this length.")
    with buttons:
        draw_buttons()
    reads, *numbers = st.columns([1.6, 1.2, 1, 1, 1, 1, 1], vertical_alignment="bottom")
    reads.selectbox(
        "The decoder reads",
        SCHEDULES,
        key=READS.name,
        format_func=lambda name: _SCHEDULE_TITLES.get(name, name),
        help=_READS_HELP,
    )
    with numbers[0]:
        _draw_share()
    numbers[1].number_input(
        "Width",
        WIDTH.minimum,
        WIDTH.maximum,
        step=WIDTH_STEP,
        key=NET_WIDTH.name,
        help=WIDTH.help,
        on_change=_round_width,
    )
    numbers[2].number_input(
        "Learning rate",
        RATE.minimum,
        RATE.maximum,
        step=RATE.step,
        format="%.4f",
        key=LEARNING_RATE.name,
        help=_RATE_HELP,
    )
    numbers[3].number_input(
        "Steps", STEPS.minimum, STEPS.maximum, step=50, key=BUDGET.name, help=STEPS.help
    )
    numbers[4].number_input(
        "Seconds", SECONDS.minimum, SECONDS.maximum, step=5, key=LIMIT.name, help=SECONDS.help
    )
    numbers[5].number_input("Seed", SEED.minimum, SEED.maximum, key=START.name, help=SEED.help)


def _draw_share() -> None:
    """The number that belongs to the schedule; and how the decoder's own token is found."""
    if state.get(READS) == CONSTANT:
        st.slider("True tokens", SHARE.minimum, SHARE.maximum, step=SHARE.step, key=TRUE_SHARE.name)
        own = state.get(TRUE_SHARE) < 1
    else:
        st.number_input(
            "Half at step", HALF.minimum, HALF.maximum, step=10, key=FALLS_AT.name, help=HALF.help
        )
        own = True
    if own:
        st.selectbox(
            "Its own token is",
            PREDICTIONS,
            key=OWN_TOKEN.name,
            format_func=lambda name: _OWN_TITLES.get(name, name),
        )


def _round_width() -> None:
    """A typed width becomes the nearest multiple."""
    state.put(NET_WIDTH, max(1, round(state.get(NET_WIDTH) / WIDTH_STEP)) * WIDTH_STEP)
