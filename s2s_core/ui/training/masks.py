"""Three masks, and what each omission does."""

from __future__ import annotations


def draw() -> None:
    """Draw the tab."""
