"""Where two outputs differ, as pieces that can be marked."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

PieceKind = Literal["same", "added", "missing"]

_HAN = "々〇㐀-䶿一-鿿豈-﫿"
_LETTERS = rf"[^\W{_HAN}]+"
_WORD = re.compile(rf"\s*(?:[{_HAN}]|{_LETTERS}(?:['’-]{_LETTERS})*|[^\w\s])")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a text, with the space before it.

    kind: `same` in both, `added` in this text only, `missing` here and in the other text only.
    """

    text: str
    kind: PieceKind


def differences(text: str, other: str) -> tuple[Piece, ...]:
    """A text against another, by words and marks (Chinese character by character).

    The pieces that are `same` or `added`, put together, are the text, but for spaces at its end.
    """
    here, there = _WORD.findall(text), _WORD.findall(other)
    keys = [word.strip() for word in here], [word.strip() for word in there]
    pieces = []
    # Without `autojunk`, which would take frequent words of a long text for noise.
    for tag, b1, b2, a1, a2 in SequenceMatcher(None, keys[1], keys[0], False).get_opcodes():
        if tag == "equal":
            pieces.append(Piece("".join(here[a1:a2]), "same"))
            continue
        if b2 > b1:
            pieces.append(Piece("".join(there[b1:b2]), "missing"))
        if a2 > a1:
            pieces.append(Piece("".join(here[a1:a2]), "added"))
    return tuple(pieces)


@dataclass(frozen=True, slots=True)
class PlaceByPlace:
    """An output against the one right answer, position by position.

    pieces: what was written, each symbol `same` or `added` (wrong here), then what is `missing`.
    right: how many positions of the answer the output has right. wanted: how many there are.
    """

    answer: str
    pieces: tuple[Piece, ...]
    right: int
    wanted: int

    @property
    def surplus(self) -> int:
        """How many symbols the output has beyond the answer's."""
        written = sum(piece.kind != "missing" for piece in self.pieces)
        return max(0, written - self.wanted)

    @property
    def exact(self) -> bool:
        """Whether the output is the answer."""
        return self.right == self.wanted and all(piece.kind == "same" for piece in self.pieces)


def place_by_place(output: str, answer: str) -> PlaceByPlace:
    """Symbols between spaces, compared at the same position."""
    written, wanted = output.split(), answer.split()
    pieces = [
        Piece(symbol, "same" if place < len(wanted) and wanted[place] == symbol else "added")
        for place, symbol in enumerate(written)
    ]
    pieces += [Piece(symbol, "missing") for symbol in wanted[len(written) :]]
    right = sum(piece.kind == "same" for piece in pieces)
    return PlaceByPlace(answer, tuple(pieces), right, len(wanted))


def found_again(part: str, whole: str) -> float:
    """The share (0-1) of a text's words that the other has as well, each as often as it is there.

    Letters only, in any case; 1 for a text without words.
    """
    words, there = (Counter(_plain_words(text)) for text in (part, whole))
    return (words & there).total() / words.total() if words else 1.0


def _plain_words(text: str) -> list[str]:
    return re.findall(rf"[{_HAN}]|{_LETTERS}", text.lower())
