"""Train a small network while one watches: what does it learn within a minute?"""

from __future__ import annotations

import streamlit as st

from s2s_core.ui import literal, shell, state
from s2s_core.ui.exercises import progress
from s2s_core.ui.exercises.facts import Trained
from s2s_core.ui.training.live import compare, controls, kept_runs, running
from s2s_core.ui.training.live.kept_runs import KeptRun, on_show, session, trying
from s2s_core.ui.training.live.link import LIVE_FIELDS, live_config


def draw() -> None:
    """Draw controls, buttons, the run that goes on, and all runs of the session side by side."""
    running.renew()  # before the rest is drawn, which may take its time
    state.hold(LIVE_FIELDS)
    st.markdown("**What does a network learn within a minute, and where does it learn to look?**")
    controls.draw(_draw_buttons)
    if problem := kept_runs.problem():
        st.error(literal.code(shell.as_sentence(problem)), icon=":material/error:")
    runs = session().runs
    progress.watch(Trained(tuple(kept.so_far for kept in runs if kept.reports)))
    running.draw(on_show())
    compare.draw(runs)


def _draw_buttons() -> None:
    active, shown = session().active, on_show()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
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
            on_click=kept_runs.stop,
        )
        st.button(
            "Continue",
            icon=":material/resume:",
            disabled=active is not None or shown is None or not _can_go_on(shown),
            on_click=trying(kept_runs.go_on, shown.number if shown else 0),
            help="Trains the run on show further, from the weights that it has now.",
        )


def _can_go_on(kept: KeptRun) -> bool:
    return kept.run is not None and kept.run.can_go_on and kept.ending != "failed"


def _start() -> None:
    kept_runs.start(live_config(state.read(LIVE_FIELDS)))
