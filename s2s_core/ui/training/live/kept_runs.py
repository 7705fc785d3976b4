"""The runs of one browser session: started, stopped, taken up again, and kept to be compared.

Networks and their reports stay in the session, at most `KEPT` of them, and go when it goes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from s2s_core.errors import ExplorerError
from s2s_core.training.live.config import LIVE_MODELS, LiveConfig
from s2s_core.training.live.result import LiveReport, RunSoFar
from s2s_core.training.live.service import TRAINER, Ending, Job
from s2s_core.training.schedules import CONSTANT, ObjectiveConfig

if TYPE_CHECKING:
    from s2s_core.training.live.run import LiveRun

KEPT = 6
"""Runs of a session; the oldest goes when another begins."""
SHOWN = "live_shown"
"""Key of the control that chooses the run on show."""
_SESSION = "_live_runs"
_PROBLEM = "_live_problem"


@dataclass
class KeptRun:
    """A run with its number in the session.

    job: the request that trains it, or did so last.
    run: the network in training, once the first request has begun.
    """

    number: int
    config: LiveConfig
    job: Job | None = None
    run: LiveRun | None = None

    def build(self) -> LiveRun:
        """Draw the first weights; called in the training thread."""
        from s2s_core.training.live.run import LiveRun  # loads torch

        self.run = LiveRun(self.config)
        return self.run

    @property
    def reports(self) -> tuple[LiveReport, ...]:
        """What was measured so far."""
        return self.run.reports if self.run else ()

    @property
    def so_far(self) -> RunSoFar:
        """What a screen shows of it."""
        return RunSoFar(self.config, self.reports)

    @property
    def active(self) -> bool:
        """Whether it trains, or waits for its turn."""
        return self.job is not None and self.job.ending is None

    @property
    def ending(self) -> Ending | None:
        """How it ended, if it is over."""
        return self.job.ending if self.job else None

    @property
    def title(self) -> str:
        """Its number and what sets it apart."""
        return f"{self.number}: {describe(self.config)}"


@dataclass
class Session:
    """The runs, oldest first, those that are still to be trained, and how many there ever were."""

    runs: list[KeptRun] = field(default_factory=list)
    planned: list[LiveConfig] = field(default_factory=list)
    count: int = 0

    @property
    def active(self) -> KeptRun | None:
        """The run that trains or waits."""
        return next((kept for kept in self.runs if kept.active), None)

    def by_number(self, number: int) -> KeptRun | None:
        """A kept run."""
        return next((kept for kept in self.runs if kept.number == number), None)


def session() -> Session:
    """The runs of this browser session."""
    found: Session = st.session_state.setdefault(_SESSION, Session())
    return found


def on_show() -> KeptRun | None:
    """The run that goes on, else the chosen one, else the newest."""
    here = session()
    chosen = here.by_number(st.session_state.get(SHOWN, 0))
    return here.active or chosen or (here.runs[-1] if here.runs else None)


def start(*configs: LiveConfig) -> None:
    """Ask for the slot with a new run; the others follow it, one after the other.

    Raises:
        BusyError: too many wait already.
    """
    here = session()
    here.planned = list(configs)
    st.session_state.pop(SHOWN, None)  # the new run is the one on show
    start_next(here)


def start_next(here: Session) -> None:
    """Begin with the next of the planned runs, if there is one and nothing else is going on.

    Raises:
        BusyError: too many wait already.
    """
    if here.active or not here.planned:
        return
    kept = KeptRun(here.count + 1, here.planned[0])
    kept.job = TRAINER.request(kept.build)
    del here.planned[0]
    here.count += 1
    here.runs = [*here.runs[-(KEPT - 1) :], kept]


def go_on(number: int) -> None:
    """Train a kept run further.

    Raises:
        BusyError: too many wait already.
    """
    here = session()
    kept = here.by_number(number)
    if kept is None or kept.run is None or here.active:
        return
    kept.job = TRAINER.request(kept.run.go_on)


def stop() -> None:
    """Stop what this session trains, or give its turn up."""
    here = session()
    here.planned.clear()
    active = here.active
    if active and active.job:
        TRAINER.stop(active.job)


def trying(act: Callable[..., None], *arguments: object) -> Callable[[], None]:
    """A callback that keeps an error's message to be shown with the page."""

    def callback() -> None:
        try:
            act(*arguments)
        except ExplorerError as error:
            st.session_state[_PROBLEM] = str(error)

    return callback


def problem() -> str:
    """What went wrong with the last act, once."""
    return str(st.session_state.pop(_PROBLEM, ""))


def describe(config: LiveConfig) -> str:
    """What sets a run apart, in a line."""
    digits = f"1–{config.length}" if config.mixed else f"{config.length}"
    parts = [
        f"{LIVE_MODELS[config.model].title}, {config.task} {digits}",
        f"width {config.width}",
        f"rate {config.learning_rate:g}",
        reads(config.objective),
    ]
    return ", ".join([part for part in parts if part] + [f"seed {config.seed}"])


def reads(objective: ObjectiveConfig) -> str:
    """What the decoder reads in training, in a few words; "" for teacher forcing."""
    if objective.teacher_forcing:
        return ""
    if objective.schedule == CONSTANT:
        return f"{100 * objective.share:.0f} % true tokens"
    return f"{objective.schedule.replace('_', ' ')}, half true at step {objective.half}"


def frame(runs: Sequence[KeptRun]) -> pd.DataFrame:
    """Every report of every run as a row."""
    return pd.DataFrame(
        {
            "run": kept.number,
            "settings": describe(kept.config),
            "step": report.step,
            "seconds": report.seconds,
            "processor seconds": report.processor,
            "share of true inputs": report.share,
            "training loss": report.training_loss,
            "held-out loss": report.measured.loss,
            "teacher-forced accuracy": report.measured.forced_accuracy,
            "free-running accuracy": report.measured.free_accuracy,
            "exact match": report.measured.exact_match,
        }
        for kept in runs
        for report in kept.reports
    )


def as_data(runs: Sequence[KeptRun]) -> list[dict[str, object]]:
    """Settings and reports of every run as plain values, for JSON."""
    return [
        {
            "run": kept.number,
            "settings": asdict(kept.config),
            "ending": kept.ending,
            "reports": [asdict(report) for report in kept.reports],
        }
        for kept in runs
    ]
