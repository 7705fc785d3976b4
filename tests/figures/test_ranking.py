"""The ranking figure on its data."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_core.figures.ranking import NAMED, named_entries, ranking_alt, ranking_figure
from s2s_core.figures.ranking_traces import Scale
from s2s_core.figures.theme import literal
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.length_penalty import GnmtPenalty, LengthPenalty, PowerPenalty, WordReward
from s2s_core.search.ranking import RankingCurve, ranking_curve
from s2s_core.search.rerank import entries_of
from s2s_core.search.table import ProbabilityTable
from tests.browser.apps.demo_model import DemoModel
from tests.search.tables import tables

FAMILIES = (PowerPenalty, GnmtPenalty, WordReward)
ALL = SearchConfig(beam_size=6, stop_rule="exhaust", max_length=12)


def curve_of(family: type[LengthPenalty]) -> RankingCurve:
    trace = beam_search(DemoModel(), "the cat saw the dog .", ALL)
    return ranking_curve(entries_of(trace), family, -1.0, 2.0)


@pytest.fixture(scope="module", params=FAMILIES, ids=lambda family: family.name)
def curve(request: pytest.FixtureRequest) -> RankingCurve:
    return curve_of(request.param)


def named(figure: go.Figure, meta: str) -> list[Any]:
    return [trace for trace in figure.data if trace.meta == meta]


@settings(max_examples=60, deadline=None)
@given(
    tables(),
    st.sampled_from(FAMILIES),
    st.lists(st.floats(-1.0, 2.0), min_size=1, max_size=3),
)
def test_heights_rank_as_scores_do(
    table: ProbabilityTable, family: type[LengthPenalty], parameters: list[float]
) -> None:
    trace = beam_search(table, "", SearchConfig(beam_size=3, stop_rule="exhaust", max_length=5))
    curve = ranking_curve(entries_of(trace), family, -1.0, 2.0)
    scale = Scale.of(curve, parameters[0])
    for parameter in parameters:
        sign = -1 if scale.logarithmic else 1
        by_height = [
            sign * scale.height(c, parameter)
            for c in sorted(curve.entries, key=lambda c: scale.score(c, parameter))
        ]
        for lower, higher in pairwise(by_height):
            assert lower <= higher + 1e-9 * abs(higher) + 1e-12


def test_the_reference_length_is_level(curve: RankingCurve) -> None:
    scale = Scale.of(curve, 0.6)
    winner = curve.winner(0.6)
    heights = [scale.height(winner, x) for x in (-1.0, 0.0, 0.6, 2.0)]
    assert heights == pytest.approx([abs(winner.log_prob) * (1 if scale.logarithmic else -1)] * 4)


def test_the_strip_shows_the_winner_of_each_interval(curve: RankingCurve) -> None:
    (strip,) = named(ranking_figure(curve, 0.6), "strip")
    starts, widths = list(strip.base), list(strip.x)
    assert starts == [interval.start for interval in curve.intervals]
    ends = [start + width for start, width in zip(starts, widths, strict=True)]
    assert ends == pytest.approx([interval.end for interval in curve.intervals])
    names = named_entries(curve, 0.6)
    letters = ["ABCDEFGH"[[c.id for c in names].index(i.entry_id)] for i in curve.intervals]
    assert list(strip.text) == [f"<b>{letter}</b>" for letter in letters]


def test_crossings_lie_where_rank_1_changes(curve: RankingCurve) -> None:
    (rings,) = named(ranking_figure(curve, 0.6), "crossings")
    assert list(rings.x) == list(curve.crossings)
    assert len(rings.x) >= 1


def test_at_most_eight_lines_have_a_name_and_no_two_look_alike(curve: RankingCurve) -> None:
    figure = ranking_figure(curve, 0.6)
    named_lines = named(figure, "hypothesis")
    assert len(named_lines) == NAMED < len(curve.entries)
    assert len({line.line.color for line in named_lines}) == NAMED
    assert len({line.line.dash for line in named_lines}) == NAMED
    (others,) = named(figure, "others")
    assert others.line.width < named_lines[0].line.width


def test_winners_come_first_and_then_the_best_here(curve: RankingCurve) -> None:
    names = [c.id for c in named_entries(curve, 0.6)]
    winners = list(dict.fromkeys(i.entry_id for i in curve.intervals))
    assert names[: len(winners)] == winners
    penalty = curve.family.from_parameter(0.6)
    rest = [c for c in curve.entries if c.id in names[len(winners) :]]
    scores = {c.id: penalty.score(c.log_prob, c.length) for c in rest}
    assert names[len(winners) :] == sorted(scores, key=lambda i: (-scores[i], i))


def test_letters_stand_on_their_lines_side_by_side(curve: RankingCurve) -> None:
    scale = Scale.of(curve, 0.6)
    (marks,) = named(ranking_figure(curve, 0.6), "letters")
    assert len(set(marks.x)) == len(marks.x)
    for candidate, x, y in zip(named_entries(curve, 0.6), marks.x, marks.y, strict=True):
        assert y == pytest.approx(scale.height(candidate, x))


def test_the_present_parameter_is_marked_with_who_wins(curve: RankingCurve) -> None:
    figure = ranking_figure(curve, 0.6)
    (line,) = figure.layout.shapes
    assert (line.x0, line.x1) == (0.6, 0.6)
    names = [c.id for c in named_entries(curve, 0.6)]
    letter = "ABCDEFGH"[names.index(curve.winner(0.6).id)]
    assert (
        f"{curve.family.parameter_name} 0.6: <b>{letter}</b>" in figure.layout.annotations[0].text
    )


def test_hypotheses_are_literal_in_legend_and_hover() -> None:
    table = ProbabilityTable(
        {"": {"<b>x</b>": 0.6, "%{x}$1$": 0.4}}, default={"EOS": 1.0}, eos="EOS"
    )
    trace = beam_search(table, "", SearchConfig(stop_rule="exhaust", max_length=3))
    figure = ranking_figure(ranking_curve(entries_of(trace), PowerPenalty, 0.0, 1.0), 0.5)
    lines = named(figure, "hypothesis")
    assert {line.name.split("  ")[1] for line in lines} == {literal("<b>x</b>"), literal("%{x}$1$")}
    assert all("%{x}$" not in line.hovertemplate and "$" not in line.text for line in lines)


def test_certain_and_lonely_hypotheses_can_be_drawn() -> None:
    table = ProbabilityTable({}, default={"EOS": 1.0})
    trace = beam_search(table, "", SearchConfig())
    for family in FAMILIES:
        curve = ranking_curve(entries_of(trace), family, -1.0, 2.0)
        assert len(named(ranking_figure(curve, 0.0), "hypothesis")) == 1


def test_alt_text_tells_the_intervals(curve: RankingCurve) -> None:
    alt = ranking_alt(curve, 0.6)
    assert f"{len(curve.entries)} hypotheses" in alt
    assert f"At 0.6, “{curve.winner(0.6).text}” ranks first" in alt
