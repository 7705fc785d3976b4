"""Stochastic beam search: k different targets, drawn without replacement, in one pass.

Each target gets its log-probability plus Gumbel noise, and the k highest are the sample (the
Gumbel-top-k trick). The tree is searched from the top: a prefix carries the highest noisy value of
all targets below it, and its continuations share that value out, conditioned on their maximum
(Kool, van Hoof & Welling 2019, arXiv:1903.06059, alg. 1).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.candidates import Expansion, FloatRows
from s2s_core.search.config import DEFAULT_CONFIG, SearchConfig, SearchRequest
from s2s_core.search.run import SearchRun
from s2s_core.search.sampling import SEED, others
from s2s_core.search.selection import Selection, select_forced
from s2s_core.search.trace import BeamTrace, Hypothesis


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A target and its noisy log-probability, relative to the highest of all targets (0)."""

    hypothesis: Hypothesis
    value: float


@dataclass(frozen=True, slots=True)
class StochasticResult:
    """The sample.

    samples: at most B different targets, the highest noisy value first; those that met the maximum
        length aren't finished.
    trace: the search; its log-probabilities are the model's own. An end may have finished and yet
        not be in the sample, if higher values came later.
    """

    samples: tuple[Perturbed, ...]
    trace: BeamTrace
    seed: int


def stochastic_beam(
    model: TranslationModel[State],
    source: str,
    config: SearchConfig = DEFAULT_CONFIG,
    *,
    seed: int = SEED.default,
    forced_ids: tuple[int, ...] = (),
    checkpoint: str = "",
) -> StochasticResult:
    """Draw B different targets, each set as likely as when drawn one by one without putting back.

    config: B is the beam size; the stop rule doesn't matter.

    Raises:
        The same errors as `beam_search`.
    """
    config = replace(config, stop_rule="exhaust")
    dice = np.random.default_rng(SEED.check(seed))
    run = SearchRun(model, SearchRequest(checkpoint, source, config, forced_ids))
    live = np.zeros(1)  # the noisy value of each live row
    ended: dict[int, float] = {}  # node id -> noisy value
    while run.best_live is not None and run.step < run.max_length:
        expansion, position = run.expand()
        if run.forced_id is not None:
            run.advance(expansion, position, select_forced(expansion, run.forced_id, recorded=0))
            continue
        values = share_out(expansion.log_probs, live, dice)
        selection, staying = _select(expansion, values, ended, config)
        parents = tuple(run.recorder.live)
        run.advance(expansion, position, selection)
        nodes = {(c.parent_id, c.token_id): c.id for c in run.recorder.steps[-1].candidates}
        ended = {node_id: ended[node_id] for node_id in staying}
        for place in selection.ended:
            row, token_id = divmod(place, expansion.size)
            ended[nodes[parents[row], token_id]] = values.item(place)
        live = values.ravel()[list(selection.kept)]
    trace = run.finish("limit" if run.best_live is not None else "no live prefix")
    ended |= dict(zip(run.recorder.live, live.tolist(), strict=True))
    ranked = sorted(ended.items(), key=lambda item: -item[1])
    samples = tuple(Perturbed(trace.hypothesis(node_id), value) for node_id, value in ranked)
    return StochasticResult(samples, trace, seed)


def share_out(log_probs: FloatRows, parents: FloatRows, dice: np.random.Generator) -> FloatRows:
    """Noisy values of all continuations; the highest of a row is its parent's.

    log_probs: (N, V), summed along the path; -inf stays -inf.
    parents: (N,), the noisy values of the prefixes.
    """
    noisy = np.where(log_probs > -np.inf, log_probs + dice.gumbel(size=log_probs.shape), -np.inf)
    highest = noisy.max(axis=1, keepdims=True)
    possible = noisy > -np.inf
    gap = np.where(possible, noisy - np.where(highest > -np.inf, highest, 0.0), -np.inf)
    # Appendix B.3 of the paper: -log(exp(-parent) - exp(-highest) + exp(-noisy)), kept stable.
    with np.errstate(divide="ignore"):
        shift = parents[:, None] - np.where(possible, noisy, 0.0) + np.log1p(-np.exp(gap))
    lowered = parents[:, None] - np.maximum(0.0, shift) - np.log1p(np.exp(-np.abs(shift)))
    return np.where(possible, lowered, -np.inf)


def _select(
    expansion: Expansion, values: FloatRows, ended: dict[int, float], config: SearchConfig
) -> tuple[Selection, set[int]]:
    """The B highest of the new candidates and the ended ones; which of the ended stay."""
    (places,) = (values.ravel() > -np.inf).nonzero()
    size = config.beam_size
    flat = values.ravel()[places]
    if len(flat) > size:
        chosen = np.argpartition(-flat, size - 1)[:size]
        places, flat = places[chosen], flat[chosen]
    new = [(-value, 1, place) for value, place in zip(flat.tolist(), places.tolist(), strict=True)]
    old = [(-value, 0, node_id) for node_id, value in ended.items()]
    best = sorted(new + old)[:size]
    drawn = {place for _, is_new, place in best if is_new}
    ordered = expansion.order(drawn)
    kept = tuple(place for place in ordered if place % expansion.size != expansion.eos_id)
    ends = tuple(place for place in ordered if place % expansion.size == expansion.eos_id)
    lost = others(expansion, drawn, config.recorded_candidates)
    selection = Selection(kept, ends, lost, why="its noisy value is too low")
    return selection, {node_id for _, is_new, node_id in best if not is_new}
