"""Scheduled sampling against teacher forcing, with the same budget and several seeds."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from s2s_core.figures.curves import Frame, curves_alt, curves_figure
from s2s_core.figures.lines import Line
from s2s_core.figures.theme import minus
from s2s_core.training.lessons.sampling_study import (
    METRICS,
    Interval,
    SamplingStudy,
    StudyArm,
    at_the_end,
    difference,
    over_steps,
    processor_seconds,
    sampling_study,
)
from s2s_core.training.live.config import HALF, LiveConfig
from s2s_core.training.schedules import FALLING, ObjectiveConfig
from s2s_core.ui import charts, literal, saving, shell, state
from s2s_core.ui.link import LinkValues
from s2s_core.ui.training.live import compare, kept_runs, running
from s2s_core.ui.training.live.kept_runs import describe, reads, session, trying
from s2s_core.ui.training.live.link import (
    FALLS_AT,
    LIVE_FIELDS,
    PAIR,
    STUDY_METRIC,
    live_config,
)

_COLUMNS = ("trained with", *(f"{metric}, %" for metric in METRICS), "processor seconds a run")


def draw() -> None:
    """Draw what was measured, and let a person run one pair."""
    running.renew()
    state.hold(LIVE_FIELDS)
    study = sampling_study()
    st.markdown("**Does it help to let the decoder read its own tokens in training?**")
    st.selectbox("Compare by", tuple(METRICS), key=STUDY_METRIC.name, width=320)
    metric = state.get(STUDY_METRIC)
    story, picture = st.columns([2, 3], gap="medium")
    with story:
        _draw_story(study, metric)
    with picture:
        lines = study_lines(study, metric)
        frame = Frame("step", "%", study.arms[0].runs[0][-1].step, height=100)
        charts.draw(
            curves_figure(lines, frame, theme=shell.theme()),
            key="sampling-study",
            alt=curves_alt(lines, frame),
        )
    literal.table(_COLUMNS, rows(study), caption="After the last step: mean and 95 % interval")
    told = "; ".join(reads(arm.objective) for arm in study.arms[1:])
    st.caption(
        f"Measured: {study.setting}. Scheduled sampling: {told}. Seeds "
        f"{', '.join(map(str, study.seeds))}; within a seed both have the same first weights and "
        "the same strings. Bands and brackets are 95 % intervals over seeds (Student's t). "
        "Held-out strings only. The same steps are not the same time: the decoder's own tokens "
        "must be written first. With other tasks, networks, schedules and budgets it may come out "
        f"otherwise. Computed on: {study.machine}."
    )
    saving.table("Scheduled sampling", lambda: study_frame(study))
    _draw_pair()


def _draw_story(study: SamplingStudy, metric: str) -> None:
    """The answer that the measurement gives, whatever it is."""
    baseline = study.arms[0]
    for arm in study.arms:
        literal.show(f"{arm.name}: {bracketed(at_the_end(arm, metric))} %", look="translation")
    for arm in study.arms[1:]:
        literal.show(verdict(arm.name, metric, difference(arm, baseline, metric)), look="body")
    st.caption(
        "Teacher forcing: the decoder reads the true tokens. Scheduled sampling (Bengio et al. "
        "2015, arXiv:1506.03099): at each position a coin decides whether it reads the true token "
        "or the one it would have written, and the coin favours its own more and more. What is "
        "asked for stays the next true token, even after a wrong one. That is another aim than "
        "making the data likely (Huszár 2015, arXiv:1511.05101)."
    )


def verdict(name: str, metric: str, found: Interval) -> str:
    """What a difference and its interval say, and no more."""
    told = minus(
        f"{name} minus teacher forcing, {metric}: {found.mean:+.1f} points, 95 % interval "
        f"{found.low:+.1f} to {found.high:+.1f}."
    )
    if found.low > 0:
        return f"{told} In this setting it is higher."
    if found.high < 0:
        return f"{told} In this setting it is lower."
    return f"{told} The interval holds 0: these seeds don't show a difference."


def bracketed(found: Interval) -> str:
    """A mean and its interval: 41.2 [38.0, 44.4]."""
    return minus(f"{found.mean:.1f} [{found.low:.1f}, {found.high:.1f}]")


def rows(study: SamplingStudy) -> list[tuple[str, ...]]:
    """One row for each way to train."""
    return [
        (
            arm.name,
            *(bracketed(at_the_end(arm, metric)) for metric in METRICS),
            bracketed(processor_seconds(arm)),
        )
        for arm in study.arms
    ]


def study_lines(study: SamplingStudy, metric: str) -> tuple[Line, ...]:
    """One curve with its band for each way to train; bands end at 0 % and 100 %."""
    return tuple(_line(arm, metric) for arm in study.arms)


def _line(arm: StudyArm, metric: str) -> Line:
    points = over_steps(arm, metric)
    return Line(
        arm.name,
        tuple(step for step, _ in points),
        tuple(each.mean for _, each in points),
        tuple(max(0.0, each.low) for _, each in points),
        tuple(min(100.0, each.high) for _, each in points),
    )


def study_frame(study: SamplingStudy) -> pd.DataFrame:
    """Every point of every run as a row."""
    return pd.DataFrame(
        {
            "trained with": arm.name,
            "seed": seed,
            "step": point.step,
            "processor seconds": point.processor,
            "exact match": point.exact,
            "free-running accuracy": point.free,
            "teacher-forced accuracy": point.forced,
        }
        for arm in study.arms
        for seed, run in zip(study.seeds, arm.runs, strict=True)
        for point in run
    )


def pair(values: LinkValues) -> tuple[LiveConfig, LiveConfig]:
    """The run that Train live is set to, with teacher forcing and with a falling schedule."""
    config = live_config(values)
    falling = ObjectiveConfig(
        schedule=values.get(PAIR),
        half=values.get(FALLS_AT),
        prediction=config.objective.prediction,
    )
    return replace(config, objective=ObjectiveConfig()), replace(config, objective=falling)


def _draw_pair() -> None:
    """Let a person train both ways, one after the other."""
    st.markdown("**Try it: one pair, live**")
    schedule, half, train, stop = st.columns([2, 1, 1, 1], vertical_alignment="bottom")
    schedule.selectbox(
        "True tokens get fewer",
        tuple(FALLING),
        key=PAIR.name,
        format_func=lambda name: name.replace("_", " "),
    )
    half.number_input("Half at step", HALF.minimum, HALF.maximum, step=10, key=FALLS_AT.name)
    active = session().active
    train.button(
        "Train both",
        type="primary",
        icon=":material/play_arrow:",
        disabled=active is not None,
        on_click=trying(_start),
    )
    stop.button("Stop", icon=":material/stop:", disabled=active is None, on_click=kept_runs.stop)
    literal.show(
        f"Set on the tab Train live: {describe(pair(state.read(LIVE_FIELDS))[0])}. One pair is one "
        "seed: it shows how it goes, and proves nothing.",
        look="small",
    )
    if problem := kept_runs.problem():
        st.error(literal.code(shell.as_sentence(problem)), icon=":material/error:")
    if runs := session().runs:
        running.draw(kept_runs.on_show())
        compare.draw(runs)


def _start() -> None:
    kept_runs.start(*pair(state.read(LIVE_FIELDS)))
