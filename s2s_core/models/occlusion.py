"""What a model loses without each source token, set beside where it looked.

A source token is taken away in two ways:

    removed   it is taken out of the source, and the encoder reads the rest anew
    masked    it stays in the source, but this step's attention may not look at it

A drop is log P(token) − log P(token without it), in nats: 0 if it plays no part, below 0 if the
token gets likelier without it. Taking a word away and looking at what changes is older than
attention; for attention see Jain & Wallace 2019, arXiv:1902.10186, and Wiegreffe & Pinter 2019,
arXiv:1908.04626.

Shapes: S source tokens, T target tokens, L layers, H heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

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
from s2s_core.models.hand_case import Numbers
from s2s_core.models.inspection import InspectableModel, State, inspectable
from s2s_core.models.interface import FloatArray
from s2s_core.models.rank_correlation import rank_correlation

Way = Literal["removed", "masked"]
WAYS: tuple[Way, ...] = get_args(Way)

MOST_CELLS = 1600
"""T·S at most: each cell is a step of the model."""

_DECIMALS = 4  # float32 can't tell apart what differs by less, so it counts as equal in ranks


@dataclass(frozen=True, eq=False)
class OcclusionMap:
    """Attention and drops along one target; arrays are read-only.

    weights: (L, H, T, S).
    removed, masked: (T, S), drops in nats.
    predictions: T, as the model is.
    """

    source_tokens: tuple[str, ...]
    predictions: tuple[Prediction, ...]
    weights: FloatArray = field(repr=False)
    removed: Numbers = field(repr=False)
    masked: Numbers = field(repr=False)

    @property
    def target_tokens(self) -> tuple[str, ...]:
        """T tokens."""
        return tuple(prediction.token for prediction in self.predictions)

    def drops(self, way: Way) -> Numbers:
        """(T, S): the drops of one way."""
        return self.removed if way == "removed" else self.masked

    def attention(self, *, layer: int = -1, head: int | None = None) -> Numbers:
        """(T, S): the weights of one head of a layer, or the mean over its heads."""
        return shown_weights(self.weights, layer=layer, head=head)

    def correlations(
        self, way: Way, *, layer: int = -1, head: int | None = None
    ) -> tuple[float | None, ...]:
        """For each step, whether weights and drops put the source tokens in the same order.

        Values that differ by less than 0.0001 count as equal; see `rank_correlation`.
        """
        attention = self.attention(layer=layer, head=head).round(_DECIMALS)
        pairs = zip(attention, self.drops(way).round(_DECIMALS), strict=True)
        return tuple(rank_correlation(weights, drops) for weights, drops in pairs)


def share_lost(drop: FloatArray | float) -> Numbers:
    """The share of a token's probability that a drop (nats) takes: 1 − p_without / p_with.

    From 1 (all of it) over 0 (none) to below 0, where the token gets likelier. It has the scale of
    the weights, and the order of the drops.
    """
    return np.asarray(-np.expm1(-np.asarray(drop, dtype=np.float64)))


def occlude(model: InspectableModel[State], source: str, target_ids: Sequence[int]) -> OcclusionMap:
    """Take away each source token at each step of a target.

    target_ids: without BOS; with EOS at the end for a complete target.

    Raises:
        UnsupportedModelError: the model can't be looked inside.
        SourceError: the model can't use the source.
        PrefixError: the target is empty, or has an id that the model doesn't have.
        EmptySourceError: the source has a single token, so that nothing would be left.
        ModelInputError: source and target are too long for so many steps.
    """
    inspectable(model)
    check_ids(model.target, target_ids)
    (source_tokens,), start = model.encode([source])
    cells = len(source_tokens) * len(target_ids)
    if cells > MOST_CELLS:
        raise ModelInputError(
            f"{len(target_ids)} target tokens against {len(source_tokens)} source tokens are "
            f"{cells:,} cells, but at most {MOST_CELLS:,} are computed here: choose a shorter "
            "sentence"
        )
    predictions, weights, masked = [], [], []
    for place, (state, last_ids, seen) in enumerate(walk(model, start, target_ids)):
        token_id = target_ids[place]
        predictions.append(predict(model.target, seen.output.log_probs[0], token_id))
        weights.append(weights_of(seen)[0])
        masked.append(
            [
                _without(model, model.hide_source(state, [position]), last_ids, token_id)
                for position in range(len(source_tokens))
            ]
        )
    own = np.array([prediction.log_prob for prediction in predictions])[:, np.newaxis]
    return OcclusionMap(
        source_tokens=source_tokens,
        predictions=tuple(predictions),
        weights=_frozen(np.stack(weights, axis=2)),
        removed=_frozen(own - _log_probs_removed(model, source, target_ids)),
        masked=_frozen(own - np.array(masked, dtype=np.float64)),
    )


def padding_drops(
    model: InspectableModel[State], source: str, target_ids: Sequence[int], *, beside: str
) -> tuple[tuple[float, ...], ...]:
    """Drops at the padding that a source gets in a batch with a longer one, for each step.

    beside: the longer source. The result has a number for each position of padding; all must be 0.

    Raises:
        ModelInputError: `beside` isn't longer, so that there is no padding.
        The same errors as `occlude`.
    """
    inspectable(model)
    check_ids(model.target, target_ids)
    tokens, state = model.encode([source, beside])
    padding = range(len(tokens[0]), len(tokens[1]))
    if not padding:
        raise ModelInputError(
            f"a source of {len(tokens[0])} tokens gets no padding beside one of {len(tokens[1])}: "
            "choose a longer one"
        )
    drops = []
    for last_id, token_id in zip((model.target.bos_id, *target_ids), target_ids, strict=False):
        last_ids = np.array([last_id, last_id])
        output = model.step(state, last_ids)
        own = float(output.log_probs[0, token_id])
        hidden = (model.hide_source(state, [position]) for position in padding)
        drops.append(tuple(own - _without(model, each, last_ids, token_id) for each in hidden))
        state = output.state
    return tuple(drops)


def _without(
    model: InspectableModel[State], state: State, last_ids: np.ndarray, token_id: int
) -> float:
    """The first row's log-probability of a token."""
    return float(model.step(state, last_ids).log_probs[0, token_id])


def _log_probs_removed(
    model: InspectableModel[State], source: str, target_ids: Sequence[int]
) -> Numbers:
    """(T, S): the log-probability of each target token without each source token."""
    ids = model.source_ids(source)
    state = model.encode_ids([[*ids[:place], *ids[place + 1 :]] for place in range(len(ids))])
    rows = []
    for last_id, token_id in zip((model.target.bos_id, *target_ids), target_ids, strict=False):
        output = model.step(state, np.full(len(ids), last_id))
        rows.append(output.log_probs[:, token_id].astype(np.float64))
        state = output.state
    return np.array(rows)


def _frozen(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array
