"""The story of one search: enough to draw it, replay it and rank it again without the model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, get_args

from s2s_core.errors import SearchError, TraceFormatError
from s2s_core.search.config import SearchRequest
from s2s_core.search.json_fields import parse_object
from s2s_core.search.length_penalty import LengthPenalty
from s2s_core.search.records import (
    ROOT_ID,
    AttentionMap,
    Candidate,
    DecodeStep,
    Fate,
    Hypothesis,
    StopReason,
)
from s2s_core.search.trace_json import dump_request, dump_step, load_request, load_steps

if TYPE_CHECKING:
    import pandas

__all__ = [
    "ROOT_ID",
    "AttentionMap",
    "BeamTrace",
    "Candidate",
    "DecodeStep",
    "Fate",
    "Hypothesis",
    "StopReason",
]

FORMAT = "seq2seq-explorer search"
VERSION = 1


@dataclass(frozen=True)
class BeamTrace:
    """One search from the empty prefix (node 0) to its end.

    source_tokens: S labels of the attention columns; () for a probability table.
    max_length: m, resolved from the config and the source.
    eos_id: the id of the end token.
    steps: steps[t - 1] is step t.
    finished_ids: every finished candidate, in or out of the pool, in the order of finishing.
    stop_reason: why the search ended.
    """

    request: SearchRequest
    source_tokens: tuple[str, ...]
    max_length: int
    eos_id: int
    steps: tuple[DecodeStep, ...]
    finished_ids: tuple[int, ...]
    stop_reason: StopReason

    @cached_property
    def nodes(self) -> tuple[Candidate, ...]:
        """All recorded candidates by id: nodes[i] has id i + 1 (the root isn't a candidate)."""
        return tuple(c for step in self.steps for c in step.candidates)

    @property
    def finished(self) -> tuple[Candidate, ...]:
        """Every finished candidate, in or out of the pool, in the order of finishing."""
        return tuple(self.node(i) for i in self.finished_ids)

    @property
    def best(self) -> Hypothesis:
        """Rank 1 under the penalty of the request."""
        return self.pool()[0]

    @property
    def end_token(self) -> str | None:
        """How the end token is written; None if it never was a candidate."""
        return next((c.token for c in self.nodes if c.token_id == self.eos_id), None)

    def node(self, node_id: int) -> Candidate:
        """The candidate with that id.

        Raises:
            SearchError: no candidate has that id (the root, 0, isn't one).
        """
        if not 1 <= node_id <= len(self.nodes):
            raise SearchError(
                f"this trace has nodes 1 to {len(self.nodes)}, not {node_id}; 0 is the root"
            )
        return self.nodes[node_id - 1]

    def step(self, number: int) -> DecodeStep:
        """A step by its number, from 1.

        Raises:
            SearchError: the search has no such step.
        """
        if not 1 <= number <= len(self.steps):
            raise SearchError(f"this search has steps 1 to {len(self.steps)}, not {number}")
        return self.steps[number - 1]

    def path(self, node_id: int) -> tuple[Candidate, ...]:
        """The candidates from step 1 to the given node; () for the root."""
        path = []
        while node_id != ROOT_ID:
            path.append(self.node(node_id))
            node_id = path[-1].parent_id
        return tuple(reversed(path))

    def follow(self, token_ids: Sequence[int]) -> tuple[Candidate, ...]:
        """The recorded candidates along a target, from step 1 as far as they go."""
        path: list[Candidate] = []
        for step, token_id in zip(self.steps, token_ids, strict=False):
            parent_id = path[-1].id if path else ROOT_ID
            found = [c for c in step.row(parent_id) if c.token_id == token_id]
            if not found:
                break
            path += found
        return tuple(path)

    def hypothesis(self, node_id: int, penalty: LengthPenalty | None = None) -> Hypothesis:
        """The target that ends at a node, whatever its fate, scored with the given penalty.

        Without one, the penalty of the request is used. The root is the empty prefix, scored 0.
        """
        path = self.path(node_id)
        last = path[-1] if path else None
        log_prob = last.log_prob if last else 0.0
        return Hypothesis(
            token_ids=tuple(c.token_id for c in path),
            tokens=tuple(c.token for c in path),
            token_log_probs=tuple(c.token_log_prob for c in path),
            length=len(path),
            log_prob=log_prob,
            score=self._penalty(penalty).score(log_prob, len(path)) if path else 0.0,
            text=last.text if last else "",
            attention=self._attention(path),
            node_id=node_id,
            finished=last is not None and last.token_id == self.eos_id,
        )

    def ranked_ids(self, penalty: LengthPenalty | None = None) -> tuple[int, ...]:
        """Every finished candidate, best first; the prefixes cut at the limit if none finished.

        Ties go to the older one.
        """
        ids = self.finished_ids or tuple(c.id for c in self.steps[-1].live)
        rule = self._penalty(penalty)
        score = {i: rule.score(self.node(i).log_prob, self.node(i).step) for i in ids}
        return tuple(sorted(ids, key=lambda i: (-score[i], i)))

    def pool(self, penalty: LengthPenalty | None = None) -> tuple[Hypothesis, ...]:
        """The B best finished hypotheses, best first; cut prefixes only if none finished.

        With a penalty other than the request's, ranks every finished candidate again; whether that
        equals a new search is what `rerank.is_exact` says.
        """
        best = self.ranked_ids(penalty)[: self.request.config.beam_size]
        return tuple(self.hypothesis(i, penalty) for i in best)

    def live(self, step: int) -> tuple[Hypothesis, ...]:
        """The prefixes alive after a step (1-based), best first."""
        return tuple(self.hypothesis(c.id) for c in self.step(step).live)

    def pool_at(self, step: int) -> tuple[Hypothesis, ...]:
        """The pool after a step (1-based), best first; may be empty."""
        return tuple(self.hypothesis(i) for i in self.step(step).pool_ids)

    def to_frame(self) -> pandas.DataFrame:
        """One row for each recorded candidate, with the fields of `Candidate` as columns."""
        import pandas

        frame = pandas.DataFrame(self.nodes, columns=list(Candidate._fields))
        return frame.astype({"evicted_at": "Int64"})

    def to_json(self) -> str:
        """The trace as JSON text, attention included; `from_json` reads it back unchanged."""
        data = {
            "format": FORMAT,
            "version": VERSION,
            "request": dump_request(self.request),
            "source_tokens": list(self.source_tokens),
            "max_length": self.max_length,
            "eos_id": self.eos_id,
            "stop_reason": self.stop_reason,
            "finished_ids": list(self.finished_ids),
            "steps": [dump_step(step) for step in self.steps],
        }
        return json.dumps(data, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> BeamTrace:
        """Read what `to_json` wrote.

        Raises:
            TraceFormatError: the text isn't such a trace, or one of another version.
        """
        fields = parse_object(text)
        if fields.data.get("format") != FORMAT:
            raise TraceFormatError("the file isn't a saved search: choose one that this app saved")
        if fields.data.get("version") != VERSION:
            raise TraceFormatError(
                f"the file has version {fields.data.get('version')!r} of the format, "
                f"but this program reads version {VERSION}"
            )
        source_tokens = fields.texts("source_tokens")
        trace = cls(
            request=load_request(fields.nested("request")),
            source_tokens=source_tokens,
            max_length=fields.integer("max_length", 1),
            eos_id=fields.integer("eos_id"),
            steps=load_steps(fields.nested_list("steps"), len(source_tokens)),
            finished_ids=fields.integers("finished_ids"),
            stop_reason=fields.choice("stop_reason", get_args(StopReason)),
        )
        trace._check_references()
        trace._check_settings()
        return trace

    def _check_references(self) -> None:
        """Refuse a trace read from a file whose ids lead nowhere."""
        ends = {c.id for c in self.nodes if c.token_id == self.eos_id}
        pooled = {i for step in self.steps for i in step.pool_ids}
        if list(self.finished_ids) != sorted({*self.finished_ids}):
            raise TraceFormatError("'finished_ids' in the file must be in the order of finishing")
        if not {*self.finished_ids, *pooled} <= ends:
            raise TraceFormatError("a finished hypothesis in the file doesn't end in the end token")
        if not self.steps or not (self.finished_ids or self.steps[-1].live):
            raise TraceFormatError("the file holds no hypothesis")
        if len(self.steps) > self.max_length:
            raise TraceFormatError("the file has more steps than its maximum length")

    def _check_settings(self) -> None:
        """Refuse a trace read from a file that its own settings can't have given."""
        request = self.request
        if request.config.max_length not in (None, self.max_length):
            raise TraceFormatError(
                f"the file gives two maximum lengths: {request.config.max_length} and "
                f"{self.max_length}"
            )
        # Of live prefixes some decoders have more than the beam size; the pool never has.
        largest = max(len(step.pool_ids) for step in self.steps)
        if largest > request.config.beam_size:
            raise TraceFormatError(
                f"the file has beam size {request.config.beam_size}, but a pool of {largest}"
            )
        for step, token_id in zip(self.steps, request.forced_ids, strict=False):
            if any(candidate.token_id != token_id for candidate in step.live):
                raise TraceFormatError(f"step {step.step} in the file hasn't the forced token")

    def _penalty(self, penalty: LengthPenalty | None) -> LengthPenalty:
        return self.request.config.length_penalty if penalty is None else penalty

    def _attention(self, path: tuple[Candidate, ...]) -> AttentionMap | None:
        rows = []
        for candidate in path:
            row = self.steps[candidate.step - 1].attention_of(candidate.parent_id)
            if row is None:
                return None
            rows.append(row)
        tokens = tuple(c.token for c in path)
        return AttentionMap.from_rows(rows, self.source_tokens, tokens) if rows else None
