"""Sampling: targets drawn from the model's distribution, or from a narrowed one.

The filters work in this order: temperature, then top-k, then top-p, and what is left is scaled to
sum to 1 again. The order matters: at temperature 2 more tokens share the mass that top-p keeps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from s2s_core.models.interface import State, TranslationModel
from s2s_core.options import IntegerOption, RealOption
from s2s_core.search.candidates import Expansion, FloatRows
from s2s_core.search.config import DEFAULT_CONFIG, SearchConfig, SearchRequest
from s2s_core.search.records import ROOT_ID
from s2s_core.search.run import SearchRun
from s2s_core.search.selection import Selection
from s2s_core.search.trace import BeamTrace, Hypothesis

TEMPERATURE = RealOption(
    "temperature", 0.01, 5.0, 1.0, 0.05, "Below 1 the likely gets likelier; 1 is the model itself."
)
TOP_K = IntegerOption("top-k", 0, 1000, 0, "Draw from the k most probable tokens only; 0 is all.")
TOP_P = RealOption(
    "top-p", 0.0, 1.0, 1.0, 0.05, "Draw from the fewest tokens whose mass reaches p; 1 is all."
)
SAMPLES = IntegerOption("samples", 1, 1000, 20, "How many targets are drawn.")
SEED = IntegerOption("seed", 0, 2**31 - 1, 0, "The same seed draws the same targets.")

_SLACK = 1e-9
"""A sum of probabilities this close to p has reached it."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to draw, and how many.

    temperature: log-probabilities are divided by it.
    top_k: only the k most probable tokens, and any that tie with the last; 0 is off.
    top_p: only the most probable tokens up to the one with which their mass reaches p; 1 is off.
    samples, seed: sample i depends on (seed, i) alone, so the first few are the same of any number.

    Raises:
        SettingError: a value lies outside its bounds.
    """

    temperature: float = TEMPERATURE.default
    top_k: int = TOP_K.default
    top_p: float = TOP_P.default
    samples: int = SAMPLES.default
    seed: int = SEED.default

    def __post_init__(self) -> None:
        object.__setattr__(self, "temperature", TEMPERATURE.check(self.temperature))
        object.__setattr__(self, "top_k", TOP_K.check(self.top_k))
        object.__setattr__(self, "top_p", TOP_P.check(self.top_p))
        object.__setattr__(self, "samples", SAMPLES.check(self.samples))
        object.__setattr__(self, "seed", SEED.check(self.seed))


DEFAULT_SAMPLING = Sampling()


def filtered(log_probs: FloatRows, sampling: Sampling) -> FloatRows:
    """The distribution to draw from: temperature, top-k, top-p, then scaled to sum to 1.

    log_probs: (V,), -inf for tokens that can't be drawn; at least one is finite.
    """
    scaled = (log_probs - log_probs.max()) / sampling.temperature
    if 0 < sampling.top_k < len(scaled):
        kth = np.partition(scaled, -sampling.top_k)[-sampling.top_k]
        scaled = np.where(scaled >= kth, scaled, -np.inf)
    probabilities = np.exp(scaled - scaled.max())
    probabilities /= probabilities.sum()
    if sampling.top_p < 1.0:
        order = (-probabilities).argsort(kind="stable")
        before = np.concatenate([[0.0], probabilities[order].cumsum()[:-1]])
        dropped = before >= sampling.top_p - _SLACK
        dropped[0] = False
        probabilities[order[dropped]] = 0.0
        probabilities /= probabilities.sum()
    return np.asarray(probabilities)


@dataclass(frozen=True, slots=True)
class SampleResult:
    """What was drawn.

    samples: in the order of their numbers; the same target may come more than once. One that met
        the maximum length isn't finished; one that met a dead end is missing.
    trace: the tree of what was drawn. Its log-probabilities are the model's own.
    sampling: the settings, seed included.
    """

    samples: tuple[Hypothesis, ...]
    trace: BeamTrace
    sampling: Sampling


def sample(
    model: TranslationModel[State],
    source: str,
    config: SearchConfig = DEFAULT_CONFIG,
    sampling: Sampling = DEFAULT_SAMPLING,
    *,
    forced_ids: tuple[int, ...] = (),
    checkpoint: str = "",
) -> SampleResult:
    """Draw targets token by token.

    config: its beam size is the size of the pool, which ranks what was drawn; the stop rule doesn't
        matter. Minimum length and no-repeat hold here too.

    Raises:
        The same errors as `beam_search`.
    """
    config = replace(config, stop_rule="exhaust")
    run = SearchRun(model, SearchRequest(checkpoint, source, config, forced_ids))
    draw = _Draw(sampling)
    while run.best_live is not None and run.step < run.max_length:
        expansion, position = run.expand()
        if run.forced_id is not None:
            places = draw.forced(expansion, run.forced_id)
        else:
            places = draw.next(expansion)
        selection = _selection(expansion, set(places.values()), config.recorded_candidates)
        parents = tuple(run.recorder.live)
        run.advance(expansion, position, selection)
        draw.follow(places, run, (parents, expansion.size))
    trace = run.finish("limit" if run.best_live is not None else "no live prefix")
    samples = tuple(trace.hypothesis(draw.nodes[i]) for i in sorted(draw.nodes))
    return SampleResult(samples, trace, sampling)


class _Draw:
    """Where each sample is. Samples that share a prefix share a row of the search."""

    def __init__(self, sampling: Sampling) -> None:
        self.nodes = dict.fromkeys(range(sampling.samples), ROOT_ID)  # sample -> node id
        self._sampling = sampling
        self._dice = [np.random.default_rng([sampling.seed, i]) for i in range(sampling.samples)]
        self._rows: dict[int, int] = dict.fromkeys(self.nodes, 0)  # those still going on

    def forced(self, expansion: Expansion, token_id: int) -> dict[int, int]:
        """All go the one way, unless that has probability 0."""
        possible = expansion.log_prob(token_id) > -np.inf
        return dict.fromkeys(self._rows, token_id) if possible else {}

    def next(self, expansion: Expansion) -> dict[int, int]:
        """Sample number -> the candidate (flat index) that it drew."""
        places = {}
        sums: dict[int, NDArray[np.float64]] = {}
        for number, row in self._rows.items():
            if row not in sums:
                allowed = expansion.log_probs[row] > -np.inf
                if not allowed.any():
                    continue
                own = np.where(allowed, expansion.token_log_probs[row], -np.inf)
                sums[row] = filtered(own, self._sampling).cumsum()
            point = self._dice[number].random() * sums[row][-1]
            token_id = int(sums[row].searchsorted(point, side="right"))
            places[number] = row * expansion.size + token_id
        return places

    def follow(
        self, places: dict[int, int], run: SearchRun[State], shape: tuple[tuple[int, ...], int]
    ) -> None:
        """Take the samples to their new nodes. shape: the expanded ids, and V."""
        parents, size = shape
        nodes = {(c.parent_id, c.token_id): c.id for c in run.recorder.steps[-1].candidates}
        rows = {node_id: row for row, node_id in enumerate(run.recorder.live)}
        self.nodes = {i: n for i, n in self.nodes.items() if i not in self._rows or i in places}
        self._rows = {}
        for number, place in places.items():
            row, token_id = divmod(place, size)
            node_id = self.nodes[number] = nodes[parents[row], token_id]
            if node_id in rows:
                self._rows[number] = rows[node_id]


def _selection(expansion: Expansion, drawn: set[int], recorded: int) -> Selection:
    """The drawn ones go on or end, and each row's best others are recorded."""
    chosen = expansion.order(drawn)
    is_end = [place % expansion.size == expansion.eos_id for place in chosen]
    kept = tuple(place for place, end in zip(chosen, is_end, strict=True) if not end)
    ended = tuple(place for place, end in zip(chosen, is_end, strict=True) if end)
    return Selection(kept, ended, others(expansion, drawn, recorded), why="not drawn")


def others(expansion: Expansion, chosen: set[int], recorded: int) -> tuple[int, ...]:
    """Of each row the R best that were not chosen, ends left out unless they are among these."""
    lost: list[int] = []
    for row in expansion.continuations(recorded + len(chosen)) if recorded else ():
        lost += [place for place in row if place not in chosen][:recorded]
    return tuple(lost)
