"""What the occlusion shows, in words and tables. Nothing is drawn here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from s2s_core.figures.theme import percent
from s2s_core.models.occlusion import Way, share_lost
from s2s_core.ui.attention.model_run import ExplanationScreen

WAY_LABELS: dict[Way, str] = {
    "removed": "source token removed",
    "masked": "source token masked",
}
WAY_NOTES: dict[Way, str] = {
    "masked": (
        "Masked: this step may not look at the token, and its weight goes to the others. The "
        "encoder has read it all the same, so its neighbours' states still know of it."
    ),
    "removed": (
        "Removed: the encoder reads the source anew without the token, and all steps before are "
        "read with that. It is another sentence then, in which another token may be right."
    ),
}
RIVAL_NOTE = (
    "Jain & Wallace (2019) measured how weights relate to such losses, and put other weights in; "
    "Wiegreffe & Pinter (2019) object that weights which the model wouldn't make tell little. The "
    "numbers here are of this model on this sentence."
)


@dataclass(frozen=True, slots=True)
class StepEffects:
    """One step, S numbers each: the weights, and shares of the token's probability that are lost.

    alone: with all weight on the one position.
    """

    weights: tuple[float, ...]
    removed: tuple[float, ...]
    masked: tuple[float, ...]
    alone: tuple[float, ...]


def step_effects(screen: ExplanationScreen) -> StepEffects:
    """The present step's row of the maps, in both ways."""
    row = screen.step - 1
    return StepEffects(
        weights=tuple(map(float, screen.attention[row])),
        removed=tuple(map(float, share_lost(screen.occlusion.removed[row]))),
        masked=tuple(map(float, share_lost(screen.occlusion.masked[row]))),
        alone=tuple(float(share_lost(swap.drop)) for swap in screen.swaps.positions),
    )


def share_told(shares: Iterable[float]) -> tuple[str, ...]:
    """Shares in %; a gain as the factor by which the token gets likelier."""
    return tuple(
        percent(max(0.0, share)) if share > -0.005 else f"× {1 - share:.3g}" for share in shares
    )


def correlation_story(screen: ExplanationScreen) -> str:
    """The rank correlation at this step, and over all steps where it is defined."""
    found = screen.correlations
    count = len(screen.occlusion.source_tokens)
    here = found[screen.step - 1]
    told = (
        f"At step {screen.step}, rank correlation of weights and losses: ρ = {here:.2f} over "
        f"{count} source tokens."
        if here is not None
        else f"At step {screen.step} the rank correlation isn't defined: all weights or all losses "
        "are equal."
    )
    defined = [each for each in found if each is not None]
    mean = f" Mean of {len(defined)} steps: {sum(defined) / len(defined):.2f}." if defined else ""
    return f"{told}{mean} (1: the same order; 0: no relation; −1: the opposite.)".replace(
        "= -", "= −"
    ).replace(": -", ": −")


def effects_frame(screen: ExplanationScreen) -> pd.DataFrame:
    """A row for each target and source token."""
    occlusion, attention = screen.occlusion, screen.attention
    return pd.DataFrame(
        {
            "step": step + 1,
            "target token": prediction.token,
            "log-probability": prediction.log_prob,
            "source position": position,
            "source token": token,
            "weight": attention[step, position],
            "drop when removed (nats)": occlusion.removed[step, position],
            "drop when masked (nats)": occlusion.masked[step, position],
        }
        for step, prediction in enumerate(occlusion.predictions)
        for position, token in enumerate(occlusion.source_tokens)
    )
