"""Length-bucketed batches: pairs of similar length share a batch, so little of it is padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from s2s_core.text.corpus import SentencePair
from s2s_core.text.tokenizer import SubwordTokenizer
from s2s_core.training.objective import Batch, make_batch

MAXIMUM_TOKENS = 100


@dataclass(frozen=True, slots=True)
class EncodedPairs:
    """Token ids of both sides, without BOS and EOS."""

    sources: tuple[tuple[int, ...], ...]
    targets: tuple[tuple[int, ...], ...]


def encode_pairs(pairs: Sequence[SentencePair], tokenizer: SubwordTokenizer) -> EncodedPairs:
    """Tokenise training pairs; a pair with a side of more than 100 tokens is left out."""
    sources = tokenizer.encode_batch([pair.source for pair in pairs])
    targets = tokenizer.encode_batch([pair.target for pair in pairs])
    kept = [
        (tuple(s), tuple(t))
        for s, t in zip(sources, targets, strict=True)
        if max(len(s), len(t)) <= MAXIMUM_TOKENS
    ]
    return EncodedPairs(tuple(s for s, _ in kept), tuple(t for _, t in kept))


def batches(
    pairs: EncodedPairs, *, batch_tokens: int, generator: np.random.Generator | None = None
) -> Iterator[Batch]:
    """One pass over the pairs.

    batch_tokens: target tokens a batch, EOS counted, padding included, at most (one pair at least).
    generator: shuffles pairs of equal length and the order of the batches; None keeps the order.
    """
    count = len(pairs.targets)
    order = np.arange(count) if generator is None else generator.permutation(count)
    source_lengths = np.fromiter(map(len, pairs.sources), np.int64, count)
    target_lengths = np.fromiter(map(len, pairs.targets), np.int64, count)
    order = order[np.lexsort((source_lengths[order], target_lengths[order]))]
    groups: list[list[int]] = [[]]
    for index in order:
        if groups[-1] and (target_lengths[index] + 1) * (len(groups[-1]) + 1) > batch_tokens:
            groups.append([])
        groups[-1].append(int(index))
    for number in range(len(groups)) if generator is None else generator.permutation(len(groups)):
        chosen = groups[number]
        yield make_batch([pairs.sources[i] for i in chosen], [pairs.targets[i] for i in chosen])
