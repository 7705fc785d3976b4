"""The parts of a trace as plain JSON data, and back.

Attention is written as base64 of little-endian float32 with its shape: exact, and a fifth of the
size of decimal text. Everything else is readable. Reading checks types, sizes and references; it
runs nothing that stands in the file.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from typing import get_args

import numpy as np

from s2s_core.errors import ExplorerError, TraceFormatError
from s2s_core.search.config import SearchConfig, SearchRequest, StopRule
from s2s_core.search.json_fields import Fields
from s2s_core.search.length_penalty import LENGTH_PENALTIES, LengthPenalty
from s2s_core.search.records import ROOT_ID, AttentionArray, Candidate, DecodeStep, Fate

Json = Mapping[str, object]


def dump_request(request: SearchRequest) -> Json:
    """A request as JSON data."""
    config, penalty = request.config, request.config.length_penalty
    return {
        "checkpoint": request.checkpoint,
        "source": request.source,
        "forced_ids": list(request.forced_ids),
        "config": {
            "beam_size": config.beam_size,
            "max_length": config.max_length,
            "min_length": config.min_length,
            "length_penalty": {"name": penalty.name, "parameter": penalty.parameter},
            "stop_rule": config.stop_rule,
            "recorded_candidates": config.recorded_candidates,
            "no_repeat": config.no_repeat,
        },
    }


def load_request(fields: Fields) -> SearchRequest:
    """A request from JSON data.

    Raises:
        TraceFormatError: a field is missing or has a wrong value.
    """
    config = fields.nested("config")
    try:
        return SearchRequest(
            checkpoint=fields.text("checkpoint"),
            source=fields.text("source"),
            config=SearchConfig(
                beam_size=config.integer("beam_size"),
                max_length=config.optional("max_length", config.integer),
                length_penalty=_load_penalty(config.nested("length_penalty")),
                stop_rule=config.choice("stop_rule", get_args(StopRule)),
                recorded_candidates=config.integer("recorded_candidates"),
                min_length=config.integer("min_length"),
                no_repeat=config.integer("no_repeat") if "no_repeat" in config.data else 0,
            ),
            forced_ids=fields.integers("forced_ids"),
        )
    except ExplorerError as error:
        raise TraceFormatError(f"the request in the file can't be used: {error}") from error


def _load_penalty(fields: Fields) -> LengthPenalty:
    family = LENGTH_PENALTIES[fields.choice("name", tuple(LENGTH_PENALTIES))]
    if family.parameter_name is None:
        return family.from_parameter(0.0)
    return family.from_parameter(fields.number("parameter"))


def dump_step(step: DecodeStep) -> Json:
    """A step as JSON data."""
    attention: Json | None = None
    if step.attention is not None:
        raw = np.ascontiguousarray(step.attention, dtype="<f4").tobytes()
        data = base64.b64encode(raw).decode("ascii")
        attention = {"shape": list(step.attention.shape), "float32": data}
    return {
        "step": step.step,
        "expanded_ids": list(step.expanded_ids),
        "pool_ids": list(step.pool_ids),
        "candidate_count": step.candidate_count,
        "candidates": [candidate._asdict() for candidate in step.candidates],
        "attention": attention,
    }


def load_steps(items: Sequence[Fields], sources: int) -> tuple[DecodeStep, ...]:
    """Steps from JSON data.

    sources: S, the width that attention must have.

    Raises:
        TraceFormatError: a field is wrong, or ids don't refer to one another as they must.
    """
    steps: list[DecodeStep] = []
    log_probs = {ROOT_ID: 0.0}
    live: tuple[int, ...] = (ROOT_ID,)
    for number, fields in enumerate(items, start=1):
        if fields.integer("step") != number or fields.integers("expanded_ids") != live:
            raise TraceFormatError(f"{fields.where} doesn't continue the step before it")
        candidates = []
        for item in fields.nested_list("candidates"):
            candidate = _load_candidate(item)
            follows = candidate.id == len(log_probs) and candidate.step == number
            if not follows or candidate.parent_id not in live:
                raise TraceFormatError(f"{item.where} has a wrong id, step or parent")
            expected = log_probs[candidate.parent_id] + candidate.token_log_prob
            if not math.isclose(candidate.log_prob, expected, rel_tol=1e-9, abs_tol=1e-9):
                raise TraceFormatError(f"{item.where}: 'log_prob' isn't the sum along its path")
            log_probs[candidate.id] = candidate.log_prob
            candidates.append(candidate)
        attention = fields.optional("attention", fields.nested)
        step = DecodeStep(
            step=number,
            candidates=tuple(candidates),
            expanded_ids=live,
            attention=None if attention is None else _load_attention(attention, len(live), sources),
            pool_ids=fields.integers("pool_ids"),
            candidate_count=fields.integer("candidate_count", len(candidates)),
        )
        live = tuple(c.id for c in step.live)
        steps.append(step)
    return tuple(steps)


def _load_candidate(fields: Fields) -> Candidate:
    return Candidate(
        id=fields.integer("id", 1),
        parent_id=fields.integer("parent_id"),
        step=fields.integer("step", 1),
        token_id=fields.integer("token_id"),
        token=fields.text("token"),
        token_log_prob=fields.log_prob("token_log_prob"),
        log_prob=fields.log_prob("log_prob"),
        rank=fields.integer("rank", 1),
        fate=fields.choice("fate", get_args(Fate)),
        reason=fields.text("reason"),
        forced=fields.flag("forced"),
        evicted_at=fields.optional("evicted_at", fields.integer),
        text=fields.text("text"),
    )


def _load_attention(fields: Fields, rows: int, sources: int) -> AttentionArray:
    shape = fields.integers("shape")
    if len(shape) != 4 or shape[0] != rows or shape[3] != sources or 0 in shape:
        raise fields.wrong("shape", f"[{rows}, layers, heads, {sources}]")
    try:
        raw = base64.b64decode(fields.text("float32"), validate=True)
    except ValueError as error:  # binascii.Error is one, and so is a character beyond ASCII
        raise TraceFormatError(f"'float32' in {fields.where} isn't base64: {error}") from error
    if len(raw) != 4 * math.prod(shape):
        raise TraceFormatError(f"{fields.where} has {len(raw)} bytes, which don't fill its shape")
    weights = np.frombuffer(raw, dtype="<f4").astype(np.float32).reshape(shape)
    if not np.isfinite(weights).all():
        raise TraceFormatError(f"{fields.where} holds weights that aren't finite")
    weights.setflags(write=False)
    return weights
