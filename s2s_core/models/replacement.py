"""What a model would say if it looked elsewhere: one step with its attention weights replaced.

The steps before are left as they are. Weights are replaced in every layer and head, or in one.
If very different weights give the same prediction, the weights alone don't explain it; if every
change of weights changes the prediction, it does depend on them. Both can be measured here.

Shapes: S source tokens, V vocabulary, L layers, H heads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from s2s_core.errors import ModelInputError
from s2s_core.models.along_target import (
    Prediction,
    check_ids,
    predict,
    shown_weights,
    walk,
    weights_of,
)
from s2s_core.models.inspection import InspectableModel, State, inspectable
from s2s_core.models.interface import FloatArray

SUM_TOLERANCE = 1e-4
"""Weights that sum to 1 but for so much are taken as they are; others are divided by their sum."""


@dataclass(frozen=True, slots=True)
class Place:
    """Which weights are replaced.

    layer: one, from 0, or None for every layer. head: one, from 0, or None for every head.
    """

    layer: int | None = None
    head: int | None = None


EVERYWHERE = Place()


@dataclass(frozen=True, slots=True)
class Swap:
    """A prediction under given weights.

    name: "own", "uniform", "shuffled", "yours" or "one position".
    position: the only one looked at, from 0, for "one position".
    weights: S, those that were put in; for "own" those of the chosen place, the mean over several.
    drop: what the token loses against the model's own weights, in nats.
    distance: how far the distribution moved from the model's own: total variation, from 0 (not at
        all) to 1 (nothing in common), the largest difference in the probability of any event.
    """

    name: str
    position: int | None
    weights: tuple[float, ...]
    prediction: Prediction
    drop: float
    distance: float


@dataclass(frozen=True, slots=True)
class Swaps:
    """One step under its own and under other weights.

    step: from 1. yours: None if no weights were given by hand.
    positions: all weight on each source position in turn.
    """

    step: int
    source_tokens: tuple[str, ...]
    own: Swap
    uniform: Swap
    shuffled: Swap
    yours: Swap | None
    positions: tuple[Swap, ...]

    @property
    def named(self) -> tuple[Swap, ...]:
        """All but the single positions."""
        return tuple(
            each for each in (self.own, self.uniform, self.shuffled, self.yours) if each is not None
        )


@dataclass(frozen=True, slots=True)
class SwapRequest:
    """What to put in, and where.

    step: from 1.
    yours: S weights set by hand, or None.
    seed: for the shuffled weights.
    """

    step: int
    place: Place = EVERYWHERE
    yours: tuple[float, ...] | None = None
    seed: int = 0


def swap_weights(
    model: InspectableModel[State], source: str, target_ids: Sequence[int], request: SwapRequest
) -> Swaps:
    """One step of a target under other weights.

    target_ids: without BOS; with EOS at the end for a complete target.

    Raises:
        UnsupportedModelError: the model can't be looked inside.
        SourceError: the model can't use the source.
        PrefixError: the target is empty, or has an id that the model doesn't have.
        ModelInputError: there is no such step, layer or head, or the weights set by hand are of
            another number, negative, not finite or all 0.
    """
    inspectable(model)
    check_ids(model.target, target_ids)
    if not 1 <= request.step <= len(target_ids):
        raise ModelInputError(f"there is no step {request.step}: they are 1 to {len(target_ids)}")
    (source_tokens,), start = model.encode([source])
    *_, (state, last_ids, seen) = walk(model, start, target_ids[: request.step])
    own, token_id = weights_of(seen)[0], target_ids[request.step - 1]  # (L, H, S)
    place, count = request.place, len(source_tokens)
    _check_place(place, own)
    own_probabilities = np.exp(seen.output.log_probs[0].astype(np.float64))
    log_prob = float(seen.output.log_probs[0, token_id])

    def swap(name: str, weights: FloatArray, position: int | None = None) -> Swap:
        """Put weights (L, H, S) in."""
        given = np.asarray(weights, dtype=np.float32)[np.newaxis]
        log_probs = model.inspect(state, last_ids, weights=given).output.log_probs[0]
        moved = np.abs(np.exp(log_probs.astype(np.float64)) - own_probabilities)
        return Swap(
            name=name,
            position=position,
            weights=tuple(_shown(weights, place).tolist()),
            prediction=predict(model.target, log_probs, token_id),
            drop=log_prob - float(log_probs[token_id]),
            distance=float(moved.sum()) / 2,
        )

    row = np.eye(count)
    yours = None if request.yours is None else _checked(request.yours, count)
    return Swaps(
        step=request.step,
        source_tokens=source_tokens,
        own=swap("own", own),
        uniform=swap("uniform", _put(own, place, np.full(count, 1 / count))),
        shuffled=swap("shuffled", _shuffle(own, place, request.seed)),
        yours=None if yours is None else swap("yours", _put(own, place, yours)),
        positions=tuple(
            swap("one position", _put(own, place, row[position]), position)
            for position in range(count)
        ),
    )


def _check_place(place: Place, own: FloatArray) -> None:
    shown_weights(own, layer=-1 if place.layer is None else place.layer, head=place.head)


def _where(place: Place) -> tuple[slice | int, slice | int]:
    every = slice(None)
    return (
        every if place.layer is None else place.layer,
        every if place.head is None else place.head,
    )


def _put(own: FloatArray, place: Place, row: FloatArray) -> FloatArray:
    """The model's own weights (L, H, S) with a row of S put in at a place."""
    weights = np.array(own)
    weights[_where(place)] = row
    return weights


def _shuffle(own: FloatArray, place: Place, seed: int) -> FloatArray:
    """The own weights moved to other positions, in each head by the same permutation."""
    count = own.shape[-1]
    order = np.random.default_rng(seed).permutation(count)
    if np.array_equal(order, np.arange(count)):
        order = np.roll(order, 1)
    weights = np.array(own)
    weights[_where(place)] = weights[_where(place)][..., order]
    return weights


def _shown(weights: FloatArray, place: Place) -> FloatArray:
    """(S,): the weights at a place, the mean where they are several."""
    chosen = np.asarray(weights[_where(place)], dtype=np.float64)
    return np.asarray(chosen.reshape(-1, chosen.shape[-1]).mean(axis=0))


def _checked(weights: Sequence[float], count: int) -> FloatArray:
    """Weights set by hand, which sum to 1."""
    if len(weights) != count:
        raise ModelInputError(
            f"there are {len(weights)} weights, but the source has {count} tokens: give one each"
        )
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights):
        raise ModelInputError("weights set by hand must be finite and at least 0: change them")
    total = math.fsum(weights)
    if total == 0:
        raise ModelInputError("the weights set by hand are all 0: make at least one larger")
    array = np.array(weights, dtype=np.float64)
    return array if abs(total - 1) <= SUM_TOLERANCE else array / total
