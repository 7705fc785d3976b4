"""A typed batch as networks read it."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from s2s_core.models.translation import pad
from s2s_core.text.tokenizer import BOS_ID, PAD_ID
from s2s_core.training.lessons.mask_case import MaskCase, Row
from s2s_core.training.objective import Batch


def case_batch(case: MaskCase) -> Batch:
    """The batch as networks read it; inputs are the targets moved by one, BOS first.

    Unlike `make_batch`, a source gets no end token: it is read as it was typed.
    """
    source, source_mask = _pad(case.sources)
    inputs, _ = _pad([(BOS_ID, *row[:-1]) for row in case.targets])
    wanted, target_mask = _pad(case.targets)
    width = wanted.shape[1]
    return Batch(source, source_mask, inputs[:, :width], wanted, target_mask)


def _pad(rows: Sequence[Row]) -> tuple[torch.Tensor, torch.Tensor]:
    """As `pad`, at least one place wide, so that rows of padding alone have a place, too."""
    ids, mask = pad([row or (PAD_ID,) for row in rows])
    return ids, mask & torch.tensor([bool(row) for row in rows])[:, None]
