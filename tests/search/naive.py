"""A second, naive implementation of the search policy, written apart from the product's.

Plain lists, everything enumerated and sorted, nothing recorded beyond what the tests compare.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from s2s_core.models.interface import State, TranslationModel

Ids = tuple[int, ...]
NextLogProbs = Callable[[Ids], list[float]]
Score = Callable[[float, int], float]


def next_log_probs(model: TranslationModel[State], source: str = "") -> NextLogProbs:
    """prefix -> the model's log-probabilities of the next token, banned ones as -inf."""
    known: dict[Ids, list[float]] = {}

    def look_up(prefix: Ids) -> list[float]:
        if prefix not in known:
            _, state = model.encode([source])
            for last in (model.target.bos_id, *prefix):
                output = model.step(state, np.array([last]))
                state = output.state
            row = [min(float(value), 0.0) for value in output.log_probs[0]]
            known[prefix] = [
                -math.inf if i in model.target.banned_ids else value for i, value in enumerate(row)
            ]
        return known[prefix]

    return look_up


def all_strings(follow: NextLogProbs, eos: int, max_length: int) -> Iterator[tuple[Ids, float]]:
    """Every finished string of finite probability with at most max_length tokens, EOS counted."""
    open_strings: list[tuple[Ids, float]] = [((), 0.0)]
    for _ in range(max_length):
        longer = []
        for ids, total in open_strings:
            for token, value in enumerate(follow(ids)):
                if value == -math.inf:
                    continue
                if token == eos:
                    yield (*ids, token), total + value
                else:
                    longer.append(((*ids, token), total + value))
        open_strings = longer


@dataclass(frozen=True)
class Rules:
    """How to search: `upper(log_prob, step)` is U."""

    beam: int
    m: int
    stop: str
    score: Score
    upper: Score


@dataclass
class NaiveResult:
    """What the search found."""

    best: list[tuple[float, Ids]] = field(default_factory=list)  # (score, ids), at most B
    everything: list[Ids] = field(default_factory=list)  # all that finished, in order
    live: list[list[Ids]] = field(default_factory=list)  # after each step
    pools: list[list[Ids]] = field(default_factory=list)  # after each step
    ranking: list[list[Ids]] = field(default_factory=list)  # all candidates of each step, by rank
    evicted: dict[Ids, int] = field(default_factory=dict)
    reason: str = ""


def naive_beam(follow: NextLogProbs, eos: int, rules: Rules) -> NaiveResult:
    """Beam search as the policy is written."""
    result = NaiveResult()
    live: list[tuple[Ids, float]] = [((), 0.0)]
    pool: list[tuple[float, Ids]] = []
    for t in range(1, rules.m + 1):
        candidates = []
        for place, (ids, total) in enumerate(live):
            for token, value in enumerate(follow(ids)):
                if value > -math.inf:
                    candidates.append((-(total + value), place, token, (*ids, token)))
        candidates.sort()
        result.ranking.append([c[3] for c in candidates])
        live = [(c[3], -c[0]) for c in candidates if c[2] != eos][: rules.beam]
        for rank, (cost, _, token, ids) in enumerate(candidates, start=1):
            if token != eos or (rules.stop == "first" and rank > rules.beam):
                continue
            result.everything.append(ids)
            _enter(pool, (rules.score(-cost, t), ids))
            if len(pool) > rules.beam:
                gone = pool.pop()[1]
                if gone != ids:
                    result.evicted[gone] = t
        result.live.append([ids for ids, _ in live])
        result.pools.append([ids for _, ids in pool])
        if not live:
            result.reason = "no live prefix"
        elif _stops(rules, pool, rules.upper(live[0][1], t), len(result.everything)):
            result.reason = rules.stop
        if result.reason:
            break
    result.reason = result.reason or "limit"
    result.best = pool or [(rules.score(total, len(ids)), ids) for ids, total in live]
    return result


def _enter(pool: list[tuple[float, Ids]], newcomer: tuple[float, Ids]) -> None:
    place = len(pool)
    while place and pool[place - 1][0] < newcomer[0]:
        place -= 1
    pool.insert(place, newcomer)


def _stops(rules: Rules, pool: list[tuple[float, Ids]], reach: float, finished: int) -> bool:
    if rules.stop == "best":
        return bool(pool) and reach <= pool[0][0]
    if rules.stop == "bound":
        return len(pool) == rules.beam and reach <= pool[-1][0]
    return rules.stop == "first" and finished >= rules.beam


def naive_greedy(follow: NextLogProbs, eos: int, m: int) -> Ids:
    """The most probable token, ties to the lower id, until EOS or m; () at a dead end."""
    ids: Ids = ()
    while len(ids) < m and (not ids or ids[-1] != eos):
        row = follow(ids)
        best = max(row)
        if best == -math.inf:
            return ()
        ids = (*ids, row.index(best))
    return ids
