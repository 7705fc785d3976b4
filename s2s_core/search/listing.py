"""Every string of a small model: the whole tree that a search sees only a part of.

For a probability table with a few tokens and a few steps that is little enough to write down, and
it answers what a search can only estimate: which string is really the best, and how much of the
probability the search has looked at.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from s2s_core.errors import SettingError
from s2s_core.models.interface import State, TargetSide, TranslationModel
from s2s_core.search.candidates import FloatRows, next_position
from s2s_core.search.config import TABLE_MAX_LENGTH
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.records import ROOT_ID, Candidate
from s2s_core.search.run import check_start
from s2s_core.search.trace import BeamTrace
from s2s_core.search.tree import BeamTree, Marks, lay_out

NODE_LIMIT = 5000


@dataclass(frozen=True, slots=True)
class Listing:
    """All strings of at most `max_length` tokens (EOS counted) that have a probability above 0.

    nodes: parents before children, ids from 1; a `Candidate` each, with fate `finished` for an end,
        `cut` for what is open at the maximum length or was left open, `kept` otherwise.
    complete: nothing was left open before the maximum length.
    """

    nodes: tuple[Candidate, ...]
    eos_id: int
    max_length: int
    complete: bool

    @property
    def finished(self) -> tuple[Candidate, ...]:
        """The strings that end."""
        return tuple(node for node in self.nodes if node.fate == "finished")

    def ranked(self, penalty: LengthPenalty) -> tuple[Candidate, ...]:
        """The strings that end, best first."""
        return tuple(
            sorted(self.finished, key=lambda c: (-penalty.score(c.log_prob, c.step), c.id))
        )

    def path(self, node_id: int) -> tuple[Candidate, ...]:
        """The nodes from step 1 to the given one; () for the root."""
        path = []
        while node_id != ROOT_ID:
            path.append(self.nodes[node_id - 1])
            node_id = path[-1].parent_id
        return tuple(reversed(path))

    @property
    def finished_mass(self) -> float:
        """The probability (0-1) of all strings that end within the maximum length."""
        return math.fsum(math.exp(node.log_prob) for node in self.finished)


def list_strings(
    model: TranslationModel[State],
    source: str = "",
    *,
    max_length: int = TABLE_MAX_LENGTH,
    node_limit: int = NODE_LIMIT,
) -> Listing:
    """Write down the whole tree, step by step, the most probable first within a step.

    node_limit: how many nodes there may be; a step that would go beyond is left out, and so is
        everything after it.

    Raises:
        SettingError: a limit is below 1.
        TableError: a prefix of the table has no row.
    """
    if max_length < 1 or node_limit < 1:
        raise SettingError(
            f"the maximum length and the number of nodes must be at least 1, not {max_length} and "
            f"{node_limit}"
        )
    check_start(model.target)
    (source_tokens,), state = model.encode([source])
    lister = _Lister(model.target)
    log_probs = np.zeros(1)
    for _ in range(max_length):
        position = next_position(model, state, lister.last_ids, len(source_tokens))
        totals = position.log_probs + log_probs[:, None]
        places = np.flatnonzero(totals > -np.inf)
        if len(lister.nodes) + len(places) > node_limit:
            return lister.result(max_length, complete=False)
        places = places[(-totals.ravel()[places]).argsort(kind="stable")]
        lister.add(places, position.log_probs, totals)
        places = places[places % totals.shape[1] != model.target.eos_id]
        if not len(places):
            break
        log_probs = totals.ravel()[places]
        state = model.select(position.state, places // totals.shape[1])
    return lister.result(max_length, complete=True)


class _Lister:
    """Gives ids, and remembers which prefixes are open."""

    def __init__(self, target: TargetSide) -> None:
        self.nodes: list[Candidate] = []
        self._target = target
        self._open: dict[int, tuple[int, ...]] = {ROOT_ID: ()}  # id -> token ids

    @property
    def last_ids(self) -> NDArray[np.intp]:
        """(N,): the last token of each open prefix."""
        ids = [ids[-1] if ids else self._target.bos_id for ids in self._open.values()]
        return np.array(ids, dtype=np.intp)

    def add(self, places: NDArray[np.intp], log_probs: FloatRows, totals: FloatRows) -> None:
        """Write one step down. places: flat indices into (N, V), most probable first."""
        parents = list(self._open.items())
        self._open = {}
        for rank, place in enumerate(places.tolist(), start=1):
            row, token_id = divmod(place, totals.shape[1])
            parent_id, prefix = parents[row]
            node_id, ids = len(self.nodes) + 1, (*prefix, token_id)
            is_end = token_id == self._target.eos_id
            if not is_end:
                self._open[node_id] = ids
            self.nodes.append(
                Candidate(
                    id=node_id,
                    parent_id=parent_id,
                    step=len(ids),
                    token_id=token_id,
                    token=self._target.token(token_id),
                    token_log_prob=log_probs.item(place),
                    log_prob=totals.item(place),
                    rank=rank,
                    fate="finished" if is_end else "kept",
                    reason="",
                    forced=False,
                    evicted_at=None,
                    text=self._target.join(ids),
                )
            )

    def result(self, max_length: int, *, complete: bool) -> Listing:
        """The listing; what is still open is cut."""
        nodes = (n._replace(fate="cut") if n.id in self._open else n for n in self.nodes)
        return Listing(tuple(nodes), self._target.eos_id, max_length, complete)


def whole_tree(listing: Listing, trace: BeamTrace, *, greedy: BeamTrace | None = None) -> BeamTree:
    """All strings as a tree, with the fate that each prefix had in one search.

    What the search didn't record has the fate `pruned`. All traces must come from the same model.
    The best path is the search's rank 1.
    """
    ids = {(node.parent_id, node.token_id): node.id for node in listing.nodes}

    def place_of(path: Sequence[Candidate]) -> list[int]:
        places: list[int] = []
        for node in path:
            place = ids.get((places[-1] if places else ROOT_ID, node.token_id))
            if place is None:
                break
            places.append(place)
        return places

    seen: dict[int, Candidate] = {}
    own = {ROOT_ID: ROOT_ID}  # ids in the trace -> ids in the listing
    for node in trace.nodes:
        place = ids.get((own.get(node.parent_id, -1), node.token_id))
        if place is not None:
            own[node.id], seen[place] = place, node
    shown = [_as_seen(node, seen.get(node.id)) for node in listing.nodes]
    best = frozenset(place_of(trace.path(trace.ranked_ids()[0])))
    followed = frozenset(place_of(greedy.path(greedy.ranked_ids()[0]))) if greedy else None
    return lay_out(shown, listing.eos_id, Marks(first=best, best=best, greedy=followed))


def _as_seen(node: Candidate, seen: Candidate | None) -> Candidate:
    if seen is None:
        return node._replace(fate="pruned", reason="not among what the search recorded")
    return seen._replace(id=node.id, parent_id=node.parent_id)
