"""A target step by step: what the decoder reads and writes, with the truth and on its own.

Two bands below the target. Under teacher forcing each step's input comes down from the target; on
its own it comes over from what the step before wrote. Whether a token is right is told by a sign as
well as by colour.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.labels import SPACE_MARK, token_label
from s2s_core.figures.theme import (
    LIGHT,
    SMALL_SIZE,
    Theme,
    bare_axis,
    base_layout,
    font,
    percent,
    shorten,
)
from s2s_core.training.lessons.free_running import ErrorStory, Run, RunStep

MOST_STEPS = 16
"""More columns can't be read; the table has all of them."""

TARGET, FORCED_READ, FORCED_WRITE, OWN_READ, OWN_WRITE = 0.0, 1.3, 2.25, 3.5, 4.45
_ROWS = (TARGET, FORCED_READ, FORCED_WRITE, OWN_READ, OWN_WRITE)
_HALF_WIDTH, _HALF_HEIGHT = 0.36, 0.38
_ROW_HEIGHT = 60  # pixels
_WIDEST = 9  # characters in a cell


@dataclass(frozen=True, slots=True)
class Cell:
    """One token in the picture. column: the step. look: how it is framed."""

    column: int
    row: float
    token: str
    detail: str
    look: str


def error_figure(story: ErrorStory, *, theme: Theme = LIGHT) -> go.Figure:
    """The first `MOST_STEPS` steps as cells with arrows."""
    cells = list(error_cells(story))
    last = max(cell.column for cell in cells)
    labels = ("target", "teacher forcing<br>reads", "answers", "on its own<br>reads", "writes")
    layout = base_layout(theme, height=round(_ROW_HEIGHT * (OWN_WRITE + 1.2)) + 36) | {
        "xaxis": bare_axis(theme, [""] * 0)
        | {
            "range": [0.5, max(last, 4) + 0.5],
            "tickvals": list(range(1, last + 1)),
            "ticktext": [f"step {step}" if step == 1 else str(step) for step in range(1, last + 1)],
            "side": "top",
        },
        "yaxis": bare_axis(theme, labels) | {"tickvals": _ROWS, "range": [OWN_WRITE + 0.6, -0.6]},
        "shapes": [_shape(cell, theme) for cell in cells],
        "annotations": [
            *(_text(cell, theme) for cell in cells),
            *(_arrow(*way, theme) for way in _ways(cells)),
        ],
    }
    return make_figure([], layout)


def error_cells(story: ErrorStory) -> Iterator[Cell]:
    """Every cell of the picture.

    Where all tokens begin with a space, as digits do, its mark is left out.
    """
    cells = tuple(_cells(story))
    bare = all(c.token.startswith((SPACE_MARK, "<")) for c in cells)
    for cell in cells:
        yield replace(cell, token=cell.token.removeprefix(SPACE_MARK)) if bare else cell


def _cells(story: ErrorStory) -> Iterator[Cell]:
    for row in story.rows[:MOST_STEPS]:
        yield Cell(row.step, TARGET, row.wanted, "", "plain")
    yield from _band(story.forced, FORCED_READ, FORCED_WRITE)
    yield from _band(story.disturbed or story.free, OWN_READ, OWN_WRITE)


def error_alt(story: ErrorStory) -> str:
    """The picture in plain sentences, for those who don't see it."""
    own = story.disturbed or story.free
    return (
        f"Target: {' '.join(row.wanted for row in story.rows)}. "
        f"Under teacher forcing: {_told(story.forced)}. On its own: {_told(own)}."
    )


def _told(run: Run) -> str:
    return "; ".join(
        f"step {step.step} reads {step.read} and "
        f"{'is made to write' if step.put_in else 'writes'} {step.written} ({_judged(step)})"
        for step in run
    )


def _judged(step: RunStep) -> str:
    return "right" if step.right else "wrong"


def _band(run: Run, reads: float, writes: float) -> Iterator[Cell]:
    for step in run[:MOST_STEPS]:
        yield Cell(step.step, reads, step.read, "", "plain")
        if step.put_in:
            yield Cell(step.step, writes, step.written, "put in", "put in")
        else:
            sign = "✓" if step.right else "✗"
            detail = f"{sign} {percent(step.probability)}"
            yield Cell(step.step, writes, step.written, detail, _judged(step))


def _ways(cells: list[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """From where each input comes: the target's last token, or the last written one."""
    found = {(cell.column, cell.row): cell for cell in cells}
    for cell in cells:
        if cell.row in (FORCED_READ, OWN_READ) and cell.column > 1:
            origin = TARGET if cell.row == FORCED_READ else OWN_WRITE
            yield found[cell.column - 1, origin], cell


def _color(look: str, theme: Theme) -> str:
    colors = {"right": theme.finished, "wrong": theme.greedy, "put in": theme.accent}
    return colors.get(look, theme.muted)


def _shape(cell: Cell, theme: Theme) -> dict[str, object]:
    color = _color(cell.look, theme)
    return {
        "type": "rect",
        "x0": cell.column - _HALF_WIDTH,
        "x1": cell.column + _HALF_WIDTH,
        "y0": cell.row - _HALF_HEIGHT,
        "y1": cell.row + _HALF_HEIGHT,
        "line": {
            "color": color,
            "width": 1.5 if cell.look == "plain" else 2.5,
            "dash": "dash" if cell.look in ("wrong", "put in") else "solid",
        },
    }


def _text(cell: Cell, theme: Theme) -> dict[str, object]:
    token = token_label(shorten(cell.token, _WIDEST))
    detail = f'<br><span style="font-size:{SMALL_SIZE}px">{cell.detail}</span>'
    return {
        "x": cell.column,
        "y": cell.row,
        "text": f"<b>{token}</b>{detail if cell.detail else ''}",
        "font": font(theme),
        "showarrow": False,
    }


def _arrow(origin: Cell, end: Cell, theme: Theme) -> dict[str, object]:
    own = origin.row == OWN_WRITE
    color = theme.muted if not own else _color(origin.look, theme)
    return {
        "x": end.column - _HALF_WIDTH,
        "y": end.row,
        "ax": origin.column + _HALF_WIDTH * (1 if own else 0.5),
        "ay": origin.row + (0 if own else _HALF_HEIGHT),
        "axref": "x",
        "ayref": "y",
        "text": "",
        "showarrow": True,
        "arrowhead": 2,
        "arrowwidth": 2,
        "arrowcolor": color,
    }
