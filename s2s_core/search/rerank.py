"""Ranking a finished search again under another penalty, without the model.

Everything here starts from every finished candidate of the trace, not from the pool: what was
pushed out of the pool under one penalty may win under another.
"""

from __future__ import annotations

from dataclasses import dataclass

from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.ranking import RankEntry
from s2s_core.search.trace import BeamTrace


@dataclass(frozen=True, slots=True)
class Exactness:
    """Whether re-ranking gives what a new search under the same stop rule would give.

    exact: it does (rank 1 under `best`, the whole list under the other rules).
    reason: why or why not, in words.
    """

    exact: bool
    reason: str


def is_exact(trace: BeamTrace, penalty: LengthPenalty) -> Exactness:
    """Whether `trace.pool(penalty)` is what a new search with that penalty would give.

    A length penalty doesn't change which prefixes live, so a new search would take the same steps.
    It could only go on for longer, if its stop condition were not yet met where this search ended.
    """
    rule, last = trace.request.config.stop_rule, trace.steps[-1]
    if rule == "first":
        return Exactness(True, "exact: the rule `first` counts ends and doesn't look at scores")
    if not last.live or last.step == trace.max_length:
        return Exactness(True, "exact: the search ran to its end")
    reachable = penalty.bound(last.live[0].log_prob, last.step, trace.max_length)
    ranked = trace.ranked_ids(penalty)
    place = 1 if rule == "best" else trace.request.config.beam_size
    node = trace.node(ranked[min(place, len(ranked)) - 1])
    score = penalty.score(node.log_prob, node.step)
    what = "rank 1" if rule == "best" else f"the list of {place}"
    held = f"reach {reachable:.4f} here, and rank {place} has {score:.4f}"
    if reachable <= score:
        return Exactness(True, f"exact for {what}: a live prefix could at best {held}")
    return Exactness(
        False, f"{what} may differ from a new search: a live prefix could still {held}"
    )


def entries_of(trace: BeamTrace) -> tuple[RankEntry, ...]:
    """Every finished candidate (the cut ones if none finished), to be ranked by any penalty.

    Best first under the penalty of the request; the id of an entry is that of its node.
    """
    nodes = (trace.node(i) for i in trace.ranked_ids())
    return tuple(RankEntry(node.id, node.text, node.log_prob, node.step) for node in nodes)
