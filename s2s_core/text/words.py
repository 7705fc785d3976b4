"""How long a sentence is, whatever the tokenizer: words, marks and Chinese characters."""

from __future__ import annotations

import re
from dataclasses import dataclass

from s2s_core.errors import SettingError

_RANGE = re.compile(r"([0-9]{1,6})(-([0-9]{1,6})?)?")
_HAN = "[⺀-⿕々〇〡-〩〸-〻㐀-䶿一-鿿豈-﫿\U00020000-\U0003ffff]"
_WORD = rf"(?:(?!{_HAN})\w)+"
_PIECE = re.compile(rf"{_HAN}|{_WORD}(?:['’]{_WORD})*|[^\w\s]")


def word_count(text: str) -> int:
    """Words (with inner apostrophes), punctuation marks and Chinese characters, one each.

    So a length means the same for models with different subwords: "I don't know." has 4, 明天见。
    has 4, and a string of digits as many as it has digits.
    """
    return len(_PIECE.findall(text))


@dataclass(frozen=True, slots=True)
class SourceLengths:
    """Sources of some lengths, by `word_count`; a longest of None is no limit.

    Raises:
        SettingError: no length is among them.
    """

    shortest: int = 1
    longest: int | None = None

    def __post_init__(self) -> None:
        if self.shortest < 1 or (self.longest is not None and self.longest < self.shortest):
            raise SettingError(
                f"lengths must be from 1 up, the shorter one first, not {self}; for example 6-10"
            )

    def __contains__(self, length: int) -> bool:
        return self.shortest <= length and (self.longest is None or length <= self.longest)

    def __str__(self) -> str:
        """As `parse` reads it: 6-10, or 13- without a limit."""
        return f"{self.shortest}-{'' if self.longest is None else self.longest}"

    @classmethod
    def parse(cls, text: str) -> SourceLengths:
        """Read "6-10", "13-" (and longer) or "7" (alone).

        Raises:
            SettingError: it is none of these.
        """
        found = _RANGE.fullmatch(text.strip())
        if found is None:
            raise SettingError(f"lengths must be like 6-10, 13- or 7, not {text[:50]!r}")
        shortest, dash, longest = found.groups()
        end = longest if dash else shortest
        return cls(int(shortest), None if end is None else int(end))


SENTENCE_LENGTHS = tuple(map(SourceLengths.parse, ("1-", "1-5", "6-7", "8-9", "10-12", "13-")))
"""All sources, and parts of everyday sentences of which none is very small."""


def in_fives(shortest: int, longest: int) -> tuple[SourceLengths, ...]:
    """The lengths from one to another in parts of five, as far as they go."""
    return tuple(
        SourceLengths(begin, min(begin + 4, longest)) for begin in range(shortest, longest + 1, 5)
    )
