"""A small made-up model for the browser tests: five outputs for one sentence, always the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from s2s_core.models.interface import StepOutput

Prefix = tuple[int, ...]
State = tuple[tuple[Prefix, int], ...]

# At each position: the token, the source column it looks at, and how sure the model is.
CAT = (
    ("▁le", 0, 0.83),
    ("▁chat", 1, 0.91),
    ("▁a", 2, 0.52),
    ("▁re", 2, 0.41),
    ("gardé", 2, 0.88),
    ("▁le", 3, 0.71),
    ("▁chien", 4, 0.94),
    ("▁.", 5, 0.97),
)
OTHERS = ("▁un", "▁ce", "▁chaton", "▁voit", "▁vu", "▁la", "▁chienne", "▁du", "▁!", "▁et")

# Everything that plotly, Markdown or Streamlit would like to read as something else.
ODD_SOURCE = ("a<b", "&", '"c"', "<unk>", "'$1$'", "*x*", "</s>")
ODD = (
    ("<b>a</b>", 0, 0.8),
    ("&amp;", 1, 0.7),
    ("$x^2$", 4, 0.6),
    ("</s>", 3, 0.9),
    ("#000036", 2, 0.8),
    (":smile:", 5, 0.7),
    ("مرحبا", 5, 0.8),
    ("שלום", 6, 0.8),
    ("😀你好", 6, 0.9),
)
ODD_OTHERS = ("%{x}", "<br>", "~~s~~", "`c`", "[x](y)", '"', "\\n", "<0xE4>", "$1$", "&lt;")


@dataclass(frozen=True)
class Words:
    """BOS, EOS, then the words of an output and the others."""

    tokens: tuple[str, ...]
    bos_id: int = 0
    eos_id: int = 1
    banned_ids: tuple[int, ...] = (0,)

    @property
    def size(self) -> int:
        return len(self.tokens)

    def token(self, token_id: int) -> str:
        return self.tokens[token_id]

    def join(self, token_ids: Sequence[int]) -> str:
        text = "".join(self.tokens[i] for i in token_ids if i > 1)
        return text.replace("▁", " ").strip()

    def ids(self, text: str) -> tuple[int, ...]:
        return tuple(self.tokens.index(word) for word in text.split())


class DemoModel:
    """Says its output with the given sureness, and looks where it is told, with one head."""

    def __init__(
        self,
        output: tuple[tuple[str, int, float], ...] = CAT,
        others: tuple[str, ...] = OTHERS,
        *,
        attends: bool = True,
    ) -> None:
        self.output = output
        self.attends = attends
        words = tuple(dict.fromkeys([*(token for token, _, _ in output), *others]))
        self.target = Words(("BOS", "<end>", *words))

    def encode(self, sources: Sequence[str]) -> tuple[tuple[tuple[str, ...], ...], State]:
        tokens = tuple(tuple(source.split()) for source in sources)
        return tokens, tuple(((), len(each)) for each in tokens)

    def step(self, state: State, last_ids: NDArray[np.integer]) -> StepOutput[State]:
        after: State = tuple(
            (prefix if last_id == self.target.bos_id else (*prefix, int(last_id)), count)
            for (prefix, count), last_id in zip(state, last_ids, strict=True)
        )
        log_probs = np.stack([self._row(prefix) for prefix, _ in after])
        looks = np.stack([self._look(len(prefix), count) for prefix, count in after])
        return StepOutput(log_probs, looks[:, None, None] if self.attends else None, after)

    def select(self, state: State, rows: NDArray[np.integer]) -> State:
        return tuple(state[row] for row in rows)

    def _row(self, prefix: Prefix) -> NDArray[np.float64]:
        """The sure token gets its share; a few others, drawn from the prefix, share the rest."""
        rng = np.random.default_rng([7, *prefix])
        weights = rng.dirichlet(np.full(self.target.size, 0.12)) + 1e-6
        weights[self.target.bos_id] = 0.0
        token, _, sure = self._at(len(prefix))
        if prefix and prefix[-1] != self._at(len(prefix) - 1)[0]:
            sure *= 0.45  # off its own way, it is less sure
        weights[token] = 0.0
        weights *= (1.0 - sure) / weights.sum()
        weights[token] = sure
        with np.errstate(divide="ignore"):
            return np.log(weights)

    def _look(self, position: int, count: int) -> NDArray[np.float32]:
        rng = np.random.default_rng([11, position])
        weights = rng.dirichlet(np.full(count, 0.6)) * 0.35
        weights[min(self._at(position)[1], count - 1)] += 0.65
        return weights.astype(np.float32)

    def _at(self, position: int) -> tuple[int, int, float]:
        if position >= len(self.output):
            return self.target.eos_id, 99, 0.92
        token, column, sure = self.output[position]
        return self.target.tokens.index(token), column, sure
