"""Surprisal, places in the beam over time, and rivals that were lost."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2s_core.errors import NoHypothesisError, SearchError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.departure import departure
from s2s_core.search.length_penalty import NoPenalty
from s2s_core.search.presets import PRESETS
from s2s_core.search.score import score_target
from s2s_core.search.trace import BeamTrace
from s2s_core.search.word_by_word import (
    lost_rivals,
    places_over_time,
    surprisals,
    totals_against_rivals,
)
from tests.search.naive import Rules, naive_beam, next_log_probs
from tests.search.tables import BEST_OF_TWO, random_table

RAW = NoPenalty()


def trap(beam_size: int) -> BeamTrace:
    return beam_search(BEST_OF_TWO, "", SearchConfig(beam_size, 3, RAW, "exhaust"))


def test_surprisal_is_in_bits_and_totals_add_up() -> None:
    tokens = surprisals(trap(2).best)
    assert [t.token for t in tokens] == ["B", "x", "EOS"]
    assert [t.surprisal for t in tokens] == pytest.approx([-math.log2(0.4), -math.log2(0.95), 0.0])
    assert tokens[-1].total == pytest.approx(math.log(0.38))
    assert 2 ** -sum(t.surprisal for t in tokens) == pytest.approx(0.38)
    target = BEST_OF_TWO.target
    impossible = score_target(BEST_OF_TWO, "", (*target.ids("x"), target.eos_id))
    assert surprisals(impossible)[0].surprisal == math.inf


def test_the_winner_of_the_trap_starts_second_and_then_leads() -> None:
    trace = trap(2)
    best = trace.best.node_id
    assert best is not None
    places = places_over_time(trace, best)
    assert [(p.rank, p.place) for p in places] == [(2, 2), (1, 1), (1, None)]
    assert [p.behind for p in places] == pytest.approx([math.log(0.6 / 0.4), 0.0, 0.0])


def test_places_are_those_of_the_naive_search() -> None:
    rng = np.random.default_rng(121)
    checked = 0
    for _ in range(40):
        table = random_table(rng)
        try:
            trace = beam_search(table, "", SearchConfig(2, 4, RAW, "exhaust"))
        except NoHypothesisError:
            continue
        rules = Rules(2, 4, "exhaust", RAW.score, lambda log_prob, step: log_prob)
        naive = naive_beam(next_log_probs(table), table.target.eos_id, rules)
        for node_id in trace.finished_ids:
            ids = trace.hypothesis(node_id).token_ids
            for place in places_over_time(trace, node_id):
                prefix = ids[: place.step]
                assert naive.ranking[place.step - 1].index(prefix) + 1 == place.rank
                live = naive.live[place.step - 1]
                assert place.place == (live.index(prefix) + 1 if prefix in live else None)
                checked += 1
    assert checked > 100


def test_a_rival_that_led_and_was_pruned_is_named_with_lead_and_gap() -> None:
    preset = PRESETS["beam-two-is-worse"]
    trace = beam_search(preset.load(), "", preset.config)
    best = trace.best.node_id
    assert (trace.best.text, best is not None) == ("B u p", True)
    (rival,) = lost_rivals(trace, best or 0)
    assert (rival.step, rival.text) == (2, "A x")
    assert rival.lead == pytest.approx(math.log(0.55 / 0.45))
    assert rival.gap == pytest.approx(math.log(0.45 * 0.48) - math.log(0.55 * 0.38))
    assert not rival.unrecorded
    assert trace.node(rival.node_id).fate == "pruned"


def test_where_nothing_was_recorded_the_gap_is_not_known() -> None:
    preset = PRESETS["beam-two-is-worse"]
    config = SearchConfig(2, 5, RAW, "exhaust", recorded_candidates=0)
    trace = beam_search(preset.load(), "", config)
    (rival,) = lost_rivals(trace, trace.best.node_id or 0)
    assert (rival.text, rival.gap, rival.unrecorded) == ("A", None, True)


def test_rivals_were_ahead_and_have_no_end_of_their_own() -> None:
    rng = np.random.default_rng(122)
    found = 0
    for _ in range(80):
        try:
            trace = beam_search(random_table(rng), "", SearchConfig(2, 5, RAW, "exhaust"))
        except NoHypothesisError:
            continue
        for node_id in trace.finished_ids:
            path = trace.path(node_id)
            for rival in lost_rivals(trace, node_id):
                prefix = trace.node(rival.prefix_id)
                assert prefix.log_prob >= path[rival.step - 2].log_prob
                assert prefix.id not in {node.id for node in path}
                live = {node.id for node in trace.step(rival.step).live}
                assert not any(n.parent_id == prefix.id and n.id in live for n in trace.nodes)
                assert rival.lead >= 0
                assert rival.gap is None or rival.gap >= 0
                found += 1
    assert found > 5


def test_a_better_target_that_left_the_beam_is_dated() -> None:
    preset = PRESETS["beam-two-is-worse"]
    table = preset.load()
    ids = (*table.target.ids("A x"), table.target.eos_id)
    two = departure(beam_search(table, "", preset.config), ids)
    assert two
    assert two.step == 2
    assert two.gap == pytest.approx(math.log(0.45 * 0.48) - math.log(0.55 * 0.38))
    assert "below the last survivor" in two.reason
    assert departure(beam_search(table, "", SearchConfig(3, 5, RAW, "exhaust")), ids) is None
    blind = beam_search(table, "", SearchConfig(2, 5, RAW, "exhaust", recorded_candidates=0))
    unseen = departure(blind, ids)
    assert unseen
    assert (unseen.step, unseen.gap) == (2, None)


def test_totals_are_the_sums_along_each_path() -> None:
    trace = trap(2)
    lines = totals_against_rivals(trace, trace.ranked_ids())
    assert [line.text for line in lines][:1] == ["B x"]
    assert lines[0].totals == pytest.approx([math.log(0.4), math.log(0.38), math.log(0.38)])
    with pytest.raises(SearchError, match="the root"):
        totals_against_rivals(trace, (0,))
