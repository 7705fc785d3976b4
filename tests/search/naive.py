"""A second, naive implementation of the search policy, written apart from the product's.

Plain lists, everything enumerated and sorted, nothing recorded beyond what the tests compare.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from s2s_core.models.interface import TranslationModel

Ids = tuple[int, ...]
NextLogProbs = Callable[[Ids], list[float]]
Score = Callable[[float, int], float]


def next_log_probs(model: TranslationModel[object], source: str = "") -> NextLogProbs:
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


def naive_beam(
    follow: NextLogProbs, eos: int, beam: int, m: int, rule: str, score: Score, upper: Score
) -> NaiveResult:
    """Beam search as the policy is written; `upper(log_prob, step)` is U."""
    result = NaiveResult()
    live: list[tuple[Ids, float]] = [((), 0.0)]
    pool: list[tuple[float, Ids]] = []
    for t in range(1, m + 1):
        candidates = []
        for place, (ids, total) in enumerate(live):
            for token, value in enumerate(follow(ids)):
                if value > -math.inf:
                    candidates.append((-(total + value), place, token, (*ids, token)))
        candidates.sort()
        result.ranking.append([c[3] for c in candidates])
        new_live = []
        for rank, (cost, _, token, ids) in enumerate(candidates, start=1):
            if token == eos:
                if rule == "first" and rank > beam:
                    continue
                result.everything.append(ids)
                pool.append((score(-cost, t), ids))
                place = len(pool) - 1
                while place and pool[place - 1][0] < pool[place][0]:
                    pool[place - 1 : place + 1] = pool[place - 1 : place + 1][::-1]
                    place -= 1
                if len(pool) > beam:
                    gone = pool.pop()[1]
                    if gone != ids:
                        result.evicted[gone] = t
            elif len(new_live) < beam:
                new_live.append((ids, -cost))
        live = new_live
        result.live.append([ids for ids, _ in live])
        result.pools.append([ids for _, ids in pool])
        result.reason = _reason(rule, live, pool, beam, len(result.everything), t, upper)
        if result.reason:
            break
    result.reason = result.reason or "limit"
    result.best = pool if pool else [(score(total, len(ids)), ids) for ids, total in live]
    return result


def _reason(
    rule: str,
    live: list[tuple[Ids, float]],
    pool: list[tuple[float, Ids]],
    beam: int,
    finished: int,
    t: int,
    upper: Score,
) -> str:
    if not live:
        return "no live prefix"
    reach = upper(live[0][1], t)
    if rule == "best" and pool and reach <= pool[0][0]:
        return "best"
    if rule == "bound" and len(pool) == beam and reach <= pool[-1][0]:
        return "bound"
    if rule == "first" and finished >= beam:
        return "first"
    return ""


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
