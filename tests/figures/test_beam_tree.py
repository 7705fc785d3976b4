"""The beam tree on its data."""

from __future__ import annotations

import math
from typing import Any

import plotly.graph_objects as go
import pytest

from s2s_core.figures.beam_tree import beam_tree_alt, beam_tree_figure, beam_tree_height
from s2s_core.figures.labels import token_label
from s2s_core.figures.theme import DARK, LIGHT, literal, signed
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.length_penalty import PowerPenalty
from s2s_core.search.trace import BeamTrace
from s2s_core.search.tree import BeamTree, build_tree
from tests.browser.apps.demo_model import ODD, ODD_OTHERS, ODD_SOURCE, DemoModel

PENALTY = PowerPenalty(0.6)


@pytest.fixture(scope="module")
def tree(trace: BeamTrace, greedy: BeamTrace) -> BeamTree:
    return build_tree(trace, greedy=greedy)


@pytest.fixture(scope="module")
def figure(tree: BeamTree) -> go.Figure:
    return beam_tree_figure(tree, penalty=PENALTY)


def named(figure: go.Figure, meta: str) -> list[Any]:
    return [trace for trace in figure.data if trace.meta == meta]


def drawn(figure: go.Figure) -> dict[int, tuple[float, float]]:
    """The place of each node by id."""
    return {
        row[0]: (x, y)
        for trace in named(figure, "nodes")
        for row, x, y in zip(trace.customdata, trace.x, trace.y, strict=True)
    }


def test_each_node_is_drawn_once_in_its_place(tree: BeamTree, figure: go.Figure) -> None:
    count = sum(len(trace.x) for trace in named(figure, "nodes"))
    assert count == len(tree.nodes)
    assert drawn(figure) == {node.id: (node.x, node.y) for node in tree.nodes}


def test_fates_differ_in_shape_and_not_in_colour_alone(figure: go.Figure) -> None:
    traces = [trace for trace in named(figure, "nodes") if trace.name]
    assert [trace.name for trace in traces] == ["kept", "finished", "pruned"]
    assert len({trace.marker.symbol for trace in traces}) == len(traces)


def test_prefixes_cut_at_the_limit_have_a_shape_of_their_own() -> None:
    cut = beam_search(DemoModel(), "the cat", SearchConfig(beam_size=2, max_length=3))
    figure = beam_tree_figure(build_tree(cut), penalty=PENALTY)
    shapes = {trace.name: trace.marker.symbol for trace in named(figure, "nodes") if trace.name}
    assert {"cut", "finished"} <= set(shapes)
    assert len(set(shapes.values())) == len(shapes)


def test_the_legend_names_only_what_is_there(figure: go.Figure) -> None:
    shown = {trace.name for trace in figure.data if trace.showlegend}
    assert shown == {"best", "greedy", "kept", "finished", "pruned"}


def test_more_probable_tokens_have_wider_lines(tree: BeamTree, figure: go.Figure) -> None:
    width_at = {
        (trace.x[i], trace.y[i]): trace.line.width
        for trace in named(figure, "edges")
        for i in range(2, len(trace.x), 4)  # parent, bend, child, gap
    }
    ranked = sorted(tree.nodes[1:], key=lambda node: node.token_log_prob)
    widths = [width_at[node.x, node.y] for node in ranked]
    assert widths == sorted(widths)
    assert len(set(widths)) > 2


def test_every_line_starts_at_its_parent(tree: BeamTree, figure: go.Figure) -> None:
    places = {node.id: (node.x, node.y) for node in tree.nodes}
    expected = {(places[parent], places[child]) for parent, child in tree.edges}
    found = set()
    for trace in named(figure, "edges"):
        for i in range(0, len(trace.x), 4):
            found.add(((trace.x[i], trace.y[i]), (trace.x[i + 2], trace.y[i + 2])))
    assert found == expected


def test_best_and_greedy_path_are_marked(tree: BeamTree, figure: go.Figure) -> None:
    (best,), (greedy,) = named(figure, "best"), named(figure, "greedy")
    assert len(best.x) == 4 * sum(node.on_best_path for node in tree.nodes[1:])
    assert len(greedy.x) == 4 * sum(node.on_greedy_path for node in tree.nodes[1:])
    assert (best.line.dash, greedy.line.dash) == ("solid", "4px,3px")


