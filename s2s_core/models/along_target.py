"""A model with attention, opened up along one given target: what it would say at each step.

Step t reads the target's tokens before token t, as teacher forcing does, whatever the model would
have said itself. Shapes: S source tokens, T target tokens, V vocabulary, L layers, H heads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from s2s_core.errors import ModelInputError, PrefixError
from s2s_core.models.inspection import InspectableModel, Inspection, State, inspectable
from s2s_core.models.interface import FloatArray, TargetSide

TOP = 8
"""How many tokens of a distribution are told."""


@dataclass(frozen=True, slots=True)
class TokenChance:
    """A token and its probability, 0-1."""

    token_id: int
    token: str
    probability: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a model would say at one step, and what it gives the target's token.

    top: the most probable tokens that can be generated, best first.
    rest: the probability (0-1) of all others.
    token: the target's. log_prob: its natural log-probability. rank: 1 if it is the most probable.
    """

    top: tuple[TokenChance, ...]
    rest: float
    token: str
    log_prob: float
    rank: int


@dataclass(frozen=True, eq=False)
class OpenedStep:
    """One step with what was computed on the way; arrays are read-only.

    step: from 1. prefix: the text before it.
    query (L, D), scores and weights (L, H, S), context (L, C), decoder_state (D), source_states
    (S, E): see `Inspection`.
    """

    step: int
    prefix: str
    source_tokens: tuple[str, ...]
    query: FloatArray = field(repr=False)
    scores: FloatArray = field(repr=False)
    weights: FloatArray = field(repr=False)
    context: FloatArray = field(repr=False)
    decoder_state: FloatArray = field(repr=False)
    source_states: FloatArray = field(repr=False)
    prediction: Prediction

    @property
    def layers(self) -> int:
        """L."""
        return len(self.scores)

    @property
    def heads(self) -> int:
        """H."""
        return len(self.scores[0])


def open_steps(
    model: InspectableModel[State], source: str, target_ids: Sequence[int]
) -> tuple[OpenedStep, ...]:
    """Every step of a target, opened up.

    target_ids: without BOS; with EOS at the end for a complete target.

    Raises:
        UnsupportedModelError: the model can't be looked inside.
        SourceError: the model can't use the source.
        PrefixError: the target is empty, or has an id that the model doesn't have.
    """
    inspectable(model)
    check_ids(model.target, target_ids)
    (source_tokens,), start = model.encode([source])
    states = model.source_states(start)[0]
    return tuple(
        OpenedStep(
            step=place + 1,
            prefix=model.target.join(target_ids[:place]),
            source_tokens=source_tokens,
            query=seen.query[0],
            scores=seen.scores[0],
            weights=weights_of(seen)[0],
            context=seen.context[0],
            decoder_state=seen.decoder_state[0],
            source_states=states,
            prediction=predict(model.target, seen.output.log_probs[0], target_ids[place]),
        )
        for place, (_, _, seen) in enumerate(walk(model, start, target_ids))
    )


def walk(
    model: InspectableModel[State], start: State, target_ids: Sequence[int]
) -> Iterator[tuple[State, NDArray[np.integer], Inspection[State]]]:
    """For each step, a single row's state before it, the last token, and what it computes."""
    state = start
    for last_id in (model.target.bos_id, *target_ids[:-1]):
        last_ids = np.array([last_id])
        seen = model.inspect(state, last_ids)
        yield state, last_ids, seen
        state = seen.output.state


def weights_of(seen: Inspection[State]) -> FloatArray:
    """The weights (N, L, H, S) that an inspected step used."""
    weights = seen.output.cross_attention
    assert weights is not None, "what can be inspected has attention"
    return weights


def predict(target: TargetSide, log_probs: FloatArray, token_id: int) -> Prediction:
    """A row of log-probabilities (V,) in words."""
    allowed = np.array(log_probs, dtype=np.float64)
    allowed[list(target.banned_ids)] = -np.inf
    chances = most_probable(target, allowed)
    return Prediction(
        top=chances,
        rest=max(0.0, 1.0 - sum(chance.probability for chance in chances)),
        token=target.token(token_id),
        log_prob=float(log_probs[token_id]),
        rank=1 + int((allowed > allowed[token_id]).sum()),
    )


def most_probable(target: TargetSide, log_probs: FloatArray) -> tuple[TokenChance, ...]:
    """The `TOP` most probable tokens of a row (V,), best first; of equals the lower id is first."""
    best = np.argsort(-log_probs, kind="stable")[:TOP].tolist()  # a stable sort leaves ties alone
    return tuple(TokenChance(i, target.token(i), float(np.exp(log_probs[i]))) for i in best)


def check_ids(target: TargetSide, target_ids: Sequence[int]) -> None:
    """Check a target's ids.

    Raises:
        PrefixError: there is none, or one isn't in the vocabulary.
    """
    if not target_ids:
        raise PrefixError("a target needs at least one token; the empty output is the end token")
    strange = [i for i in target_ids if not 0 <= i < target.size or i in target.banned_ids]
    if strange:
        raise PrefixError(
            f"the target holds the id {strange[0]}, which can't be generated; this model has ids 0 "
            f"to {target.size - 1}"
        )


def shown_weights(weights: FloatArray, *, layer: int, head: int | None) -> NDArray[np.float64]:
    """Weights or scores (L, H, ..., S) of one head of a layer, or the mean over its heads.

    Raises:
        ModelInputError: there is no such layer or head.
    """
    layers, heads = weights.shape[:2]
    if not -layers <= layer < layers or not (head is None or 0 <= head < heads):
        raise ModelInputError(
            f"there is no layer {layer} with head {head}: this model has {layers} layers of "
            f"{heads} heads, counted from 0"
        )
    chosen = np.asarray(weights[layer], dtype=np.float64)
    return np.asarray(chosen.mean(axis=0) if head is None else chosen[head])
