"""The beam tree as plain numbers: what to draw and where.

The layout is the tidy tree of Reingold and Tilford (1981), turned on its side and with every node
level with its first child, so that the winner's path is a straight line along the top and no edges
cross.
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
    show_pruned: bool = True,
) -> BeamTree:
    """Lay out a trace.

    greedy: the greedy trace for the same request, to mark its path.
    best_id: the node whose path is marked as the best; by default the winner under the penalty of
        the request. The layout doesn't depend on it, so re-ranking moves nothing.
    show_unpooled_ends: also show end-token candidates that never reached the pool.
    show_pruned: show other pruned candidates.
    """
    shown = [
        node
        for node in trace.nodes
        if node.survived or (show_unpooled_ends if node.token_id == trace.eos_id else show_pruned)
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


def _layout(shown: Sequence[Candidate], *, first: frozenset[int]) -> dict[int, float]:
    """y by node id. `first` are the nodes that go above their siblings."""
    children: dict[int, list[Candidate]] = defaultdict(list)
    for node in shown:
        children[node.parent_id].append(node)
    drops: dict[int, float] = {}  # how far a node lies below its parent
    outlines: dict[int, _Outline] = {}
    for node_id in reversed([ROOT_ID, *(node.id for node in shown)]):  # children before parents
        outline = _Outline([0.0], [0.0])
        siblings = sorted(
            children[node_id], key=lambda c: (c.id not in first, not c.survived, c.rank)
        )
        for child in siblings:
            room = 1.0 if child.survived else PRUNED_ROOM
            drops[child.id] = outline.add_below(outlines.pop(child.id), room=room)
        outlines[node_id] = outline
    return _positions(shown, drops)


def _positions(shown: Sequence[Candidate], drops: Mapping[int, float]) -> dict[int, float]:
    y = {ROOT_ID: 0.0}
    for node in shown:
        y[node.id] = y[node.parent_id] - drops[node.id]
    return y


@dataclass(slots=True)
class _Outline:
    """The rows that a subtree takes: tops[d] to bottoms[d], d steps to the right of its root."""

    tops: list[float]
    bottoms: list[float]

    def add_below(self, child: _Outline, *, room: float) -> float:
        """Put a child's subtree under what is there already; returns how far down it went.

        room: rows between the child and what lies above it.
        """
        taken = self.bottoms[1:]
        gaps = [bottom + room - top for bottom, top in zip(taken, child.tops, strict=False)]
        drop = max(gaps, default=0.0)
        for depth, (top, bottom) in enumerate(zip(child.tops, child.bottoms, strict=True), start=1):
            if depth < len(self.tops):
                self.bottoms[depth] = bottom + drop
            else:
                self.tops.append(top + drop)
                self.bottoms.append(bottom + drop)
        return drop
