"""n-grams of a hypothesis, how often its references have them, and what clipping does.

An n-gram counts as often as the hypothesis has it, but at most as often as the reference that has
it most (Papineni et al. 2002, section 2.1). That maximum is taken for each n-gram alone, so two
n-grams of one segment may be clipped by two references.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Ngram = tuple[str, ...]
Tokens = tuple[str, ...]
Fate = Literal["matched", "clipped", "unmatched"]


@dataclass(frozen=True, slots=True)
class NgramMatch:
    """One n-gram of one hypothesis.

    count: how often the hypothesis has it.
    reference_counts: how often each reference has it; None for a missing reference.
    clipped: the matches that count, min(count, maximum over the references).
    clip_reference: the first reference with that maximum, an index into `reference_counts`; None
        where no reference has the n-gram.
    """

    ngram: Ngram
    count: int
    reference_counts: tuple[int | None, ...]
    clipped: int
    clip_reference: int | None

    @property
    def lost(self) -> int:
        """How many of its occurrences don't count."""
        return self.count - self.clipped

    @property
    def fate(self) -> Fate:
        """All count, some or all were clipped away though a reference has it, or none has it."""
        if self.clip_reference is None:
            return "unmatched"
        return "clipped" if self.lost else "matched"


def ngrams(tokens: Sequence[str], order: int) -> Iterator[Ngram]:
    """All n-grams of one order, from left to right."""
    return zip(*(tokens[start:] for start in range(order)), strict=False)


def ngram_matches(
    hypothesis: Tokens, references: Sequence[Tokens | None], order: int
) -> tuple[NgramMatch, ...]:
    """Every different n-gram of a hypothesis, in the order of first appearance."""
    own = Counter(ngrams(hypothesis, order))
    theirs = [
        None if tokens is None else Counter(filter(own.__contains__, ngrams(tokens, order)))
        for tokens in references
    ]
    return tuple(_match(ngram, count, theirs) for ngram, count in own.items())


def _match(ngram: Ngram, count: int, theirs: Sequence[Counter[Ngram] | None]) -> NgramMatch:
    counts = tuple(None if counter is None else counter[ngram] for counter in theirs)
    most = max(number for number in counts if number is not None)
    return NgramMatch(
        ngram=ngram,
        count=count,
        reference_counts=counts,
        clipped=min(count, most),
        clip_reference=counts.index(most) if most else None,
    )


def clipped_counts(
    hypothesis: Tokens, references: Sequence[Tokens | None], order: int
) -> Counter[Ngram]:
    """The clipped matches of the n-grams that have any: the same numbers, made for speed."""
    own = Counter(ngrams(hypothesis, order))
    most: Counter[Ngram] = Counter()
    for tokens in references:
        if tokens is None:
            continue
        for ngram, count in Counter(filter(own.__contains__, ngrams(tokens, order))).items():
            if count > most[ngram]:
                most[ngram] = count
    return Counter({ngram: min(own[ngram], count) for ngram, count in most.items()})


def occurrence_fates(
    hypothesis: Tokens, references: Sequence[Tokens | None], order: int
) -> tuple[Fate, ...]:
    """What became of the n-gram that starts at each position: len(hypothesis) - order + 1 of them.

    Of an n-gram that is clipped, the first occurrences are the ones said to count; which of them
    do is the same to the score.
    """
    left = {match.ngram: match.clipped for match in ngram_matches(hypothesis, references, order)}
    known = dict(left)
    fates: list[Fate] = []
    for ngram in ngrams(hypothesis, order):
        if left[ngram]:
            left[ngram] -= 1
            fates.append("matched")
        else:
            fates.append("clipped" if known[ngram] else "unmatched")
    return tuple(fates)
