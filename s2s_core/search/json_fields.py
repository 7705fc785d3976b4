"""Reading JSON that somebody else may have written: every field is checked for its type."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeGuard, TypeVar

from s2s_core.errors import TraceFormatError

T = TypeVar("T")

MAX_CHARACTERS = 200_000_000
"""Longer texts are refused before they are parsed."""
MAX_INTEGER = 2**31 - 1
"""No count, id or setting of a search is larger."""


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: object) -> TypeGuard[str]:
    """Half characters (lone surrogates) can't be written to a page or a link: they aren't text."""
    return isinstance(value, str) and not any("\ud800" <= c <= "\udfff" for c in value)


def parse_object(text: str) -> Fields:
    """The object that a JSON text holds.

    Raises:
        TraceFormatError: the text is too long, isn't JSON, or isn't an object.
    """
    if len(text) > MAX_CHARACTERS:
        raise TraceFormatError(
            f"the file has {len(text):,} characters, but at most {MAX_CHARACTERS:,} are allowed"
        )
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:  # ValueError also for a number of 5000 digits
        raise TraceFormatError(f"the file isn't valid JSON: {error}") from error
    return Fields.of(data, "the file")


def _refuse_constant(name: str) -> float:
    raise TraceFormatError(f"the file holds {name}, which isn't a number")


@dataclass(frozen=True, slots=True)
class Fields:
    """A JSON object; `where` names it in messages. All methods raise TraceFormatError."""

    data: dict[str, object]
    where: str

    @classmethod
    def of(cls, value: object, where: str) -> Fields:
        """The value, which must be an object."""
        if not isinstance(value, dict):
            raise TraceFormatError(f"{where} must be an object, not {type(value).__name__}")
        return cls(value, where)

    def integer(self, key: str, minimum: int = 0) -> int:
        """A whole number of at least `minimum`."""
        value = self._get(key)
        if not _is_whole(value) or not minimum <= value <= MAX_INTEGER:
            raise self.wrong(key, f"a whole number from {minimum} to {MAX_INTEGER}")
        return value

    def number(self, key: str) -> float:
        """A finite number."""
        value = self._get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.wrong(key, "a number")
        try:
            number = float(value)
        except OverflowError as error:
            raise self.wrong(key, "a finite number") from error
        if not math.isfinite(number):
            raise self.wrong(key, "a finite number")
        return number

    def log_prob(self, key: str) -> float:
        """A finite number of at most 0."""
        number = self.number(key)
        if number > 0:
            raise self.wrong(key, "at most 0")
        return number

    def text(self, key: str) -> str:
        """A text."""
        value = self._get(key)
        if not _is_text(value):
            raise self.wrong(key, "a text")
        return value

    def flag(self, key: str) -> bool:
        """true or false."""
        value = self._get(key)
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false")
        return value

    def choice(self, key: str, allowed: tuple[T, ...]) -> T:
        """One of the allowed values."""
        value = self._get(key)
        for item in allowed:
            if type(value) is type(item) and value == item:
                return item
        raise self.wrong(key, f"one of {', '.join(map(str, allowed))}")

    def optional(self, key: str, read: Callable[[str], T]) -> T | None:
        """null, or what `read` makes of the key."""
        return None if self._get(key) is None else read(key)

    def integers(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers from 0."""
        numbers: list[int] = []
        for value in self._list(key):
            if not _is_whole(value) or not 0 <= value <= MAX_INTEGER:
                raise self.wrong(key, f"a list of whole numbers from 0 to {MAX_INTEGER}")
            numbers.append(value)
        return tuple(numbers)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        texts: list[str] = []
        for value in self._list(key):
            if not _is_text(value):
                raise self.wrong(key, "a list of texts")
            texts.append(value)
        return tuple(texts)

    def nested(self, key: str) -> Fields:
        """An object."""
        return Fields.of(self._get(key), f"{key!r} in {self.where}")

    def nested_list(self, key: str) -> tuple[Fields, ...]:
        """A list of objects."""
        return tuple(
            Fields.of(value, f"item {place} of {key!r} in {self.where}")
            for place, value in enumerate(self._list(key), start=1)
        )

    def wrong(self, key: str, allowed: str) -> TraceFormatError:
        """The error for a field that isn't as it must be."""
        shown = repr(self.data.get(key))
        shown = shown if len(shown) <= 40 else f"{shown[:40]}…"
        return TraceFormatError(f"{key!r} in {self.where} must be {allowed}, not {shown}")

    def _get(self, key: str) -> object:
        if key not in self.data:
            raise TraceFormatError(f"{self.where} lacks {key!r}")
        return self.data[key]

    def _list(self, key: str) -> list[object]:
        value = self._get(key)
        if not isinstance(value, list):
            raise self.wrong(key, "a list")
        return value
