"""The next-token distribution: what the model would say next, in %."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import plotly.graph_objects as go

from s2s_core.figures.build import make_figure
from s2s_core.figures.labels import token_label
from s2s_core.figures.theme import (
    LIGHT,
    TOP,
    Theme,
    bare_axis,
    base_layout,
    font,
    percent,
)
from s2s_core.search.records import Candidate, Fate
from s2s_core.search.trace import ROOT_ID, BeamTrace

BARS = 8
"""The most tokens shown; the others are summed in one bar."""

_BAR_HEIGHT = 33
_AROUND = TOP + 8
_LABEL_WIDTH = 16


@dataclass(frozen=True, slots=True)
class NextToken:
    """One bar.

    probability: 0-1. taken: the followed path goes on with it.
    state: "taken", "given", or what the search did with it; "" where a token was given and the
        search did nothing.
    """

    node_id: int
    token: str
    probability: float
    taken: bool
    state: Fate | Literal["taken", "given", ""]


@dataclass(frozen=True, slots=True)
class NextTokens:
    """The distribution after one prefix.

    step: the step that continues the prefix, 1-based.
    prefix: the text so far.
    tokens: the most probable recorded ones, best first; at most `BARS`, the taken one among them.
    rest: the probability (0-1) of all others.
    rest_count: how many tokens that is; None where prefixes may differ in what can follow them.
    """

    step: int
    prefix: str
    tokens: tuple[NextToken, ...]
    rest: float
    rest_count: int | None


def next_tokens(
    trace: BeamTrace, parent_id: int, *, taken_id: int | None = None
) -> NextTokens | None:
    """What could follow a node (0 is the empty prefix); None if it wasn't expanded."""
    parent = None if parent_id == ROOT_ID else trace.node(parent_id)
    step = 1 if parent is None else parent.step + 1
    if step > len(trace.steps) or parent_id not in trace.steps[step - 1].expanded_ids:
        return None
    row = sorted(trace.steps[step - 1].row(parent_id), key=lambda c: -c.token_log_prob)
    shown = _shown(row, taken_id)
    given = any(c.forced for c in row)

    def state(candidate: Candidate) -> Fate | Literal["taken", "given", ""]:
        if given:
            return "given" if candidate.forced else ""
        return "taken" if candidate.id == taken_id else candidate.fate

    return NextTokens(
        step=step,
        prefix="" if parent is None else parent.text,
        tokens=tuple(
            NextToken(c.id, c.token, math.exp(c.token_log_prob), c.id == taken_id, state(c))
            for c in shown
        ),
        rest=max(0.0, 1.0 - math.fsum(math.exp(c.token_log_prob) for c in shown)),
        rest_count=_rest_count(trace, step, len(shown)),
    )


def _rest_count(trace: BeamTrace, step: int, shown: int) -> int | None:
    """How many tokens of finite probability aren't shown.

    A step counts them over all its prefixes. A model that reads a source gives every token a
    probability, after every prefix; a hand-written table has rows of any length.
    """
    total, rows = trace.steps[step - 1].candidate_count, len(trace.steps[step - 1].expanded_ids)
    if not trace.source_tokens or total != rows * trace.steps[0].candidate_count:
        return None
    return total // rows - shown


def _shown(row: list[Candidate], taken_id: int | None) -> list[Candidate]:
    """The first `BARS` of a row; the taken one replaces the last if it isn't among them."""
    first = row[:BARS]
    if taken_id is None or any(c.id == taken_id for c in first):
        return first
    return [*first[:-1], *(c for c in row if c.id == taken_id)]


@dataclass(frozen=True, slots=True)
class BarArrays:
    """The bars of one row as plotly takes them, top to bottom, filled up to a number of slots.

    labels: beside the bars. values: in %. texts: at their ends. colors: by state.
    """

    labels: tuple[str, ...]
    values: tuple[float, ...]
    texts: tuple[str, ...]
    colors: tuple[str, ...]


def bar_arrays(row: NextTokens, *, slots: int, theme: Theme) -> BarArrays:
    """The bars of a row: its tokens, the sum of all others, and empty slots up to `slots`."""
    empty = slots - len(row.tokens) - 1
    tokens = row.tokens
    return BarArrays(
        labels=(*(token_label(t.token, _LABEL_WIDTH) for t in tokens), _others(row), *[""] * empty),
        values=(*(round(100 * t.probability, 4) for t in tokens), 100 * row.rest, *[0.0] * empty),
        texts=(*(_text(t) for t in tokens), percent(row.rest), *[""] * empty),
        colors=(*(_color(t, theme) for t in tokens), theme.pruned, *[theme.pruned] * empty),
    )


def _text(token: NextToken) -> str:
    """The state in words, so that the colour isn't needed."""
    share = percent(token.probability)
    return f"<b>{share}</b>  {token.state}" if token.taken else f"{share}  {token.state}".rstrip()


def _others(row: NextTokens) -> str:
    """What the last bar sums up."""
    return "all others" if row.rest_count is None else f"{row.rest_count:,} others"


def _color(token: NextToken, theme: Theme) -> str:
    if token.taken:
        return theme.accent
    return theme.pruned if token.state in ("pruned", "") else theme.kept


def next_token_figure(
    row: NextTokens, *, theme: Theme = LIGHT, slots: int | None = None
) -> go.Figure:
    """Horizontal bars, most probable on top, and the sum of all others.

    slots: room for so many bars, for a figure whose rows change; by default as many as are needed.
    """
    slots = len(row.tokens) + 1 if slots is None else slots
    bars = bar_arrays(row, slots=slots, theme=theme)
    trace = {
        "type": "bar",
        "meta": "next",
        "orientation": "h",
        "x": bars.values,
        "y": list(range(slots)),
        "text": bars.texts,
        "textposition": "outside",
        "textangle": 0,
        "textfont": font(theme),
        "cliponaxis": False,
        "hoverinfo": "skip",
        "marker": {"color": bars.colors},
    }
    layout = base_layout(theme, height=_AROUND + _BAR_HEIGHT * slots) | {
        "bargap": 0.3,
        "xaxis": {"range": [0, 225], "visible": False, "fixedrange": True, "zeroline": False},
        "yaxis": bare_axis(theme, bars.labels) | {"range": [slots - 0.5, -0.5]},
    }
    return make_figure([trace], layout)


def next_token_alt(row: NextTokens) -> str:
    """The picture in plain sentences, for those who don't see it."""
    told = ", ".join(f"{t.token} {percent(t.probability)}" for t in row.tokens)
    after = f"after “{row.prefix}”" if row.prefix else "at the start"
    return f"Next-token distribution {after}: {told}; {_others(row)} {percent(row.rest)}."
