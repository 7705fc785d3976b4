"""One at a time, a line of those who wait, and a lease: with runs that are held and let go."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from s2s_core.errors import BusyError, DivergedError
from s2s_core.training.live.result import LiveReport
from s2s_core.training.live.service import MOST_WAITING, Job, LiveTrainer, Standing

PATIENCE = 30.0


class Held:
    """A run of which each step waits until it is let go."""

    reports: tuple[LiveReport, ...] = ()

    def __init__(self, steps: int = 10**9) -> None:
        self.step, self.steps = 0, steps
        self.stepping, self.go = threading.Event(), threading.Semaphore(0)
        self.problem: Exception | None = None

    @property
    def finished(self) -> bool:
        return self.step >= self.steps

    def advance(self) -> None:
        self.stepping.set()
        assert self.go.acquire(timeout=PATIENCE)
        if self.problem:
            raise self.problem
        self.step += 1


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def trainer(clock: Clock) -> LiveTrainer:
    return LiveTrainer(lease=6.0, grace=0, clock=clock)


@pytest.fixture
def runs() -> Iterator[list[Held]]:
    made = [Held() for _ in range(3)]
    yield made
    for run in made:
        run.steps = 0
        run.go.release()


def ask(trainer: LiveTrainer, run: Held) -> Job:
    return trainer.request(lambda: run)


def end(trainer: LiveTrainer, job: Job, run: Held) -> None:
    run.go.release()
    trainer.stop(job, patience=PATIENCE)


def test_a_free_slot_is_given_at_once(trainer: LiveTrainer, runs: list[Held]) -> None:
    job = ask(trainer, runs[0])
    assert runs[0].stepping.wait(PATIENCE)
    assert trainer.renew(job) == Standing("training", 0, 0.0, 0)


def test_the_second_waits_and_hears_about_the_first(
    trainer: LiveTrainer, runs: list[Held], clock: Clock
) -> None:
    ask(trainer, runs[0])
    second = ask(trainer, runs[1])
    clock.now = 4.0
    assert trainer.renew(second) == Standing("waiting", 1, 4.0, 0)
    assert trainer.renew(ask(trainer, runs[2])).ahead == 2
    assert second.run is None and not runs[1].stepping.is_set()


def test_the_first_of_the_line_gets_the_slot_when_it_is_free(
    trainer: LiveTrainer, runs: list[Held]
) -> None:
    first, second, third = (ask(trainer, run) for run in runs)
    end(trainer, first, runs[0])
    assert runs[1].stepping.wait(PATIENCE)
    assert trainer.standing(second).place == "training"
    assert trainer.standing(third) == Standing("waiting", 1, 0.0, 0)


def test_somebody_without_a_job_sees_that_the_slot_is_taken(
    trainer: LiveTrainer, runs: list[Held]
) -> None:
    assert trainer.standing() == Standing("over", 0, None, None)
    job = ask(trainer, runs[0])
    assert trainer.standing() == Standing("over", 1, 0.0, 0)
    end(trainer, job, runs[0])
    assert trainer.standing() == Standing("over", 0, None, None)


def test_without_a_word_from_the_page_training_stops_and_the_next_begins(
    trainer: LiveTrainer, runs: list[Held], clock: Clock
) -> None:
    first, second = ask(trainer, runs[0]), ask(trainer, runs[1])
    clock.now = 5.0
    trainer.renew(second)
    runs[0].go.release()
    assert first.ending is None
    clock.now = 6.5  # the first page is silent for 6.5 seconds, the second for 1.5
    runs[0].go.release()
    assert first.over.wait(PATIENCE) and first.ending == "left"
    assert runs[1].stepping.wait(PATIENCE)
    assert trainer.standing(second).place == "training"


def test_a_page_that_renews_its_lease_keeps_the_slot(
    trainer: LiveTrainer, runs: list[Held], clock: Clock
) -> None:
    job = ask(trainer, runs[0])
    for second in range(0, 60, 5):
        clock.now = float(second)
        assert trainer.renew(job).place == "training"
        runs[0].stepping.clear()
        runs[0].go.release()
        assert runs[0].stepping.wait(PATIENCE)
    assert job.ending is None and runs[0].step == 12


def test_a_slow_machine_gets_as_many_steps_as_a_fast_one_takes_in_the_time(
    runs: list[Held], clock: Clock
) -> None:
    patient = LiveTrainer(lease=6.0, grace=2, clock=clock)
    job = ask(patient, runs[0])
    assert runs[0].stepping.wait(PATIENCE)
    clock.now = 100.0
    runs[0].stepping.clear()
    runs[0].go.release()
    assert runs[0].stepping.wait(PATIENCE) and job.ending is None
    runs[0].go.release()
    assert job.over.wait(PATIENCE) and (job.ending, runs[0].step) == ("left", 2)


def test_who_leaves_the_line_doesnt_get_the_slot(
    trainer: LiveTrainer, runs: list[Held], clock: Clock
) -> None:
    first, second, third = (ask(trainer, run) for run in runs)
    clock.now = 5.0
    trainer.renew(first)
    trainer.renew(third)
    clock.now = 7.0
    assert trainer.renew(third).ahead == 1
    assert second.ending == "left" and second.over.is_set()
    end(trainer, first, runs[0])
    assert runs[2].stepping.wait(PATIENCE) and not runs[1].stepping.is_set()
    assert trainer.standing(third).place == "training"


def test_stop_ends_training_and_keeps_what_was_trained(
    trainer: LiveTrainer, runs: list[Held]
) -> None:
    job = ask(trainer, runs[0])
    end(trainer, job, runs[0])
    assert job.ending == "stopped" and job.run is runs[0] and runs[0].step == 1
    again = ask(trainer, runs[0])
    runs[0].steps = 2
    runs[0].go.release()
    assert again.over.wait(PATIENCE) and again.ending == "finished" and runs[0].step == 2


def test_stop_in_the_line_leaves_it(trainer: LiveTrainer, runs: list[Held]) -> None:
    ask(trainer, runs[0])
    second = ask(trainer, runs[1])
    trainer.stop(second, patience=PATIENCE)
    assert second.ending == "stopped" and trainer.standing().ahead == 1


def test_a_run_that_breaks_off_says_why_and_frees_the_slot(
    trainer: LiveTrainer, runs: list[Held]
) -> None:
    runs[0].problem = DivergedError("the loss is no longer a number")
    job, second = ask(trainer, runs[0]), ask(trainer, runs[1])
    runs[0].go.release()
    assert job.over.wait(PATIENCE)
    assert (job.ending, job.problem) == ("failed", "the loss is no longer a number")
    assert runs[1].stepping.wait(PATIENCE) and second.ending is None


def test_a_mistake_of_ours_frees_the_slot_too_and_is_logged(
    trainer: LiveTrainer, runs: list[Held], caplog: pytest.LogCaptureFixture
) -> None:
    runs[0].problem = ZeroDivisionError()
    job, second = ask(trainer, runs[0]), ask(trainer, runs[1])
    runs[0].go.release()
    assert job.over.wait(PATIENCE) and job.ending == "failed"
    assert "its log" in job.problem and "ZeroDivisionError" in caplog.text
    assert runs[1].stepping.wait(PATIENCE) and second.ending is None


def test_a_line_that_is_too_long_is_refused(trainer: LiveTrainer, runs: list[Held]) -> None:
    for run in [runs[0], *[runs[1]] * MOST_WAITING]:
        ask(trainer, run)
    with pytest.raises(BusyError, match="try again"):
        ask(trainer, runs[2])
