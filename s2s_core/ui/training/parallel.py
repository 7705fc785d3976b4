"""What waits for what: recurrence and the Transformer, in training and in writing."""

from __future__ import annotations


def draw() -> None:
    """Draw the tab."""
