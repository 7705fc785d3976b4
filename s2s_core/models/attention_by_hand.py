"""Attention on a few numbers, by the same classes that the trained models use.

    scores → divided by the temperature, masked → softmax over the source → weights → context

The scores are those of `attention`, with given matrices; with several heads those of `multi_head`.
Beside the right way stand the wrong ways that people program by accident, so that their numbers
can be looked at.

Shapes: N queries, S source positions, H heads; D, E and C are the widths of queries, keys, values.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor

from s2s_core.errors import ModelInputError
from s2s_core.models.attention import (
    ATTENTION_SCORES,
    attention_weights,
    check_memory,
    mix,
)
from s2s_core.models.hand_case import (
    BatchAttention,
    HandAttention,
    HandCase,
    Mistake,
    Numbers,
    ScoreName,
    Table,
)
from s2s_core.models.multi_head import CrossAttention, join_heads, split_heads

BATCH_LENGTHS = (9, 6)
QUERY_WIDTH, STATE_WIDTH, MEETING_WIDTH = 256, 512, 128


class _Met(NamedTuple):
    """Queries (H, N, d), keys (H, S, d) and values (H, S, c) behind their matrices; scores."""

    queries: Tensor
    keys: Tensor
    values: Tensor
    scores: Tensor  # (H, N, S)


def attend_by_hand(case: HandCase) -> HandAttention:
    """Every number between the vectors and the context.

    Raises:
        ModelInputError: the widths don't fit the score, or a matrix doesn't fit the widths.
        EmptySourceError: the mask leaves no position.
    """
    values = _tensor(case.values).unsqueeze(0)  # (1, S, C)
    if case.start == "weights":
        weights = _tensor(case.weights).unsqueeze(0)  # (1, N, S)
        return _result(case, None, values, None, weights)
    mask = torch.tensor([case.mask])  # (1, S)
    check_memory(values, mask)
    if case.start == "scores":
        met, scores = None, _tensor(case.scores).unsqueeze(0)  # (1, N, S)
    else:
        met = _meet(case)
        scores, values = met.scores, met.values
    weights = make_weights(scores / case.temperature, mask, case.mistake)
    return _result(case, met, values, scores, weights)


def make_weights(scores: Tensor, mask: Tensor, mistake: Mistake = "none") -> Tensor:
    """Scores (..., N, S) and mask (N or 1, S) → weights, in the right way or in a wrong one.

    `mask after` sets masked weights to 0 after the softmax, so that rows sum to less than 1.
    `mask after, rescale` divides them by what is left; that gives the right weights as long as
    something is left: a large masked score leaves 0, and 0 / 0 is NaN. `over the batch` lets the
    queries share each position, instead of the positions share each query.
    """
    if mistake == "none":
        return attention_weights(scores, mask)
    if mistake == "over the batch":
        return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-2)
    weights = torch.softmax(scores, dim=-1) * mask
    if mistake == "mask after, rescale":
        weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights


def attend_batch(
    score: ScoreName = "additive", *, mistake: Mistake = "none", seed: int = 0
) -> BatchAttention:
    """Two sentences of 9 and 6 tokens: decoder states 256 wide, encoder states 512 wide.

    Vectors and matrices are random.

    Raises:
        ModelInputError: the score is the dot score, which needs equal widths.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        attention = ATTENTION_SCORES[score](QUERY_WIDTH, STATE_WIDTH, MEETING_WIDTH)
        query = torch.randn(len(BATCH_LENGTHS), QUERY_WIDTH)
        states = torch.randn(len(BATCH_LENGTHS), max(BATCH_LENGTHS), STATE_WIDTH)
    mask = torch.arange(max(BATCH_LENGTHS)) < torch.tensor(BATCH_LENGTHS).unsqueeze(1)
    check_memory(states, mask)
    with torch.inference_mode():
        scores = attention(query, attention.project(states))
        weights = make_weights(scores, mask, mistake)
        context = mix(weights, states)
    shapes = {
        "decoder states": query,
        "encoder states": states,
        "mask": mask,
        "scores": scores,
        "weights": weights,
        "context": context,
    }
    return BatchAttention(
        score=score,
        mistake=mistake,
        lengths=BATCH_LENGTHS,
        shapes=tuple((name, tuple(tensor.shape)) for name, tensor in shapes.items()),
        weights=_array(weights),
    )


def _meet(case: HandCase) -> _Met:
    """The scores of a case that starts from vectors."""
    with torch.inference_mode():
        if case.score == "scaled_dot":
            return _meet_in_heads(case)
        if case.heads != 1:
            raise ModelInputError(
                f"several heads are those of the scaled dot score, but the score is {case.score} "
                f"with {case.heads} heads: choose the scaled dot score, or one head"
            )
        return _meet_once(case)


