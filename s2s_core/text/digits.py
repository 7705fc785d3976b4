"""How strings of digits are written for the toy tasks: 4 9 7, with one space between two digits."""

from __future__ import annotations

import re

from s2s_core.text.cleaning import SHARED_STEPS, Step

_FOREIGN = re.compile(r"[^0-9 ]")
_BETWEEN = re.compile(r"(?<=[0-9]) *(?=[0-9])")


def foreign_to_digits(text: str) -> str:
    """The first character that is neither a digit 0 to 9 nor a space; "" if there is none."""
    found = _FOREIGN.search(text)
    return found[0] if found else ""


def _space_digits(text: str) -> str:
    return _BETWEEN.sub(" ", text)


DIGIT_STEPS: tuple[Step, ...] = (
    *SHARED_STEPS,
    Step("one space put between digits", _space_digits),
)
