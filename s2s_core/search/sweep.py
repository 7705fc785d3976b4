"""A file of sentences at every beam width and every length penalty of a grid.

A length penalty doesn't change which prefixes live, so one exhaustive search for each beam width
serves every penalty that looks at the length alone: its finished hypotheses are ranked again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from time import perf_counter

from s2s_core.errors import NoHypothesisError, SettingError
from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.beam import beam_search
from s2s_core.search.config import BEAM_SIZE, SearchConfig
from s2s_core.search.length_penalty import LengthPenalty


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """The grid.

    beam_sizes, penalties: its two sides, each without repeats.
    max_length: as in `SearchConfig`.
    min_length: as in `SearchConfig`.

    Raises:
        SettingError: a side is empty or has a value twice, or a value lies outside its bounds.
    """

    beam_sizes: tuple[int, ...]
    penalties: tuple[LengthPenalty, ...]
    max_length: int | None = None
    min_length: int = 0

    def __post_init__(self) -> None:
        for name, values in (("beam size", self.beam_sizes), ("penalty", self.penalties)):
            if not values or len(set(values)) < len(values):
                raise SettingError(f"a sweep needs each {name} once, and at least one of them")
        for beam_size in self.beam_sizes:
            BEAM_SIZE.check(beam_size)
        for penalty in self.penalties:
            penalty.check_decoding()
        self.config(self.beam_sizes[0])

    def config(self, beam_size: int) -> SearchConfig:
        """How to search with one beam size."""
        return SearchConfig(
            beam_size=beam_size,
            max_length=self.max_length,
            length_penalty=self.penalties[0],
            stop_rule="exhaust",
            recorded_candidates=0,
            min_length=self.min_length,
        )


@dataclass(frozen=True, slots=True)
class SweepOutput:
    """One sentence with one beam width.

    line: which sentence, from 1.
    seconds: wall-clock time of the one search, which serves all penalties.
    texts: rank 1 under each penalty of the plan; "" also where nothing has a finite probability.
    """

    beam_size: int
    line: int
    seconds: float
    texts: tuple[str, ...]


def sweep_file(
    model: TranslationModel[State],
    sources: Sequence[str],
    plan: SweepPlan,
    *,
    done: Collection[tuple[int, int]] = (),
) -> Iterator[SweepOutput]:
    """Search for all sentences with the first beam size, then the next; one output at a time.

    done: (beam size, line) of what needn't be done again.

    Raises:
        The errors of `beam_search`, but for a sentence without any hypothesis.
    """
    for beam_size in plan.beam_sizes:
        for line, source in enumerate(sources, start=1):
            if (beam_size, line) not in done:
                yield _sweep_line(model, source, plan, (beam_size, line))


def _sweep_line(
    model: TranslationModel[State], source: str, plan: SweepPlan, place: tuple[int, int]
) -> SweepOutput:
    beam_size, line = place
    begin = perf_counter()
    try:
        trace = beam_search(model, source, plan.config(beam_size))
    except NoHypothesisError:
        return SweepOutput(beam_size, line, perf_counter() - begin, ("",) * len(plan.penalties))
    seconds = perf_counter() - begin
    winners = (trace.ranked_ids(penalty)[0] for penalty in plan.penalties)
    return SweepOutput(beam_size, line, seconds, tuple(trace.node(i).text for i in winners))


@dataclass(frozen=True, slots=True)
class CorpusMeasure:
    """What a metric says about all outputs together.

    score: 0-100.
    brevity_penalty: 0-1.
    length_ratio: tokens written to tokens of the references.
    """

    score: float
    brevity_penalty: float
    length_ratio: float


Measure = Callable[[Sequence[str]], CorpusMeasure]
"""Measures the outputs of all sentences, in order, against their references."""


@dataclass(frozen=True, slots=True)
class SweepCell:
    """One beam width and one penalty over the whole file.

    seconds: the mean for a sentence; the same for all penalties of a beam width.
    """

    beam_size: int
    penalty: LengthPenalty
    measure: CorpusMeasure
    seconds: float


def sweep_cells(
    outputs: Iterable[SweepOutput], plan: SweepPlan, sentences: int, measure: Measure
) -> tuple[SweepCell, ...]:
    """The cells of every beam width that is complete, in the order of the plan."""
    by_size: dict[int, dict[int, SweepOutput]] = {size: {} for size in plan.beam_sizes}
    for output in outputs:
        by_size[output.beam_size][output.line] = output
    cells = []
    for beam_size, lines in by_size.items():
        if len(lines) < sentences or not lines:
            continue
        ordered = [lines[line] for line in sorted(lines)]
        seconds = fmean(output.seconds for output in ordered)
        for place, penalty in enumerate(plan.penalties):
            texts = [output.texts[place] for output in ordered]
            cells.append(SweepCell(beam_size, penalty, measure(texts), seconds))
    return tuple(cells)


def best_cell(cells: Sequence[SweepCell]) -> SweepCell:
    """The cell of highest score; of equal ones the narrower beam, then the earlier penalty.

    Raises:
        SettingError: there is no cell.
    """
    if not cells:
        raise SettingError("no beam width is complete yet, so there is no best cell")
    return min(cells, key=lambda cell: (-cell.measure.score, cell.beam_size))
