"""The trace: paths, attention through the parents, the JSON round trip, the table."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_core.errors import SearchError, TraceFormatError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import STOP_RULES, SearchConfig, StopRule
from s2s_core.search.greedy import greedy_search
from s2s_core.search.length_penalty import NoPenalty, PowerPenalty, WordReward
from s2s_core.search.rerank import is_exact
from s2s_core.search.trace import BeamTrace
from s2s_core.search.tree import build_tree
from tests.search.fakes import PrefixModel, attention_of
from tests.search.tables import random_table

SOURCE = "x y z"


def a_trace(rule: StopRule = "exhaust", **settings: int) -> BeamTrace:
    config = SearchConfig(3, 6, stop_rule=rule)
    return beam_search(PrefixModel(seed=5), SOURCE, config, forced_ids=(4,), checkpoint="toy")


def test_attention_of_any_node_follows_its_parents() -> None:
    trace = a_trace()
    assert {node.fate for node in trace.nodes} == {"kept", "finished", "pruned", "cut"}
    for node in trace.nodes:
        hypothesis = trace.hypothesis(node.id)
        assert hypothesis.attention is not None
        assert hypothesis.attention.weights.shape == (2, 3, hypothesis.length, 3)
        assert hypothesis.attention.target_tokens == hypothesis.tokens
        assert hypothesis.attention.source_tokens == ("x", "y", "z")
        for place in range(hypothesis.length):
            expected = attention_of((1, *hypothesis.token_ids[:place]))
            np.testing.assert_array_equal(hypothesis.attention.weights[:, :, place], expected)
        means = hypothesis.attention.head_mean()
        np.testing.assert_allclose(means, hypothesis.attention.weights[-1].mean(axis=0))


def test_arrays_in_a_trace_are_read_only() -> None:
    trace = a_trace()
    attention = trace.best.attention
    assert attention is not None and trace.steps[0].attention is not None
    for array in (attention.weights, trace.steps[0].attention):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_a_table_has_neither_source_nor_attention() -> None:
    trace = beam_search(random_table(np.random.default_rng(0), ties=False), "", SearchConfig())
    assert trace.source_tokens == ()
    assert trace.best.attention is None
    assert trace.max_length == 20


def test_ids_run_from_one_in_the_order_of_step_and_rank() -> None:
    trace = a_trace()
    assert [node.id for node in trace.nodes] == list(range(1, len(trace.nodes) + 1))
    keys = [(node.step, node.rank) for node in trace.nodes]
    assert keys == sorted(keys)
    for node in trace.nodes:
        assert trace.node(node.id) is node
        assert [n.step for n in trace.path(node.id)] == list(range(1, node.step + 1))
    assert trace.path(0) == ()
    for wrong in (0, -1, len(trace.nodes) + 1):
        with pytest.raises(SearchError, match="0 is the root"):
            trace.node(wrong)


def test_live_prefixes_and_the_pool_of_a_step_are_readable() -> None:
    trace = a_trace()
    for number, step in enumerate(trace.steps, start=1):
        live = trace.live(number)
        assert [h.length for h in live] == [number] * len(live)
        assert [h.log_prob for h in live] == sorted((h.log_prob for h in live), reverse=True)
        assert [h.text for h in live] == [trace.node(c.id).text for c in step.live]
        pool = trace.pool_at(number)
        assert [h.score for h in pool] == sorted((h.score for h in pool), reverse=True)
        assert all(h.finished for h in pool)
    assert trace.pool_at(len(trace.steps)) == trace.pool()
    for wrong in (0, len(trace.steps) + 1):
        with pytest.raises(SearchError, match="steps 1 to"):
            trace.live(wrong)
    empty = trace.hypothesis(0)
    assert (empty.text, empty.length, empty.score, empty.attention) == ("", 0, 0.0, None)


def test_the_rest_of_a_rows_probability_is_what_is_not_recorded() -> None:
    model = PrefixModel(seed=5)
    trace = beam_search(model, SOURCE, SearchConfig(2, 4, recorded_candidates=1))
    for step in trace.steps:
        for row_id in step.expanded_ids:
            prefix = tuple(n.token_id for n in trace.path(row_id))
            probabilities = np.exp(model.row((1, *prefix)).astype(np.float64))
            recorded = [c.token_id for c in step.row(row_id)]
            rest = probabilities.sum() - probabilities[recorded].sum()
            assert step.unrecorded_mass(row_id) == pytest.approx(rest, abs=1e-6)


def test_pruned_says_its_rank_and_the_gap_to_the_last_survivor() -> None:
    trace = beam_search(PrefixModel(seed=5), SOURCE, SearchConfig(2, 4))
    pruned = [n for n in trace.nodes if n.fate == "pruned" and n.token_id != trace.eos_id]
    assert pruned
    for node in pruned:
        survivor = trace.steps[node.step - 1].live[-1]
        gap = survivor.log_prob - node.log_prob
        assert node.reason == f"rank {node.rank}, {gap:.4f} below the last survivor"
    assert all(n.reason == "" for n in trace.nodes if n.fate in ("kept", "finished"))


@pytest.mark.parametrize("rule", STOP_RULES)
def test_a_trace_comes_back_from_json_unchanged(rule: StopRule) -> None:
    trace = a_trace(rule)
    again = BeamTrace.from_json(trace.to_json())
    assert again == trace
    assert again.pool() == trace.pool()
    for step, copy in zip(trace.steps, again.steps, strict=True):
        assert step.attention is not None and copy.attention is not None
        np.testing.assert_array_equal(copy.attention, step.attention)
        assert copy.attention.dtype == np.float32
        assert not copy.attention.flags.writeable
    assert again.to_json() == trace.to_json()


@pytest.mark.parametrize("penalty", [NoPenalty(), PowerPenalty(0.1 + 0.2), WordReward(-0.5)])
def test_tables_and_penalties_come_back_from_json_unchanged(penalty: PowerPenalty) -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        config = SearchConfig(2, 4, length_penalty=penalty, min_length=2)
        table = random_table(rng, ties=False)
        for trace in (beam_search(table, "", config), greedy_search(table, "", config)):
            assert BeamTrace.from_json(trace.to_json()) == trace


TEXT = a_trace("best").to_json()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{}",
        '{"format": "other"}',
        TEXT.replace('"version": 1', '"version": 2'),
        TEXT.replace('"version": 1', '"version": NaN'),
        TEXT[:-1],
        "[" * 100_000,
        TEXT.replace('"rank": 1,', '"rank": 0,', 1),
        TEXT.replace('"fate": "kept"', '"fate": "lost"', 1),
        TEXT.replace('"float32": "', '"float32": "AAAA', 1),
        TEXT.replace('"float32": "', '"float32": "*', 1),
        TEXT.replace('"shape": [1, 2, 3, 3]', '"shape": [1, 2, 3, 99999999999]', 1),
        TEXT.replace('"beam_size": 3', '"beam_size": 0', 1),
        TEXT.replace('"beam_size": 3', '"beam_size": 1e999', 1),
        TEXT.replace('"id": 2,', '"id": 3,', 1),
        TEXT.replace('"finished_ids": [', '"finished_ids": [1, ', 1),
        TEXT.replace('"parent_id": 0,', '"parent_id": 1,', 1),
    ],
)
def test_anything_else_than_a_trace_is_a_named_error(text: str) -> None:
    assert text != TEXT
    with pytest.raises(TraceFormatError):
        BeamTrace.from_json(text)


def spoil(data: st.DataObject, value: object) -> object:
    """Replace one thing somewhere in a JSON value, or leave it out."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 9)):
        key = data.draw(st.sampled_from(sorted(value)))
        changed = dict(value)
        if data.draw(st.integers(0, 5)) == 0:
            del changed[key]
        else:
            changed[key] = spoil(data, value[key])
        return changed
    if isinstance(value, list) and value and data.draw(st.integers(0, 9)):
        place = data.draw(st.integers(0, len(value) - 1))
        return [*value[:place], spoil(data, value[place]), *value[place + 1 :]]
    scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5))
    return data.draw(st.one_of(scalars, st.lists(scalars, max_size=3)))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_spoiled_file_is_refused_or_still_a_usable_trace(data: st.DataObject) -> None:
    text = json.dumps(spoil(data, json.loads(TEXT)))
    try:
        trace = BeamTrace.from_json(text)
    except TraceFormatError as error:
        assert len(str(error)) < 500
        return
    assert all(math.isfinite(h.log_prob) for h in trace.pool())
    build_tree(trace)
    is_exact(trace, NoPenalty())
    for step in range(1, len(trace.steps) + 1):
        trace.live(step)
        trace.pool_at(step)
    assert BeamTrace.from_json(trace.to_json()) == trace


