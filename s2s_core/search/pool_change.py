"""What changed in the pool from one search to another, as after "decode again"."""

from __future__ import annotations

from dataclasses import dataclass

from s2s_core.search.records import Hypothesis
from s2s_core.search.trace import BeamTrace


@dataclass(frozen=True, slots=True)
class PoolChange:
    """One target that is in the pool before, after, or both.

    hypothesis: with its score after; before, where it has left.
    before, after: its rank in each pool, from 1; None where it isn't there.
    """

    hypothesis: Hypothesis
    before: int | None
    after: int | None

    @property
    def what(self) -> str:
        """`new`, `gone`, `same`, `up` or `down`."""
        if self.before is None or self.after is None:
            return "new" if self.before is None else "gone"
        if self.before == self.after:
            return "same"
        return "up" if self.after < self.before else "down"


def pool_changes(before: BeamTrace, after: BeamTrace) -> tuple[PoolChange, ...]:
    """All targets of both pools: those of the pool after by rank, then what has left, by rank.

    Both traces must come from the same model and source.
    """
    old = {h.token_ids: (rank, h) for rank, h in enumerate(before.pool(), start=1)}
    new = {h.token_ids: (rank, h) for rank, h in enumerate(after.pool(), start=1)}
    stayed = [
        PoolChange(h, old[ids][0] if ids in old else None, rank) for ids, (rank, h) in new.items()
    ]
    left = [PoolChange(h, rank, None) for ids, (rank, h) in old.items() if ids not in new]
    return (*stayed, *left)
