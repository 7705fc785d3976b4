"""A hand-written probability table as a model: small enough to check a search by hand.

    {"start": "BOS", "eos": "EOS",
     "next": {"": {"A": 0.6, "B": 0.4}, "A": {"x": 0.5, "y": 0.5}, "B": {"x": 0.95, "y": 0.05}},
     "default": {"EOS": 1.0}}

The keys of `next` are prefixes without the start token, joined by one space. `default` serves every
prefix that isn't listed. There is no source and no attention.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from s2s_core.errors import EmptyBatchError, PrefixError, TableError
from s2s_core.models.interface import StepOutput

Prefix = tuple[int, ...]
TableState = tuple[Prefix, ...]

SUM_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class TableVocabulary:
    """The tokens of a table: 0 is the start, 1 the end, the others come as they first appear."""

    tokens: tuple[str, ...]

    @property
    def bos_id(self) -> int:
        """The start token."""
        return 0

    @property
    def eos_id(self) -> int:
        """The end token."""
        return 1

    @property
    def banned_ids(self) -> tuple[int, ...]:
        """The start token is never generated."""
        return (self.bos_id,)

    @property
    def size(self) -> int:
        """V."""
        return len(self.tokens)

    def token(self, token_id: int) -> str:
        """The token."""
        return self.tokens[token_id]

    def join(self, token_ids: Sequence[int]) -> str:
        """The tokens with one space between, start and end token left out."""
        return " ".join(self.tokens[i] for i in token_ids if i not in (self.bos_id, self.eos_id))

    def ids(self, text: str) -> tuple[int, ...]:
        """The tokens of a prefix, written as in the table.

        Raises:
            PrefixError: the table has no such token.
        """
        unknown = [token for token in text.split() if token not in self.tokens]
        if unknown:
            raise PrefixError(
                f"the table has no token {unknown[0]!r}; it has {', '.join(self.tokens[2:])}"
            )
        return tuple(self.tokens.index(token) for token in text.split())


class ProbabilityTable:
    """A `TranslationModel` that looks its distributions up. Its state is each row's prefix."""

    def __init__(
        self,
        rows: Mapping[str, Mapping[str, float]],
        *,
        default: Mapping[str, float] | None = None,
        start: str = "BOS",
        eos: str = "EOS",
    ) -> None:
        """Take the distributions by prefix.

        rows: prefix without the start token, joined by one space, to probabilities by token.
        default: serves every other prefix; None means that reaching one is an error.

        Raises:
            TableError: a probability isn't one, or a row doesn't sum to 1; the message names the
                row.
        """
        _check_token(start, "the start token")
        _check_token(eos, "the end token")
        if start == eos:
            raise TableError(f"the start token and the end token are both {start!r}")
        named = {f"row {prefix!r}": row for prefix, row in rows.items()}
        if default is not None:
            named["the default row"] = default
        for name, row in named.items():
            _check_row(name, row, start)
        prefixes = {text: _split(text) for text in rows}
        seen = [start, eos, *(t for row in named.values() for t in row)]
        seen += [token for prefix in prefixes.values() for token in prefix]
        self._vocabulary = TableVocabulary(tuple(dict.fromkeys(seen)))
        id_of = {token: i for i, token in enumerate(self._vocabulary.tokens)}
        self._rows = {
            tuple(id_of[token] for token in prefixes[text]): self._log_probs(row, id_of)
            for text, row in rows.items()
        }
        self._default = None if default is None else self._log_probs(default, id_of)

    @property
    def target(self) -> TableVocabulary:
        """The tokens."""
        return self._vocabulary

    def encode(self, sources: Sequence[str]) -> tuple[tuple[tuple[str, ...], ...], TableState]:
        """Start one empty prefix for each source; its text doesn't matter, and has no tokens.

        Raises:
            EmptyBatchError: no source was given.
        """
        if not sources:
            raise EmptyBatchError("the batch is empty: give at least one source (any text will do)")
        return ((),) * len(sources), ((),) * len(sources)

    def step(self, state: TableState, last_ids: NDArray[np.integer]) -> StepOutput[TableState]:
        """Look up each row's distribution after its last token.

        Raises:
            TableError: a prefix isn't listed and there is no default.
        """
        start = self._vocabulary.bos_id
        after = tuple(
            prefix if last_id == start else (*prefix, int(last_id))
            for prefix, last_id in zip(state, last_ids, strict=True)
        )
        return StepOutput(np.stack([self._lookup(prefix) for prefix in after]), None, after)

    def select(self, state: TableState, rows: NDArray[np.integer]) -> TableState:
        """Keep, copy or reorder rows."""
        return tuple(state[row] for row in rows)

    def _lookup(self, prefix: Prefix) -> NDArray[np.float64]:
        row = self._rows.get(prefix, self._default)
        if row is None:
            raise TableError(
                f"the table has no row {self._vocabulary.join(prefix)!r} and no default; add one"
            )
        return row

    def _log_probs(self, row: Mapping[str, float], id_of: Mapping[str, int]) -> NDArray[np.float64]:
        probabilities = np.zeros(len(id_of))
        for token, probability in row.items():
            probabilities[id_of[token]] = probability
        with np.errstate(divide="ignore"):  # log 0 = -inf is what is meant
            return np.log(probabilities)


def _split(prefix: str) -> tuple[str, ...]:
    """The tokens of a row's key."""
    if not prefix:
        return ()
    tokens = tuple(prefix.split(" "))
    if "" in tokens:
        raise TableError(f"row {prefix!r}: tokens are joined by exactly one space")
    return tokens


def _check_token(token: str, what: str) -> None:
    if not token or " " in token:
        raise TableError(f"{what} must be a text without spaces, not {token!r}")


def _check_row(name: str, row: Mapping[str, float], start: str) -> None:
    for token, probability in row.items():
        _check_token(token, f"{name}: a token")
        if not 0.0 <= probability <= 1.0 + SUM_TOLERANCE:  # also catches NaN
            raise TableError(
                f"{name}: the probability of {token!r} must be from 0 to 1, not {probability!r}"
            )
    if row.get(start, 0.0) > 0:
        raise TableError(f"{name}: the start token {start!r} is never generated; give it 0")
    total = math.fsum(row.values())
    if abs(total - 1.0) > SUM_TOLERANCE:
        raise TableError(f"{name}: the probabilities must sum to 1, but sum to {total:.9g}")
