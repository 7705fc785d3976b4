"""How figures of the metrics are written for people; exports have them raw."""

from __future__ import annotations


def shown_score(score: float, digits: int = 2) -> str:
    """A score from 0 to 100: a perfect one is 100.00, not 100.00000000000004."""
    return f"{min(score, 100.0):.{digits}f}"


def shown_difference(difference: float, digits: int = 2) -> str:
    """With its sign, and 0.00 for what rounds to nothing: never -0.00."""
    rounded = round(difference, digits)
    return f"{rounded:+.{digits}f}" if rounded else f"{0:.{digits}f}"
