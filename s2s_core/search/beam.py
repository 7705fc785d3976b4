"""Beam search: the reference policy and its four stop rules, in one loop.

At each step every live prefix is continued with every token. Continuations with the end token are
finished hypotheses; of the others the B best by log-probability live on. The pool holds the B best
finished ones by score. All live prefixes are equally long, so a length penalty never reorders them:
it ranks the pool, and through the pool it tells when to stop.
"""

from __future__ import annotations

from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.candidates import Expansion
from s2s_core.search.config import DEFAULT_CONFIG, SearchConfig, SearchRequest
from s2s_core.search.recorder import Pool
from s2s_core.search.records import StopReason
from s2s_core.search.run import SearchRun
from s2s_core.search.selection import Selection, select_beam, select_forced
from s2s_core.search.trace import BeamTrace


def beam_search(
    model: TranslationModel[State],
    source: str,
    config: SearchConfig = DEFAULT_CONFIG,
    *,
    forced_ids: tuple[int, ...] = (),
    checkpoint: str = "",
) -> BeamTrace:
    """Search for the targets of highest score, and keep the story of the search.

    forced_ids: tokens that every target must start with; they keep the model's own log-probs.
    checkpoint: the model's name, only written into the trace.

    Raises:
        SettingError: decoding with alpha < 0, a minimum length above the maximum, start = end
            token.
        PrefixError: the forced prefix holds the end token, a banned or unknown id, or is too long.
        SourceError: the model can't use the source (empty, too long).
        ModelOutputError: the model gave NaN or positive log-probabilities.
        NoHypothesisError: no hypothesis with finite probability.
    """
    run = SearchRun(model, SearchRequest(checkpoint, source, config, forced_ids))
    reason = None
    while reason is None:
        expansion, position = run.expand()
        run.advance(expansion, position, select(run, expansion))
        reason = why_stop(run)
    return run.finish(reason)


def select(run: SearchRun[State], expansion: Expansion) -> Selection:
    """What beam search keeps of a step."""
    config = run.request.config
    if run.forced_id is not None:
        return select_forced(expansion, run.forced_id, recorded=config.recorded_candidates)
    return select_beam(
        expansion,
        beam_size=config.beam_size,
        recorded=config.recorded_candidates,
        ends_within=config.beam_size if config.stop_rule == "first" else None,
    )


def why_stop(run: SearchRun[State]) -> StopReason | None:
    """Why the search ends after this step, or None if it goes on."""
    return reason_to_stop(
        run.request.config,
        run.recorder.pool,
        best_live=run.best_live,
        length=run.step,
        max_length=run.max_length,
        finished=len(run.recorder.finished_ids),
    )


def reason_to_stop(
    config: SearchConfig,
    pool: Pool,
    *,
    best_live: float | None,
    length: int,
    max_length: int,
    finished: int,
) -> StopReason | None:
    """Why a search ends after a step, or None if it goes on.

    best_live: the best live prefix's log-probability, or None if no prefix lives.
    length: that of the live prefixes, which is the number of steps.
    finished: how many hypotheses have finished, in or out of the pool.
    """
    if best_live is None:
        return "no live prefix"
    reachable = config.length_penalty.bound(best_live, length, max_length)
    match config.stop_rule:
        case "best" if reachable <= pool.best:
            return "best"
        case "bound" if pool.full and reachable <= pool.worst:
            return "bound"
        case "first" if finished >= config.beam_size:
            return "first"
    return "limit" if length == max_length else None
