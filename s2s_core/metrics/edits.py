"""Small edits for "what if": each takes a row of words and gives a new one.

words = words_of("the cat sat")
text_of(swap(words, 0, 1))  # "cat the sat"
"""

from __future__ import annotations

from s2s_core.errors import SettingError

Words = tuple[str, ...]


def words_of(text: str) -> Words:
    """The words of a text, between white space. Tokens of a report can be edited as well."""
    return tuple(text.split())


def text_of(words: Words) -> str:
    """The words with one space between."""
    return " ".join(words)


def drop(words: Words, position: int) -> Words:
    """Leave out the word at a position, counted from 0.

    Raises:
        SettingError: there is no such position.
    """
    _check(words, position)
    return (*words[:position], *words[position + 1 :])


def insert(words: Words, position: int, word: str) -> Words:
    """Put a word before the one at a position; the position after the last one appends.

    Raises:
        SettingError: there is no such position, or the word is blank.
    """
    if not word.strip():
        raise SettingError("the word to put in is blank; type one")
    if position != len(words):
        _check(words, position)
    return (*words[:position], *word.split(), *words[position:])


def swap(words: Words, first: int, second: int) -> Words:
    """Exchange two words.

    Raises:
        SettingError: there is no such position.
    """
    _check(words, first)
    _check(words, second)
    exchanged = list(words)
    exchanged[first], exchanged[second] = words[second], words[first]
    return tuple(exchanged)


def repeat(words: Words, position: int, times: int = 1) -> Words:
    """Put a word in again right behind itself, as often as said.

    Raises:
        SettingError: there is no such position, or `times` is below 1.
    """
    _check(words, position)
    if times < 1:
        raise SettingError(f"times must be at least 1, not {times}")
    return (*words[: position + 1], *(words[position],) * times, *words[position + 1 :])


def _check(words: Words, position: int) -> None:
    if not 0 <= position < len(words):
        allowed = f"from 0 to {len(words) - 1}" if words else "none, for there is no word"
        raise SettingError(f"there is no word at position {position}; allowed: {allowed}")
