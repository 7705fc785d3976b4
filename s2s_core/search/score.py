"""Scoring a given target, token by token, with the model's own log-probabilities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s2s_core.errors import PrefixError
from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.candidates import next_position
from s2s_core.search.config import NO_PENALTY
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.run import check_start, check_target_ids
from s2s_core.search.trace import AttentionMap, Hypothesis


def score_target(
    model: TranslationModel[State],
    source: str,
    target_ids: Sequence[int],
    *,
    penalty: LengthPenalty = NO_PENALTY,
) -> Hypothesis:
    """What the model gives each token of a target when the tokens before it are the given ones.

    target_ids: without BOS; with EOS at the end for a complete target. A token of probability 0
        makes the log-probability -inf.

    Raises:
        PrefixError: no token, an id that can't be generated, or EOS before the end.
        SourceError: the model can't use the source.
        ModelOutputError: the model gave NaN or positive log-probabilities.
    """
    target = model.target
    check_start(target)
    ids = tuple(target_ids)
    if not ids:
        raise PrefixError("a target needs at least one token; the empty output is the end token")
    finished = ids[-1] == target.eos_id
    check_target_ids(target, ids[:-1] if finished else ids)
    (source_tokens,), state = model.encode([source])
    token_log_probs, rows = [], []
    for last_id, token_id in zip((target.bos_id, *ids), ids, strict=False):
        position = next_position(model, state, np.array([last_id]), len(source_tokens))
        state = position.state
        token_log_probs.append(float(position.log_probs[0, token_id]))
        if position.attention is not None:
            rows.append(position.attention[0])
    tokens = tuple(target.token(i) for i in ids)
    log_prob = sum(token_log_probs)
    return Hypothesis(
        token_ids=ids,
        tokens=tokens,
        token_log_probs=tuple(token_log_probs),
        length=len(ids),
        log_prob=log_prob,
        score=penalty.score(log_prob, len(ids)),
        text=target.join(ids),
        attention=AttentionMap.from_rows(rows, source_tokens, tokens) if rows else None,
        node_id=None,
        finished=finished,
    )
