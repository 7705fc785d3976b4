"""Scheduled sampling against teacher forcing, with the same budget and several seeds."""

from __future__ import annotations


def draw() -> None:
    """Draw the tab."""
