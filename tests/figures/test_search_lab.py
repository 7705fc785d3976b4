"""The figures of the search pages on their data."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from s2s_core.figures.mass import mass_alt, mass_figure
from s2s_core.figures.penalty_curve import penalty_curve_alt, penalty_curve_figure
from s2s_core.figures.search_lab import (
    bump_figure,
    surprisal_figure,
    totals_figure,
    utility_figure,
    width_figure,
)
from s2s_core.figures.theme import THEMES
from s2s_core.figures.three_searches import three_searches_alt, three_searches_figure
from s2s_core.search.beam import beam_search
from s2s_core.search.exact import exact_search
from s2s_core.search.greedy import greedy_search
from s2s_core.search.length_penalty import PowerPenalty, WordReward
from s2s_core.search.listing import list_strings, whole_tree
from s2s_core.search.mbr import minimum_bayes_risk
from s2s_core.search.penalty_shape import penalty_curve
from s2s_core.search.presets import PRESETS
from s2s_core.search.table import ProbabilityTable
from s2s_core.search.trace import BeamTrace
from s2s_core.search.verdict import mass_covered
from s2s_core.search.width_sweep import sweep_widths
from s2s_core.search.word_by_word import places_over_time, surprisals, totals_against_rivals
from tests.figures.checked import checked

ODD = "<b>$x$</b>"


def named(figure: go.Figure, meta: str) -> list[Any]:
    return [trace for trace in figure.data if trace.meta == meta]


def test_the_penalty_curve_has_a_dot_at_each_length_of_a_hypothesis() -> None:
    curve = penalty_curve(PowerPenalty(0.5), range(1, 10))
    figure = checked(penalty_curve_figure(curve, marked={4, 9, 77}))
    (line,), (dots,) = named(figure, "curve"), named(figure, "lengths")
    assert list(line.y) == list(curve.values)
    assert list(dots.x) == [4, 9]
    assert list(dots.y) == pytest.approx([2.0, 3.0])
    assert "1.0000 at length 1" in penalty_curve_alt(curve)
    reward = checked(penalty_curve_figure(penalty_curve(WordReward(0.5), range(1, 4))))
    assert reward.layout.yaxis.title.text == "added to log P"


def test_mass_bars_sum_to_a_hundred_at_each_step(trace: BeamTrace) -> None:
    masses = mass_covered(trace)
    figure = checked(mass_figure(masses))
    assert len(figure.data) == 3
    sums = np.sum([np.asarray(bar.y, dtype=float) for bar in figure.data], axis=0)
    assert sums == pytest.approx([100.0] * len(masses))
    assert f"after {len(masses)} steps" in mass_alt(masses)


@pytest.mark.parametrize("name", PRESETS)
def test_three_searches_share_one_tree(name: str) -> None:
    preset = PRESETS[name]
    table, config = preset.load(), preset.config
    listing = list_strings(table, max_length=config.resolved_max_length(()))
    beam, greedy = beam_search(table, "", config), greedy_search(table, "", config)
    best = exact_search(table, "", config).best
    tree = whole_tree(listing, beam, greedy=greedy)
    texts = {node.id: (node.text, node.is_end) for node in tree.nodes}
    exact_id = next(i for i, found in texts.items() if found == (best.text, True))
    figure = checked(three_searches_figure(tree, penalty=config.length_penalty, exact_id=exact_id))
    legend = {trace.name for trace in figure.data if trace.showlegend}
    assert {"beam search", "greedy search", "exact search"} <= legend
    drawn = sum(len(trace.x) for trace in named(figure, "nodes"))
    assert drawn == len(listing.nodes) + 1  # the root
    (path,) = named(figure, "selection")
    assert path.x[-1] == best.length
    assert "Exact search spells" in three_searches_alt(tree, exact_id=exact_id)


def test_without_an_exact_result_there_is_no_path_of_it() -> None:
    table = ProbabilityTable({}, default={"a": 1.0})
    config = PRESETS["greedy-trap"].config
    tree = whole_tree(list_strings(table, max_length=3), beam_search(table, "", config))
    figure = checked(three_searches_figure(tree, penalty=config.length_penalty, exact_id=None))
    assert "exact search" not in {trace.name for trace in figure.data if trace.showlegend}


def test_widths_stand_at_their_beam_size() -> None:
    preset = PRESETS["beam-two-is-worse"]
    results = tuple(sweep_widths(preset.load(), "", preset.config, beam_sizes=(1, 2, 3)))
    figure = checked(width_figure(results))
    (line,) = named(figure, "log P")
    assert list(line.x) == [1, 2, 3]
    assert line.y[1] < line.y[0] == line.y[2]


def test_surprisal_has_a_bar_for_each_token_even_if_it_repeats() -> None:
    table = ProbabilityTable({}, default={ODD: 0.5, "E": 0.5}, eos="E")
    hypothesis = beam_search(table, "", PRESETS["greedy-trap"].config).pool()[1]
    figure = checked(surprisal_figure(surprisals(hypothesis)))
    (bars,) = named(figure, "surprisal")
    assert list(bars.y) == pytest.approx([1.0] * hypothesis.length)
    assert len(set(bars.x)) == hypothesis.length
    assert ODD not in str(figure.layout.xaxis.ticktext)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_lines_of_rivals_follow_their_numbers(trace: BeamTrace, theme: Any) -> None:
    ids = [h.node_id for h in trace.pool() if h.node_id is not None]
    totals = totals_against_rivals(trace, ids)
    figure = checked(totals_figure(totals, theme=theme))
    for line, expected in zip(named(figure, "total"), totals, strict=True):
        assert list(line.y) == [0.0, *expected.totals]
    places = [(trace.node(i).text, places_over_time(trace, i)) for i in ids]
    bumps = named(checked(bump_figure(places, theme=theme)), "places")
    for line, (_, expected) in zip(bumps, places, strict=True):
        assert list(line.y) == [place.rank for place in expected]
        assert list(line.x) == [place.step for place in expected]
    assert len({line.line.dash for line in bumps}) == len(bumps)


def test_utilities_stand_in_their_cells_and_texts_are_literal() -> None:
    result = minimum_bayes_risk({ODD: 1.0, "b": 2.0, "": 1.0}, lambda a, b: 100.0 * (a == b))
    figure = checked(utility_figure(result))
    (cells,) = named(figure, "utility")
    assert np.array_equal(np.asarray(cells.z), result.matrix)
    labels = " ".join(figure.layout.yaxis.ticktext)
    assert ODD not in labels and "&lt;b&gt;" in labels and "(empty output)" in labels
