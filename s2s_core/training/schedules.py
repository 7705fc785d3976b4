"""What the decoder reads in training: true tokens, its own, or a mixture that changes.

    ε_i = share of true tokens among the decoder's inputs at step i of the training

Bengio et al. 2015, arXiv:1506.03099, section 2.4: start with ε near 1 (teacher forcing) and let it
fall, so that the decoder meets more and more of its own tokens. Each of the three falling schedules
has one number here, the step `half` at which ε has fallen to one half:

    linear            ε_i = 1 − i / (2 half),    k = 1 and c = 1 / (2 half)
    exponential       ε_i = k^i,                 k = 2^(−1/half)
    inverse sigmoid   ε_i = k / (k + exp(i/k)),  half = k ln k

This is another objective than the likelihood: with falling ε, the most likely model is no longer
what the training looks for (Huszár 2015, arXiv:1511.05101).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from s2s_core.errors import ConfigError

Falling = Callable[[int, float], float]


def linear(step: int, half: float) -> float:
    """Falls evenly, and is 0 from 2 · half on."""
    return max(0.0, 1.0 - step / (2.0 * half))


def exponential(step: int, half: float) -> float:
    """Halves every `half` steps."""
    return float(0.5 ** (step / half))


def inverse_sigmoid(step: int, half: float) -> float:
    """Stays near 1 at first, falls around `half`, and ends near 0."""
    k = _sigmoid_constant(half)
    # Written with exp(−x): exp(x) itself would overflow late in a long run.
    return 1.0 / (1.0 + math.exp(min(step / k - math.log(k), 700.0)))


def _sigmoid_constant(half: float) -> float:
    """The k above 1 with k ln k = half, by Newton's method."""
    k = max(2.0, half / math.log(half + 2.0))
    for _ in range(50):
        k -= (k * math.log(k) - half) / (math.log(k) + 1.0)
    return k


CONSTANT = "constant"
FALLING: dict[str, Falling] = {
    "linear": linear,
    "exponential": exponential,
    "inverse_sigmoid": inverse_sigmoid,
}
"""Every schedule that falls: the step and `half` → ε. A new one is one line here."""
SCHEDULES = (CONSTANT, *FALLING)
ARGMAX, SAMPLE = "argmax", "sample"
PREDICTIONS = (ARGMAX, SAMPLE)


@dataclass(frozen=True, slots=True)
class ObjectiveConfig:
    """The mixture of true and own tokens that the decoder reads; the default is teacher forcing.

    schedule: a key of `SCHEDULES`.
    share: ε of the schedule "constant", 0 to 1. 1 is teacher forcing, 0 is free running.
    half: the step at which a falling schedule is at one half.
    least: below this a falling schedule doesn't go.
    prediction: the model's own token is its most probable one ("argmax") or drawn ("sample").
    """

    schedule: str = CONSTANT
    share: float = 1.0
    half: int = 500
    least: float = 0.0
    prediction: str = ARGMAX

    def __post_init__(self) -> None:
        """Check the values.

        Raises:
            ConfigError: a name isn't known, or a number is out of bounds.
        """
        for name, given, known in (
            ("schedule", self.schedule, SCHEDULES),
            ("prediction", self.prediction, PREDICTIONS),
        ):
            if given not in known:
                raise ConfigError(
                    f"objective: {name} must be one of {', '.join(known)}, not {given!r}"
                )
        for name, share in (("share", self.share), ("least", self.least)):
            if not 0 <= share <= 1:
                raise ConfigError(f"objective: {name} must be from 0 to 1, not {share}")
        if self.half < 1:
            raise ConfigError(f"objective: half must be at least 1, not {self.half}")

    @property
    def teacher_forcing(self) -> bool:
        """Whether every input is true at every step."""
        return self.share_at(10**9) == 1.0

    def share_at(self, step: int) -> float:
        """ε at a step of the training, counted from 0."""
        if self.schedule == CONSTANT:
            return self.share
        return max(self.least, FALLING[self.schedule](step, float(self.half)))
