"""Where the greedy path leaves the beam."""

from __future__ import annotations

from dataclasses import dataclass

from s2s_core.search.trace import BeamTrace


@dataclass(frozen=True, slots=True)
class GreedyDeparture:
    """The greedy path didn't stay in the beam.

    step: 1-based, the step at which it left.
    node_id: the last of its nodes that the beam's trace has; 0, the root, if it has none.
    reason: in words.
    """

    step: int
    node_id: int
    reason: str


def greedy_departure(trace: BeamTrace, greedy: BeamTrace) -> GreedyDeparture | None:
    """Where the greedy path leaves the beam and why; None if it is there to the end.

    To the end means in the pool, or alive at the maximum length. Both traces must come from the
    same model, source and forced prefix.
    """
    target = greedy.best.token_ids
    path = trace.follow(target)
    for node in path:
        if node.fate == "pruned":
            return GreedyDeparture(node.step, node.id, node.reason)
        if node.evicted_at is not None:
            reason = f"it finished at step {node.step}, and better ones pushed it out of the pool"
            return GreedyDeparture(node.evicted_at, node.id, reason)
    if len(path) == len(target):
        return None
    last_id = path[-1].id if path else 0
    if len(path) == len(trace.steps):
        reason = f"the beam search stopped ({trace.stop_reason}) while it was still alive"
        return GreedyDeparture(len(path), last_id, reason)
    return GreedyDeparture(len(path) + 1, last_id, "pruned, and not among the recorded candidates")
