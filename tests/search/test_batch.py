"""Many sentences at once: the same targets as one by one, whatever the model and the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_core.errors import NoHypothesisError, SettingError, SourceError
from s2s_core.search import batch
from s2s_core.search.batch import Output, decode, decode_batch, greedy_config, plan_batches
from s2s_core.search.beam import beam_search
from s2s_core.search.config import STOP_RULES, SearchConfig
from s2s_core.search.greedy import greedy_search
from s2s_core.search.length_penalty import GnmtPenalty, NoPenalty, PowerPenalty, WordReward
from s2s_core.search.trace import BeamTrace
from tests.models.networks import NETWORKS, SENTENCES, random_model
from tests.search.tables import tables

PENALTIES = (PowerPenalty(0.6), GnmtPenalty(1.0), NoPenalty(), WordReward(0.5))
SOURCES = (*SENTENCES[1::3], "A.", "The cat saw the cat.", SENTENCES[0] * 2)


def output(trace: BeamTrace) -> Output:
    return Output(trace.best.token_ids, trace.best.text, trace.best.finished)


def check(model: Any, sources: tuple[str, ...], config: SearchConfig) -> None:
    found = dict(decode(model, sources, config))
    for index, source in enumerate(sources):
        assert found[index] == output(beam_search(model, source, config)), (source, config)


@pytest.mark.parametrize("name", NETWORKS)
def test_batches_find_what_single_searches_find_for_every_network(name: str) -> None:
    model = random_model(name)
    check(model, SOURCES, SearchConfig(4, max_length=10, recorded_candidates=0))
    found = dict(decode(model, SOURCES, greedy_config(10)))
    for index, source in enumerate(SOURCES):
        greedy = greedy_search(model, source, SearchConfig(max_length=10, recorded_candidates=0))
        assert found[index] == output(greedy)


@pytest.mark.parametrize("stop_rule", STOP_RULES)
@pytest.mark.parametrize("penalty", PENALTIES, ids=lambda penalty: penalty.name)
def test_batches_follow_every_stop_rule_and_penalty(stop_rule: Any, penalty: Any) -> None:
    config = SearchConfig(3, 8, penalty, stop_rule, recorded_candidates=0, min_length=3)
    check(random_model("gru-bidirectional-additive"), SOURCES, config)


@settings(max_examples=100, deadline=None)
@given(
    table=tables(),
    beam_size=st.integers(1, 4),
    stop_rule=st.sampled_from(sorted(STOP_RULES)),
    penalty=st.sampled_from(PENALTIES),
    shortest_and_no_repeat=st.tuples(st.integers(0, 3), st.integers(0, 2)),
)
def test_batches_find_what_single_searches_find_on_tables_with_ties(
    table: Any,
    beam_size: int,
    stop_rule: Any,
    penalty: Any,
    shortest_and_no_repeat: tuple[int, int],
) -> None:
    shortest, no_repeat = shortest_and_no_repeat
    config = SearchConfig(
        beam_size, 5, penalty, stop_rule, min_length=shortest, no_repeat=no_repeat
    )
    try:
        expected = output(beam_search(table, "", config))
    except NoHypothesisError as error:
        with pytest.raises(NoHypothesisError, match=str(error)[:40]):
            decode_batch(table, [""], config)
        return
    assert decode_batch(table, [""], config) == (expected,)


def test_a_close_decision_is_taken_again_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    model, config = random_model("gru-forward-dot"), SearchConfig(2, max_length=6)
    alone: list[str] = []
    search = batch.beam_search

    def counted(model: Any, source: str, config: SearchConfig) -> BeamTrace:
        alone.append(source)
        return search(model, source, config)

    monkeypatch.setattr(batch, "beam_search", counted)
    monkeypatch.setattr(batch, "CLOSE", 0.0)
    decode_batch(model, SOURCES[:4], config)
    assert alone == []
    monkeypatch.setattr(batch, "CLOSE", 1e9)
    decode_batch(model, SOURCES[:4], config)
    assert alone == list(SOURCES[:4])


@given(
    st.lists(st.integers(0, 3000), max_size=60).map(lambda lengths: ["x" * n for n in lengths]),
    st.integers(1, 64),
)
def test_plans_hold_each_source_once_and_keep_to_the_memory(
    sources: list[str], beam_size: int
) -> None:
    plan = plan_batches(sources, beam_size=beam_size)
    assert sorted(index for indices in plan for index in indices) == list(range(len(sources)))
    for indices in plan:
        rows, longest = beam_size * len(indices), max(len(sources[i]) for i in indices)
        small = rows <= batch.MAXIMUM_ROWS and rows * longest <= batch.MAXIMUM_POSITIONS
        assert small or len(indices) == 1


def test_bad_settings_and_sources_are_named() -> None:
    model = random_model("gru-forward-dot")
    with pytest.raises(SettingError, match="alpha"):
        decode_batch(model, SOURCES, SearchConfig(length_penalty=PowerPenalty(-1.0)))
    with pytest.raises(SettingError, match="minimum length"):
        decode_batch(model, SOURCES, replace(SearchConfig(), max_length=3, min_length=4))
    with pytest.raises(SourceError, match="blank"):
        decode_batch(model, ["The cat.", " "], SearchConfig())
