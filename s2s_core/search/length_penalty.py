"""The length penalties, and where two hypotheses change places.

Everywhere `length` is L, the generated tokens with EOS and without BOS, and a higher score is
better.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

from s2s_core.search.penalty_base import LengthPenalty, check_length, finite, readable

__all__ = [
    "LENGTH_PENALTIES",
    "GnmtPenalty",
    "LengthPenalty",
    "NoPenalty",
    "PowerPenalty",
    "WordReward",
    "crossing",
]


@dataclass(frozen=True, slots=True)
class NoPenalty(LengthPenalty):
    """The raw log-probability."""

    name: ClassVar[str] = "none"
    label: ClassVar[str] = "none"
    latex: ClassVar[str] = r"\log P"
    source: ClassVar[str] = "raw log-probability"

    @property
    def parameter(self) -> None:
        """There is none."""
        return None

    @classmethod
    def from_parameter(cls, value: float) -> Self:
        """The number is ignored."""
        return cls()

    def score(self, log_prob: float, length: int) -> float:
        """The log-probability itself."""
        check_length(length)
        return log_prob

    def bound(self, log_prob: float, step: int, max_length: int) -> float:
        """The log-probability: more tokens can't raise it."""
        return log_prob

    def arithmetic(self, log_prob: float, length: int) -> str:
        """Nothing is done to it."""
        return f"{readable(log_prob)}"

    @classmethod
    def line(cls, log_prob: float, length: int) -> tuple[float, float]:
        """A flat line: no parameter moves it."""
        return -log_prob, 0.0


@dataclass(frozen=True, slots=True)
class _DividedPenalty(LengthPenalty):
    """log P / base(L)^alpha, with base(L) growing in L."""

    alpha: float

    parameter_name: ClassVar[str | None] = "alpha"

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", finite("alpha", self.alpha))

    @staticmethod
    @abstractmethod
    def base(length: int) -> float:
        """What alpha raises to a power."""

    @property
    def parameter(self) -> float:
        """alpha."""
        return self.alpha

    @classmethod
    def from_parameter(cls, value: float) -> Self:
        """The penalty with that alpha."""
        return cls(value)

    def score(self, log_prob: float, length: int) -> float:
        """log P / base(L)^alpha."""
        check_length(length)
        try:
            divisor = math.pow(self.base(length), self.alpha)
        except OverflowError:
            divisor = math.inf
        if divisor == 0.0:  # a hugely negative alpha
            return -math.inf if log_prob < 0 else 0.0
        return log_prob / divisor

    def bound(self, log_prob: float, step: int, max_length: int) -> float:
        """The longest end is the best one for alpha >= 0, the shortest for alpha < 0."""
        return self.score(log_prob, max_length if self.alpha >= 0 else step + 1)

    @classmethod
    def line(cls, log_prob: float, length: int) -> tuple[float, float]:
        """ln(-score) = ln(-log P) - alpha ln base(L)."""
        check_length(length)
        return math.log(-log_prob) if log_prob < 0 else -math.inf, math.log(cls.base(length))


@dataclass(frozen=True, slots=True)
class PowerPenalty(_DividedPenalty):
    """log P / L^alpha. Alpha 0 is the raw log-probability, alpha 1 the mean per token."""

    name: ClassVar[str] = "power"
    label: ClassVar[str] = "length to a power"
    latex: ClassVar[str] = r"\frac{\log P}{L^{\alpha}}"
    source: ClassVar[str] = "the default of several toolkits, with L^alpha as the divisor"

    @staticmethod
    def base(length: int) -> float:
        """L."""
        return float(length)

    def arithmetic(self, log_prob: float, length: int) -> str:
        """`-3.20 / 8^0.6 = -0.92`."""
        score = readable(self.score(log_prob, length))
        return f"{readable(log_prob)} / {length}^{self.alpha:g} = {score}"


@dataclass(frozen=True, slots=True)
class GnmtPenalty(_DividedPenalty):
    """log P / ((5 + L) / 6)^alpha: milder than `PowerPenalty` for short outputs."""

    name: ClassVar[str] = "gnmt"
    label: ClassVar[str] = "GNMT"
    latex: ClassVar[str] = r"\frac{\log P}{\left(\frac{5+L}{6}\right)^{\alpha}}"
    source: ClassVar[str] = "eq. 14, Wu et al. 2016, arXiv:1609.08144"

    @staticmethod
    def base(length: int) -> float:
        """(5 + L) / 6."""
        return (5.0 + length) / 6.0

    def arithmetic(self, log_prob: float, length: int) -> str:
        """`-3.20 / ((5+8)/6)^0.6 = -2.01`."""
        divisor = f"((5+{length})/6)^{self.alpha:g}"
        return f"{readable(log_prob)} / {divisor} = {readable(self.score(log_prob, length))}"


@dataclass(frozen=True, slots=True)
class WordReward(LengthPenalty):
    """log P + gamma L: a constant reward for each token."""

    gamma: float

    name: ClassVar[str] = "reward"
    label: ClassVar[str] = "word reward"
    latex: ClassVar[str] = r"\log P + \gamma L"
    source: ClassVar[str] = "Murray & Chiang 2018, W18-6322"
    parameter_name: ClassVar[str | None] = "gamma"

    def __post_init__(self) -> None:
        object.__setattr__(self, "gamma", finite("gamma", self.gamma))

    @property
    def parameter(self) -> float:
        """gamma."""
        return self.gamma

    @classmethod
    def from_parameter(cls, value: float) -> Self:
        """The reward with that gamma."""
        return cls(value)

    def score(self, log_prob: float, length: int) -> float:
        """log P + gamma L."""
        check_length(length)
        return log_prob + self.gamma * length

    def bound(self, log_prob: float, step: int, max_length: int) -> float:
        """The longest end collects most of a positive reward, the shortest least of a negative."""
        return self.score(log_prob, max_length if self.gamma > 0 else step + 1)

    def arithmetic(self, log_prob: float, length: int) -> str:
        """`-3.20 + 0.5 * 8 = 0.80`."""
        score = readable(self.score(log_prob, length))
        return f"{readable(log_prob)} + {self.gamma:g} * {length} = {score}"

    @classmethod
    def line(cls, log_prob: float, length: int) -> tuple[float, float]:
        """-score = -log P - gamma L."""
        check_length(length)
        return -log_prob, float(length)


def crossing(
    family: type[LengthPenalty], first: tuple[float, int], second: tuple[float, int]
) -> float | None:
    """The parameter at which two hypotheses, each (log_prob, length), have the same score.

    For L^alpha and GNMT it is ln(s2 / s1) / ln(base(L2) / base(L1)) with s = -log P. The longer one
    wins above it, the shorter one below.

    Returns:
        None if they never cross: equal lengths, a log-probability of 0, or no parameter.
    """
    intercept_1, slope_1 = family.line(*first)
    intercept_2, slope_2 = family.line(*second)
    if slope_1 == slope_2:
        return None
    value = (intercept_2 - intercept_1) / (slope_2 - slope_1)
    return value if math.isfinite(value) else None


LENGTH_PENALTIES: dict[str, type[LengthPenalty]] = {
    PowerPenalty.name: PowerPenalty,
    GnmtPenalty.name: GnmtPenalty,
    NoPenalty.name: NoPenalty,
    WordReward.name: WordReward,
}
