"""Which candidates of a step live on, finish, or are lost: as beam and greedy search decide."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from s2s_core.search.candidates import Expansion, best_first


@dataclass(frozen=True, slots=True)
class Selection:
    """What one step does with its candidates (flat indices).

    kept: live on, best first.
    ended: finished hypotheses, best first.
    lost: recorded, but neither.
    ends_within: an end finishes only at this rank or better; None where every end finishes.
    forced: the one that was kept was given, not chosen, and nothing may end meanwhile.
    """

    kept: tuple[int, ...]
    ended: tuple[int, ...]
    lost: tuple[int, ...]
    ends_within: int | None = None
    forced: bool = False

    @property
    def last_survivor(self) -> int | None:
        """The one that a loser had to beat, or None where nothing goes on or ends."""
        survivors = self.kept or self.ended
        return survivors[-1] if survivors else None

    def why_lost(self, rank: int, *, is_end: bool, gap: float) -> str:
        """The reason, for a person.

        gap: by how much its log-probability is below the last survivor's.
        """
        if self.forced:
            return f"rank {rank}, but the prefix is forced here"
        if is_end:
            return f"rank {rank}: an end finishes only within the {self.ends_within} best"
        return f"rank {rank}, {gap:.4f} below the last survivor"


def select_beam(
    expansion: Expansion, *, beam_size: int, recorded: int, ends_within: int | None
) -> Selection:
    """Ends finish, the B best others live on, and each row's R best others are recorded."""
    size, eos_id = expansion.size, expansion.eos_id
    kept: list[int] = []
    ended: list[int] = []
    lost: list[int] = []
    ends = 0
    room = [recorded] * len(expansion.log_probs)
    for candidate in expansion.leaders(beam_size + recorded + 1):  # an end token may be among them
        row, token_id = divmod(candidate, size)
        if token_id == eos_id:
            place = len(kept) + ends
            ends += 1
            if ends_within is None or place < ends_within:
                ended.append(candidate)
            else:
                lost.append(candidate)
        elif len(kept) < beam_size:
            kept.append(candidate)
        elif room[row]:
            room[row] -= 1
            lost.append(candidate)
    return Selection(tuple(kept), tuple(ended), tuple(lost), ends_within)


def select_greedy(expansion: Expansion, *, recorded: int) -> Selection:
    """The one row goes on with its most probable token, or ends if that is the end token."""
    best = tuple(best_first(expansion.log_probs[0], 1).tolist())
    ends = expansion.ends()
    ended = tuple(i for i in best if i in ends)
    kept = tuple(i for i in best if i not in ends)
    return Selection(kept, ended, _others(expansion, best, recorded), ends_within=1)


def select_forced(expansion: Expansion, token_id: int, *, recorded: int) -> Selection:
    """The one row goes on with the given token, unless that has probability 0."""
    kept = (token_id,) if expansion.log_prob(token_id) > -np.inf else ()
    return Selection(kept, (), _others(expansion, kept, recorded), forced=True)


def _others(expansion: Expansion, chosen: tuple[int, ...], recorded: int) -> tuple[int, ...]:
    """The R best others of the one row, and its end token."""
    (row,) = expansion.continuations(recorded + 1)
    others = [i for i in row if i not in chosen][:recorded]
    return (*others, *(i for i in expansion.ends() if i not in chosen))
