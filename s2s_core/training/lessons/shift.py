"""The shift: the decoder reads the target moved by one place, and is asked for the target.

decoder inputs   BOS  y_1  y_2  …  y_T
targets          y_1  y_2  …  y_T  EOS
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from s2s_core.models.interface import TargetSide
from s2s_core.search.run import check_start, check_target_ids


@dataclass(frozen=True, slots=True)
class ShiftRow:
    """One position of the target, as training sees it.

    step: from 1. read: the decoder's input. wanted: what it is asked for.
    """

    step: int
    read_id: int
    read: str
    wanted_id: int
    wanted: str


def shift_table(target: TargetSide, token_ids: Sequence[int]) -> tuple[ShiftRow, ...]:
    """The table for a target without BOS and EOS; T tokens make T + 1 rows.

    Raises:
        PrefixError: an id isn't in the vocabulary, or is BOS, EOS or padding.
    """
    check_start(target)
    check_target_ids(target, token_ids)
    inputs, targets = (target.bos_id, *token_ids), (*token_ids, target.eos_id)
    return tuple(
        ShiftRow(step, read, target.token(read), wanted, target.token(wanted))
        for step, (read, wanted) in enumerate(zip(inputs, targets, strict=True), start=1)
    )
