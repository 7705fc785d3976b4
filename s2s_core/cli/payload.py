"""Results as the JSON of the command line: a contract that other tools read."""

from __future__ import annotations

import math
from collections.abc import Iterable

from s2s_core.search.records import AttentionMap, DecodeStep, Hypothesis


def hypothesis_fields(hypothesis: Hypothesis) -> dict[str, object]:
    """A hypothesis without its attention."""
    return {
        "text": hypothesis.text,
        "tokens": hypothesis.tokens,
        "token_log_probs": hypothesis.token_log_probs,
        "log_prob": hypothesis.log_prob,
        "length": hypothesis.length,
        "score": hypothesis.score,
        "finished": hypothesis.finished,
        "node": hypothesis.node_id,
    }


def scored_fields(scored: Hypothesis) -> dict[str, object]:
    """A target that was scored, not found: its tokens may have probability 0, which is null."""
    return {
        "tokens": scored.tokens,
        "token_log_probs": [finite_or_none(value) for value in scored.token_log_probs],
        "log_prob": finite_or_none(scored.log_prob),
        "length": scored.length,
        "attention": attention_rows(scored.attention),
    }


def finite_or_none(log_prob: float) -> float | None:
    """JSON has no -inf."""
    return log_prob if math.isfinite(log_prob) else None


def attention_rows(attention: AttentionMap | None) -> list[list[float]] | None:
    """T rows of S weights: the mean over the heads of the last layer.

    float32 numbers, written with as many digits as tell them apart.
    """
    if attention is None:
        return None
    return [[float(str(weight)) for weight in row] for row in attention.head_mean()]


def step_fields(steps: Iterable[DecodeStep]) -> list[dict[str, object]]:
    """Every step with its recorded candidates."""
    return [
        {
            "step": step.step,
            "candidates": [
                {
                    "id": candidate.id,
                    "parent": candidate.parent_id,
                    "token": candidate.token,
                    "token_log_prob": candidate.token_log_prob,
                    "log_prob": candidate.log_prob,
                    "rank": candidate.rank,
                    "fate": candidate.fate,
                }
                for candidate in step.candidates
            ],
        }
        for step in steps
    ]
