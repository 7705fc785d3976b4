"""Train live without a browser: starting, waiting, stopping, going on, and leaving."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from s2s_core.training.live import service
from s2s_core.training.live.run import LiveRun
from s2s_core.training.live.service import TRAINER, Job
from s2s_core.ui.link import read_link
from s2s_core.ui.training.live import kept_runs
from s2s_core.ui.training.live.link import LIVE_FIELDS, live_config
from tests.pages.conftest import OpenPage, shown

LINK = {"model": "reverse-additive", "source": "", "width": "16", "training_digits": "3"}
SHORT = LINK | {"steps": "50", "start": "3"}
LONG = LINK | {"steps": "5000", "limit": "120"}
PATIENCE = 120.0


@pytest.fixture(autouse=True)
def jobs(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Job]]:
    """Every job that a page asked for; at the end they are stopped."""
    # No page renews its lease by itself here, and a loaded machine is slow.
    monkeypatch.setattr(TRAINER, "_lease", PATIENCE)
    made: list[Job] = []
    real = service.LiveTrainer.request

    def noted(self, build):  # type: ignore[no-untyped-def]
        made.append(real(self, build))
        return made[-1]

    monkeypatch.setattr(service.LiveTrainer, "request", noted)
    yield made
    for job in made:
        TRAINER.stop(job, patience=PATIENCE)


def press(app: AppTest, label: str) -> AppTest:
    (button,) = [each for each in app.button if each.label == label]
    assert not button.disabled, label
    return button.click().run()


def disabled(app: AppTest) -> dict[str, bool]:
    return {
        each.label: each.disabled
        for each in app.button
        if each.label in ("Train", "Stop", "Continue")
    }


def finish(job: Job) -> None:
    assert job.over.wait(PATIENCE)


def test_a_cold_visit_says_what_to_do_and_trains_nothing(
    open_page: OpenPage, jobs: list[Job]
) -> None:
    app = open_page("training", LINK)
    assert not app.exception and not app.error and not app.warning and not jobs
    assert disabled(app) == {"Train": False, "Stop": True, "Continue": True}
    assert "Press Train" in "".join(c.value for c in app.caption)
    assert "100.0 % right after 200 steps" in shown(app)  # the recorded run
    assert len(app.get("plotly_chart")) == 3


def test_the_recorded_run_stands_for_its_own_network_only(
    open_page: OpenPage, jobs: list[Job]
) -> None:
    app = open_page("training", LINK | {"net": "fixed-once"})
    assert "recorded" not in "".join(c.value for c in app.caption)
    assert "Press Train" in "".join(c.value for c in app.caption)
    assert not app.get("plotly_chart")


def test_a_run_from_start_to_end_with_curves_map_table_and_files(
    open_page: OpenPage, jobs: list[Job]
) -> None:
    app = press(open_page("training", SHORT), "Train")
    assert not app.exception and not app.error
    finish(jobs[0])
    app.run()
    assert not app.exception and not app.error
    assert jobs[0].ending == "finished"
    assert disabled(app) == {"Train": False, "Stop": True, "Continue": False}
    charts = app.get("plotly_chart")
    assert len(charts) == 4 and all(chart.proto.alt for chart in charts)
    assert "are used up" in "".join(c.value for c in app.caption)
    (kept,) = app.session_state["_live_runs"].runs
    last = kept.reports[-1]
    assert f'<td class="s2s-number">{last.step}</td>' in shown(app)
    assert f"{last.measured.exact_match:.1f} % right after 50 steps" in shown(app)
    assert app.get("progress")[0].proto.text.startswith("Step 50 of 50")


def test_the_curves_are_those_of_the_same_run_without_a_page(
    open_page: OpenPage, jobs: list[Job]
) -> None:
    app = press(open_page("training", SHORT), "Train")
    finish(jobs[0])
    app.run()
    run = LiveRun(live_config(read_link(SHORT, LIVE_FIELDS)[0]))
    while not run.finished:
        run.advance()
    specs = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    (exact,) = [t for t in specs[1]["data"] if t["name"] == "right strings"]
    assert exact["x"] == [report.step for report in run.reports]
    assert exact["y"] == pytest.approx([r.measured.exact_match for r in run.reports])
    attention = run.reports[-1].measured.example.attention
    assert attention and specs[2]["data"][0]["z"] is not None


def test_a_second_visitor_is_told_to_wait_and_gets_the_slot_when_it_is_free(
    open_page: OpenPage, jobs: list[Job]
) -> None:
    first = press(open_page("training", LONG), "Train")
    second = open_page("training", LONG)
    assert "Someone else trains: started" in shown(second)
    press(second, "Train")
    assert "Please wait: 1 is before you" in shown(second)
    assert jobs[1].run is None and jobs[1].ending is None
    assert disabled(second) == {"Train": True, "Stop": False, "Continue": True}
    press(first, "Stop")
    finish(jobs[0])
    assert jobs[0].ending == "stopped"
    second.run()
    assert TRAINER.standing(jobs[1]).place == "training"
    assert "Please wait" not in shown(second)


def test_stop_keeps_the_weights_and_continue_goes_on_from_them(
    open_page: OpenPage, jobs: list[Job]
) -> None:
    app = press(open_page("training", LONG), "Train")
    press(app, "Stop")
    finish(jobs[0])
    assert jobs[0].ending == "stopped"
    app.run()
    run = jobs[0].run
    assert run is not None
    step = run.step
    press(app, "Continue")
    assert jobs[1].over.is_set() is False
    press(app, "Stop")
    finish(jobs[1])
    app.run()
    assert jobs[1].run is run and run.step >= step
    assert "Continue goes on from here" in "".join(c.value for c in app.caption)


def test_leaving_the_page_stops_training(
    open_page: OpenPage, jobs: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = press(open_page("training", LONG), "Train")
    monkeypatch.setattr(TRAINER, "_lease", 0.0)  # the page is silent from now on
    finish(jobs[0])
    assert jobs[0].ending == "left"
    app.run()
    assert not app.exception and "nothing was heard from this page" in "".join(
        c.value for c in app.caption
    )
    assert disabled(app)["Continue"] is False


def test_another_tab_doesnt_renew_the_lease(open_page: OpenPage, jobs: list[Job]) -> None:
    app = press(open_page("training", LONG), "Train")
    renewed = jobs[0].renewed
    app.session_state["tab"] = "Masks"
    app.run()
    assert jobs[0].renewed == renewed and not app.exception


def test_at_most_six_runs_are_kept(open_page: OpenPage, jobs: list[Job]) -> None:
    app = open_page("training", SHORT | {"steps": "50"})
    for number in range(kept_runs.KEPT + 1):
        press(app, "Train")
        finish(jobs[number])
        app.run()
    kept = app.session_state["_live_runs"].runs
    assert [each.number for each in kept] == [2, 3, 4, 5, 6, 7]
    assert len(json.loads(json.dumps(kept_runs.as_data(kept)))) == kept_runs.KEPT
    assert {*kept_runs.frame(kept)["run"]} == {2, 3, 4, 5, 6, 7}


def test_controls_get_their_values_in_every_run_of_the_page(open_page: OpenPage) -> None:
    app = open_page("training", LONG)
    for _ in range(2):  # a browser that is slow to draw may see the second run alone
        assert app.number_input(key="steps").proto.set_value
        assert app.number_input(key="steps").proto.value == 5000
        app.run()
    app.number_input(key="steps").set_value(300).run()
    assert app.session_state["_written"][1]["steps"] == "300"


def test_nonsense_in_every_field_is_named(open_page: OpenPage) -> None:
    link = {field.name: "non\x00sense <b> *x*" for field in LIVE_FIELDS}
    app = open_page("training", {"model": "reverse-additive", "source": ""} | link)
    assert not app.exception and not app.error
    (warning,) = app.warning
    for name in link:
        assert f" {name}: “" in warning.value


def test_a_width_between_is_refused_by_the_link(open_page: OpenPage) -> None:
    (warning,) = open_page("training", LINK | {"width": "40"}).warning
    assert "a multiple of 16" in warning.value


def test_without_attention_there_is_no_map(open_page: OpenPage, jobs: list[Job]) -> None:
    app = press(open_page("training", SHORT | {"net": "fixed-once"}), "Train")
    finish(jobs[0])
    app.run()
    assert len(app.get("plotly_chart")) == 3
    assert "No attention to show" in "".join(c.value for c in app.caption)
