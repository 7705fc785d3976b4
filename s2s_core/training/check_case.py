"""What the checks look at: a model, sources of different lengths, and its targets for them.

Shapes: N sources, S source tokens, T target tokens, V vocabulary, L layers, H heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from s2s_core.models.translation import TrainedModel, pad
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.text.clauses import join_clauses
from s2s_core.training.objective import make_batch

SHORTEST = 4  # tokens of the targets that are read
LONGEST = (6, 9, 12)  # source by source; the last holds for all further ones

Floats = NDArray[np.floating]

_WRITING = SearchConfig(beam_size=1, stop_rule="first", min_length=SHORTEST)


@dataclass(frozen=True, eq=False)
class Case:
    """A model with sources of different lengths, and the targets that it writes for them.

    targets: token ids without the end token.
    attention: (N, T, L, H, S) of the sources as one batch, or None without attention.
    log_probs: (N, T + 1, V) of the same steps.
    lengths: tokens of each source.
    """

    model: TrainedModel[Any]
    sources: tuple[str, ...]
    targets: tuple[tuple[int, ...], ...]
    attention: Floats | None
    log_probs: Floats
    lengths: tuple[int, ...]

    def valid(self) -> NDArray[np.bool_]:
        """(N, T + 1), True at the positions of a target, its end token counted."""
        counts = np.array([len(target) + 1 for target in self.targets])
        return np.arange(self.log_probs.shape[1]) < counts[:, None]


def check_sources(language: str) -> tuple[str, ...]:
    """Three sources of different lengths."""
    return tuple(join_clauses(language, count) for count in (1, 2, 4))


def make_case(model: TrainedModel[Any], sources: Sequence[str]) -> Case:
    """Write a target for each source, and read them all again as one batch.

    Raises:
        ExplorerError: the model can't read the sources.
    """
    best = [
        beam_search(model, source, replace(_WRITING, max_length=longest)).best
        for source, longest in zip(sources, chain(LONGEST, repeat(LONGEST[-1])), strict=False)
    ]
    targets = tuple(b.token_ids[:-1] if b.finished else b.token_ids for b in best)
    tokens, state = model.encode(sources)
    inputs, _ = pad([[model.target.bos_id, *target] for target in targets])
    outputs = []
    for last_ids in inputs.numpy().T:
        outputs.append(model.step(state, last_ids))
        state = outputs[-1].state
    weights = [o.cross_attention for o in outputs if o.cross_attention is not None]
    return Case(
        model,
        tuple(sources),
        targets,
        np.stack(weights, axis=1) if weights else None,
        np.stack([output.log_probs for output in outputs], axis=1),
        tuple(map(len, tokens)),
    )


def source_ids(case: Case) -> list[list[int]]:
    """The sources' tokens without the end token, which a batch adds."""
    return [case.model.source_ids(source)[:-1] for source in case.sources]


def forced_log_probs(case: Case, targets: Sequence[Sequence[int]]) -> Floats:
    """Log-probabilities (N, T + 1, V) of targets that are read at once."""
    batch, network = make_batch(source_ids(case), targets), case.model.network
    with torch.inference_mode():
        logits = network.logits(network(batch.source, batch.source_mask, batch.inputs))
        found: Floats = torch.log_softmax(logits.float(), dim=-1).numpy()
    return found


def another(case: Case, token_id: int) -> int:
    """A token that the model also wrote, or the neighbour of this one."""
    target = case.model.target
    written = {i for ids in case.targets for i in ids} - {token_id}
    free = {*range(target.size)} - {token_id, target.eos_id, *target.banned_ids}
    return min(written or free)
