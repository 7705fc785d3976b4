"""Right tokens by position in two ways, and the arithmetic of independent tokens, as lines."""

from __future__ import annotations

from s2s_core.figures.lines import Axes, Line
from s2s_core.training.lessons.exposure import Exposure, all_right, wilson_interval

EXPOSURE_AXES = Axes(x="position in the target", y="right tokens, %", from_zero=True)
FORCED_NAME, FREE_NAME = "after the true prefix (teacher forcing)", "after its own prefix"
FEWEST = 20
"""Targets that must reach a position for it to be drawn."""
_LONGEST = 40


def exposure_lines(exposure: Exposure) -> tuple[Line, ...]:
    """A line for each way, with 95 % intervals; positions that few targets reach are left out."""
    rows = [each for each in exposure.positions if each.count >= min(FEWEST, exposure.targets)]
    lines = []
    for name, counts in (
        (FORCED_NAME, [(each.forced, each.count) for each in rows]),
        (FREE_NAME, [(each.free, each.count) for each in rows]),
    ):
        ends = [wilson_interval(*count) for count in counts]
        shares = [100 * right / count for right, count in counts]
        lines.append(
            Line(
                name,
                tuple(float(each.position) for each in rows),
                tuple(shares),
                tuple(100 * low for low, _ in ends),
                tuple(100 * high for _, high in ends),
                tuple(
                    f"position {each.position}: {share:.1f} % "
                    f"({100 * low:.1f} to {100 * high:.1f}) of {each.count}"
                    for each, share, (low, high) in zip(rows, shares, ends, strict=True)
                ),
            )
        )
    return tuple(lines)


def arithmetic_axes(length: int) -> Axes:
    """With the chosen length marked."""
    return Axes(
        x="tokens in the target",
        y="all right, %",
        from_zero=True,
        limit=(float(length), f"{length} tokens"),
    )


def arithmetic_lines(accuracy: float, length: int) -> tuple[Line, ...]:
    """p^T against T, from 1 token to a little beyond the chosen length."""
    lengths = range(1, max(_LONGEST, length) + 1)
    return (
        Line(
            f"p^T for p = {accuracy:g}: arithmetic, not a measurement",
            tuple(map(float, lengths)),
            tuple(100 * all_right(accuracy, count) for count in lengths),
            labels=tuple(f"{count}: {100 * all_right(accuracy, count):.2f} %" for count in lengths),
        ),
    )
