"""The timeline as the browser gets it: small, and growing with the number of steps.

This is the border to JavaScript, so it is the one place where names become strings. What stands
here is all that `ui/decode/timeline.js` reads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from s2s_core.figures.grid import AttentionGrid
from s2s_core.figures.labels import token_label
from s2s_core.figures.moments import Moment, TimelineView
from s2s_core.figures.next_token import NextTokens, bar_arrays
from s2s_core.figures.theme import Theme, percent, signed
from s2s_core.figures.tree_traces import BEND

Json = dict[str, object]


def bar_slots(view: TimelineView) -> int:
    """How many bars the next-token figure needs, so that every step finds room."""
    return 1 + max(len(moment.next_tokens.tokens) for moment in view.moments)


def shown_grid(view: TimelineView) -> AttentionGrid | None:
    """The grid of the last moment, with room for the rows of all; None without attention."""
    if not view.grids:
        return None
    grid = view.grids[view.moments[-1].grid]
    return grid.with_room(max(len(each.rows) for each in view.grids))


def timeline_payload(view: TimelineView, theme: Theme) -> Json:
    """What the controls need to move the three pictures.

    Attention is sent only where there is more than one grid, and then rows that grids share are
    sent once, so that the whole grows with the steps and not with their square.
    """
    slots = bar_slots(view)
    return {
        "story": view.story,
        "search": view.search,
        "map": view.map,
        "theme": theme.name,
        "accent": theme.accent,
        "bend": BEND,
        "moments": [_moment(view, moment, slots, theme) for moment in view.moments],
        "grids": _grids(view.grids) if len(view.grids) > 1 else None,
    }


def lists_payload(view: TimelineView) -> Json:
    """What the lists of live and finished hypotheses need: each text once, and ids by step."""
    trace, penalty = view.trace, view.penalty
    shown = {i: trace.node(i) for m in view.moments for i in (*m.live, *m.pool)}
    finished = sorted({i for m in view.moments for i in m.pool})
    scores = {i: penalty.score(shown[i].log_prob, shown[i].step) for i in finished}
    sums = {i: penalty.arithmetic(shown[i].log_prob, shown[i].step) for i in finished}
    return {
        "texts": {str(i): node.text for i, node in shown.items()},
        "log_probs": {str(i): signed(node.log_prob) for i, node in shown.items()},
        "scores": {str(i): signed(score) for i, score in scores.items()},
        "sums": {str(i): text.replace("-", "−") for i, text in sums.items()},
        "live": [moment.live for moment in view.moments],
        "pool": [moment.pool for moment in view.moments],
        "size": trace.request.config.beam_size,
    }


def _moment(view: TimelineView, moment: Moment, slots: int, theme: Theme) -> Json:
    row = moment.next_tokens
    return {
        "caption": view.caption(moment.step),
        "before": moment.node.text if moment.ended else row.prefix,
        "token": "" if moment.ended else moment.node.token,
        "percent": "" if moment.ended else percent(math.exp(moment.node.token_log_prob)),
        "note": view.note(moment.step),
        "grid": moment.grid,
        "rows": moment.rows,
        "row": moment.row,
        "bars": _bars(row, slots, theme),
    }


def _bars(row: NextTokens, slots: int, theme: Theme) -> Json:
    bars = bar_arrays(row, slots=slots, theme=theme)
    return {
        "labels": bars.labels,
        "values": bars.values,
        "texts": bars.texts,
        "colors": bars.colors,
    }


def _grids(grids: Sequence[AttentionGrid]) -> Json:
    """Each row once, and each grid as the numbers of its rows."""
    numbers: dict[tuple[str, bytes], int] = {}
    rows: list[object] = []
    indexes = []
    for grid in grids:
        index = []
        for label, weights in zip(grid.rows, grid.weights, strict=True):
            row = (label, weights.tobytes())
            if row not in numbers:
                numbers[row] = len(rows)
                rows.append([token_label(label), weights.round(4).tolist()])
            index.append(numbers[row])
        indexes.append(index)
    return {"rows": rows, "grids": indexes}