def test_the_frame_has_a_row_for_each_recorded_candidate() -> None:
    trace = a_trace()
    frame = trace.to_frame()
    assert list(frame["id"]) == [node.id for node in trace.nodes]
    assert list(frame["text"]) == [node.text for node in trace.nodes]
    evicted = [None if math.isnan(v) else v for v in frame["evicted_at"].astype(float)]
    assert evicted == [node.evicted_at for node in trace.nodes]


def test_two_searches_of_one_model_give_the_same_trace() -> None:
    model = PrefixModel(seed=8)
    config = SearchConfig(4, 7)
    first = beam_search(model, SOURCE, config)
    beam_search(model, "x y z", SearchConfig(2, 3))
    assert beam_search(model, SOURCE, config) == first


def test_a_finished_prefix_has_the_text_of_its_parent() -> None:
    trace = a_trace()
    for node in trace.finished:
        parent = trace.path(node.id)[-2]
        assert node.text == parent.text


def test_a_log_prob_that_is_not_the_sum_along_its_path_is_refused() -> None:
    data = json.loads(TEXT)
    node = data["steps"][1]["candidates"][0]
    node["log_prob"] -= 0.5
    with pytest.raises(TraceFormatError, match="isn't the sum along its path"):
        BeamTrace.from_json(json.dumps(data))


