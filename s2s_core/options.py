"""The bounds of every number that a person can set, declared once.

Validation, sliders on the pages and command-line options all read from here, so the three can't
drift apart. Bounds that matter to mathematics (a beam of at least 1) and bounds that only protect a
server (a beam of at most 64) are both here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from s2s_core.errors import SettingError


def _shown(value: float) -> str:
    """A number in a message, cut where it would be a long row of digits."""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 24 else f"{text[:20]}…"


@dataclass(frozen=True, slots=True)
class IntegerOption:
    """A whole number with inclusive bounds."""

    name: str
    minimum: int
    maximum: int
    default: int
    help: str

    def check(self, value: object) -> int:
        """Return the value as an int.

        Raises:
            SettingError: it isn't a whole number, or lies outside the bounds.
        """
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise SettingError(f"{self.name} must be a whole number, not {value!r}")
        if isinstance(value, float) and not value.is_integer():  # NaN and infinity aren't either
            raise SettingError(f"{self.name} must be a whole number, not {value!r}")
        number = int(value)
        if not self.minimum <= number <= self.maximum:
            raise SettingError(
                f"{self.name} must be between {self.minimum} and {self.maximum}, "
                f"not {_shown(number)}"
            )
        return number


@dataclass(frozen=True, slots=True)
class RealOption:
    """A finite real number with inclusive bounds; `step` is the slider's."""

    name: str
    minimum: float
    maximum: float
    default: float
    step: float
    help: str

    def check(self, value: object) -> float:
        """Return the value as a float.

        Raises:
            SettingError: it isn't a finite number, or lies outside the bounds.
        """
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise SettingError(f"{self.name} must be a number, not {value!r}")
        if isinstance(value, float) and not math.isfinite(value):
            raise SettingError(f"{self.name} must be a finite number, not {value!r}")
        if not self.minimum <= value <= self.maximum:
            raise SettingError(
                f"{self.name} must be between {self.minimum:g} and {self.maximum:g}, "
                f"not {_shown(value)}"
            )
        return float(value)
