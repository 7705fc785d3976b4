"""How a run goes on, drawn anew every second while it trains or waits.

Each drawing also tells the server that somebody still looks: see `training.live.service`.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from s2s_core.training.live.recorded import recorded_run
from s2s_core.training.live.result import LiveReport
from s2s_core.training.live.service import LEASE, TRAINER, Standing
from s2s_core.ui import literal, shell, state
from s2s_core.ui.training.live import charts, kept_runs
from s2s_core.ui.training.live.kept_runs import KeptRun, session
from s2s_core.ui.training.live.link import NET

EVERY = 1.0  # seconds, while this session trains or waits
WATCHING = 5.0  # while somebody else trains
_LOOK_BACK = "live_look_back"
_ENDINGS = {
    "finished": "All steps, or all the time, are used up: Continue gives as much once more.",
    "stopped": "Stopped: Continue goes on from here.",
    "left": f"Stopped, since nothing was heard from this page for {LEASE:.0f} seconds: Continue "
    "goes on from here.",
    "failed": "The run broke off.",
}


def draw(shown: KeptRun | None) -> None:
    """Draw how a run stands, as a part of the page that renews itself while something goes on."""
    mine, taken = session().active is not None, TRAINER.standing().step is not None
    part = st.fragment(_draw, run_every=EVERY if mine else WATCHING if taken else None)
    part(shown.number if shown else 0, mine or taken)


def renew() -> Standing:
    """Tell the server that the page is looked at, and begin the next planned run."""
    here = session()
    active = here.active
    if active and active.job:
        return TRAINER.renew(active.job)
    if here.planned and here.runs and here.runs[-1].ending == "finished":
        with shell.messages():
            kept_runs.start_next(here)
    else:
        here.planned.clear()
    return TRAINER.standing()


def _draw(number: int, going_on: bool) -> None:
    here = session()
    before = here.active
    standing = renew()
    if going_on and (here.active is not before or (before is None and standing.step is None)):
        st.rerun()  # the buttons outside of this part change as well
    kept = here.by_number(number)
    _draw_standing(standing, kept)
    if kept is None:
        _draw_recorded()
    if kept is None or not kept.reports:
        return
    charts.draw(
        kept.reports,
        _look_back if not kept.active else charts.newest,
        steps=max(kept.config.steps, kept.reports[-1].step),
    )
    renew()  # drawing took its time


def _draw_standing(standing: Standing, kept: KeptRun | None) -> None:
    if standing.place == "waiting":
        ahead = standing.ahead
        st.info(
            f"{other(standing)} Please wait: {ahead} {'is' if ahead == 1 else 'are'} before you. "
            "Training begins by itself when it is your turn, if this page stays open.",
            icon=":material/hourglass_top:",
        )
    elif standing.place == "over" and standing.step is not None:
        st.info(
            f"{other(standing)} One training at a time: press Train to stand in line.",
            icon=":material/hourglass_top:",
        )
    if kept is None:
        return
    if not kept.reports:
        if standing.place == "training":
            st.progress(0.0, "Getting ready: the first weights are drawn and measured …")
        return
    answer, bar, story = st.columns([2, 2, 1.6], gap="medium", vertical_alignment="center")
    last, config = kept.reports[-1], kept.config
    with answer:
        _draw_answer(last)
    step = kept.run.step if kept.run else 0
    budget = max(config.steps, kept.run.steps_allowed if kept.run else 0)
    bar.progress(
        min(1.0, step / budget),
        f"Step {step} of {budget} · {last.seconds:.0f} s · true inputs {100 * last.share:.0f} %",
    )
    if kept.job and kept.job.problem:
        story.error(literal.code(shell.as_sentence(kept.job.problem)), icon=":material/error:")
    elif kept.ending:
        story.caption(_ENDINGS[kept.ending])


def _draw_answer(last: LiveReport) -> None:
    """How far the network is, in large type."""
    literal.show(
        f"{last.measured.exact_match:.1f} % right after {last.step} steps", look="translation"
    )


def _draw_recorded() -> None:
    """What a run looks like, before anybody has trained one here; of the chosen network only."""
    recorded = recorded_run()
    if state.get(NET) != recorded.config.model:
        st.caption(
            "Press Train: the network starts with random weights and sees fresh strings at every "
            "step. What is measured are strings that are never trained on."
        )
        return
    answer, story = st.columns([1, 1.8], gap="medium", vertical_alignment="center")
    with answer:
        _draw_answer(recorded.reports[-1])
    story.caption(
        f"A recorded run, not yours ({kept_runs.describe(recorded.config)}, "
        f"{recorded.config.steps} steps): held-out strings, written without a mistake. Press "
        "Train to see your own. Pull the slider below the map back to step 0: when "
        "the task is to write backwards, the weights turn to the diagonal from bottom left to top "
        "right."
    )
    charts.draw(recorded.reports, _look_back, steps=recorded.config.steps)


def other(standing: Standing) -> str:
    """Who has the slot, in a sentence."""
    return (
        f"Someone else trains: started {standing.seconds or 0:.0f} seconds ago, now at step "
        f"{standing.step}."
    )


def _look_back(reports: Sequence[LiveReport]) -> LiveReport:
    """Let a person choose the moment whose example is shown; the last one at first."""
    by_step = {report.step: report for report in reports}
    steps = tuple(by_step)
    if len(steps) == 1:
        return reports[0]
    key = f"{_LOOK_BACK}_{steps[-1]}_{reports[-1].seconds}"
    return by_step[st.select_slider("Look back at step", steps, value=steps[-1], key=key)]
