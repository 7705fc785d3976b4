"""Train a small network while one watches: what does it learn within a minute?"""

from __future__ import annotations

import streamlit as st

from s2s_core.ui import literal, shell, state
from s2s_core.ui.training import live_compare, live_controls, live_progress, live_runs
from s2s_core.ui.training.live_link import LIVE_FIELDS, live_config
from s2s_core.ui.training.live_runs import KeptRun, session, trying

_SHOWN = "live_shown"


def draw() -> None:
    """Draw controls, buttons, the run that goes on, and all runs of the session side by side."""
    live_progress.renew()  # before the rest is drawn, which may take its time
    st.markdown("**What does a network learn within a minute, and where does it learn to look?**")
    live_controls.draw()
    _draw_buttons()
    if problem := live_runs.problem():
        st.error(literal.code(shell.as_sentence(problem)), icon=":material/error:")
    shown = _chosen()
    if shown is None:
        st.caption(
            "Press Train. The network starts with random weights and sees fresh strings at every "
            "step; what is measured are strings that are never trained on. With attention, watch "
            "the map: when the task is to write backwards, the weights turn to the diagonal from "
            "bottom left to top right."
        )
    live_progress.draw(shown)
    live_compare.draw(session().runs)


def _draw_buttons() -> None:
    here = session()
    active, shown = here.active, _chosen()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            "Train",
            type="primary",
            icon=":material/play_arrow:",
            disabled=active is not None,
            on_click=trying(_start),
        )
        st.button(
            "Stop",
            icon=":material/stop:",
            disabled=active is None,
            on_click=live_runs.stop,
        )
        st.button(
            "Continue",
            icon=":material/resume:",
            disabled=active is not None
            or shown is None
            or shown.run is None
            or not shown.run.can_go_on
            or shown.ending == "failed",
            on_click=trying(live_runs.go_on, shown.number if shown else 0),
            help="Trains the run on show further, from the weights that it has now.",
        )
        if len(here.runs) > 1:
            titles = {kept.number: kept.title for kept in reversed(here.runs)}
            st.selectbox(
                "Run on show",
                titles,
                key=_SHOWN,
                format_func=lambda number: titles.get(number, ""),
                label_visibility="collapsed",
            )


def _start() -> None:
    live_runs.start(live_config(state.read(LIVE_FIELDS)))
    st.session_state.pop(_SHOWN, None)  # the new run is the one on show


def _chosen() -> KeptRun | None:
    """The run on show: the one that goes on, else the chosen one, else the newest."""
    here = session()
    chosen = here.by_number(st.session_state.get(_SHOWN, 0))
    return here.active or chosen or (here.runs[-1] if here.runs else None)
