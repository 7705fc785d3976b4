"""Greedy decoding of many sentences at once, for figures over a whole file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.config import default_max_length


def greedy_translations(
    model: TranslationModel[State], sources: Sequence[str], *, batch_size: int = 128
) -> tuple[str, ...]:
    """The most probable token at each step, for every source; at most `default_max_length` steps.

    Sentences of similar length share a batch; rows leave it when they end. The result doesn't
    depend on the batch, up to rounding.
    """
    order = sorted(range(len(sources)), key=lambda i: (len(sources[i]), i))
    texts = [""] * len(sources)
    for begin in range(0, len(order), batch_size):
        chosen = order[begin : begin + batch_size]
        outputs = _greedy_batch(model, [sources[i] for i in chosen])
        for index, token_ids in zip(chosen, outputs, strict=True):
            texts[index] = model.target.join(token_ids)
    return tuple(texts)


def _greedy_batch(
    model: TranslationModel[State], sources: Sequence[str]
) -> tuple[tuple[int, ...], ...]:
    source_tokens, state = model.encode(sources)
    limits = [default_max_length(tokens) for tokens in source_tokens]
    outputs: list[list[int]] = [[] for _ in sources]
    rows = np.arange(len(sources))  # the sentences still being written
    last_ids = np.full(len(sources), model.target.bos_id)
    while len(rows):
        output = model.step(state, last_ids)
        log_probs = np.array(output.log_probs)
        log_probs[:, list(model.target.banned_ids)] = -np.inf
        last_ids = log_probs.argmax(axis=1)
        for row, token_id in zip(rows, last_ids, strict=True):
            outputs[row].append(int(token_id))
        live = [
            index
            for index, row in enumerate(rows)
            if last_ids[index] != model.target.eos_id and len(outputs[row]) < limits[row]
        ]
        state = output.state
        if len(live) < len(rows):
            state = model.select(state, np.asarray(live, dtype=np.int64)) if live else state
            rows, last_ids = rows[live], last_ids[live]
    return tuple(map(tuple, outputs))
