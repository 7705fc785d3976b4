"""Models made for tests: scripted outputs, and attention that tells which prefix it is of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from s2s_core.models.interface import StepOutput

State = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Letters:
    """Tokens PAD, BOS, EOS, then `size - 3` others; every piece is one letter but "ab"."""

    size: int = 7
    bos_id: int = 1
    eos_id: int = 2
    banned_ids: tuple[int, ...] = (0, 1)
    pieces: tuple[str, ...] = ("PAD", "BOS", "EOS", "a", "b", "ab", "c")

    def token(self, token_id: int) -> str:
        return self.pieces[token_id]

    def join(self, token_ids: Sequence[int]) -> str:
        return "".join(self.pieces[i] for i in token_ids if i > 2)

    def ids(self, text: str) -> tuple[int, ...]:
        return tuple(self.pieces.index(letter) for letter in text)


class PrefixModel:
    """Distributions and attention (N, 2, 3, S) drawn from the prefix."""

    def __init__(self, seed: int = 0, *, end: float = 0.0, target: Letters | None = None) -> None:
        self.target = target or Letters()
        self.seed = seed
        self.end = end
        self.calls = 0

    def encode(self, sources: Sequence[str]) -> tuple[tuple[tuple[str, ...], ...], State]:
        return tuple(tuple(source.split()) for source in sources), tuple(() for _ in sources)

    def step(self, state: State, last_ids: NDArray[np.integer]) -> StepOutput[State]:
        self.calls += 1
        after = tuple((*p, int(i)) for p, i in zip(state, last_ids, strict=True))
        log_probs = np.stack([self.row(prefix) for prefix in after])
        attention = np.stack([attention_of(prefix) for prefix in after])
        return StepOutput(log_probs, attention, after)

    def select(self, state: State, rows: NDArray[np.integer]) -> State:
        return tuple(state[row] for row in rows)

    def row(self, prefix: tuple[int, ...]) -> NDArray[np.float32]:
        rng = np.random.default_rng([self.seed, *prefix])
        logits = rng.normal(size=self.target.size) * 2
        logits[self.target.eos_id] += self.end
        return np.asarray(logits - np.log(np.exp(logits).sum()), dtype=np.float32)


def attention_of(prefix: tuple[int, ...], sources: int = 3) -> NDArray[np.float32]:
    """(2, 3, S) weights that only this prefix (BOS included) has."""
    rng = np.random.default_rng([99, *prefix])
    return rng.dirichlet(np.ones(sources), size=(2, 3)).astype(np.float32)


class BrokenModel(PrefixModel):
    """Gives what it is told at one step, whatever the prefix."""

    def __init__(self, at_step: int, output: NDArray[np.generic]) -> None:
        super().__init__()
        self.at_step = at_step
        self.output = output

    def step(self, state: State, last_ids: NDArray[np.integer]) -> StepOutput[State]:
        output = super().step(state, last_ids)
        if len(output.state[0]) == self.at_step:
            return StepOutput(self.output, output.cross_attention, output.state)  # type: ignore[arg-type]
        return output
