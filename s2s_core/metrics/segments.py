"""Hypotheses and their references, checked before anything is scored.

sacreBLEU takes references as streams (the first reference of every segment, then the second of
every segment, ...) and cuts all of them silently to the shortest. Here each hypothesis comes with
its own references, so a missing one shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from s2s_core.errors import SegmentError


@dataclass(frozen=True, slots=True)
class Segment:
    """One hypothesis and what it is held against.

    references: in the order given; None where one is missing. "" is a reference of length 0, which
        is something else: it takes part in the choice of the closest length.
    """

    hypothesis: str
    references: tuple[str | None, ...]


def check_segments(
    hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]
) -> tuple[Segment, ...]:
    """Put each hypothesis together with its references.

    references: references[i] are those of hypotheses[i]; any number, None for a missing one.

    Raises:
        SegmentError: there is nothing to score, the numbers don't match, something isn't text, or
            a segment has no reference; the message names the segment, counted from 1.
    """
    for name, given in (("hypotheses", hypotheses), ("references", references)):
        if isinstance(given, str | bytes) or not isinstance(given, Sequence):
            raise SegmentError(
                f"{name} must be a list with one item for each segment, not {_kind(given)}; "
                "for one segment write bleu_report([hypothesis], [[reference, ...]])"
            )
    if not hypotheses:
        raise SegmentError("there is no hypothesis: give at least one segment")
    if len(hypotheses) != len(references):
        raise SegmentError(_different_counts(len(hypotheses), len(references)))
    return tuple(
        _segment(number, hypothesis, own)
        for number, (hypothesis, own) in enumerate(
            zip(hypotheses, references, strict=True), start=1
        )
    )


def reference_streams(segments: Sequence[Segment]) -> list[list[str | None]]:
    """The references as sacreBLEU wants them: streams[place][segment], None for a missing one."""
    places = max(len(segment.references) for segment in segments)
    return [
        [
            segment.references[place] if place < len(segment.references) else None
            for segment in segments
        ]
        for place in range(places)
    ]


def _segment(number: int, hypothesis: object, references: object) -> Segment:
    if not isinstance(hypothesis, str):
        raise SegmentError(
            f"segment {number}: the hypothesis must be text, not {_kind(hypothesis)}"
        )
    if isinstance(references, str | bytes) or not isinstance(references, Sequence):
        raise SegmentError(
            f"segment {number}: its references must be a list of texts, not {_kind(references)}; "
            "write [reference] for a single one"
        )
    checked: list[str | None] = []
    for place, reference in enumerate(references, start=1):
        if reference is not None and not isinstance(reference, str):
            raise SegmentError(
                f"segment {number}: reference {place} must be text, or None where it is missing, "
                f"not {_kind(reference)}"
            )
        checked.append(reference)
    if all(reference is None for reference in checked):
        raise SegmentError(
            f"segment {number} has no reference: give it one, or leave the segment out"
        )
    return Segment(hypothesis, tuple(checked))


def _different_counts(hypotheses: int, references: int) -> str:
    return (
        f"{hypotheses} hypotheses, but references for {references} segments: references[i] holds "
        "all references of hypotheses[i]. If yours are one list for each translator, turn them "
        "round with zip(*references)"
    )


def _kind(value: object) -> str:
    return "nothing (None)" if value is None else type(value).__name__
