"""Attention by hand: the book's figures, the very scores of the models, wrong ways, limits."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_core.errors import EmptySourceError, ModelInputError, SettingError
from s2s_core.models.attention import ATTENTION_SCORES
from s2s_core.models.attention_by_hand import attend_batch, attend_by_hand
from s2s_core.models.hand_case import (
    MISTAKES,
    MOST_POSITIONS,
    MOST_QUERIES,
    MOST_WIDTH,
    SCORES,
    HandCase,
    Matrices,
)
from s2s_core.models.hand_presets import PRESETS
from s2s_core.models.multi_head import CrossAttention

CORNERS = ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0))
VECTORS = HandCase(
    queries=((1.0, 0.5), (-1.0, 2.0)), keys=CORNERS, values=CORNERS, mask=(True, True, True)
)
SCORED = HandCase(
    start="scores", scores=((1.0, 2.0, 3.0),), values=CORNERS, mask=(True, True, False)
)

numbers = st.floats(-20, 20)


def table(rows: int, columns: int) -> st.SearchStrategy[tuple[tuple[float, ...], ...]]:
    row = st.tuples(*[numbers] * columns)
    return st.tuples(*[row] * rows)


# --- the figures of the lesson -------------------------------------------------------------------


def test_scores_0_and_ln_3_give_a_quarter_and_three_quarters_and_context_5() -> None:
    found = attend_by_hand(PRESETS["log 3"].case)
    np.testing.assert_allclose(found.weights, [[[0.25, 0.75]]], rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.context, [[5.0]], rtol=0, atol=1e-12)


def test_three_states_give_two_contexts_under_two_rows_of_weights() -> None:
    found = attend_by_hand(PRESETS["states"].case)
    np.testing.assert_allclose(found.context, [[0.3, 0.9], [0.9, 0.4]], rtol=0, atol=1e-12)
    assert found.scores is None and found.inputs is None


@pytest.mark.parametrize("score", ["additive", "general", "scaled_dot"])
def test_a_batch_of_2_masked_after_6_has_its_shapes_sums_and_exact_zeros(score: str) -> None:
    found = attend_batch(score)
    shapes = dict(found.shapes)
    assert shapes["decoder states"] == (2, 256) and shapes["encoder states"] == (2, 9, 512)
    assert shapes["weights"] == (2, 9) and shapes["context"] == (2, 512)
    np.testing.assert_allclose(found.sums, 1, rtol=0, atol=1e-6)
    assert found.weights[1, 6:].tolist() == [0.0, 0.0, 0.0]
    assert (found.weights[1, :6] > 0).all() and (found.weights[0] > 0).all()


def test_the_dot_score_refuses_the_batchs_widths_by_number() -> None:
    with pytest.raises(ModelInputError, match=r"256.*512.*general"):
        attend_batch("dot")


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "nothing left"])
def test_every_preset_gives_a_result(name: str) -> None:
    found = attend_by_hand(PRESETS[name].case)
    right = PRESETS[name].case.mistake == "none"
    assert np.allclose(found.sums, 1) == right


# --- the same as the models' own code ------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.data(), st.sampled_from(["additive", "dot", "general"]))
def test_scores_are_those_of_the_models_class(data: st.DataObject, score: str) -> None:
    queries, keys = data.draw(table(2, 2)), data.draw(table(3, 2 if score == "dot" else 3))
    matrices = Matrices(
        query=data.draw(table(4, 2)) if score == "additive" else None,
        key=data.draw(table(4 if score == "additive" else 2, 3)) if score != "dot" else None,
        vector=data.draw(st.tuples(*[numbers] * 4)) if score == "additive" else None,
    )
    case = replace(VECTORS, queries=queries, keys=keys, score=score, matrices=matrices)
    found = attend_by_hand(case)
    module = ATTENTION_SCORES[score](2, len(keys[0]), 4).double()
    with torch.no_grad():
        if score == "additive":
            module.query_projection.weight.copy_(torch.tensor(matrices.query, dtype=torch.float64))
            module.key_projection.weight.copy_(torch.tensor(matrices.key, dtype=torch.float64))
            module.key_projection.bias.zero_()
            module.vector.weight.copy_(torch.tensor([matrices.vector], dtype=torch.float64))
        elif score == "general":
            module.matrix.weight.copy_(torch.tensor(matrices.key, dtype=torch.float64))
        projected = module.project(torch.tensor([keys], dtype=torch.float64))
        expected = module(torch.tensor(queries, dtype=torch.float64), projected)
    np.testing.assert_allclose(found.scores, expected[None].numpy(), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("heads", [1, 2, 4])
def test_heads_are_those_of_the_transformers_cross_attention(heads: int) -> None:
    random = np.random.default_rng(3)
    drawn = [random.normal(size=shape).round(3) for shape in ((2, 4), (5, 4), (5, 4))]
    query, key, value = (random.normal(size=(4, 4)).round(3) for _ in range(3))
    tables = [tuple(map(tuple, array.tolist())) for array in (*drawn, query, key, value)]
    case = HandCase(
        queries=tables[0],
        keys=tables[1],
        values=tables[1],
        mask=(True, True, True, False, True),
        score="scaled_dot",
        heads=heads,
        matrices=Matrices(query=tables[3], key=tables[4], value=tables[5]),
    )
    found = attend_by_hand(case)
    module = CrossAttention(4, heads).double()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.zero_()
        module.query.weight.copy_(torch.tensor(query))
        module.key_value.weight.copy_(torch.tensor(np.vstack([key, value])))
        module.output.weight.copy_(torch.eye(4))
        memory = module.project(torch.tensor(drawn[1])[None])
        bias = torch.tensor([0.0, 0.0, 0.0, -math.inf, 0.0], dtype=torch.float64)
        expected = module(torch.tensor(drawn[0])[None], memory, bias[None, None, None])[0]
    np.testing.assert_allclose(found.context, expected.numpy(), rtol=0, atol=1e-12)
    assert found.weights.shape == (heads, 2, 5)
    assert (found.weights[..., 3] == 0).all()


def test_one_head_is_the_scaled_dot_score_of_the_recurrent_models() -> None:
    found = attend_by_hand(replace(VECTORS, score="scaled_dot"))
    plain = attend_by_hand(VECTORS)
    assert found.scores is not None and plain.scores is not None
    np.testing.assert_allclose(found.scores, plain.scores / math.sqrt(2), rtol=0, atol=1e-12)


def test_each_head_sees_its_own_part_of_the_width() -> None:
    found = attend_by_hand(PRESETS["heads"].case)
    assert found.weights[0, 0].argmax() == 0 and found.weights[1, 0].argmax() == 2
    np.testing.assert_allclose(found.context[0], found.contexts[:, 0].ravel())


@settings(max_examples=40, deadline=None)
@given(table(2, 4), st.lists(st.booleans(), min_size=4, max_size=4), st.floats(0.1, 10))
def test_weights_are_the_softmax_written_out(
    scores: tuple[tuple[float, ...], ...], mask: list[bool], temperature: float
) -> None:
    case = HandCase(
        start="scores",
        scores=scores,
        values=((1.0,), (2.0,), (3.0,), (4.0,)),
        mask=tuple(mask),
        temperature=temperature,
    )
    if not any(mask):
        with pytest.raises(EmptySourceError, match="all are masked"):
            attend_by_hand(case)
        return
    found = attend_by_hand(case)
    for row, weights in zip(scores, found.weights[0], strict=True):
        top = max(score for score, kept in zip(row, mask, strict=True) if kept)
        powers = [
            math.exp((score - top) / temperature) if kept else 0.0
            for score, kept in zip(row, mask, strict=True)
        ]
        expected = [power / sum(powers) for power in powers]
        np.testing.assert_allclose(weights, expected, rtol=1e-9, atol=1e-12)
        assert all(weight == 0 for weight, kept in zip(weights, mask, strict=True) if not kept)


@pytest.mark.parametrize(("temperature", "larger"), [(0.5, True), (2.0, False)])
def test_a_low_temperature_sharpens_and_a_high_one_flattens(
    temperature: float, larger: bool
) -> None:
    plain = attend_by_hand(VECTORS).weights[0, 0].max()
    other = attend_by_hand(replace(VECTORS, temperature=temperature)).weights[0, 0].max()
    assert (other > plain) == larger


# --- what goes wrong -----------------------------------------------------------------------------


def test_masking_after_the_softmax_loses_what_the_masked_ones_had() -> None:
    right, wrong = attend_by_hand(SCORED), attend_by_hand(replace(SCORED, mistake="mask after"))
    lost = math.exp(3) / (math.exp(1) + math.exp(2) + math.exp(3))
    np.testing.assert_allclose(wrong.sums, [[1 - lost]], rtol=0, atol=1e-12)
    np.testing.assert_allclose(wrong.weights, right.weights * (1 - lost), rtol=0, atol=1e-12)
    np.testing.assert_allclose(right.sums, [[1]])


def test_rescaling_gives_the_right_weights_until_nothing_is_left() -> None:
    rescaled = replace(SCORED, mistake="mask after, rescale")
    np.testing.assert_allclose(
        attend_by_hand(rescaled).weights, attend_by_hand(SCORED).weights, rtol=0, atol=1e-12
    )
    assert np.isnan(attend_by_hand(PRESETS["rescaled"].case).weights).all()
    right = replace(PRESETS["rescaled"].case, mistake="none")
    np.testing.assert_allclose(attend_by_hand(right).sums, [[1]])


def test_over_the_batch_columns_sum_to_1_and_rows_do_not() -> None:
    found = attend_by_hand(PRESETS["over the batch"].case)
    np.testing.assert_allclose(found.column_sums, 1)
    assert not np.allclose(found.sums, 1)
    alone = replace(PRESETS["over the batch"].case, scores=((2.0, 0.0, 1.0),))
    np.testing.assert_array_equal(attend_by_hand(alone).weights, [[[1, 1, 1]]])


def test_masking_everything_is_a_named_error() -> None:
    with pytest.raises(EmptySourceError, match="all are masked"):
        attend_by_hand(PRESETS["nothing left"].case)


@pytest.mark.parametrize("mistake", MISTAKES[1:])
def test_the_batch_shows_each_mistake(mistake: str) -> None:
    found = attend_batch("additive", mistake=mistake)
    assert np.allclose(found.sums, 1, atol=1e-6) == (mistake == "mask after, rescale")


# --- limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"queries": ()}, "queries must have 1 to"),
        ({"queries": ((1.0, 2.0),) * (MOST_QUERIES + 1)}, "queries must have 1 to"),
        ({"keys": ((),) * 3}, "keys must have 1 to"),
        ({"keys": ((1.0,) * (MOST_WIDTH + 1),) * 3}, "numbers in a row"),
        ({"keys": ((1.0, 2.0), (1.0,), (1.0, 2.0))}, "row 2 has 1"),
        ({"keys": CORNERS[:2]}, "3 values, but 2 keys"),
        ({"mask": (True,)}, "3 values, but 1 marks"),
        ({"values": CORNERS * 5}, f"values must have 1 to {MOST_POSITIONS}"),
        ({"values": ((math.nan, 0.0), *CORNERS[1:])}, "holds nan"),
        ({"keys": ((1e6, 0.0), *CORNERS[1:])}, r"1e\+06"),
        ({"queries": ((math.inf, 0.0),)}, "finite"),
        ({"start": "scores", "scores": ((1.0, 2.0),)}, "3 values, but 2 scores"),
        ({"start": "weights", "weights": ((0.5, 0.2, 0.2),)}, "the sum 0.9"),
        ({"start": "weights", "weights": ((1.5, -0.5, 0.0),)}, "smallest -0.5"),
    ],
    ids=range(14),
)
def test_tables_that_do_not_fit_are_named(change: dict[str, object], message: str) -> None:
    with pytest.raises(ModelInputError, match=message):
        replace(VECTORS, **change)


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": 0.0},
        {"temperature": math.nan},
        {"heads": 0},
        {"score": "cosine"},
        {"start": "x"},
    ],
    ids=range(5),
)
def test_settings_outside_their_bounds_are_named(change: dict[str, object]) -> None:
    with pytest.raises(SettingError, match="must be"):
        replace(VECTORS, **change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"keys": ((1.0,), (2.0,), (3.0,))}, r"equal widths.*2.*1.*general"),
        ({"score": "scaled_dot", "values": ((1.0,), (2.0,), (3.0,))}, "2, 2 and 1"),
        ({"score": "scaled_dot", "heads": 3}, "3 heads can't share the width 2"),
        ({"heads": 2}, "several heads"),
        ({"score": "general", "matrices": Matrices(key=((1.0,),))}, "matrix W has 1 rows"),
        ({"score": "additive", "matrices": Matrices(vector=(1.0,))}, None),
        (
            {"score": "additive", "matrices": Matrices(query=CORNERS, vector=(1.0,))},
            "vector v has 1 numbers, but needs 3",
        ),
    ],
    ids=range(7),
)
def test_widths_that_do_not_fit_the_score_are_named(
    change: dict[str, object], message: str | None
) -> None:
    case = replace(VECTORS, **change)
    if message is None:  # a vector alone says how wide they meet
        assert attend_by_hand(case).keys is not None
        return
    with pytest.raises(ModelInputError, match=message):
        attend_by_hand(case)


@pytest.mark.parametrize("score", SCORES)
def test_results_are_read_only(score: str) -> None:
    found = attend_by_hand(replace(VECTORS, score=score))
    for array in (found.scores, found.weights, found.context, found.keys, found.queries):
        assert array is not None
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