def _meet_once(case: HandCase) -> _Met:
    """The additive, dot or general score, with the matrices of the case."""
    queries, states = _tensor(case.queries), _tensor(case.keys)  # (N, D), (S, E)
    query_size, key_size = queries.shape[1], states.shape[1]
    given = case.matrices
    size = query_size
    if case.score == "additive":
        rows = [len(table) for table in (given.query, given.key) if table is not None]
        widths = [len(given.vector)] if given.vector is not None else []
        size = next(iter(rows + widths), query_size)
    score = ATTENTION_SCORES[case.score](query_size, key_size, size).double()
    if case.score == "additive":
        weights = {
            "query_projection.weight": _matrix("W_s", given.query, size, query_size),
            "key_projection.weight": _matrix("W_h", given.key, size, key_size),
            "key_projection.bias": torch.zeros(size),
            "vector.weight": _vector(given.vector, size),
        }
        score.load_state_dict(weights)
        queries = queries @ weights["query_projection.weight"].T
    elif case.score == "general":
        score.load_state_dict({"matrix.weight": _matrix("W", given.key, query_size, key_size)})
    keys = score.project(states.unsqueeze(0))  # (1, S, A)
    scores = score(_tensor(case.queries), keys)  # (N, S)
    values = _tensor(case.values).unsqueeze(0)
    return _Met(queries.unsqueeze(0), keys, values, scores.unsqueeze(0))


def _meet_in_heads(case: HandCase) -> _Met:
    """The scaled dot score, by the Transformer's cross-attention, its last matrix the identity."""
    queries, keys, values = map(_tensor, (case.queries, case.keys, case.values))
    width = queries.shape[1]
    widths = (width, keys.shape[1], values.shape[1])
    if len({*widths}) != 1:
        raise ModelInputError(
            "the scaled dot score needs queries, keys and values of one width, not "
            f"{widths[0]}, {widths[1]} and {widths[2]}: make them equal"
        )
    if width % case.heads:
        raise ModelInputError(
            f"{case.heads} heads can't share the width {width} evenly: choose a number of heads "
            "that divides it, or another width"
        )
    given = case.matrices
    attention = CrossAttention(width, case.heads).double()
    key, value = (
        _matrix(name, table, width, width)
        for name, table in (("W_K", given.key), ("W_V", given.value))
    )
    attention.load_state_dict(
        {
            "query.weight": _matrix("W_Q", given.query, width, width),
            "query.bias": torch.zeros(width),
            "key_value.weight": torch.cat([key, value]),
            "key_value.bias": torch.zeros(2 * width),
            "output.weight": torch.eye(width),
            "output.bias": torch.zeros(width),
        }
    )
    projected_keys = attention.project(keys.unsqueeze(0)).keys  # (1, H, d, S), divided by √d
    projected_values = attention.project(values.unsqueeze(0)).values  # (1, H, S, d)
    query = split_heads(attention.query(queries.unsqueeze(0)), case.heads)  # (1, H, N, d)
    return _Met(
        queries=query[0],
        keys=projected_keys[0].transpose(1, 2) * math.sqrt(width // case.heads),
        values=projected_values[0],
        scores=(query @ projected_keys)[0],
    )


def _result(
    case: HandCase, met: _Met | None, values: Tensor, scores: Tensor | None, weights: Tensor
) -> HandAttention:
    heads = zip(weights, values, strict=True)
    contexts = torch.stack([mix(each, head.unsqueeze(0)) for each, head in heads])  # (H, N, c)
    inputs = None
    if scores is not None:
        hidden = ~torch.tensor(case.mask)
        late = case.mistake.startswith("mask after")
        inputs = scores / case.temperature
        inputs = inputs if late else inputs.masked_fill(hidden, -math.inf)
    return HandAttention(
        case=case,
        queries=None if met is None else _array(met.queries),
        keys=None if met is None else _array(met.keys),
        values=_array(values),
        scores=None if scores is None else _array(scores),
        inputs=None if inputs is None else _array(inputs),
        weights=_array(weights),
        contexts=_array(contexts),
        context=_array(join_heads(contexts.unsqueeze(0))[0]),
    )


def _tensor(table: Table) -> Tensor:
    return torch.tensor(table, dtype=torch.float64)


def _matrix(name: str, table: Table | None, rows: int, columns: int) -> Tensor:
    """A given matrix; ones on the diagonal where there is none."""
    if table is None:
        return torch.eye(rows, columns, dtype=torch.float64)
    if (len(table), len(table[0])) != (rows, columns):
        raise ModelInputError(
            f"the matrix {name} has {len(table)} rows and {len(table[0])} columns, but these "
            f"widths need {rows} rows and {columns} columns: change it or the widths"
        )
    return _tensor(table)


def _vector(vector: tuple[float, ...] | None, size: int) -> Tensor:
    if vector is None:
        return torch.ones(1, size, dtype=torch.float64)
    if len(vector) != size:
        raise ModelInputError(
            f"the vector v has {len(vector)} numbers, but needs {size}, the rows of W_s and W_h"
        )
    return _tensor((vector,))


def _array(tensor: Tensor) -> Numbers:
    array = tensor.detach().double().numpy().copy()
    array.setflags(write=False)
    return array
