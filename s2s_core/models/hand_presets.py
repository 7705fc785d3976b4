"""Small cases of attention, each chosen because its numbers show something."""

from __future__ import annotations

import math
from dataclasses import dataclass

from s2s_core.models.hand_case import HandCase, Table

_CORNERS: Table = ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0))


@dataclass(frozen=True, slots=True)
class HandPreset:
    """A case to start from. title: on its button. lesson: what to look at, in a sentence or two."""

    title: str
    lesson: str
    case: HandCase


PRESETS: dict[str, HandPreset] = {
    "plane": HandPreset(
        "Vectors in the plane",
        "The query points up and to the right. The keys that point the same way score highest, and "
        "their values pull the context to them. Change the query in the table: the context moves.",
        HandCase(
            queries=((1.0, 2.0),),
            keys=((2.0, 0.0), (0.5, 1.5), (-1.0, 1.0)),
            values=((2.0, 0.0), (0.5, 1.5), (-1.0, 1.0)),
            mask=(True, True, True),
        ),
    ),
    "log 3": HandPreset(
        "Scores 0 and ln 3",
        "The softmax takes e to the power of each score: 1 and 3. So the weights are a quarter and "
        "three quarters, and the context lies three quarters of the way from 2 to 6.",
        HandCase(
            start="scores",
            scores=((0.0, math.log(3)),),
            values=((2.0,), (6.0,)),
            mask=(True, True),
        ),
    ),
    "states": HandPreset(
        "Three states, two mixes",
        "The same three states give another context at each step: only the weights change.",
        HandCase(start="weights", weights=((0.1, 0.7, 0.2), (0.6, 0.1, 0.3)), values=_CORNERS),
    ),
    "heads": HandPreset(
        "Two heads",
        "The width of 4 is shared by two heads: the first compares and mixes the numbers 1 and 2, "
        "the second 3 and 4. They look at different positions at the same time.",
        HandCase(
            queries=((2.0, 0.0, 0.0, 2.0),),
            keys=((2.0, 0.0, 1.0, 0.0), (0.0, 1.0, 1.0, 0.0), (0.0, 0.0, 0.0, 2.0)),
            values=((1.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0)),
            mask=(True, True, True),
            score="scaled_dot",
            heads=2,
        ),
    ),
    "mask after": HandPreset(
        "Masked too late",
        "Position 3 is padding. Its weight is set to 0 after the softmax, so that what it had is "
        "lost: the row sums to less than 1, and the context shrinks.",
        HandCase(
            start="scores",
            scores=((1.0, 2.0, 3.0),),
            values=_CORNERS,
            mask=(True, True, False),
            mistake="mask after",
        ),
    ),
    "rescaled": HandPreset(
        "Rescued too late",
        "Masking after the softmax and dividing by what is left is right in most cases. Here it "
        "isn't: the masked score is so large that nothing is left to divide by.",
        HandCase(
            start="scores",
            scores=((1.0, 2.0, 800.0),),
            values=_CORNERS,
            mask=(True, True, False),
            mistake="mask after, rescale",
        ),
    ),
    "over the batch": HandPreset(
        "Over the wrong axis",
        "The softmax runs over the queries instead of the positions. Each column sums to 1, the "
        "rows don't, and what a query gets depends on who else is in the batch.",
        HandCase(
            start="scores",
            scores=((2.0, 0.0, 1.0), (0.0, 2.0, 1.0)),
            values=_CORNERS,
            mask=(True, True, True),
            mistake="over the batch",
        ),
    ),
    "nothing left": HandPreset(
        "Everything masked",
        "A source without any position to look at has no weights that sum to 1: the softmax would "
        "be 0 / 0. So it is refused.",
        HandCase(
            start="scores",
            scores=((1.0, 2.0, 3.0),),
            values=_CORNERS,
            mask=(False, False, False),
        ),
    ),
}
"""By name, in the order of the buttons."""
