"""One hypothesis, token by token: how surprising each was, and what happened to its rivals."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from s2s_core.errors import SearchError
from s2s_core.search.departure import gap_to_survivor
from s2s_core.search.records import ROOT_ID, Candidate, Hypothesis
from s2s_core.search.trace import BeamTrace


@dataclass(frozen=True, slots=True)
class TokenSurprisal:
    """One token of a hypothesis.

    step: from 1.
    surprisal: -log2 of the model's probability, in bits; inf for a probability of 0.
    log_prob: the token's, in nats.
    total: the sum of log-probabilities up to and with this token, in nats.
    """

    step: int
    token: str
    surprisal: float
    log_prob: float
    total: float


def surprisals(hypothesis: Hypothesis) -> tuple[TokenSurprisal, ...]:
    """The tokens of a hypothesis, the end token included if it is finished."""
    total = 0.0
    tokens = []
    for step, (token, log_prob) in enumerate(
        zip(hypothesis.tokens, hypothesis.token_log_probs, strict=True), start=1
    ):
        total += log_prob
        tokens.append(TokenSurprisal(step, token, -log_prob / math.log(2.0), log_prob, total))
    return tuple(tokens)


@dataclass(frozen=True, slots=True)
class BeamPlace:
    """Where a hypothesis' prefix stood after one step.

    rank: from 1, over all candidates of the step, recorded or not.
    place: from 1, among the live prefixes; None once it has ended or was pruned.
    log_prob: of the prefix.
    behind: how far the best live prefix of the step is ahead, at least 0; 0 where it leads, and
        where nothing lives.
    """

    step: int
    node_id: int
    rank: int
    place: int | None
    log_prob: float
    behind: float


def places_over_time(trace: BeamTrace, node_id: int) -> tuple[BeamPlace, ...]:
    """Where each prefix of the path to a node stood in the beam: a line of a bump chart.

    Raises:
        SearchError: the trace has no such node.
    """
    return tuple(_place(trace, node) for node in trace.path(node_id))


def _place(trace: BeamTrace, node: Candidate) -> BeamPlace:
    live = trace.step(node.step).live
    ids = [candidate.id for candidate in live]
    place = ids.index(node.id) + 1 if node.id in ids else None
    behind = max(0.0, live[0].log_prob - node.log_prob) if live else 0.0
    return BeamPlace(node.step, node.id, node.rank, place, node.log_prob, behind)


@dataclass(frozen=True, slots=True)
class LostRival:
    """A prefix that was ahead of a hypothesis and then fell out of the beam.

    node_id: the pruned continuation, or the live prefix itself (`unrecorded`) where none was kept.
    prefix_id: the prefix that had been ahead.
    step: at which it was lost.
    lead: by how much its prefix had been ahead one step earlier, in nats; at least 0.
    gap: by how much its best continuation was below the last prefix that was kept; at least 0 but
        where something other than the log-probability decided.
    text: what its best continuation, or the prefix, spells.
    """

    node_id: int
    prefix_id: int
    step: int
    lead: float
    gap: float | None
    text: str

    @property
    def unrecorded(self) -> bool:
        """No continuation of it was recorded, so the gap isn't known."""
        return self.gap is None


def lost_rivals(trace: BeamTrace, node_id: int) -> tuple[LostRival, ...]:
    """The prefixes that looked at least as good as a hypothesis' own, and were then pruned.

    A prefix is lost at the step at which none of its continuations lives on. Its own ones aren't
    rivals, and neither is one that ends right there and is in the pool when the search is over.

    Raises:
        SearchError: the trace has no such node.
    """
    path = trace.path(node_id)
    own = {node.id for node in path}
    rivals = []
    for node in path[1:]:
        before = trace.step(node.step - 1)
        mine = path[node.step - 2].log_prob
        for prefix in before.live:
            ahead = prefix.log_prob >= mine and prefix.id not in own
            if ahead and (lost := _loss(trace, prefix, mine)):
                rivals.append(lost)
    return tuple(rivals)


def _loss(trace: BeamTrace, prefix: Candidate, mine: float) -> LostRival | None:
    """How a live prefix was lost at the next step, or None if it wasn't."""
    step = trace.step(prefix.step + 1)
    row = [node for node in step.row(prefix.id) if node.token_id != trace.eos_id]
    pooled = {trace.node(i).parent_id for i in trace.steps[-1].pool_ids}
    only_ends = not row and step.unrecorded_mass(prefix.id) < 1e-9
    if prefix.id in pooled or only_ends or any(node.survived for node in row):
        return None
    lead = prefix.log_prob - mine
    if not row:
        return LostRival(prefix.id, prefix.id, step.step, lead, None, prefix.text)
    best = max(row, key=lambda node: node.log_prob)
    return LostRival(best.id, prefix.id, step.step, lead, gap_to_survivor(trace, best), best.text)


@dataclass(frozen=True, slots=True)
class TotalsLine:
    """The cumulative log P of one hypothesis, a point for each step (from 1)."""

    node_id: int
    text: str
    totals: tuple[float, ...]


def totals_against_rivals(trace: BeamTrace, node_ids: Iterable[int]) -> tuple[TotalsLine, ...]:
    """Cumulative log-probabilities, a line for each hypothesis.

    Raises:
        SearchError: the trace has no such node, or it is the root.
    """
    lines = []
    for node_id in node_ids:
        path = trace.path(node_id)
        if node_id == ROOT_ID or not path:
            raise SearchError("the root has no log-probabilities to show; choose a node from 1 on")
        lines.append(TotalsLine(node_id, path[-1].text, tuple(node.log_prob for node in path)))
    return tuple(lines)
