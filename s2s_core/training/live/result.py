"""The results of a small run as plain values: nothing here computes, and nothing needs torch."""

from __future__ import annotations

from dataclasses import dataclass

from s2s_core.training.live.config import LiveConfig


@dataclass(frozen=True, slots=True)
class Example:
    """One held-out string as the network writes it now, reading its own tokens.

    source, target, written: tokens; the end token stands at the end if it was written.
    attention: a row for each written token, a column for each source token; None without attention.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    written: tuple[str, ...]
    attention: tuple[tuple[float, ...], ...] | None


@dataclass(frozen=True, slots=True)
class Measured:
    """What held-out strings say; shares in percent, end tokens counted.

    loss: nats a token, the true prefix given.
    forced_accuracy: tokens that are right with the true prefix given.
    free_accuracy: tokens that are right at their place with the network's own prefix (greedy).
    exact_match: strings that are right from the first token to the end token.
    """

    loss: float
    forced_accuracy: float
    free_accuracy: float
    exact_match: float
    example: Example


@dataclass(frozen=True, slots=True)
class LiveReport:
    """Where a run stood.

    step: updates so far. seconds: on the wall, spent in this run. processor: of one processor core.
    training_loss: mean since the report before, in nats a token, with the inputs of the objective;
        None before the first step.
    share: of true tokens among the decoder's inputs at this step, 0 to 1.
    """

    step: int
    seconds: float
    processor: float
    training_loss: float | None
    share: float
    measured: Measured


@dataclass(frozen=True, slots=True)
class RunSoFar:
    """A run as a screen shows it: its settings, and the reports up to now."""

    config: LiveConfig
    reports: tuple[LiveReport, ...]
