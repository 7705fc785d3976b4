"""The beam tree as plain numbers: what to draw and where.

The nodes of a step stand below one another in the order of their parents, so no edges cross. Each
is level with its parent where there is room, and none lies lower than the fullest step needs. So
the winner's path is a straight line along the top, and a long search makes a wide tree, not a tall
one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from s2s_core.search.trace import ROOT_ID, BeamTrace, Candidate, Fate

PRUNED_ROOM = 0.35
"""The rows that a pruned node takes: it needs less room than one that goes on or has ended."""


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One node. The root has id 0, step 0, rank 0, fate `kept` and an empty token.

    x: the step.
    y: 0 at the top, negative below.
    is_end: its token is the end token.
    on_best_path, on_greedy_path: it lies on the path of the winner, of greedy search.
    group: nodes with the same number spell the same text from different pieces; None if alone.
    The other fields are the candidate's.
    """

    id: int
    parent_id: int | None
    x: int
    y: float
    token: str
    text: str
    token_log_prob: float
    log_prob: float
    rank: int
    fate: Fate
    reason: str
    forced: bool
    evicted_at: int | None
    is_end: bool
    on_best_path: bool
    on_greedy_path: bool
    group: int | None


@dataclass(frozen=True, slots=True)
class BeamTree:
    """Nodes by id, and an edge (parent id, child id) for each node but the root.

    No two edges cross; of the children of one node, the survivors lie above the pruned.
    """

    nodes: tuple[TreeNode, ...]
    edges: tuple[tuple[int, int], ...]


def build_tree(
    trace: BeamTrace,
    *,
    greedy: BeamTrace | None = None,
    best_id: int | None = None,
    show_unpooled_ends: bool = False,
    pruned_per_step: int | None = None,
) -> BeamTree:
    """Lay out a trace.

    greedy: the greedy trace for the same request, to mark its path.
    best_id: the node whose path is marked as the best; by default the winner under the penalty of
        the request. The layout doesn't depend on it, so re-ranking moves nothing.
    show_unpooled_ends: also show end-token candidates that never reached the pool.
    pruned_per_step: show so many of the other pruned candidates of each step, the best ones; None
        shows all that are recorded. Those on the greedy path are always shown.
    """
    followed = _ids(trace.follow(greedy.best.token_ids)) if greedy else frozenset[int]()
    pruned = _best_pruned(trace, pruned_per_step)
    shown = [
        node
        for node in trace.nodes
        if node.survived
        or node.id in followed
        or (show_unpooled_ends if node.token_id == trace.eos_id else node.id in pruned)
    ]
    winner_id = trace.ranked_ids()[0]
    marks = Marks(
        first=_ids(trace.path(winner_id)),
        best=_ids(trace.path(winner_id if best_id is None else best_id)),
        greedy=_ids(trace.follow(greedy.best.token_ids)) if greedy else None,
    )
    return lay_out(shown, trace.eos_id, marks)


@dataclass(frozen=True, slots=True)
class Marks:
    """Which nodes, by id, lie on the paths that a tree points out.

    first: goes above its siblings.
    best, greedy: marked as such; greedy is None where greedy search isn't shown.
    """

    first: frozenset[int]
    best: frozenset[int]
    greedy: frozenset[int] | None = None


def lay_out(shown: Sequence[Candidate], eos_id: int, marks: Marks) -> BeamTree:
    """Give nodes their places; `shown` lists parents before their children."""
    y = _layout(shown, first=marks.first)
    followed = marks.greedy or frozenset()
    groups = _same_text(shown, eos_id)
    nodes = [_root(marks.greedy is not None)]
    for node in shown:
        nodes.append(
            TreeNode(
                id=node.id,
                parent_id=node.parent_id,
                x=node.step,
                y=y[node.id],
                token=node.token,
                text=node.text,
                token_log_prob=node.token_log_prob,
                log_prob=node.log_prob,
                rank=node.rank,
                fate=node.fate,
                reason=node.reason,
                forced=node.forced,
                evicted_at=node.evicted_at,
                is_end=node.token_id == eos_id,
                on_best_path=node.id in marks.best,
                on_greedy_path=node.id in followed,
                group=groups.get(node.id),
            )
        )
    return BeamTree(tuple(nodes), tuple((node.parent_id, node.id) for node in shown))


def _root(greedy_is_marked: bool) -> TreeNode:
    return TreeNode(
        id=ROOT_ID,
        parent_id=None,
        x=0,
        y=0.0,
        token="",
        text="",
        token_log_prob=0.0,
        log_prob=0.0,
        rank=0,
        fate="kept",
        reason="",
        forced=False,
        evicted_at=None,
        is_end=False,
        on_best_path=True,
        on_greedy_path=greedy_is_marked,
        group=None,
    )


def _ids(path: Iterable[Candidate]) -> frozenset[int]:
    return frozenset(node.id for node in path)


def _same_text(shown: Sequence[Candidate], eos_id: int) -> dict[int, int]:
    """Numbers, from 1, for nodes whose text another node spells too.

    Finished nodes are compared with finished ones and prefixes with prefixes, so that a prefix and
    its own end aren't taken for two spellings.
    """
    alike: dict[tuple[str, bool], list[int]] = defaultdict(list)
    for node in shown:
        ended = node.token_id == eos_id
        if node.text or ended:
            alike[node.text, ended].append(node.id)
    groups = [ids for ids in alike.values() if len(ids) > 1]
    return {node_id: number for number, ids in enumerate(groups, start=1) for node_id in ids}


def _best_pruned(trace: BeamTrace, count: int | None) -> frozenset[int]:
    """The best pruned candidates of each step, end tokens left out."""
    found: list[int] = []
    for step in trace.steps:
        lost = [c.id for c in step.candidates if not c.survived and c.token_id != trace.eos_id]
        found += lost[:count]
    return frozenset(found)


def _layout(shown: Sequence[Candidate], *, first: frozenset[int]) -> dict[int, float]:
    """y by node id. `first` are the nodes that go above their siblings."""
    children: dict[int, list[Candidate]] = defaultdict(list)
    for node in sorted(shown, key=lambda c: (c.id not in first, not c.survived, c.rank)):
        children[node.parent_id].append(node)
    levels = [children[ROOT_ID]]
    while levels[-1]:
        levels.append([child for node in levels[-1] for child in children[node.id]])
    depth = max(sum(_room(node) for node in level[1:]) for level in levels)
    drops = {ROOT_ID: 0.0}
    for level in levels:
        drops |= _place(level, drops, depth)
    return {node_id: -drop for node_id, drop in drops.items()}


def _room(node: Candidate) -> float:
    """The rows between a node and what stands above it in its step."""
    return 1.0 if node.survived else PRUNED_ROOM


def _place(
    level: Sequence[Candidate], drops: Mapping[int, float], depth: float
) -> dict[int, float]:
    """How far below the top the nodes of a step lie, which come from top to bottom.

    drops: where their parents lie. depth: no node lies lower, and all have room above it.
    """
    places: list[float] = []
    for node in level:
        above = places[-1] + _room(node) if places else 0.0
        places.append(max(drops[node.parent_id], above))
    lowest = depth
    for i in reversed(range(len(level))):
        places[i] = max(min(places[i], lowest), 0.0)  # rounding mustn't lift it above the top
        lowest = places[i] - _room(level[i])
    return {node.id: place for node, place in zip(level, places, strict=True)}
