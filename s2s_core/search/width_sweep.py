"""One sentence at many beam widths: what a wider beam finds, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.beam import beam_search
from s2s_core.search.config import DEFAULT_CONFIG, SearchConfig
from s2s_core.search.records import Hypothesis
from s2s_core.search.trace import BeamTrace

WIDTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64)


@dataclass(frozen=True, slots=True)
class WidthResult:
    """What one beam width gave.

    best: rank 1.
    steps: how many the search took.
    rows: how many prefixes the model was asked to continue.
    seconds: wall-clock time, reading the source included.
    """

    beam_size: int
    best: Hypothesis
    steps: int
    rows: int
    seconds: float


def sweep_widths(
    model: TranslationModel[State],
    source: str,
    config: SearchConfig = DEFAULT_CONFIG,
    *,
    beam_sizes: Sequence[int] = WIDTHS,
    forced_ids: tuple[int, ...] = (),
) -> Iterator[WidthResult]:
    """Search with each beam size in turn; a result as soon as it is there.

    config: all settings but the beam size. Under `exhaust` rank 1 is the policy's own; `best` has
        the same rank 1 and stops sooner.

    Raises:
        The same errors as `beam_search`.
    """
    for beam_size in beam_sizes:
        settings = replace(config, beam_size=beam_size, recorded_candidates=0)
        begin = perf_counter()
        trace = beam_search(model, source, settings, forced_ids=forced_ids)
        seconds = perf_counter() - begin
        yield WidthResult(beam_size, trace.best, len(trace.steps), rows_used(trace), seconds)


def rows_used(trace: BeamTrace) -> int:
    """How many prefixes the model was asked to continue."""
    return sum(len(step.expanded_ids) for step in trace.steps)
