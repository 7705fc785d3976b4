"""Looking inside: what is shown is what was computed, and experiments leave no trace."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from s2s_core.errors import EmptySourceError, ModelInputError, UnsupportedModelError
from s2s_core.models.inspection import InspectableModel, inspectable
from s2s_core.models.translation import TrainedModel
from s2s_core.search.table import ProbabilityTable
from tests.models.networks import (
    INPUT_FEEDING,
    RECURRENT,
    TRANSFORMERS,
    WITH_ATTENTION,
    WITHOUT_ATTENTION,
    random_model,
    random_network,
)

SOURCES = ("The cat.", "Where is the small red umbrella?")
FIRST, SECOND = np.array([1, 1]), np.array([400, 401])
RECURRENT_WITH_ATTENTION = [name for name in WITH_ATTENTION if name not in TRANSFORMERS]


def second_position(model: TrainedModel[Any]) -> Any:
    _, state = model.encode(SOURCES)
    return model.step(state, FIRST).state


def softmax(scores: NDArray[np.floating]) -> NDArray[np.floating]:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


# --- what is shown -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITH_ATTENTION)
def test_inspecting_gives_what_a_step_gives(name: str) -> None:
    model = random_model(name)
    state = second_position(model)
    step, seen = model.step(state, SECOND), model.inspect(state, SECOND).output
    assert step.cross_attention is not None
    assert seen.cross_attention is not None
    np.testing.assert_allclose(seen.log_probs, step.log_probs, rtol=0, atol=1e-6)
    np.testing.assert_allclose(seen.cross_attention, step.cross_attention, rtol=0, atol=1e-6)
    found, expected = model.step(seen.state, SECOND), model.step(step.state, SECOND)
    np.testing.assert_allclose(found.log_probs, expected.log_probs, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", WITH_ATTENTION)
def test_weights_are_the_softmax_of_the_scores_and_padding_scores_minus_infinity(
    name: str,
) -> None:
    model = random_model(name)
    tokens, _ = model.encode(SOURCES)
    seen = model.inspect(second_position(model), SECOND)
    assert seen.output.cross_attention is not None
    assert seen.scores.shape == seen.output.cross_attention.shape
    np.testing.assert_allclose(softmax(seen.scores), seen.output.cross_attention, rtol=0, atol=1e-6)
    assert np.all(np.isneginf(seen.scores[0, ..., len(tokens[0]) :]))
    assert np.all(np.isfinite(seen.scores[0, ..., : len(tokens[0])]))
    assert np.all(np.isfinite(seen.scores[1]))


@pytest.mark.parametrize("name", RECURRENT_WITH_ATTENTION)
def test_a_recurrent_context_is_the_source_states_mixed_by_the_weights(name: str) -> None:
    model = random_model(name)
    state = second_position(model)
    seen = model.inspect(state, SECOND)
    weights = seen.output.cross_attention
    assert weights is not None
    expected = np.einsum("ns,nse->ne", weights[:, 0, 0], model.source_states(state))
    np.testing.assert_allclose(seen.context[:, 0], expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", INPUT_FEEDING)
def test_with_input_feeding_the_query_is_the_decoder_state_after_the_step(name: str) -> None:
    model = random_model(name)
    seen = model.inspect(second_position(model), SECOND)
    np.testing.assert_array_equal(seen.query[:, 0], seen.decoder_state)


@pytest.mark.parametrize("name", [n for n in RECURRENT if n in WITH_ATTENTION])
def test_a_recurrent_query_is_the_decoder_state_of_the_step_before(name: str) -> None:
    model = random_model(name)
    _, start = model.encode(SOURCES)
    first = model.inspect(start, FIRST)
    second = model.inspect(first.output.state, SECOND)
    np.testing.assert_array_equal(second.query[:, 0], first.decoder_state)
    assert not np.allclose(second.decoder_state, first.decoder_state)


@pytest.mark.parametrize("name", TRANSFORMERS)
def test_a_transformers_shapes_name_layers_and_heads(name: str) -> None:
    model = random_model(name)
    sizes = TRANSFORMERS[name]
    seen = model.inspect(second_position(model), SECOND)
    positions = model.source_states(second_position(model)).shape[1]
    assert seen.scores.shape == (2, sizes["layers"], sizes["heads"], positions)
    assert seen.query.shape == seen.context.shape == (2, sizes["layers"], sizes["width"])
    assert seen.decoder_state.shape == (2, sizes["width"])


# --- weights replaced ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITH_ATTENTION)
def test_giving_a_model_its_own_weights_changes_nothing(name: str) -> None:
    model = random_model(name)
    state = second_position(model)
    own = model.inspect(state, SECOND)
    again = model.inspect(state, SECOND, weights=own.output.cross_attention)
    np.testing.assert_allclose(again.output.log_probs, own.output.log_probs, rtol=0, atol=1e-6)
    np.testing.assert_allclose(again.context, own.context, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", RECURRENT_WITH_ATTENTION)
def test_all_weight_on_one_position_makes_its_state_the_context(name: str) -> None:
    model = random_model(name)
    state = second_position(model)
    own = model.inspect(state, SECOND)
    weights = np.zeros_like(own.scores)
    weights[..., 2] = 1
    seen = model.inspect(state, SECOND, weights=weights)
    np.testing.assert_array_equal(seen.output.cross_attention, weights)
    expected = model.source_states(state)[:, 2]
    np.testing.assert_allclose(seen.context[:, 0], expected, rtol=0, atol=1e-6)
    np.testing.assert_array_equal(seen.scores, own.scores)  # the model's own, still shown
    assert not np.allclose(seen.output.log_probs, own.output.log_probs, atol=1e-4)


@pytest.mark.parametrize("name", TRANSFORMERS)
def test_replaced_weights_act_in_every_layer(name: str) -> None:
    model = random_model(name)
    state = second_position(model)
    own = model.inspect(state, SECOND)
    for layer in range(int(TRANSFORMERS[name]["layers"])):
        weights = np.array(own.output.cross_attention)
        weights[:, layer] = np.eye(weights.shape[-1])[1]
        seen = model.inspect(state, SECOND, weights=weights)
        assert not np.allclose(seen.output.log_probs, own.output.log_probs, atol=1e-4)
        np.testing.assert_allclose(seen.context[:, :layer], own.context[:, :layer], atol=1e-6)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda weights: weights[..., :-1], "shape"),
        (lambda weights: weights[0], "shape"),
        (lambda weights: weights * 2, "sum to 1"),
        (lambda weights: weights - 1, "at least 0"),
        (lambda weights: weights * np.nan, "at least 0"),
        (lambda weights: np.eye(weights.shape[-1])[[-1]] + 0 * weights, "padding or hidden"),
    ],
)
@pytest.mark.parametrize("name", ["lstm-forward-general", "transformer-2-layers-4-heads"])
def test_impossible_weights_are_named_errors(name: str, spoil: Any, message: str) -> None:
    model = random_model(name)
    state = second_position(model)
    weights = model.inspect(state, SECOND).output.cross_attention
    with pytest.raises(ModelInputError, match=message):
        model.inspect(state, SECOND, weights=spoil(weights))


# --- source positions masked out -----------------------------------------------------------------


@pytest.mark.parametrize("name", WITH_ATTENTION)
def test_a_hidden_position_gets_exactly_0_and_the_others_share_its_weight(name: str) -> None:
    model = random_model(name)
    state = second_position(model)
    hidden = model.hide_source(state, [1, 3])
    own, seen = model.inspect(state, SECOND), model.inspect(hidden, SECOND)
    weights = seen.output.cross_attention
    assert weights is not None
    assert np.all(weights[..., [1, 3]] == 0)
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=0, atol=1e-6)
    if name not in TRANSFORMERS:  # the query is the same, so the other scores are
        kept = [i for i in range(weights.shape[-1]) if i not in (1, 3)]
        np.testing.assert_array_equal(seen.scores[..., kept], own.scores[..., kept])
    assert not np.allclose(seen.output.log_probs, own.output.log_probs, atol=1e-4)


@pytest.mark.parametrize("name", WITH_ATTENTION)
def test_a_position_stays_hidden_in_later_steps_and_selected_rows(name: str) -> None:
    model = random_model(name)
    _, state = model.encode(SOURCES)
    state = model.hide_source(state, [0])
    for last_ids in (FIRST, SECOND, SECOND):
        output = model.step(model.select(state, np.array([1, 0])), last_ids)
        state = output.state
        assert output.cross_attention is not None
        assert np.all(output.cross_attention[..., 0] == 0)


@pytest.mark.parametrize("name", WITH_ATTENTION)
def test_hiding_and_inspecting_leave_the_old_state_as_it_was(name: str) -> None:
    model = random_model(name)
    state = second_position(model)
    before = model.step(state, SECOND).log_probs.copy()
    hidden = model.hide_source(state, [0, 1])
    weights = np.zeros_like(model.inspect(state, SECOND).scores)
    weights[..., 1] = 1
    model.inspect(state, SECOND, weights=weights)
    model.inspect(hidden, SECOND)
    np.testing.assert_array_equal(model.step(state, SECOND).log_probs, before)


@pytest.mark.parametrize("name", ["gru-reversed-dot", "transformer-1-layer-1-head"])
def test_positions_that_cant_be_hidden_are_named_errors(name: str) -> None:
    model = random_model(name)
    tokens, state = model.encode(SOURCES)
    count = max(map(len, tokens))
    for position in (-1, count):
        with pytest.raises(ModelInputError, match=f"position {position}: they are 0 to"):
            model.hide_source(state, [0, position])
    with pytest.raises(EmptySourceError, match="source 1"):
        model.hide_source(state, range(len(tokens[0])))
    with pytest.raises(EmptySourceError, match="source 1"):
        model.hide_source(state, range(count))


@pytest.mark.parametrize("name", ["gru-reversed-dot", "transformer-1-layer-1-head"])
def test_what_is_shown_cant_be_written_into_a_state(name: str) -> None:
    model = random_model(name)
    state = second_position(model)
    seen = model.inspect(state, SECOND)
    shown = (seen.query, seen.scores, seen.context, seen.decoder_state, model.source_states(state))
    for array in shown:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_hiding_nothing_changes_nothing() -> None:
    model = random_model("gru-bidirectional-additive")
    state = second_position(model)
    same = model.step(model.hide_source(state, []), SECOND).log_probs
    np.testing.assert_array_equal(same, model.step(state, SECOND).log_probs)


# --- models that can't be looked inside ----------------------------------------------------------


@pytest.mark.parametrize("name", WITH_ATTENTION)
def test_models_with_attention_are_inspectable(name: str) -> None:
    model: InspectableModel[Any] = random_model(name)
    assert inspectable(model) is model


@pytest.mark.parametrize("name", WITHOUT_ATTENTION)
def test_a_model_with_a_fixed_vector_says_what_it_lacks(name: str) -> None:
    model = random_model(name)
    state = second_position(model)
    for refused in (
        lambda: inspectable(model),
        lambda: model.inspect(state, SECOND),
        lambda: model.source_states(state),
        lambda: model.hide_source(state, [0]),
    ):
        with pytest.raises(UnsupportedModelError, match=r"no attention.*one fixed vector"):
            refused()


def test_a_probability_table_says_what_it_lacks() -> None:
    table = ProbabilityTable({"": {"a": 1.0}}, default={"</s>": 1.0}, start="<s>", eos="</s>")
    assert not isinstance(table, InspectableModel)
    with pytest.raises(UnsupportedModelError, match="ProbabilityTable gives probabilities only"):
        inspectable(table)


def test_looking_inside_stores_nothing_on_the_network() -> None:
    network = random_network("gru-bidirectional-additive")
    before = {name: set(vars(module)) for name, module in network.named_modules()}
    model = random_model("gru-bidirectional-additive")
    model.inspect(second_position(model), SECOND)
    assert {name: set(vars(m)) for name, m in model.network.named_modules()} == before
    assert not any(m._forward_hooks for m in model.network.modules())
