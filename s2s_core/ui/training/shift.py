"""The shift table, and one wrong token on the way."""

from __future__ import annotations


def draw() -> None:
    """Draw the tab."""
