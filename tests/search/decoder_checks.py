"""Decoders against brute force and naive searches on random tables; returns how often it mattered.

The suite runs a few hundred tables of each, the benchmarks ten thousand.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

import s2s_core.search.exact_hunt as exact_hunt
from s2s_core.errors import NoHypothesisError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.diverse import Diversity, diverse_beam
from s2s_core.search.exact import exact_search
from s2s_core.search.forced_words import Words, forced_words_search
from s2s_core.search.stochastic import stochastic_beam
from s2s_core.search.table import ProbabilityTable
from tests.search.naive import Ids, NextLogProbs, all_strings, next_log_probs
from tests.search.tables import PENALTIES, random_table


def check_exact(seed: int, count: int) -> int:
    """Exact search finds the best of all strings; returns how often a beam of 1 misses it."""
    rng = np.random.default_rng(seed)
    errors = 0
    for number in range(count):
        table = random_table(rng, ties=number % 2 == 0)
        penalty = PENALTIES[number % len(PENALTIES)]
        minimum = int(rng.integers(0, 4))
        config = SearchConfig(1, 5, penalty, "best", min_length=minimum)
        strings = all_strings(next_log_probs(table), table.target.eos_id, 5)
        scores = {i: penalty.score(lp, len(i)) for i, lp in strings if len(i) >= minimum}
        if not scores:
            with pytest.raises(NoHypothesisError):
                exact_search(table, "", config)
            continue
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(exact_hunt, "ROWS_A_CALL", (1, 2, 3, 64)[number % 4])
            result = exact_search(table, "", config)
        assert result.proved
        assert result.best.finished
        assert result.best.score == max(scores.values()) == result.ceiling
        assert scores[result.best.token_ids] == result.best.score
        errors += result.search_error
    return errors


def repeats(ids: Ids, size: int) -> bool:
    grams = Counter(ids[i : i + size] for i in range(len(ids) - size + 1))
    return any(count > 1 for count in grams.values())


def check_no_repeat(seed: int, count: int, size: int) -> int:
    """Wide beams and exact search find the best string that repeats no n-gram of a size."""
    rng = np.random.default_rng(seed)
    mattered = 0
    for number in range(count):
        table, penalty = random_table(rng, ties=number % 2 == 0), PENALTIES[number % 7]
        if table.target.size > 4:  # with two tokens a beam of 64 holds every prefix of five
            continue
        config = SearchConfig(64, 6, penalty, "exhaust", no_repeat=size)
        strings = list(all_strings(next_log_probs(table), table.target.eos_id, 6))
        scores = {i: penalty.score(p, len(i)) for i, p in strings}
        allowed = {i: score for i, score in scores.items() if not repeats(i, size)}
        if not allowed:
            with pytest.raises(NoHypothesisError):
                exact_search(table, "", config)
            continue
        best = max(allowed.values())
        wide = beam_search(table, "", config)
        assert wide.best.score == exact_search(table, "", config).best.score == best
        assert {wide.hypothesis(i).token_ids for i in wide.finished_ids} == set(allowed)
        mattered += best < max(scores.values())
    return mattered


def naive_diverse(
    follow: NextLogProbs, eos: int, m: int, shape: tuple[int, int, float]
) -> list[tuple[set[Ids], list[list[Ids]]]]:
    """(finished, live after each step) of each group, searching to the limit."""
    groups, beam, strength = shape
    live: list[list[tuple[Ids, float]]] = [[((), 0.0)] for _ in range(groups)]
    result: list[tuple[set[Ids], list[list[Ids]]]] = [(set(), []) for _ in range(groups)]
    for _ in range(m):
        chosen: list[int] = []
        for group in range(groups):
            options = []
            for place, (ids, total) in enumerate(live[group]):
                for token, value in enumerate(follow(ids)):
                    if value == -math.inf:
                        continue
                    if token == eos:
                        result[group][0].add((*ids, token))
                        continue
                    cost = strength * chosen.count(token)
                    options.append((-(total + value - cost), place, token, total + value, ids))
            best = sorted(options, key=lambda o: o[:3])[:beam]
            best.sort(key=lambda o: (-o[3], o[1], o[2]))
            if live[group]:
                live[group] = [((*ids, token), total) for _, _, token, total, ids in best]
                result[group][1].append([ids for ids, _ in live[group]])
            chosen += [token for _, _, token, _, _ in best]
    return result


def check_diverse(seed: int, count: int) -> int:
    """Every group keeps and finishes what the naive search does; returns how often they differ."""
    rng = np.random.default_rng(seed)
    differing = 0
    for number in range(count):
        table = random_table(rng, ties=number % 2 == 0)
        shape = (int(rng.integers(1, 4)), int(rng.integers(1, 3)), float(rng.choice([0.3, 1.7])))
        config = SearchConfig(shape[0] * shape[1], 4, stop_rule="exhaust")
        try:
            result = diverse_beam(table, "", config, Diversity(shape[0], shape[2]))
        except NoHypothesisError:
            continue
        naive = naive_diverse(next_log_probs(table), table.target.eos_id, 4, shape)
        for trace, (finished, live) in zip(result.groups, naive, strict=True):
            assert {trace.hypothesis(i).token_ids for i in trace.finished_ids} == finished
            found = [[h.token_ids for h in trace.live(s.step)] for s in trace.steps]
            assert found == live[: len(found)]
        differing += len({trace.best.text for trace in result.groups}) > 1
    return differing


def holds(ids: Ids, words: Words) -> bool:
    text = "".join(f"<{i}>" for i in ids)
    return all("".join(f"<{i}>" for i in word) in text for word in words)


def check_words(seed: int, count: int, words: Words) -> int:
    """A wide beam finishes exactly the strings that hold the words; how often that mattered."""
    rng = np.random.default_rng(seed)
    mattered = 0
    for number in range(count):
        table, penalty = random_table(rng, ties=number % 2 == 0), PENALTIES[number % 7]
        config = SearchConfig(64, 4, penalty, "exhaust")
        strings = list(all_strings(next_log_probs(table), table.target.eos_id, 4))
        scores = {i: penalty.score(p, len(i)) for i, p in strings}
        allowed = {i: score for i, score in scores.items() if holds(i, words)}
        if not allowed:
            continue
        trace = forced_words_search(table, "", words, config)
        assert {trace.hypothesis(i).token_ids for i in trace.finished_ids} == set(allowed)
        assert trace.best.score == max(allowed.values())
        mattered += trace.best.score < max(scores.values())
    return mattered


INCLUSION_TABLE = ProbabilityTable(
    {"": {"EOS": 0.1, "a": 0.6, "b": 0.3}, "a": {"EOS": 0.5, "a": 0.3, "b": 0.2}},
    default={"EOS": 1.0},
)


def check_inclusion(runs: int, first_seed: int) -> None:
    """P(x in the set of 2) = p + sum of q p / (1 - q) over the others, within 3 sigma."""
    strings = all_strings(next_log_probs(INCLUSION_TABLE), INCLUSION_TABLE.target.eos_id, 4)
    p = {ids: math.exp(log_prob) for ids, log_prob in strings}
    counts: Counter[tuple[int, ...]] = Counter()
    config = SearchConfig(2, 4, recorded_candidates=0)
    for seed in range(first_seed, first_seed + runs):
        result = stochastic_beam(INCLUSION_TABLE, "", config, seed=seed)
        counts.update(drawn.hypothesis.token_ids for drawn in result.samples)
    assert counts.total() == 2 * runs
    for ids, own in p.items():
        expected = own + sum(q * own / (1 - q) for other, q in p.items() if other != ids)
        sigma = math.sqrt(expected * (1 - expected) / runs)
        assert abs(counts[ids] / runs - expected) < 3 * sigma
