"""What waits for what, against counting by hand and against every way there is."""

from __future__ import annotations

from functools import cache

import pytest

from s2s_core.errors import SettingError
from s2s_core.training.lessons.dependencies import KINDS, DependencyGraph, dependency_graph


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("positions", [1, 2, 5, 12])
def test_the_longest_chains_are_those_counted_by_hand(positions: int, layers: int) -> None:
    found = {kind: dependency_graph(*kind, positions, layers=layers).longest for kind in KINDS}
    # Recurrent: up through the layers once, along the target, and out. Transformer: up and out.
    assert found["recurrent", "training"] == positions + layers
    assert found["Transformer", "training"] == layers + 1
    # Writing: each position goes up and out, and all but the last are chosen and read again.
    assert found["recurrent", "writing"] == positions * (layers + 1) + positions - 1
    assert found["Transformer", "writing"] == found["recurrent", "writing"]


def longest_by_every_way(graph: DependencyGraph) -> int:
    """A second way to count: the longest way into each node, from its definition."""

    @cache
    def into(index: int) -> int:
        before = [a for a, b in graph.edges if b == index]
        return (not graph.nodes[index].given) + max(map(into, before), default=0)

    return max(map(into, range(len(graph.nodes))))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("positions", "layers"), [(1, 1), (4, 2), (7, 1)])
def test_the_chain_is_a_way_in_the_graph_and_none_is_longer(
    kind: tuple[str, str], positions: int, layers: int
) -> None:
    graph = dependency_graph(*kind, positions, layers=layers)  # type: ignore[arg-type]
    assert graph.longest == longest_by_every_way(graph)
    assert all(pair in graph.edges for pair in zip(graph.chain, graph.chain[1:], strict=False))
    assert not any(graph.nodes[index].given for index in graph.chain)


@pytest.mark.parametrize("kind", KINDS)
def test_no_position_depends_on_a_later_one(kind: tuple[str, str]) -> None:
    graph = dependency_graph(*kind, 6, layers=2)  # type: ignore[arg-type]
    for first, second in graph.edges:
        assert graph.nodes[first].position <= graph.nodes[second].position
        assert first < second


def test_training_knows_all_inputs_and_writing_only_bos() -> None:
    for architecture, use in KINDS:
        graph = dependency_graph(architecture, use, 5)
        given = [node.label for node in graph.nodes if node.given]
        assert given == (["BOS", "y₁", "y₂", "y₃", "y₄"] if use == "training" else ["BOS"])


@pytest.mark.parametrize(("positions", "layers"), [(0, 1), (13, 1), (5, 0), (5, 5)])
def test_sizes_out_of_bounds_are_refused(positions: int, layers: int) -> None:
    with pytest.raises(SettingError, match="must be between"):
        dependency_graph("recurrent", "training", positions, layers=layers)