def test_hover_tells_probability_log_prob_score_rank_and_reason(
    tree: BeamTree, figure: go.Figure
) -> None:
    rows = {row[0]: row for trace in named(figure, "nodes") for row in trace.customdata}
    for node in tree.nodes[1:]:
        _, parent, token, probability, log_prob, total, score, rank, notes, text = rows[node.id]
        assert parent == node.parent_id
        assert token == literal(node.token)
        assert probability == pytest.approx(math.exp(node.token_log_prob), abs=1e-5)
        assert log_prob == pytest.approx(node.token_log_prob, abs=1e-3)
        assert total == pytest.approx(node.log_prob, abs=1e-3)
        assert score == signed(PENALTY.score(node.log_prob, node.x))
        assert rank == node.rank
        assert literal(node.reason)[:20] in notes
        assert text.replace("<br>", " ") == literal(node.text)
    template = named(figure, "nodes")[1].hovertemplate
    assert all(f"customdata[{i}]" in template for i in range(2, 10))


def test_a_token_with_a_template_in_it_stays_out_of_templates() -> None:
    model = DemoModel(ODD, ODD_OTHERS)
    odd = beam_search(model, " ".join(ODD_SOURCE), SearchConfig(beam_size=6))
    figure = beam_tree_figure(build_tree(odd), penalty=PENALTY)
    tokens = {row[2] for trace in named(figure, "nodes")[1:] for row in trace.customdata}
    assert literal("%{x}") in tokens
    templates = {trace.hovertemplate for trace in named(figure, "nodes")[1:]}
    assert len(templates) == len(named(figure, "nodes")) - 1
    labels = {text for trace in named(figure, "nodes") for text in trace.text}
    assert {token_label(token) for token, _, _ in ODD} <= labels


def test_forced_tokens_are_starred() -> None:
    model = DemoModel()
    forced = model.target.ids("▁un")
    trace = beam_search(model, "the cat", SearchConfig(beam_size=2), forced_ids=forced)
    labels = named(beam_tree_figure(build_tree(trace), penalty=PENALTY), "nodes")[1].text
    assert labels[0] == token_label("▁un") + "*"


def test_the_number_of_traces_doesnt_grow_with_the_nodes(figure: go.Figure) -> None:
    model = DemoModel()
    wide = beam_search(model, "the cat saw the dog .", SearchConfig(beam_size=12))
    tree = build_tree(wide)
    assert len(tree.nodes) > 400
    assert len(beam_tree_figure(tree, penalty=PENALTY).data) <= len(figure.data) + 2 <= 18


def test_wide_trees_write_the_tokens_of_survivors_only() -> None:
    wide = beam_search(DemoModel(), "the cat saw the dog .", SearchConfig(beam_size=12))
    tree = build_tree(wide)
    traces = {
        trace.name: trace for trace in named(beam_tree_figure(tree, penalty=PENALTY), "nodes")
    }
    assert all(traces["kept"].text)
    assert not any(traces["pruned"].text)
    assert beam_tree_height(tree) > beam_tree_height(build_tree(wide, pruned_per_step=0))


def test_the_selected_path_runs_from_the_root_to_a_ring(tree: BeamTree) -> None:
    node = next(node for node in tree.nodes if node.x == 3 and node.fate == "kept")
    figure = beam_tree_figure(tree, penalty=PENALTY, selected_id=node.id)
    (selection,) = named(figure, "selection")
    assert (selection.x[-1], selection.y[-1]) == (node.x, node.y)
    assert list(selection.x[1::2]) == [0, 1, 2, 3]
    assert [size > 0 for size in selection.marker.size] == [False] * 7 + [True]


@pytest.mark.parametrize("selected", [None, 10**6])
def test_nothing_selected_draws_no_ring(tree: BeamTree, selected: int | None) -> None:
    figure = beam_tree_figure(tree, penalty=PENALTY, selected_id=selected)
    assert len(named(figure, "selection")[0].x) == 0


def test_both_themes_draw_the_same_tree(tree: BeamTree) -> None:
    light, dark = (beam_tree_figure(tree, penalty=PENALTY, theme=t) for t in (LIGHT, DARK))
    assert drawn(light) == drawn(dark)
    assert light.layout.font.color != dark.layout.font.color


def test_alt_text_counts_fates_and_spells_the_best(tree: BeamTree, trace: BeamTrace) -> None:
    alt = beam_tree_alt(tree)
    kept = sum(node.fate == "kept" for node in tree.nodes[1:])
    assert f"{kept} kept" in alt
    assert trace.best.text in alt


def test_the_labels_of_the_steps_never_change_the_length_of_their_axis(figure: go.Figure) -> None:
    assert figure.layout.xaxis.automargin is False
    assert figure.layout.margin.b >= 30  # the labels have their room all the same
