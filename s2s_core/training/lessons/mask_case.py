"""Typed batches of token ids for the lesson on masks.

A row is typed as numbers, with EOS at the end of a target and PAD where there is nothing. Ids:
PAD 0, BOS 1, EOS 2; words begin at 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from s2s_core.errors import EmptyBatchError, ModelInputError
from s2s_core.text.tokenizer import BOS_ID, EOS_ID, PAD_ID

PACKING, WEIGHTS, IGNORE = "packing", "source weights", "ignore"
OMISSIONS = ("", PACKING, WEIGHTS, IGNORE)
"""The three masks, of which one can be left out; "" is nothing."""

FIRST_WORD_ID = 3
LARGEST_ID = 99
MOST_ROWS, MOST_COLUMNS = 8, 20
NAMES = {PAD_ID: "PAD", BOS_ID: "BOS", EOS_ID: "EOS"}
_IDS = {name: token_id for token_id, name in NAMES.items()}

Row = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MaskCase:
    """Sources and targets as typed, without padding at the end; targets with their EOS.

    A row is () where nothing but padding was typed.
    """

    sources: tuple[Row, ...]
    targets: tuple[Row, ...]

    @property
    def vocabulary(self) -> int:
        """V: the ids 0 to the largest one that occurs, and at least the first three words."""
        return max(FIRST_WORD_ID + 3, *(i + 1 for row in self.sources + self.targets for i in row))


def parse_case(sources: str, targets: str) -> MaskCase:
    """Read a batch as it is typed: one row a line, or rows between strokes (`3 4 5 / 4 5 PAD`).

    A target without EOS gets one, unless it is padding alone.

    Raises:
        ModelInputError: a word isn't an id, padding or EOS stands inside a row, or the two sides
            differ in number.
        EmptyBatchError: there is no row.
    """
    read = tuple(_row(row, "source") for row in _rows(sources))
    wanted = tuple(_row(row, "target") for row in _rows(targets))
    if len(read) != len(wanted):
        raise ModelInputError(f"{len(read)} sources but {len(wanted)} targets: they must pair")
    if not read:
        raise EmptyBatchError("the batch is empty: type at least one source and one target")
    if len(read) > MOST_ROWS:
        raise ModelInputError(f"at most {MOST_ROWS} rows fit here, not {len(read)}")
    return MaskCase(read, wanted)


def _rows(text: str) -> list[str]:
    rows = text.replace("/", "\n").split("\n")
    return [row for row in rows if row.strip()]


def _row(text: str, side: str) -> Row:
    ids = [_token(word, side) for word in text.replace(",", " ").split()]
    while ids and ids[-1] == PAD_ID:
        ids.pop()
    if PAD_ID in ids:
        raise ModelInputError(f"{side} {text.strip()!r}: padding stands only at the end of a row")
    if side == "target" and ids and ids[-1] != EOS_ID:
        ids.append(EOS_ID)
    if EOS_ID in ids[:-1]:
        raise ModelInputError(f"{side} {text.strip()!r}: EOS stands only at the end of a sentence")
    if len(ids) > MOST_COLUMNS:
        raise ModelInputError(
            f"a {side} has {len(ids)} tokens, but at most {MOST_COLUMNS} fit here"
        )
    return tuple(ids)


def _token(word: str, side: str) -> int:
    token_id = _IDS.get(word.upper(), int(word) if word.isascii() and word.isdigit() else -1)
    if token_id == BOS_ID or not 0 <= token_id <= LARGEST_ID:
        raise ModelInputError(
            f"{word!r} can't stand in a {side}: type numbers from {FIRST_WORD_ID} to {LARGEST_ID}, "
            "EOS or PAD"
        )
    return token_id


def names(ids: Sequence[int]) -> tuple[str, ...]:
    """Ids as they are shown: PAD, BOS and EOS by name, words as numbers."""
    return tuple(NAMES.get(token_id, str(token_id)) for token_id in ids)
