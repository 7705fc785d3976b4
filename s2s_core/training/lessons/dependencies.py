"""What must be computed before what: decoders over T target positions, in training and in writing.

A node is one operation that can run as soon as those it depends on are done. The longest chain of
nodes is the time that remains, however many processors there are.

    recurrent, training      s_t needs s_{t-1}                    grows with T
    Transformer, training    x_t needs all inputs up to t         doesn't grow with T
    both, writing            y_t is read by the next position     grows with T

Source: Vaswani et al. 2017, arXiv:1706.03762, table 1 (sequential operations: O(n) and O(1)).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from s2s_core.options import IntegerOption

POSITIONS = IntegerOption("target positions", 1, 12, 5, "T, the target's tokens, the end counted.")
LAYERS = IntegerOption("layers", 1, 4, 1, "Of the decoder, one above the other.")

Architecture = Literal["recurrent", "Transformer"]
Use = Literal["training", "writing"]
KINDS: tuple[tuple[Architecture, Use], ...] = (
    ("recurrent", "training"),
    ("Transformer", "training"),
    ("recurrent", "writing"),
    ("Transformer", "writing"),
)


@dataclass(frozen=True, slots=True)
class Node:
    """One operation, or a given input.

    position: of the target, from 1. level: 0 for what is read, 1 to L for the layers, L + 1 for the
    token's distribution. given: it is known beforehand, and costs nothing.
    """

    position: int
    level: int
    label: str
    given: bool


@dataclass(frozen=True, slots=True)
class DependencyGraph:
    """Nodes, edges between them by index (from, to), and a longest chain.

    chain: indices of the operations on one longest way, in their order; given inputs left out.
    """

    architecture: Architecture
    use: Use
    positions: int
    layers: int
    nodes: tuple[Node, ...]
    edges: tuple[tuple[int, int], ...]
    chain: tuple[int, ...]

    @property
    def operations(self) -> int:
        """How many nodes have to be computed."""
        return sum(not node.given for node in self.nodes)

    @property
    def longest(self) -> int:
        """How many of them have to wait for one another, one after another."""
        return len(self.chain)


def dependency_graph(
    architecture: Architecture, use: Use, positions: int, *, layers: int = 1
) -> DependencyGraph:
    """The graph of a decoder; the source counts as read.

    Raises:
        SettingError: a number lies outside its bounds.
    """
    positions, layers = POSITIONS.check(positions), LAYERS.check(layers)
    nodes = tuple(_nodes(use, positions, layers))
    place = {(node.position, node.level): index for index, node in enumerate(nodes)}
    edges = tuple(
        (place[before], place[after])
        for before, after in _edges(architecture, use, positions, layers)
    )
    return DependencyGraph(
        architecture, use, positions, layers, nodes, edges, longest_chain(nodes, edges)
    )


def _nodes(use: Use, positions: int, layers: int) -> Iterator[Node]:
    """Every node after those that it depends on."""
    for position in range(1, positions + 1):
        read = "BOS" if position == 1 else f"y{_small(position - 1)}"
        yield Node(position, 0, read, given=use == "training" or position == 1)
        for level in range(1, layers + 1):
            yield Node(position, level, f"s{_small(position)}", given=False)
        yield Node(position, layers + 1, f"P(y{_small(position)})", given=False)


Key = tuple[int, int]


def _edges(
    architecture: Architecture, use: Use, positions: int, layers: int
) -> Iterator[tuple[Key, Key]]:
    for position in range(1, positions + 1):
        for level in range(1, layers + 1):
            if architecture == "recurrent":
                yield (position, level - 1), (position, level)
                if position > 1:
                    yield (position - 1, level), (position, level)
            else:
                for earlier in range(1, position + 1):
                    yield (earlier, level - 1), (position, level)
        yield (position, layers), (position, layers + 1)
        if use == "writing" and position < positions:
            yield (position, layers + 1), (position + 1, 0)


def longest_chain(nodes: tuple[Node, ...], edges: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The operations on a longest way; nodes stand after those that they depend on."""
    before: dict[int, list[int]] = {index: [] for index in range(len(nodes))}
    for first, second in edges:
        before[second].append(first)
    chains: list[tuple[int, ...]] = []
    for index, node in enumerate(nodes):
        best = max((chains[other] for other in before[index]), key=len, default=())
        chains.append(best if node.given else (*best, index))
    return max(chains, key=len)


def _small(number: int) -> str:
    """A number as a subscript."""
    return "".join(chr(ord("₀") + int(digit)) for digit in str(number))
