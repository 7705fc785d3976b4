"""One small training run at a time for the whole server; the others wait in a line.

A run goes on only while its page says every few seconds that it is still looked at. When the page
is left or the browser closed, nothing is said any more: the lease runs out, training stops, and the
next in the line begins. What was trained until then stays with the job.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from s2s_core.errors import BusyError, ExplorerError
from s2s_core.models.threads import use_one_thread
from s2s_core.training.live.result import LiveReport

LEASE = 10.0
"""Seconds without a word from the page after which it counts as left."""
GRACE = 100
"""Steps that a run takes without a word at least: where training is slow, so is drawing."""
MOST_WAITING = 20

Ending = Literal["finished", "stopped", "left", "failed"]
Place = Literal["waiting", "training", "over"]


class Trainable(Protocol):
    """What the service asks of a run."""

    @property
    def step(self) -> int:
        """Updates so far."""

    @property
    def reports(self) -> tuple[LiveReport, ...]:
        """What was measured so far."""

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do."""

    def advance(self) -> None:
        """Take one short step: between two steps the run can be stopped."""


class Job:
    """Somebody's request, from the line to its end. Only the service changes it.

    run: None until it begins. ending: None until it is over. problem: what went wrong, in words.
    """

    def __init__(self, build: Callable[[], Trainable], now: float) -> None:
        """A request that was made now."""
        self.build, self.renewed = build, now
        self.run: Trainable | None = None
        self.renewed_step = 0
        self.begun: float | None = None
        self.ending: Ending | None = None
        self.problem = ""
        self.stopping = False
        self.over = threading.Event()


@dataclass(frozen=True, slots=True)
class Standing:
    """How things stand for one job.

    ahead: how many come before it, the one that trains among them.
    seconds, step: of the run that has the slot, whoever's it is; None if it is free.
    """

    place: Place
    ahead: int = 0
    seconds: float | None = None
    step: int | None = None


class LiveTrainer:
    """The slot, and the line before it."""

    def __init__(
        self,
        *,
        lease: float = LEASE,
        grace: int = GRACE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """A free slot."""
        self._lease, self._grace, self._clock = lease, grace, clock
        self._lock = threading.Lock()
        self._current: Job | None = None
        self._waiting: list[Job] = []

    def request(self, build: Callable[[], Trainable]) -> Job:
        """Ask for the slot; training begins at once if it is free.

        build: makes the run, or gives one that goes on; called in the training thread.

        Raises:
            BusyError: too many wait already.
        """
        with self._lock:
            self._admit()
            if len(self._waiting) >= MOST_WAITING:
                raise BusyError(
                    f"{MOST_WAITING} others wait for their turn to train already: try again in a "
                    "few minutes"
                )
            job = Job(build, self._clock())
            self._waiting.append(job)
            self._admit()
        return job

    def renew(self, job: Job) -> Standing:
        """Say that the job's page is still looked at, and hear how things stand."""
        with self._lock:
            job.renewed = self._clock()
            job.renewed_step = job.run.step if job.run else 0
            self._admit()
            return self._standing(job)

    def stop(self, job: Job, *, patience: float = 2.0) -> None:
        """Stop after the step that is being taken, or leave the line.

        patience: seconds to wait until it has stopped.
        """
        with self._lock:
            job.stopping = True
            if job in self._waiting:
                self._waiting.remove(job)
                self._end(job, "stopped")
        job.over.wait(patience)

    def standing(self, job: Job | None = None) -> Standing:
        """How things stand, for a job or for somebody without one; renews nothing."""
        with self._lock:
            self._admit()
            return self._standing(job)

    def _standing(self, job: Job | None) -> Standing:
        place: Place = "over"
        ahead = len(self._waiting) + (self._current is not None)
        if job is not None and job is self._current:
            place, ahead = "training", 0
        elif job in self._waiting:
            place, ahead = "waiting", self._waiting.index(job) + (self._current is not None)
        if self._current is None or self._current.begun is None:
            return Standing(place, ahead)
        run = self._current.run
        seconds = self._clock() - self._current.begun
        return Standing(place, ahead, seconds, 0 if run is None else run.step)

    def _admit(self) -> None:
        """Forget those who left the line, and let the first begin if the slot is free."""
        for job in [each for each in self._waiting if self._left(each)]:
            self._waiting.remove(job)
            self._end(job, "left")
        if self._current is None and self._waiting:
            self._current = self._waiting.pop(0)
            self._current.begun = self._clock()
            threading.Thread(
                target=self._work, args=(self._current,), name="live training", daemon=True
            ).start()

    def _left(self, job: Job) -> bool:
        silent = self._clock() - job.renewed > self._lease
        return silent and (job.run is None or job.run.step - job.renewed_step >= self._grace)

    def _end(self, job: Job, ending: Ending) -> None:
        job.ending = ending
        job.over.set()

    def _work(self, job: Job) -> None:
        """The training thread: step after step, until something ends it."""
        ending: Ending = "failed"
        try:
            use_one_thread()
            job.run = job.build()
            job.renewed_step = job.run.step
            ending = self._train(job, job.run)
        except ExplorerError as error:
            job.problem = str(error)
        except Exception:  # nobody waits for this thread: the slot must be free whatever happens
            job.problem = "training broke off by a mistake of the program, which its log has"
            logging.getLogger(__name__).exception("live training broke off")
        finally:
            with self._lock:
                self._current = None
                self._end(job, ending)
                self._admit()

    def _train(self, job: Job, run: Trainable) -> Ending:
        while not run.finished:
            if job.stopping:
                return "stopped"
            if self._left(job):
                return "left"
            run.advance()
        return "finished"


TRAINER = LiveTrainer()
"""The slot of this server process."""
