"""The tree's layout and marks, and where greedy leaves the beam."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from s2s_core.errors import NoHypothesisError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import STOP_RULES, SearchConfig, StopRule
from s2s_core.search.departure import greedy_departure
from s2s_core.search.greedy import greedy_search
from s2s_core.search.length_penalty import PowerPenalty
from s2s_core.search.table import ProbabilityTable
from s2s_core.search.trace import BeamTrace
from s2s_core.search.tree import PRUNED_ROOM, BeamTree, TreeNode, build_tree
from tests.search.fakes import PrefixModel
from tests.search.tables import BEST_OF_TWO, random_table


def traces() -> list[BeamTrace]:
    rng = np.random.default_rng(31)
    found = [
        beam_search(PrefixModel(seed=s), "x y z", SearchConfig(4, 8, stop_rule=rule))
        for s, rule in enumerate(STOP_RULES)
    ]
    for _ in range(20):
        try:
            config = SearchConfig(int(rng.integers(1, 6)), 6, stop_rule="exhaust")
            found.append(beam_search(random_table(rng), "", config))
        except NoHypothesisError:
            continue
    return found


def by_id(tree: BeamTree) -> dict[int, TreeNode]:
    return {node.id: node for node in tree.nodes}


@pytest.mark.parametrize("trace", traces())
def test_no_edges_cross_and_no_nodes_share_a_place(trace: BeamTrace) -> None:
    tree = build_tree(trace, show_unpooled_ends=True)
    nodes = by_id(tree)
    assert len({(node.x, node.y) for node in tree.nodes}) == len(tree.nodes)
    for (p, c), (q, d) in combinations(tree.edges, 2):
        if nodes[c].x == nodes[d].x and p != q:
            assert (nodes[p].y > nodes[q].y) == (nodes[c].y > nodes[d].y)


@pytest.mark.parametrize("trace", traces())
def test_survivors_lie_above_their_pruned_siblings_and_the_winner_on_top(trace: BeamTrace) -> None:
    tree = build_tree(trace, show_unpooled_ends=True)
    nodes = by_id(tree)
    for node, other in combinations(tree.nodes[1:], 2):
        if node.parent_id == other.parent_id and node.fate != "pruned" and other.fate == "pruned":
            assert node.y > other.y
    assert all(node.y <= 0 for node in tree.nodes)
    best = [node for node in tree.nodes if node.on_best_path]
    assert {node.y for node in best} == {0.0}
    assert [node.x for node in best] == list(range(trace.best.length + 1))
    for parent_id, child_id in tree.edges:
        assert nodes[child_id].x == nodes[parent_id].x + 1


def fullness(tree: BeamTree, step: int) -> float:
    """The rows that the nodes of one step need."""
    fates = [n.fate for n in sorted(tree.nodes, key=lambda n: -n.y) if n.x == step]
    return sum(PRUNED_ROOM if fate == "pruned" else 1.0 for fate in fates[1:])


@pytest.mark.parametrize("trace", traces())
def test_no_node_lies_lower_than_the_fullest_step_needs(trace: BeamTrace) -> None:
    tree = build_tree(trace)
    depth = max(fullness(tree, step) for step in range(1, len(trace.steps) + 1))
    assert min(node.y for node in tree.nodes) >= -depth - 1e-9
    for upper, lower in combinations(sorted(tree.nodes[1:], key=lambda n: -n.y), 2):
        if upper.x == lower.x:
            room = PRUNED_ROOM if lower.fate == "pruned" else 1.0
            assert upper.y - lower.y >= room - 1e-9


def test_a_long_search_makes_no_taller_tree_than_a_short_one() -> None:
    model, config = PrefixModel(seed=4), SearchConfig(4, 40, stop_rule="exhaust")
    depths = []
    for length in (10, 40):
        trace = beam_search(model, "x y z", replace(config, max_length=length))
        tree = build_tree(trace, pruned_per_step=2)
        depths.append(-min(node.y for node in tree.nodes))
    assert depths[1] <= 4 + 4 + 2 * PRUNED_ROOM  # the kept, the ended and the pruned of a step
    assert depths[1] < depths[0] + 4


def test_only_the_best_pruned_of_each_step_are_shown_and_the_greedy_path() -> None:
    config = SearchConfig(3, 8, stop_rule="exhaust")
    model = PrefixModel(seed=3)
    trace, greedy = beam_search(model, "x y z", config), greedy_search(model, "x y z", config)
    tree = build_tree(trace, greedy=greedy, pruned_per_step=2)
    path = {c.id for c in trace.follow(greedy.best.token_ids)}
    assert path <= set(by_id(tree))
    for step in trace.steps:
        lost = [c for c in step.candidates if not c.survived and c.token_id != trace.eos_id]
        found = [n.id for n in tree.nodes if n.x == step.step and n.fate == "pruned"]
        assert {c.id for c in lost[:2]} == set(found) - (path - {c.id for c in lost[:2]})


def test_every_node_but_the_root_has_one_edge() -> None:
    for trace in traces():
        tree = build_tree(trace, show_unpooled_ends=True)
        assert [child for _, child in tree.edges] == [node.id for node in trace.nodes]
        assert [node.id for node in tree.nodes] == [0, *(node.id for node in trace.nodes)]
        assert build_tree(trace, show_unpooled_ends=True) == tree


def test_ends_that_never_reached_the_pool_are_hidden_unless_asked_for() -> None:
    config = SearchConfig(2, 6, stop_rule="exhaust")
    trace = beam_search(PrefixModel(seed=3), "x y z", config)
    hidden = {n.id for n in trace.nodes if n.token_id == trace.eos_id and n.fate == "pruned"}
    assert hidden
    assert not hidden & set(by_id(build_tree(trace)))
    assert hidden <= set(by_id(build_tree(trace, show_unpooled_ends=True)))
    evicted = {n.id for n in trace.nodes if n.evicted_at is not None}
    assert evicted and evicted <= set(by_id(build_tree(trace)))
    bare = build_tree(trace, pruned_per_step=0)
    assert {node.fate for node in bare.nodes} <= {"kept", "finished", "cut"}


def test_marking_another_winner_moves_nothing() -> None:
    trace = beam_search(PrefixModel(seed=3), "x y z", SearchConfig(3, 6, stop_rule="exhaust"))
    other = trace.pool()[1].node_id
    first, second = build_tree(trace), build_tree(trace, best_id=other)
    assert [(n.id, n.y) for n in first.nodes] == [(n.id, n.y) for n in second.nodes]
    marked = [n.id for n in second.nodes if n.on_best_path]
    assert other is not None
    assert marked == [0, *(n.id for n in trace.path(other))]


def test_the_same_text_from_different_pieces_is_marked() -> None:
    config = SearchConfig(5, 3, recorded_candidates=10, stop_rule="exhaust")
    trace = beam_search(PrefixModel(seed=1), "x y z", config)
    tree = build_tree(trace, show_unpooled_ends=True)
    prefixes = [n for n in tree.nodes if n.text == "ab" and not n.is_end]
    assert {n.x for n in prefixes} == {1, 2}  # "ab" as one piece, and "a" "b"
    assert len({n.group for n in prefixes}) == 1
    assert prefixes[0].group is not None
    for number in {n.group for n in tree.nodes if n.group}:
        members = [n for n in tree.nodes if n.group == number]
        assert len({(n.text, n.is_end) for n in members}) == 1
        paths = {tuple(c.token_id for c in trace.path(n.id)) for n in members}
        assert len(paths) == len(members) > 1
    alone = [n for n in tree.nodes if n.text == "c" and not n.is_end and n.x == 1]
    assert [n.group for n in alone] == [None]


def test_the_greedy_path_is_marked_as_far_as_the_beam_has_it() -> None:
    config = SearchConfig(4, 3, PowerPenalty(0.0))
    greedy = greedy_search(BEST_OF_TWO, "", config)
    tree = build_tree(beam_search(BEST_OF_TWO, "", config), greedy=greedy)
    assert [n.text for n in tree.nodes if n.on_greedy_path] == ["", "A", "A x", "A x"]
    unmarked = build_tree(beam_search(BEST_OF_TWO, "", config))
    assert not any(n.on_greedy_path for n in unmarked.nodes)


def both(table: ProbabilityTable, config: SearchConfig) -> tuple[BeamTrace, BeamTrace]:
    return beam_search(table, "", config), greedy_search(table, "", config)


def test_greedy_that_stays_in_the_pool_does_not_leave() -> None:
    assert greedy_departure(*both(BEST_OF_TWO, SearchConfig(4, 3, PowerPenalty(0.0)))) is None


def test_greedy_leaves_where_its_prefix_is_pruned() -> None:
    table = ProbabilityTable(
        {
            "": {"a": 0.6, "b": 0.4},
            "a": {"p": 0.3, "q": 0.25, "r": 0.25, "s": 0.2},
            "b": {"p": 0.9, "q": 0.1},
        },
        default={"EOS": 1.0},
    )
    trace, greedy = both(table, SearchConfig(1, 3, stop_rule="exhaust"))
    assert greedy_departure(trace, greedy) is None
    trace, greedy = both(table, SearchConfig(2, 3, stop_rule="exhaust"))
    assert greedy_departure(trace, greedy) is None
    rows = {"": {"a": 0.4, "b": 0.35, "c": 0.25}, "b": {"p": 1.0}, "c": {"p": 1.0}}
    split = ProbabilityTable(
        {**rows, "a": {"p": 0.3, "q": 0.25, "r": 0.25, "s": 0.2}}, default={"EOS": 1.0}
    )
    trace, greedy = both(split, SearchConfig(3, 3, stop_rule="exhaust"))
    assert greedy.best.text == "a p"
    trace = beam_search(split, "", SearchConfig(2, 3, stop_rule="exhaust"))
    assert greedy_departure(trace, greedy) is None
    narrow = {**rows, "a": {"p": 0.3, "q": 0.7 / 3, "r": 0.7 / 3, "s": 0.7 / 3}}
    narrow["b"] = {"p": 0.5, "q": 0.5}
    table = ProbabilityTable(narrow, default={"EOS": 1.0})
    trace, greedy = both(table, SearchConfig(2, 3, stop_rule="exhaust"))
    left = greedy_departure(trace, greedy)
    assert left is not None
    node = trace.node(left.node_id)
    assert (left.step, node.text, node.fate, left.reason) == (2, "a p", "pruned", node.reason)
    bare = SearchConfig(2, 3, stop_rule="exhaust", recorded_candidates=0)
    unrecorded = greedy_departure(beam_search(table, "", bare), greedy)
    assert unrecorded is not None
    assert unrecorded.step == 2 and "recorded" in unrecorded.reason


def test_greedy_leaves_where_it_is_pushed_out_of_the_pool() -> None:
    table = ProbabilityTable(
        {"": {"EOS": 0.4, "a": 0.35, "b": 0.25}, "a": {"EOS": 1.0}}, default={"EOS": 1.0}
    )
    trace, greedy = both(table, SearchConfig(1, 4, PowerPenalty(1.0), "exhaust"))
    left = greedy_departure(trace, greedy)
    assert left is not None
    assert (left.step, trace.node(left.node_id).text) == (2, "")
    assert "out of the pool" in left.reason


@pytest.mark.parametrize("rule", STOP_RULES)
def test_greedy_stays_exactly_if_it_is_among_the_results(rule: StopRule) -> None:
    rng = np.random.default_rng(33)
    stayed = left = 0
    for _ in range(150):
        config = SearchConfig(int(rng.integers(1, 4)), 5, PowerPenalty(0.5), rule)
        trace, greedy = both(random_table(rng, ties=False), config)
        target = greedy.best.token_ids
        cut = [trace.hypothesis(c.id).token_ids for c in trace.steps[-1].live if c.fate == "cut"]
        results = [h.token_ids for h in trace.pool()] + cut
        departure = greedy_departure(trace, greedy)
        assert (departure is None) == (target in results)
        stayed += departure is None
        left += departure is not None
    assert stayed > 10
    assert left > 5 or rule == "first"
