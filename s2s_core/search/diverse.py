"""Diverse beam search: groups that keep off one another's tokens.

The beam is divided into groups. At each step the groups choose in turn, and a token costs a group
`strength` for every time that an earlier group chose it at this step (Vijayakumar et al. 2016,
arXiv:1610.02424, with Hamming diversity). The cost decides only what a group keeps at that step:
all log-probabilities stay the model's own, and so do the scores.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from s2s_core.errors import SettingError
from s2s_core.models.interface import State, TranslationModel
from s2s_core.options import IntegerOption, RealOption
from s2s_core.search.beam import select, why_stop
from s2s_core.search.candidates import Expansion, FloatRows
from s2s_core.search.config import BEAM_SIZE, DEFAULT_CONFIG, SearchConfig, SearchRequest
from s2s_core.search.records import StopReason
from s2s_core.search.run import SearchRun
from s2s_core.search.trace import BeamTrace, Hypothesis

GROUPS = IntegerOption(
    "groups", 1, BEAM_SIZE.maximum, 3, "How many groups share the beam; they must divide it."
)
STRENGTH = RealOption(
    "diversity strength",
    0.0,
    10.0,
    0.5,
    0.1,
    "What a token costs a group, in nats, for every earlier group that chose it at this step.",
)


@dataclass(frozen=True, slots=True)
class Diversity:
    """How many groups, and how strongly they keep apart.

    Raises:
        SettingError: a value lies outside its bounds.
    """

    groups: int = GROUPS.default
    strength: float = STRENGTH.default

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", GROUPS.check(self.groups))
        object.__setattr__(self, "strength", STRENGTH.check(self.strength))


DEFAULT_DIVERSITY = Diversity()


@dataclass(frozen=True, slots=True)
class DiverseResult:
    """A trace for each group, each with a pool of its own, in the order of choosing."""

    groups: tuple[BeamTrace, ...]
    diversity: Diversity

    @property
    def best(self) -> Hypothesis:
        """The highest score of all groups; of equal ones the earlier group's."""
        best = [trace.best for trace in self.groups]
        finished = [hypothesis for hypothesis in best if hypothesis.finished]
        return max(finished or best, key=lambda hypothesis: hypothesis.score)


def diverse_beam(
    model: TranslationModel[State],
    source: str,
    config: SearchConfig = DEFAULT_CONFIG,
    diversity: Diversity = DEFAULT_DIVERSITY,
    *,
    forced_ids: tuple[int, ...] = (),
    checkpoint: str = "",
) -> DiverseResult:
    """Search with all groups, step by step.

    config: the beam size is that of all groups together; the stop rule is each group's own.

    Raises:
        SettingError: the groups don't divide the beam, and what `beam_search` raises.
    """
    if config.beam_size % diversity.groups:
        raise SettingError(
            f"{diversity.groups} groups can't share a beam of {config.beam_size} evenly; choose a "
            f"beam size that is a multiple of {diversity.groups}"
        )
    own = replace(config, beam_size=config.beam_size // diversity.groups)
    request = SearchRequest(checkpoint, source, own, forced_ids)
    runs = [SearchRun(model, request) for _ in range(diversity.groups)]
    reasons: list[StopReason | None] = [None] * len(runs)
    while None in reasons:
        costs = np.zeros(model.target.size)
        for group, run in enumerate(runs):
            if reasons[group] is None:
                _take_step(run, costs, diversity.strength)
                reasons[group] = why_stop(run)
    traces = (run.finish(reason) for run, reason in zip(runs, reasons, strict=True) if reason)
    return DiverseResult(tuple(traces), diversity)


def _take_step(run: SearchRun[State], costs: FloatRows, strength: float) -> None:
    """One step of one group; what it keeps becomes dearer for the next."""
    expansion, position = run.expand()
    if run.forced_id is not None or not costs.any():
        selection = select(run, expansion)
    else:
        dearer = Expansion(expansion.token_log_probs, expansion.log_probs - costs, expansion.eos_id)
        chosen = select(run, dearer)
        selection = replace(
            chosen,
            kept=tuple(expansion.order(chosen.kept)),
            ended=tuple(expansion.order(chosen.ended)),
            why="too low, counting what earlier groups chose",
        )
    run.advance(expansion, position, selection)
    for place in selection.kept:
        costs[place % expansion.size] += strength
