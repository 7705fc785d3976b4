"""Re-ranking equals a new search where it says so."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from s2s_core.errors import NoHypothesisError, SettingError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import STOP_RULES, SearchConfig, StopRule
from s2s_core.search.length_penalty import (
    LENGTH_PENALTIES,
    GnmtPenalty,
    LengthPenalty,
    NoPenalty,
    PowerPenalty,
)
from s2s_core.search.ranking import ranking_curve
from s2s_core.search.rerank import entries_of, is_exact
from s2s_core.search.table import ProbabilityTable
from s2s_core.search.trace import BeamTrace
from tests.search.tables import PENALTIES, random_table


def listed(trace: BeamTrace, penalty: LengthPenalty | None = None) -> list[object]:
    return [(h.token_ids, h.log_prob, h.score, h.finished) for h in trace.pool(penalty)]


def published() -> ProbabilityTable:
    """A table whose finished hypotheses are the published n-best list."""
    hypotheses = (
        (-1.18324, 1),
        (-8.15704, 16),
        (-8.58838, 17),
        (-8.23043, 15),
        (-8.64039, 16),
        (-9.01087, 17),
    )
    first = {"EOS": math.exp(hypotheses[0][0])}
    rows: dict[str, dict[str, float]] = {}
    for letter, (log_prob, length) in zip("abcde", hypotheses[1:], strict=True):
        first[letter] = math.exp(log_prob)
        for count in range(1, length - 1):
            rows[" ".join(letter * count)] = {letter: 1.0}
        rows[" ".join(letter * (length - 1))] = {"EOS": 1.0}
    first["z"] = 1.0 - math.fsum(first.values())
    return ProbabilityTable({"": first, **rows}, default={"z": 1.0})


@pytest.mark.parametrize("rule", STOP_RULES)
def test_where_reranking_is_exact_a_new_search_gives_the_same(rule: StopRule) -> None:
    rng = np.random.default_rng(21)
    exact = inexact = differing = 0
    for number in range(300):
        table = random_table(rng)
        beam, m = int(rng.integers(1, 4)), int(rng.integers(2, 7))
        old, new = PENALTIES[number % 7], PENALTIES[(number // 7) % 7]
        try:
            trace = beam_search(table, "", SearchConfig(beam, m, old, rule))
        except NoHypothesisError:
            continue
        fresh = beam_search(table, "", SearchConfig(beam, m, new, rule))
        places = 1 if rule == "best" else beam
        same = listed(trace, new)[:places] == listed(fresh)[:places]
        if is_exact(trace, new).exact:
            exact += 1
            assert same
        else:
            inexact += 1
            differing += not same
    assert exact > 100
    if rule in ("exhaust", "first"):
        assert inexact == 0
    else:
        assert inexact > 10
        assert differing > 0


def test_under_exhaust_reranking_equals_a_new_search_at_every_alpha() -> None:
    rng = np.random.default_rng(22)
    for _ in range(60):
        table = random_table(rng, ties=False)
        trace = beam_search(table, "", SearchConfig(2, 6, stop_rule="exhaust"))
        for alpha in (0.0, 0.3, 1.0, 1.7, 3.0):
            for family in (PowerPenalty, GnmtPenalty):
                config = SearchConfig(2, 6, family(alpha), "exhaust")
                assert listed(trace, family(alpha)) == listed(beam_search(table, "", config))


def test_reranking_the_pool_alone_would_pick_a_wrong_winner() -> None:
    rng = np.random.default_rng(23)
    wrong = 0
    for _ in range(200):
        config = SearchConfig(1, 6, PowerPenalty(0.0), "exhaust")
        trace = beam_search(random_table(rng, ties=False), "", config)
        new = PowerPenalty(1.5)
        pool_only = max(trace.pool(), key=lambda h: new.score(h.log_prob, h.length))
        wrong += trace.pool(new)[0].node_id != pool_only.node_id
    assert wrong > 10


def test_reranking_says_in_words_why_it_is_not_exact() -> None:
    table = ProbabilityTable(
        {"": {"EOS": 0.5, "a": 0.5}, "a": {"a": 0.9, "EOS": 0.1}}, default={"EOS": 1.0}
    )
    trace = beam_search(table, "", SearchConfig(2, 4, NoPenalty(), "best"))
    assert trace.stop_reason == "best"
    verdict = is_exact(trace, PowerPenalty(1.0))
    assert not verdict.exact
    assert "could still reach" in verdict.reason
    assert is_exact(trace, NoPenalty()).exact


def test_the_published_list_is_ranked_as_published() -> None:
    config = SearchConfig(7, 17, PowerPenalty(0.6), "exhaust")
    trace = beam_search(published(), "", config)
    expected = (-1.18324, -1.54547, -1.56907, -1.62094, -1.63705, -1.64626)
    assert [h.score for h in trace.pool()] == pytest.approx(expected, abs=1e-5)
    assert trace.best.text == ""
    power = ranking_curve(entries_of(trace), PowerPenalty, -1.0, 3.0)
    gnmt = ranking_curve(entries_of(trace), GnmtPenalty, -1.0, 3.0)
    assert [round(c, 4) for c in power.crossings] == [0.6963, 0.85]
    assert [round(c, 4) for c in gnmt.crossings] == [1.5256]
    lengths = [trace.node(i.entry_id).step for i in power.intervals]
    assert lengths == [1, 16, 17]
    assert [trace.node(i.entry_id).step for i in gnmt.intervals] == [1, 17]


@pytest.mark.parametrize("family", LENGTH_PENALTIES.values())
def test_the_curve_has_the_winner_of_every_parameter(family: type[LengthPenalty]) -> None:
    rng = np.random.default_rng(24)
    changes = 0
    for number in range(60):
        table = random_table(rng, ties=number % 2 == 0)
        try:
            trace = beam_search(table, "", SearchConfig(3, 6, stop_rule="exhaust"))
        except NoHypothesisError:
            continue
        curve = ranking_curve(entries_of(trace), family, -1.0, 3.0)
        starts = [interval.start for interval in curve.intervals]
        ends = [interval.end for interval in curve.intervals]
        assert [*starts[1:], 3.0] == ends and starts[0] == -1.0
        assert all(start < end for start, end in zip(starts, ends, strict=True))
        winners = [interval.entry_id for interval in curve.intervals]
        assert all(a != b for a, b in pairwise(winners))
        changes += len(curve.crossings)
        for parameter in np.linspace(-1.0, 3.0, 41):
            penalty = family.from_parameter(float(parameter))
            best = trace.pool(penalty)[0]
            winner = curve.winner(float(parameter))
            score = penalty.score(winner.log_prob, winner.length)
            assert score == pytest.approx(best.score, rel=1e-9, abs=1e-9)
    assert changes > 20 or family is NoPenalty


def test_the_curve_refuses_an_empty_range_and_what_lies_outside() -> None:
    trace = beam_search(published(), "", SearchConfig(7, 17))
    for minimum, maximum in ((1.0, 1.0), (2.0, 1.0), (0.0, math.inf), (math.nan, 1.0)):
        with pytest.raises(SettingError, match="range"):
            ranking_curve(entries_of(trace), PowerPenalty, minimum, maximum)
    with pytest.raises(SettingError, match="between 0 and 1"):
        ranking_curve(entries_of(trace), PowerPenalty, 0.0, 1.0).winner(1.5)


def test_cut_prefixes_are_ranked_where_nothing_finished() -> None:
    trace = beam_search(
        ProbabilityTable({}, default={"a": 0.75, "b": 0.25}), "", SearchConfig(2, 3)
    )
    assert is_exact(trace, PowerPenalty(2.0)).exact
    curve = ranking_curve(entries_of(trace), PowerPenalty, 0.0, 3.0)
    assert curve.crossings == ()
    assert curve.winner(1.0).text == "a a a"
