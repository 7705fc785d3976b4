"""Which models are compared on which source, and what each makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from s2s_core.errors import ExplorerError
from s2s_core.models.card import CheckpointCard
from s2s_core.models.families import Family, families, kind_of, short_titles, task_of
from s2s_core.search.config import SearchConfig, SearchRequest
from s2s_core.search.trace import BeamTrace, Hypothesis
from s2s_core.text.difference import PlaceByPlace, place_by_place
from s2s_core.text.tasks import TASKS
from s2s_core.ui import cached
from s2s_core.ui.shared_link import check_source


@dataclass(frozen=True, eq=False)
class ModelRun:
    """One model on the source.

    title: the model's, without what all of them have in common.
    seconds: that the search took; 0 where it failed.
    problem: why there is no trace; "" if there is one.
    places: a toy task's output against its answer, or None.
    """

    card: CheckpointCard
    title: str
    trace: BeamTrace | None
    seconds: float
    problem: str
    places: PlaceByPlace | None

    @property
    def best(self) -> Hypothesis | None:
        """The output."""
        return None if self.trace is None else self.trace.best


def family_of(name: str) -> Family | None:
    """The family of a checkpoint; None if its card can't be read."""
    found = families(cached.cards().values())
    return next((family for family in found if name in family.names), None)


def run_models(
    cards: Sequence[CheckpointCard], source: str, *, beam_size: int
) -> tuple[ModelRun, ...]:
    """Each model's search; what one can't do doesn't stop the others.

    Raises:
        SourceTooLongError: the source has more characters than allowed.
    """
    check_source(source)
    titles = short_titles([card.title for card in cards])
    config = SearchConfig(beam_size=beam_size)
    return tuple(
        _run(card, title, source, config) for card, title in zip(cards, titles, strict=True)
    )


def right_outputs(runs: Sequence[ModelRun]) -> tuple[tuple[str, bool], ...]:
    """The kind of each model whose answer is known, and whether it is right to the last place."""
    return tuple(
        (kind_of(run.card), all(piece.kind == "same" for piece in run.places.pieces))
        for run in runs
        if run.places is not None
    )


def _run(card: CheckpointCard, title: str, source: str, config: SearchConfig) -> ModelRun:
    try:
        trace, seconds = cached.timed_search(SearchRequest(card.name, source, config))
    except ExplorerError as error:
        return ModelRun(card, title, None, 0.0, str(error), None)
    task = TASKS.get(task_of(card) or "")
    prepared = cached.prepared(trace.request)
    places = None
    if task is not None and prepared is not None:
        answer = " ".join(task("".join(prepared.text.split())))
        places = place_by_place(trace.best.text, answer)
    return ModelRun(card, title, trace, seconds, "", places)
