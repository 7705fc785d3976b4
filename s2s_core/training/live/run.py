"""A small training run in memory, step by step, that can be stopped and taken up again.

What is random at a step depends on the seed and the step alone: the same settings give the same
reports, whatever the clock says and however often the run was stopped.
"""

from __future__ import annotations

import math
from time import perf_counter, thread_time
from typing import Any

import torch

from s2s_core.errors import DivergedError
from s2s_core.models.architectures import build_network
from s2s_core.models.network import Network
from s2s_core.training.live.config import LIVE_MODELS, LiveConfig
from s2s_core.training.live.data import TOKENS, held_out_batch, training_batch
from s2s_core.training.live.measure import measure
from s2s_core.training.live.result import LiveReport
from s2s_core.training.scheduled_sampling import training_loss

REPORT_EVERY = 25  # steps
MOST_STEPS = 10_000
"""Of one run with all that was added; bounds what a run keeps."""
WARMUP = 50  # steps in which the learning rate rises
GRADIENT_NORM = 1.0


class LiveRun:
    """One network in training. One thread at a time may call `advance`; any may read `reports`.

    step, seconds, processor: as in `LiveReport`, now. steps_allowed: where the budget ends.
    """

    def __init__(self, config: LiveConfig) -> None:
        """Draw the first weights, and measure them."""
        self.config = config
        model = LIVE_MODELS[config.model]
        sizes = {"vocabulary_size": len(TOKENS), "dropout": 0.0, **model.sizes(config.width)}
        torch.manual_seed(config.seed)
        self.network: Network[Any] = build_network(model.architecture, sizes)
        self.optimiser = torch.optim.Adam(
            self.network.parameters(), lr=config.learning_rate, betas=(0.9, 0.98), fused=True
        )
        self.held_out = held_out_batch(config)
        self.step, self.seconds, self.processor = 0, 0.0, 0.0
        self.steps_allowed, self._seconds = config.steps, float(config.seconds)
        self._recent: list[float] = []
        self.reports: tuple[LiveReport, ...] = ()
        self._report()

    @property
    def finished(self) -> bool:
        """Whether the steps or the time are over."""
        return self.step >= self.steps_allowed or self.seconds >= self._seconds

    @property
    def can_go_on(self) -> bool:
        """Whether there is something left to do, or more may be allowed."""
        return not self.finished or self.step < MOST_STEPS

    def go_on(self) -> LiveRun:
        """This run; if it is over, with its budget given once more."""
        if self.finished and self.can_go_on:
            self.steps_allowed = min(self.step + self.config.steps, MOST_STEPS)
            self._seconds = self.seconds + self.config.seconds
        return self

    def advance(self) -> None:
        """Take one step, and measure after every `REPORT_EVERY` and after the last.

        Raises:
            DivergedError: the loss is no longer a number.
        """
        begin, processor = perf_counter(), thread_time()
        loss = self._update()
        self.step += 1
        if not math.isfinite(loss):
            raise DivergedError(
                f"at step {self.step} the loss is no longer a number: the learning rate "
                f"{self.config.learning_rate:g} is too high for this network; choose a lower one"
            )
        self._recent.append(loss)
        if self.step % REPORT_EVERY == 0 or self.step == self.steps_allowed:
            self._report()
        self.seconds += perf_counter() - begin
        self.processor += thread_time() - processor

    def _update(self) -> float:
        """One step of the optimiser → the batch's loss."""
        config = self.config
        for group in self.optimiser.param_groups:
            group["lr"] = config.learning_rate * min(1.0, (self.step + 1) / WARMUP)
        self.optimiser.zero_grad(set_to_none=True)
        loss = training_loss(
            self.network,
            training_batch(config, self.step),
            config.objective,
            step=self.step,
            generator=torch.Generator().manual_seed(config.seed * 1_000_003 + self.step),
        )
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), GRADIENT_NORM)
        self.optimiser.step()
        return float(loss.detach())

    def _report(self) -> None:
        losses, self._recent = self._recent, []
        report = LiveReport(
            step=self.step,
            seconds=self.seconds,
            processor=self.processor,
            training_loss=sum(losses) / len(losses) if losses else None,
            share=self.config.objective.share_at(self.step),
            measured=measure(self.network, self.held_out),
        )
        self.reports = (*self.reports, report)  # one assignment: readers see all of it or none
