"""A small run: the same reports for the same seed, held-out strings, stopping and going on."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
import torch

from s2s_core.errors import DivergedError, SettingError
from s2s_core.models.translation import TrainedModel
from s2s_core.search.batch import decode_batch, greedy_config
from s2s_core.text.tasks import TASKS, split_of
from s2s_core.training.live.config import LIVE_MODELS, LiveConfig
from s2s_core.training.live.data import BATCH, TOKENS, held_out_batch, training_batch
from s2s_core.training.live.result import LiveReport
from s2s_core.training.live.run import LiveRun
from s2s_core.training.schedules import ObjectiveConfig

SMALL = LiveConfig(width=16, length=3, steps=50)


def strings(ids: torch.Tensor) -> list[str]:
    return ["".join(TOKENS[i] for i in row if i > 2) for row in ids.tolist()]


def without_time(reports: tuple[LiveReport, ...]) -> list[LiveReport]:
    return [dataclasses.replace(report, seconds=0.0, processor=0.0) for report in reports]


def trained(config: LiveConfig, steps: int | None = None) -> LiveRun:
    run = LiveRun(config)
    while not run.finished and (steps is None or run.step < steps):
        run.advance()
    return run


# --- data ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_targets_are_what_the_task_makes_of_the_sources(task: str) -> None:
    batch = training_batch(LiveConfig(task=task, length=9, mixed=True), 5)
    sources, targets = strings(batch.source), strings(batch.targets)
    assert len(sources) == BATCH
    assert targets == [TASKS[task](source) for source in sources]
    assert {len(source) for source in sources} == {*range(1, 10)}


def test_nothing_that_is_measured_is_ever_trained_on() -> None:
    config = LiveConfig(length=3, mixed=True)
    assert {split_of(s) for s in strings(held_out_batch(config).source)} == {"development"}
    drawn = [s for step in range(20) for s in strings(training_batch(config, step).source)]
    assert {split_of(s) for s in drawn} == {"training"}


def test_a_step_has_its_own_strings_and_always_the_same() -> None:
    first, again, other = (training_batch(SMALL, step).source for step in (1, 1, 2))
    assert torch.equal(first, again) and not torch.equal(first, other)


# --- the run -------------------------------------------------------------------------------------


def test_same_seed_same_reports_and_another_seed_others() -> None:
    first, second, other = (trained(dataclasses.replace(SMALL, seed=s)) for s in (1, 1, 2))
    assert without_time(first.reports) == without_time(second.reports)
    assert first.reports[0].measured != other.reports[0].measured


def test_reports_come_at_the_start_in_between_and_at_the_end() -> None:
    run = trained(dataclasses.replace(SMALL, steps=60))
    assert [report.step for report in run.reports] == [0, 25, 50, 60]
    assert run.reports[0].training_loss is None
    assert run.reports[-1].measured.loss < run.reports[0].measured.loss
    seconds = [report.seconds for report in run.reports]
    assert seconds == sorted(seconds) and seconds[0] == 0


def test_a_stopped_run_goes_on_as_if_it_had_not_been_stopped() -> None:
    config = dataclasses.replace(SMALL, objective=ObjectiveConfig(schedule="linear", half=20))
    whole, stopped = trained(config), trained(config, steps=31)
    assert not stopped.finished and stopped.go_on() is stopped
    while not stopped.finished:
        stopped.advance()
    assert stopped.step == whole.step == 50
    assert without_time(stopped.reports) == without_time(whole.reports)


def test_a_finished_run_gets_its_budget_once_more() -> None:
    run = trained(SMALL)
    assert run.finished and run.can_go_on
    run.go_on()
    assert run.steps_allowed == 100 and not run.finished


def test_the_clock_ends_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(0, 1000, 3))
    monkeypatch.setattr("s2s_core.training.live.run.perf_counter", lambda: float(next(times)))
    run = trained(dataclasses.replace(SMALL, seconds=5))
    assert (run.step, run.seconds) == (2, 6.0)


@pytest.mark.parametrize("model", LIVE_MODELS)
def test_what_is_measured_is_what_search_finds(model: str) -> None:
    run = trained(dataclasses.replace(SMALL, model=model, mixed=True, steps=60))
    measured, batch = run.reports[-1].measured, run.held_out
    sources, targets = strings(batch.source), strings(batch.targets)
    outputs = decode_batch(
        TrainedModel(
            run.network.eval(), _Digits(), source_language="digits", target_language="digits"
        ),  # type: ignore[arg-type]
        [" ".join(source) for source in sources],
        greedy_config(max_length=batch.targets.shape[1]),
    )
    pairs = [
        ([*output.token_ids], [*_ids(target), 2])
        for output, target in zip(outputs, targets, strict=True)
    ]
    hits = sum(a == b for o, t in pairs for a, b in zip(o, t, strict=False))
    assert measured.exact_match == pytest.approx(100 * sum(o == t for o, t in pairs) / len(pairs))
    assert measured.free_accuracy == pytest.approx(100 * hits / sum(len(t) for _, t in pairs))
    attention = measured.example.attention
    assert (attention is not None) == LIVE_MODELS[model].attention
    for row in attention or ():
        assert len(row) == len(measured.example.source) and sum(row) == pytest.approx(1, abs=1e-5)


class _Digits:
    """A tokenizer whose ids are those of a small run."""

    bos_id, eos_id, pad_id, banned_ids, size = 1, 2, 0, (0, 1), len(TOKENS)

    def encode(self, text: str) -> list[int]:
        return _ids(text.replace(" ", ""))

    def token(self, token_id: int) -> str:
        return TOKENS[token_id]

    def join(self, token_ids: Any) -> str:
        return " ".join(TOKENS[i] for i in token_ids if i > 2)


def _ids(digits: str) -> list[int]:
    return [TOKENS.index(digit) for digit in digits]


def test_a_network_that_learned_nothing_is_measured_as_such() -> None:
    measured = LiveRun(SMALL).reports[0].measured
    assert measured.exact_match < 5 and measured.forced_accuracy < 50


def test_a_loss_that_is_no_number_ends_the_run_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = LiveRun(SMALL)
    monkeypatch.setattr(run, "_update", lambda: float("nan"))
    with pytest.raises(DivergedError, match="too high"):
        run.advance()


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"model": "oracle"}, "additive, dot"),
        ({"task": "shuffle"}, "reverse, copy, sort"),
        ({"width": 40}, "multiple of 16"),
        ({"length": 13}, "between 2 and 12"),
        ({"learning_rate": 0.0}, "between"),
        ({"steps": 0}, "between"),
        ({"seconds": 1000}, "between"),
    ],
)
def test_a_wrong_setting_is_named(settings: dict[str, Any], told: str) -> None:
    with pytest.raises(SettingError, match=told):
        LiveConfig(**settings)
