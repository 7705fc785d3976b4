"""Attention scores, weights and contexts: hand sums, formulas written out, masks, refusals."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from s2s_core.errors import EmptySourceError, ModelInputError
from s2s_core.models.attention import (
    ATTENTION_SCORES,
    AttentionScore,
    attend,
    check_memory,
    mix,
)

everywhere = torch.ones(1, 3, dtype=torch.bool)


def score_of(name: str, query: int, key: int, size: int) -> AttentionScore:
    torch.manual_seed(4)
    return ATTENTION_SCORES[name](query, key, size)


# --- anchors -------------------------------------------------------------------------------------


def test_scores_0_and_ln_3_give_weights_a_quarter_and_three_quarters_and_context_5() -> None:
    scores = torch.tensor([[0.0, math.log(3)]], dtype=torch.float64)
    values = torch.tensor([[[2.0], [6.0]]], dtype=torch.float64)
    context, weights = attend(scores, torch.ones(1, 2, dtype=torch.bool), values)
    torch.testing.assert_close(weights, torch.tensor([[0.25, 0.75]], dtype=torch.float64))
    torch.testing.assert_close(context, torch.tensor([[5.0]], dtype=torch.float64))


@pytest.mark.parametrize(
    ("weights", "context"), [((0.1, 0.7, 0.2), (0.3, 0.9)), ((0.6, 0.1, 0.3), (0.9, 0.4))]
)
def test_weights_mix_the_states(weights: tuple[float, ...], context: tuple[float, ...]) -> None:
    states = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]])
    torch.testing.assert_close(mix(torch.tensor([weights]), states), torch.tensor([context]))
    by_softmax, found = attend(torch.tensor([weights]).log(), everywhere, states)
    torch.testing.assert_close(found, torch.tensor([weights]))
    torch.testing.assert_close(by_softmax, torch.tensor([context]))


@pytest.mark.parametrize("name", ["additive", "general", "scaled_dot"])
def test_batch_of_2_with_9_positions_and_the_second_source_masked_after_6(name: str) -> None:
    score = score_of(name, 256, 512, 128)
    query, states = torch.randn(2, 256), torch.randn(2, 9, 512)
    mask = torch.arange(9) < torch.tensor([[9], [6]])
    context, weights = attend(score(query, score.project(states)), mask, states)
    assert context.shape == (2, 512)
    assert weights.shape == (2, 9)
    torch.testing.assert_close(weights.sum(dim=1), torch.ones(2))
    assert weights[1, 6:].tolist() == [0.0, 0.0, 0.0]
    assert bool((weights[1, :6] > 0).all()) and bool((weights[0] > 0).all())
    alone, _ = attend(score(query[1:], score.project(states[1:, :6])), mask[1:, :6], states[1:, :6])
    torch.testing.assert_close(context[1:], alone)


# --- formulas, written out one position at a time ------------------------------------------------


def formula(name: str, score: AttentionScore, query: Tensor, state: Tensor) -> Tensor:
    weights = dict(score.named_parameters())
    if name == "additive":
        meeting = (
            weights["query_projection.weight"] @ query
            + weights["key_projection.weight"] @ state
            + weights["key_projection.bias"]
        )
        return weights["vector.weight"][0] @ torch.tanh(meeting)
    if name == "dot":
        return query @ state
    if name == "general":
        return query @ weights["matrix.weight"] @ state
    left = weights["query_projection.weight"] @ query
    return left @ (weights["key_projection.weight"] @ state) / math.sqrt(8)


@pytest.mark.parametrize("name", ATTENTION_SCORES)
def test_each_score_is_its_formula(name: str) -> None:
    width = 5 if name == "dot" else 7
    score = score_of(name, 5, width, 8)
    query, states = torch.randn(3, 5), torch.randn(3, 4, width)
    found = score(query, score.project(states))
    expected = torch.stack(
        [torch.stack([formula(name, score, query[n], states[n, s]) for s in range(4)])
         for n in range(3)]
    )  # fmt: skip
    torch.testing.assert_close(found, expected)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), count=st.integers(1, 7))
def test_weights_are_a_distribution_over_the_unmasked_positions(
    data: st.DataObject, count: int
) -> None:
    numbers = st.floats(-50, 50, width=32)
    scores = torch.tensor([data.draw(st.lists(numbers, min_size=count, max_size=count))])
    flags = st.lists(st.booleans(), min_size=count, max_size=count).filter(any)
    mask = torch.tensor([data.draw(flags)])
    values = torch.randn(1, count, 3, generator=torch.Generator().manual_seed(count))
    context, weights = attend(scores, mask, values)
    pairs = zip(scores[0].tolist(), mask[0].tolist(), strict=True)
    expected = [math.exp(score - 50) if kept else 0.0 for score, kept in pairs]
    total = sum(expected)
    torch.testing.assert_close(weights, torch.tensor([[e / total for e in expected]]))
    assert bool((weights[~mask] == 0).all())
    torch.testing.assert_close(context[0], (weights[0, :, None] * values[0]).sum(dim=0))


# --- refusals ------------------------------------------------------------------------------------


def test_the_dot_score_refuses_different_widths_and_names_them() -> None:
    with pytest.raises(ModelInputError, match=r"256.*512.*general"):
        ATTENTION_SCORES["dot"](256, 512, 128)


def test_a_source_without_a_valid_position_is_refused_by_its_number() -> None:
    mask = torch.tensor([[True, True, False], [False, False, False]])
    with pytest.raises(EmptySourceError, match="source 2"):
        check_memory(torch.zeros(2, 3, 4), mask)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("position", [0, 2])
def test_states_that_are_not_finite_are_refused_even_where_they_are_masked(
    number: float, position: int
) -> None:
    states = torch.zeros(1, 3, 4)
    states[0, position, 1] = number
    mask = torch.tensor([[True, True, False]])
    with pytest.raises(ModelInputError, match="NaN or infinite"):
        check_memory(states, mask)


def test_a_mask_on_the_scores_does_not_save_a_nan_in_the_values() -> None:
    values = torch.tensor([[[1.0], [math.nan]]])
    context, weights = attend(torch.zeros(1, 2), torch.tensor([[True, False]]), values)
    assert weights.tolist() == [[1.0, 0.0]]
    assert math.isnan(context.item())


def test_a_mask_of_another_shape_is_refused() -> None:
    with pytest.raises(ModelInputError, match=r"\(2, 3, 4\).*\(2, 2\)"):
        check_memory(torch.zeros(2, 3, 4), torch.ones(2, 2, dtype=torch.bool))


def test_sound_states_pass() -> None:
    check_memory(torch.zeros(2, 3, 4), torch.tensor([[True, False, False], [True, True, True]]))