DIGITS = "1" + "0" * 400


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"beam_size": 2', f'"beam_size": {DIGITS}'),
        ('"beam_size": 2', f'"beam_size": {DIGITS * 20}'),
        ('"max_length": ', f'"max_length": {DIGITS}'),
        ('"checkpoint": ""', '"checkpoint": "\\ud800"'),
        ('"source": "', '"source": "\\ud800'),
        ('"float32": "', '"float32": "\\ud800'),
        ('"candidate_count": ', f'"candidate_count": {DIGITS}'),
    ],
)
def test_huge_numbers_and_half_characters_are_named_errors(before: str, after: str) -> None:
    trace = beam_search(PrefixModel(seed=5), SOURCE, SearchConfig(2))
    text = trace.to_json()
    assert before in text
    with pytest.raises(TraceFormatError):
        BeamTrace.from_json(text.replace(before, after, 1))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("max_length", 2, "two maximum lengths: 2 and"),
        ("beam_size", 1, "beam size 1, but a pool of"),
        ("forced_ids", [5, 1], "step 1 in the file hasn't the forced token"),
    ],
)
def test_a_file_that_its_own_settings_cannot_have_given_is_refused(
    name: str, value: object, message: str
) -> None:
    data = json.loads(TEXT)
    request = data["request"]
    (request if name in request else request["config"])[name] = value
    with pytest.raises(TraceFormatError, match=message):
        BeamTrace.from_json(json.dumps(data))


def test_a_forced_search_comes_back_from_json_unchanged() -> None:
    config = SearchConfig(3, 5)
    trace = beam_search(PrefixModel(seed=2), "x y z", config, forced_ids=(3, 4))
    assert BeamTrace.from_json(trace.to_json()) == trace
