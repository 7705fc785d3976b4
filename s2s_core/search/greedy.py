"""Greedy search: one path, always the most probable token."""

from __future__ import annotations

from dataclasses import replace

from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.config import DEFAULT_CONFIG, SearchConfig, SearchRequest
from s2s_core.search.run import SearchRun
from s2s_core.search.selection import select_forced, select_greedy
from s2s_core.search.trace import BeamTrace


def greedy_search(
    model: TranslationModel[State],
    source: str,
    config: SearchConfig = DEFAULT_CONFIG,
    *,
    forced_ids: tuple[int, ...] = (),
    checkpoint: str = "",
) -> BeamTrace:
    """Take the most probable token, the end token included, until it ends or the limit is reached.

    Equal probabilities go to the lower token id. The same tokens come out of a beam of size 1 under
    the stop rule `first`, and that is what the trace's config says.

    Raises:
        The same errors as `beam_search`.
    """
    config = replace(config, beam_size=1, stop_rule="first")
    run = SearchRun(model, SearchRequest(checkpoint, source, config, forced_ids))
    recorded = config.recorded_candidates
    while run.best_live is not None and run.step < run.max_length:
        expansion, position = run.expand()
        if run.forced_id is not None:
            selection = select_forced(expansion, run.forced_id, recorded=recorded)
        else:
            selection = select_greedy(expansion, recorded=recorded)
        run.advance(expansion, position, selection)
    if run.best_live is not None:
        return run.finish("limit")
    return run.finish("first" if run.recorder.finished_ids else "no live prefix")
