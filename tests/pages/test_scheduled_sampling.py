"""The tab Scheduled sampling: what was measured, as it is, and one pair live."""

from __future__ import annotations

import json

import pytest

from s2s_core.training.lessons.sampling_study import (
    METRICS,
    Interval,
    at_the_end,
    difference,
    sampling_study,
)
from s2s_core.training.live.service import Job
from s2s_core.training.schedules import ObjectiveConfig
from s2s_core.ui.link import read_link
from s2s_core.ui.training.live.link import LIVE_FIELDS
from s2s_core.ui.training.sampling import bracketed, pair, study_frame, verdict
from tests.pages.conftest import OpenPage, shown
from tests.pages.test_live import SHORT, finish, jobs, press

__all__ = ["jobs"]  # the fixture
LINK = SHORT | {"tab": "Scheduled sampling", "half": "20"}


@pytest.mark.parametrize("metric", METRICS)
def test_the_page_says_what_the_file_says(open_page: OpenPage, metric: str) -> None:
    app = open_page("training", LINK | {"study": metric})
    assert not app.exception and not app.error and not app.warning
    study, text = sampling_study(), shown(app)
    for arm in study.arms:
        assert f"{arm.name}: {bracketed(at_the_end(arm, metric))} %" in text
    (chart,) = app.get("plotly_chart")
    spec = json.loads(chart.proto.spec)
    curves = [trace for trace in spec["data"] if trace["meta"] == "curve"]
    assert [curve["name"] for curve in curves] == [arm.name for arm in study.arms]
    for curve, arm in zip(curves, study.arms, strict=True):
        assert curve["y"][-1] == pytest.approx(at_the_end(arm, metric).mean)
    told = verdict(study.arms[1].name, metric, difference(study.arms[1], study.arms[0], metric))
    assert told in text
    assert "Huszár 2015" in "".join(c.value for c in app.caption)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (Interval(2.0, 0.5, 3.5), "In this setting it is higher."),
        (Interval(-2.0, -3.5, -0.5), "In this setting it is lower."),
        (Interval(2.0, -0.5, 4.5), "these seeds don't show a difference."),
    ],
)
def test_the_verdict_says_no_more_than_the_interval(found: Interval, told: str) -> None:
    assert verdict("scheduled sampling", "exact match", found).endswith(told)


def test_the_csv_has_every_point_of_every_run() -> None:
    study = sampling_study()
    frame = study_frame(study)
    assert len(frame) == sum(len(run) for arm in study.arms for run in arm.runs)
    assert {*frame["seed"]} == {*study.seeds}


def test_a_pair_differs_in_the_objective_alone() -> None:
    values, _ = read_link(SHORT | {"pair": "linear", "half": "20", "true": "0.3"}, LIVE_FIELDS)
    plain, sampled = pair(values)
    assert plain.objective == ObjectiveConfig()
    assert sampled.objective == ObjectiveConfig(schedule="linear", half=20)
    assert (plain.seed, plain.width, plain.steps) == (sampled.seed, sampled.width, sampled.steps)


def test_a_pair_runs_one_after_the_other_and_stands_on_one_chart(
    open_page: OpenPage, jobs: list[Job]
) -> None:
    app = press(open_page("training", LINK), "Train both")
    finish(jobs[0])
    app.run()
    assert len(jobs) == 2
    finish(jobs[1])
    app.run()
    assert not app.exception and not app.error
    first, second = app.session_state["_live_runs"].runs
    assert first.config.objective.teacher_forcing
    assert second.config.objective.schedule == "inverse_sigmoid"
    assert second.reports[-1].share < 0.5
    (chart,) = [
        c
        for c in app.get("plotly_chart")
        if "inverse sigmoid, half true at step 20" in c.proto.spec
    ]
    assert len(json.loads(chart.proto.spec)["data"]) == 2


def test_stop_gives_up_the_second_run_as_well(open_page: OpenPage, jobs: list[Job]) -> None:
    app = press(open_page("training", LINK | {"steps": "5000"}), "Train both")
    press(app, "Stop")
    app.run()
    assert len(jobs) == 1 and jobs[0].ending == "stopped"
