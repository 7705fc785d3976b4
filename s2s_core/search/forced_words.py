"""Beam search for targets that hold given words, wherever they fit (grid beam search).

Prefixes compete only with those that have come equally far with the words: each such bank keeps its
B best, and only a prefix that holds all words may end (Hokamp & Liu 2017, P17-1141). Forced tokens
keep the model's own log-probabilities, so scores can be compared with those of a free search.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from s2s_core.errors import PrefixError
from s2s_core.models.interface import State, TranslationModel
from s2s_core.search.beam import why_stop
from s2s_core.search.candidates import Expansion, best_first
from s2s_core.search.config import DEFAULT_CONFIG, SearchConfig, SearchRequest
from s2s_core.search.run import SearchRun, check_target_ids
from s2s_core.search.sampling import others
from s2s_core.search.selection import Selection, select_forced
from s2s_core.search.trace import BeamTrace

MOST_TOKENS = 20
"""All words together have at most so many tokens: each adds a bank of B prefixes."""

Words = tuple[tuple[int, ...], ...]


def forced_words_search(
    model: TranslationModel[State],
    source: str,
    words: Words,
    config: SearchConfig = DEFAULT_CONFIG,
    *,
    forced_ids: tuple[int, ...] = (),
    checkpoint: str = "",
) -> BeamTrace:
    """Search for the targets of highest score that hold every word.

    words: the token ids of each word or phrase; a phrase stands together, and words may overlap.
    config: B is kept in each bank, so up to B times (1 + number of tokens) prefixes live. The stop
        rule `first` counts ends as the others do.

    Raises:
        PrefixError: a word is empty or can't be generated, or there are more than 20 tokens.
        NoHypothesisError, and the other errors of `beam_search`.
    """
    run = SearchRun(model, SearchRequest(checkpoint, source, config, forced_ids))
    for word in words:
        check_target_ids(model.target, word)
    count = sum(map(len, words))
    if not all(words) or not 0 < count <= MOST_TOKENS:
        raise PrefixError(
            f"give words of 1 to {MOST_TOKENS} tokens together, none of them empty, not {words!r}"
        )
    reason = None
    while reason is None:
        expansion, position = run.expand()
        if run.forced_id is not None:
            selection = select_forced(expansion, run.forced_id, recorded=config.recorded_candidates)
        else:
            selection = _select(expansion, tuple(run.recorder.live.values()), words, config)
        run.advance(expansion, position, selection)
        reason = why_stop(run)
    return run.finish(reason)


def progress(prefix: Sequence[int], words: Words) -> int:
    """How many tokens of the words a prefix has: whole words, and the start of one at its end."""
    return sum(_matched(prefix, word) for word in words)


def _matched(prefix: Sequence[int], word: tuple[int, ...]) -> int:
    size, ids = len(word), tuple(prefix)
    if any(ids[start : start + size] == word for start in range(len(ids) - size + 1)):
        return size
    return max(
        (part for part in range(min(size - 1, len(ids)), 0, -1) if ids[-part:] == word[:part]),
        default=0,
    )


def _select(
    expansion: Expansion, prefixes: Sequence[tuple[int, ...]], words: Words, config: SearchConfig
) -> Selection:
    total = sum(map(len, words))
    for row, prefix in enumerate(prefixes):
        if progress(prefix, words) < total:
            expansion.log_probs[row, expansion.eos_id] = -np.inf
    banks: dict[int, list[int]] = {}
    for place in expansion.order(_considered(expansion, words, config.beam_size)):
        row, token_id = divmod(place, expansion.size)
        bank = banks.setdefault(progress((*prefixes[row], token_id), words), [])
        if len(bank) < config.beam_size:
            bank.append(place)
    kept = tuple(expansion.order(place for bank in banks.values() for place in bank))
    ended = expansion.ends()
    chosen = {*kept, *ended}
    lost = others(expansion, chosen, config.recorded_candidates)
    return Selection(kept, ended, lost, why="below the best that have as much of the words")


def _considered(expansion: Expansion, words: Words, beam_size: int) -> set[int]:
    """Each row's most probable tokens, and every token of the words: enough for all banks."""
    special = sorted({token_id for word in words for token_id in word})
    places: set[int] = set()
    for row, log_probs in enumerate(expansion.log_probs):
        best = best_first(log_probs, min(beam_size + len(special) + 1, len(log_probs)))
        ids = {*best.tolist(), *(i for i in special if log_probs[i] > -np.inf)}
        places |= {row * expansion.size + i for i in ids if i != expansion.eos_id}
    return places
