"""Where a target leaves the beam: the greedy path, a reference, a better-looking rival."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from s2s_core.search.records import Candidate
from s2s_core.search.trace import BeamTrace


@dataclass(frozen=True, slots=True)
class Departure:
    """A target didn't stay in the beam.

    step: 1-based, the step at which it left.
    node_id: the last of its nodes that the beam's trace has; 0, the root, if it has none.
    gap: by how much its log-probability was below the last prefix that was kept; None where it
        wasn't recorded, nothing was kept, or the end left the pool.
    reason: in words.
    """

    step: int
    node_id: int
    gap: float | None
    reason: str


def departure(trace: BeamTrace, token_ids: Sequence[int]) -> Departure | None:
    """Where a target leaves the beam and why; None if it is there to the end.

    To the end means in the pool, or alive at the maximum length.
    """
    path = trace.follow(token_ids)
    for node in path:
        if node.fate == "pruned":
            return Departure(node.step, node.id, gap_to_survivor(trace, node), node.reason)
        if node.evicted_at is not None:
            reason = f"it finished at step {node.step}, and better ones pushed it out of the pool"
            return Departure(node.evicted_at, node.id, None, reason)
    if len(path) == len(token_ids):
        return None
    last_id = path[-1].id if path else 0
    if len(path) == len(trace.steps):
        reason = f"the beam search stopped ({trace.stop_reason}) while it was still alive"
        return Departure(len(path), last_id, None, reason)
    reason = "pruned, and not among the recorded candidates"
    return Departure(len(path) + 1, last_id, None, reason)


def gap_to_survivor(trace: BeamTrace, node: Candidate) -> float | None:
    """How far a pruned prefix was below the last one kept; None for an end, or if none was kept."""
    live = trace.step(node.step).live
    if not live or node.token_id == trace.eos_id:
        return None
    return live[-1].log_prob - node.log_prob


def greedy_departure(trace: BeamTrace, greedy: BeamTrace) -> Departure | None:
    """Where the greedy path leaves the beam.

    Both traces must come from the same model, source and forced prefix.
    """
    return departure(trace, greedy.best.token_ids)
