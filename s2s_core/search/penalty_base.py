"""What a length penalty is: a function from a log-probability and a length to a score.

A longer target multiplies more probabilities, so its raw log-probability is lower. A length penalty
decides how much of that is made up for. Only hypotheses of different length are affected: at one
step of a beam search all live prefixes are equally long.

Everywhere `length` is L, the generated tokens with EOS and without BOS, and a higher score is
better.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import ClassVar, Self

from s2s_core.errors import SettingError


class LengthPenalty(ABC):
    """Turns (log_prob, length) into a score. A function, not a divisor, so that a reward fits too.

    To add a penalty, write one frozen dataclass and one line in `length_penalty.LENGTH_PENALTIES`.
    """

    __slots__ = ()

    name: ClassVar[str]
    """Key in the registry, in links and on the command line."""
    label: ClassVar[str]
    """What a person reads beside the control."""
    latex: ClassVar[str]
    """The formula."""
    source: ClassVar[str]
    """Where the formula comes from."""
    parameter_name: ClassVar[str | None] = None
    """The name of the one number the formula takes ("alpha", "gamma"), or None."""

    @property
    @abstractmethod
    def parameter(self) -> float | None:
        """The value of that number, or None for a formula without one."""

    @classmethod
    @abstractmethod
    def from_parameter(cls, value: float) -> Self:
        """The penalty with the given number; a formula without one ignores it.

        Raises:
            SettingError: the number isn't finite.
        """

    @abstractmethod
    def score(self, log_prob: float, length: int) -> float:
        """The score of a target; higher is better.

        Raises:
            SettingError: the length is below 1 (EOS counts, so nothing finished is that short).
        """

    @abstractmethod
    def bound(self, log_prob: float, step: int, max_length: int) -> float:
        """U: the best score that a live prefix can still reach.

        The prefix has `step` tokens and log-probability `log_prob`. It can finish with any length
        from step + 1 to max_length, and more tokens never raise its log-probability.
        """

    @abstractmethod
    def arithmetic(self, log_prob: float, length: int) -> str:
        """The sum as a person would write it, such as `-3.20 / 8^0.6 = -0.92`."""

    @classmethod
    @abstractmethod
    def line(cls, log_prob: float, length: int) -> tuple[float, float]:
        """(intercept, slope) of a cost that orders hypotheses as the score does.

        cost(parameter) = intercept - parameter * slope; the lowest cost has the highest score. All
        families here are straight lines on the right scale, so two hypotheses cross at most once.
        """

    def check_decoding(self) -> None:
        """Refuse a parameter that is fine for scoring but not for decoding.

        Raises:
            SettingError: alpha is negative.
        """
        if self.parameter_name == "alpha" and self.parameter is not None and self.parameter < 0:
            raise SettingError(
                f"decoding takes alpha of at least 0, not {self.parameter:g}; "
                "a negative alpha can still be used to re-rank a finished search"
            )


def check_length(length: int) -> None:
    """Guard against L = 0.

    Raises:
        SettingError: the length is below 1.
    """
    if length < 1:
        raise SettingError(
            f"a length counts the end token and is at least 1, not {length}; "
            "an empty output has length 1"
        )


def readable(value: float) -> str:
    """A log-probability or score for people: two decimals, or two digits if it is below 0.1.

    So -0.0018 isn't shown as -0.00, a score that nothing has.
    """
    return f"{value:.2f}" if value == 0 or abs(value) >= 0.0995 else f"{value:.2g}"


def finite(name: str, value: float) -> float:
    """The value as a float.

    Raises:
        SettingError: it isn't a finite number.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise SettingError(f"{name} must be a finite number, not {value!r}")
    return float(value)
