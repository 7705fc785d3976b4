"""Checks that the configurations of all networks share."""

from __future__ import annotations

from collections.abc import Sequence
from reprlib import repr as short

from s2s_core.errors import ConfigError

MAXIMUM_SIZE = 1_000_000


def check_size(name: str, value: object, *, maximum: int = MAXIMUM_SIZE) -> None:
    """Check a width or a count: a whole number from 1 to the maximum.

    Raises:
        ConfigError: it isn't.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= maximum:
        raise ConfigError(f"{name} must be a whole number from 1 to {maximum}, not {short(value)}")


def check_share(name: str, value: object) -> None:
    """Check a dropout: a number from 0 to below 1.

    Raises:
        ConfigError: it isn't.
    """
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value < 1:
        raise ConfigError(f"{name} must be a number from 0 to below 1, not {short(value)}")


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Check a name against those that there are.

    Raises:
        ConfigError: it isn't one of them.
    """
    if value not in choices:
        raise ConfigError(f"{name} must be one of {', '.join(choices)}, not {short(value)}")
