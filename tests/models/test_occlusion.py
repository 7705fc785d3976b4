"""Source tokens taken away and weights replaced: exact where it must be, different where it may."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2s_core.errors import (
    EmptySourceError,
    ModelInputError,
    PrefixError,
    UnsupportedModelError,
)
from s2s_core.models.along_target import open_steps, predict, shown_weights, walk, weights_of
from s2s_core.models.occlusion import MOST_CELLS, occlude, padding_drops, share_lost
from s2s_core.models.rank_correlation import rank_correlation
from s2s_core.models.replacement import Place, SwapRequest, swap_weights
from tests.models.networks import WITHOUT_ATTENTION, random_model

SOURCE, LONGER = "The cat.", "Where is the small red umbrella?"
TARGET = (300, 301, 302, 2)
NAMES = ("gru-bidirectional-additive", "input-feeding-lstm-reversed-dot")
TRANSFORMER = "transformer-2-layers-4-heads"
ALL = (*NAMES, TRANSFORMER)


# --- a target opened up --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_each_step_gives_what_teacher_forcing_gives(name: str) -> None:
    model = random_model(name)
    steps = open_steps(model, SOURCE, TARGET)
    _, state = model.encode([SOURCE])
    for step, last_id, token_id in zip(steps, (1, *TARGET), TARGET, strict=False):
        output = model.step(state, np.array([last_id]))
        expected = output.log_probs[0]
        assert step.prediction.log_prob == pytest.approx(float(expected[token_id]), abs=1e-6)
        assert step.prediction.token == model.target.token(token_id)
        np.testing.assert_allclose(step.weights, output.cross_attention[0], rtol=0, atol=1e-6)
        state = output.state
    assert [step.prefix for step in steps] == [
        model.target.join(TARGET[:place]) for place in range(len(TARGET))
    ]


def test_a_prediction_tells_the_best_tokens_that_can_be_generated() -> None:
    model = random_model(NAMES[0])
    log_probs = np.log(np.full(model.target.size, 1e-6))
    log_probs[[0, 1, 300, 301]] = np.log([0.4, 0.3, 0.1, 0.2])  # 0 and 1 are never generated
    found = predict(model.target, log_probs, 300)
    assert [chance.token for chance in found.top[:2]] == [model.target.token(i) for i in (301, 300)]
    assert found.rank == 2 and found.log_prob == pytest.approx(math.log(0.1))


@pytest.mark.parametrize("ids", [(), (5000,), (-1,), (0,)])
def test_targets_that_can_not_be_are_named(ids: tuple[int, ...]) -> None:
    with pytest.raises(PrefixError):
        open_steps(random_model(NAMES[0]), SOURCE, ids)


def test_heads_are_averaged_or_chosen_and_others_refused() -> None:
    weights = np.arange(24.0).reshape(2, 3, 4)
    np.testing.assert_array_equal(shown_weights(weights, layer=1, head=2), weights[1, 2])
    np.testing.assert_array_equal(shown_weights(weights, layer=-1, head=None), weights[1].mean(0))
    for layer, head in ((2, 0), (0, 3), (-3, 0)):
        with pytest.raises(ModelInputError, match="no layer"):
            shown_weights(weights, layer=layer, head=head)


# --- occlusion -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_removing_a_token_is_reading_the_source_without_it(name: str) -> None:
    model = random_model(name)
    found = occlude(model, SOURCE, TARGET)
    ids = model.source_ids(SOURCE)
    for position in range(len(ids)):
        state = model.encode_ids([[*ids[:position], *ids[position + 1 :]]])
        for step, (last_id, token_id) in enumerate(zip((1, *TARGET), TARGET, strict=False)):
            output = model.step(state, np.array([last_id]))
            drop = found.predictions[step].log_prob - float(output.log_probs[0, token_id])
            assert found.removed[step, position] == pytest.approx(drop, abs=1e-5)
            state = output.state


@pytest.mark.parametrize("name", ALL)
def test_masking_a_position_is_hiding_it_at_this_step_alone(name: str) -> None:
    model = random_model(name)
    found = occlude(model, SOURCE, TARGET)
    _, start = model.encode([SOURCE])
    for step, (state, last_ids, _) in enumerate(walk(model, start, TARGET)):
        for position in range(len(found.source_tokens)):
            seen = model.step(model.hide_source(state, [position]), last_ids)
            drop = found.predictions[step].log_prob - float(seen.log_probs[0, TARGET[step]])
            assert found.masked[step, position] == pytest.approx(drop, abs=1e-9)


@pytest.mark.parametrize("name", ALL)
def test_masking_and_removing_differ(name: str) -> None:
    found = occlude(random_model(name), SOURCE, TARGET)
    assert found.removed.shape == found.masked.shape == (4, len(found.source_tokens))
    assert not np.allclose(found.removed, found.masked, atol=1e-3)
    assert found.attention().shape == (4, len(found.source_tokens))
    np.testing.assert_allclose(found.attention().sum(axis=1), 1, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", ALL)
def test_occluding_a_padding_position_changes_nothing(name: str) -> None:
    model = random_model(name)
    drops = padding_drops(model, SOURCE, TARGET, beside=LONGER)
    tokens, _ = model.encode([SOURCE, LONGER])
    assert len(drops) == len(TARGET)
    assert {len(row) for row in drops} == {len(tokens[1]) - len(tokens[0])}
    assert all(drop == 0 for row in drops for drop in row)
    with pytest.raises(ModelInputError, match="no padding"):
        padding_drops(model, LONGER, TARGET, beside=SOURCE)


def test_correlations_are_those_of_each_row_and_none_where_undefined() -> None:
    found = occlude(random_model(NAMES[0]), SOURCE, TARGET)
    for step, correlation in enumerate(found.correlations("removed")):
        expected = rank_correlation(
            found.attention()[step].round(4).tolist(), found.removed[step].round(4).tolist()
        )
        assert correlation == expected
    assert all(each is None or -1 <= each <= 1 for each in found.correlations("masked"))


def test_the_share_lost_has_the_order_of_the_drops_and_the_scale_of_the_weights() -> None:
    drops = np.array([-1.0, 0.0, math.log(2), 50.0])
    np.testing.assert_allclose(share_lost(drops), [1 - math.e, 0, 0.5, 1], rtol=0, atol=1e-12)


def test_too_many_cells_and_a_source_of_one_token_are_named() -> None:
    model = random_model(NAMES[0])
    with pytest.raises(ModelInputError, match="at most"):
        occlude(model, SOURCE, (300,) * MOST_CELLS)
    with pytest.raises(EmptySourceError):
        model.encode_ids([[]])


# --- weights replaced ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("step", [1, 3])
def test_weights_equal_to_the_models_own_give_exactly_its_prediction(name: str, step: int) -> None:
    model = random_model(name)
    own = open_steps(model, SOURCE, TARGET)[step - 1]
    yours = tuple(own.weights[0, 0].tolist())
    found = swap_weights(model, SOURCE, TARGET, SwapRequest(step, yours=yours))
    assert found.yours is not None
    assert found.yours.prediction == found.own.prediction == own.prediction
    assert found.yours.drop == 0 and found.yours.distance == 0


@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("head", [0, 3])
def test_own_weights_in_one_head_of_a_transformer_change_nothing(layer: int, head: int) -> None:
    model = random_model(TRANSFORMER)
    own = open_steps(model, SOURCE, TARGET)[1]
    yours = tuple(own.weights[layer, head].tolist())
    request = SwapRequest(2, Place(layer, head), yours)
    found = swap_weights(model, SOURCE, TARGET, request)
    assert found.yours is not None and found.yours.prediction == own.prediction
    assert found.yours.drop == 0 and found.yours.distance == 0


@pytest.mark.parametrize("name", ALL)
def test_each_replacement_puts_in_what_it_says(name: str) -> None:
    model = random_model(name)
    found = swap_weights(model, SOURCE, TARGET, SwapRequest(2, yours=(2.0, *[0.0] * 20)[:SIZE]))
    assert found.uniform.weights == pytest.approx((1 / SIZE,) * SIZE)
    assert sorted(found.shuffled.weights) == pytest.approx(sorted(found.own.weights), abs=1e-6)
    assert found.shuffled.weights != found.own.weights
    np.testing.assert_array_equal([swap.weights for swap in found.positions], np.eye(SIZE))
    assert found.yours is not None
    assert found.yours.weights == found.positions[0].weights  # divided by its sum
    assert found.yours.prediction == found.positions[0].prediction
    assert found.own.drop == 0 and found.own.distance == 0
    moved = [swap.distance for swap in (found.uniform, found.shuffled, *found.positions)]
    assert all(0 < distance <= 1 for distance in moved)


SIZE = len(random_model(NAMES[0]).source_ids(SOURCE))


def test_a_seed_always_shuffles_in_the_same_way_and_never_not_at_all() -> None:
    model = random_model(NAMES[0])
    seen = [
        swap_weights(model, SOURCE, TARGET, SwapRequest(1, seed=seed)).shuffled.weights
        for seed in (0, 0, 1, 2, 3)
    ]
    assert seen[0] == seen[1] and len({*seen}) > 1
    own = swap_weights(model, SOURCE, TARGET, SwapRequest(1)).own.weights
    assert own not in seen


def test_the_distance_is_half_the_sum_of_the_differences() -> None:
    model = random_model(NAMES[0])
    found = swap_weights(model, SOURCE, TARGET, SwapRequest(2))
    _, start = model.encode([SOURCE])
    *_, (state, last_ids, seen) = walk(model, start, TARGET[:2])
    uniform = np.full_like(weights_of(seen), 1 / SIZE)
    other = model.inspect(state, last_ids, weights=uniform).output.log_probs[0]
    gap = np.abs(np.exp(other.astype(float)) - np.exp(seen.output.log_probs[0].astype(float)))
    assert found.uniform.distance == pytest.approx(gap.sum() / 2, abs=1e-9)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (SwapRequest(0), "no step 0"),
        (SwapRequest(5), "1 to 4"),
        (SwapRequest(1, Place(7, None)), "no layer 7"),
        (SwapRequest(1, yours=(1.0,)), "1 weights"),
        (SwapRequest(1, yours=(0.0,) * SIZE), "all 0"),
        (SwapRequest(1, yours=(-1.0,) * SIZE), "at least 0"),
        (SwapRequest(1, yours=(math.nan,) * SIZE), "finite"),
    ],
    ids=range(7),
)
def test_what_can_not_be_put_in_is_named(request_: SwapRequest, message: str) -> None:
    with pytest.raises(ModelInputError, match=message):
        swap_weights(random_model(NAMES[0]), SOURCE, TARGET, request_)


@pytest.mark.parametrize("name", WITHOUT_ATTENTION[:2])
def test_a_fixed_vector_is_refused_by_name(name: str) -> None:
    model = random_model(name)
    for refused in (
        lambda: open_steps(model, SOURCE, TARGET),
        lambda: occlude(model, SOURCE, TARGET),
        lambda: padding_drops(model, SOURCE, TARGET, beside=LONGER),
        lambda: swap_weights(model, SOURCE, TARGET, SwapRequest(1)),
    ):
        with pytest.raises(UnsupportedModelError, match="no attention"):
            refused()
