"""What the tab "By hand" shows: one pure function of its controls, and tables of the result."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from s2s_core.figures.panels import Panel
from s2s_core.figures.theme import percent
from s2s_core.models.attention_by_hand import attend_batch, attend_by_hand
from s2s_core.models.hand_case import MISTAKES, SCORES, BatchAttention, HandAttention
from s2s_core.models.hand_presets import PRESETS
from s2s_core.ui.attention.hand_words import number, vector
from s2s_core.ui.attention.link import (
    BATCH,
    CASE,
    MISTAKE,
    PART_SHOWN,
    QUERY_SHOWN,
    SCORE,
    START,
    case_values,
    hand_case,
)
from s2s_core.ui.link import LinkValues


@dataclass(frozen=True, eq=False)
class HandScreen:
    """The result, and which query and head of it are followed; both from 0."""

    result: HandAttention
    query: int
    head: int

    @property
    def positions(self) -> tuple[str, ...]:
        """Names of the source positions."""
        return tuple(f"position {i}" for i in range(1, self.result.values.shape[1] + 1))


def hand_screen(values: LinkValues) -> HandScreen | BatchAttention:
    """What the controls ask for.

    Raises:
        ModelInputError: the tables don't fit together or don't fit the score.
        EmptySourceError: the mask leaves no position.
        SettingError: a setting lies outside what is allowed.
    """
    if values.get(START) == BATCH:
        score = next(each for each in SCORES if each == values.get(SCORE))
        mistake = next(each for each in MISTAKES if each == values.get(MISTAKE))
        return attend_batch(score, mistake=mistake)
    result = attend_by_hand(hand_case(values))
    heads, queries, _ = result.weights.shape
    return HandScreen(
        result=result,
        query=min(values.get(QUERY_SHOWN), queries) - 1,
        head=min(values.get(PART_SHOWN), heads) - 1,
    )


def preset_of(values: LinkValues) -> str | None:
    """The name of the preset that the controls are set to, or None."""
    return next(
        (
            name
            for name, preset in PRESETS.items()
            if all(case_values(preset.case).get(field) == values.get(field) for field in CASE)
        ),
        None,
    )


def flow_panels(screen: HandScreen) -> tuple[Panel, ...]:
    """From scores to weights, for one query and head; given weights stand alone.

    What goes into the softmax is left out where it is the scores themselves.
    """
    result, where = screen.result, (screen.head, screen.query)
    weights = tuple(map(float, result.weights[where]))
    told = tuple(number(weight) for weight in weights)
    panels = [Panel("weight", weights, told, role="weight", most=1.0)]
    if result.scores is not None and result.inputs is not None:
        scores = tuple(map(float, result.scores[where]))
        inputs = tuple(map(float, result.inputs[where]))
        before = [
            Panel(title, numbers, tuple(map(number, numbers)), role="score")
            for title, numbers in (("score", scores), ("into the softmax", inputs))
        ]
        panels = [*(before[:1] if scores == inputs else before), *panels]
    return tuple(panels)


def mixture_rows(screen: HandScreen) -> list[tuple[str, ...]]:
    """Position, weight, value, weight × value for one query and head, and the sum of the last."""
    result = screen.result
    weights = result.weights[screen.head, screen.query]
    values = result.values[screen.head]
    rows = [
        (name, number(weight), vector(value.tolist()), vector((weight * value).tolist()))
        for name, weight, value in zip(screen.positions, weights, values, strict=True)
    ]
    context = result.contexts[screen.head, screen.query]
    return [
        *rows,
        ("sum", number(float(weights.sum())), "", f"{vector(context.tolist())} = context"),
    ]


def hand_frame(screen: HandScreen) -> pd.DataFrame:
    """A row for each head, query and position."""
    result = screen.result
    heads, queries, positions = result.weights.shape
    return pd.DataFrame(
        {
            "head": head + 1,
            "query": query + 1,
            "position": position + 1,
            "score": None if result.scores is None else result.scores[head, query, position],
            "into the softmax": (
                None if result.inputs is None else result.inputs[head, query, position]
            ),
            "weight": result.weights[head, query, position],
        }
        for head in range(heads)
        for query in range(queries)
        for position in range(positions)
    )


def batch_rows(batch: BatchAttention) -> list[tuple[str, ...]]:
    """A row for each sentence: its tokens, its weights in %, their sum."""
    return [
        (
            f"sentence {place}, {length} tokens",
            *("0" if weight == 0 else percent(float(weight)) for weight in weights),
            number(round(float(weights.sum()), 4)),
        )
        for place, (length, weights) in enumerate(
            zip(batch.lengths, batch.weights, strict=True), start=1
        )
    ]


def batch_frame(batch: BatchAttention) -> pd.DataFrame:
    """A row for each sentence and position."""
    return pd.DataFrame(
        {"sentence": row + 1, "position": position + 1, "weight": weight}
        for row, weights in enumerate(batch.weights)
        for position, weight in enumerate(weights)
    )
