"""Right tokens by position, after the true prefix and after the model's own."""

from __future__ import annotations


def draw() -> None:
    """Draw the tab."""
