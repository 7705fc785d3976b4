"""Typed text brought into the form of the corpora that the models learned from.

A model has only seen text after one cleaning: plain quotes, one kind of space, simplified Chinese.
The same cleaning is applied to what a person types, and every change is told, so that a page can
show a note. Nothing visible is dropped: emoji, markup and other scripts stay as typed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

from s2s_core.errors import SettingError, SourceError
from s2s_core.text.chinese import CHINESE_STEPS
from s2s_core.text.cleaning import (
    CLOSE_UP,
    FRENCH_SPACING,
    SHARED_STEPS,
    THREE_DOTS,
    Step,
)
from s2s_core.text.digits import DIGIT_STEPS, foreign_to_digits
from s2s_core.text.final_mark import (
    is_chinese_question,
    is_english_question,
    put_mark,
    sentence_body,
    wants_mark,
)

_SHOWN_CHARACTERS = 20  # a longer replacement isn't spelt out in the note
_SHOWN_REPLACEMENTS = 3


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that normalisation did to a text.

    description: plain words, such as "dashes made plain: — → -". It may quote typed characters, so
        it has to be shown literally.
    replacements: (before, after) of the first few places, if they are short and can be seen.
    """

    description: str
    replacements: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Normalised:
    """A text in the form of the corpora.

    text: the result, always encodable.
    original: as it was typed. It may hold lone surrogates, which can't be written as UTF-8.
    changes: what was done, in order; empty if the text was fine.
    """

    text: str
    original: str
    changes: tuple[Change, ...]

    @property
    def changed(self) -> bool:
        """Whether anything was done to the typed text."""
        return bool(self.changes)

    @property
    def told(self) -> str:
        """What was done, in a line; "" if nothing was."""
        return "; ".join(change.description for change in self.changes)


@dataclass(frozen=True, slots=True)
class Language:
    """How one language is written in the corpora.

    name: in English.
    steps: rewritings, in order.
    full_stop, question_mark: what a sentence without a mark can get; "" where it gets none.
    is_question: guesses which of the two, from the text without a mark.
    sample: a source to start with.
    foreign: finds the first character that can't be read, or ""; most languages take all.
    """

    name: str
    steps: tuple[Step, ...]
    full_stop: str
    question_mark: str
    is_question: Callable[[str], bool]
    sample: str
    foreign: Callable[[str], str] = lambda _: ""


def _never(text: str) -> bool:
    return False


_CLOSED_UP = (*SHARED_STEPS, THREE_DOTS, CLOSE_UP)
_FRENCH = (*SHARED_STEPS, THREE_DOTS, FRENCH_SPACING)


def normalise(text: str, *, language: str, final_mark: bool = False) -> Normalised:
    """Bring a typed text into the form of the corpora.

    Doing it twice is the same as doing it once.

    Args:
        text: what was typed; any string.
        language: a key of `LANGUAGES`.
        final_mark: also add the mark at the end if there is none.

    Raises:
        SettingError: the language isn't known.
        SourceError: the language is one of few characters, and the text has another.
    """
    rules = LANGUAGES.get(language)
    if rules is None:
        known = ", ".join(LANGUAGES)
        raise SettingError(f"language must be one of {known}, not {language!r}")
    changes: list[Change] = []
    current = text
    for step in rules.steps:
        result = step.apply(current)
        if result != current:
            changes.append(_describe(step, current, result))
        current = result
    if foreign := rules.foreign(current):
        raise SourceError(
            f"this model reads {rules.name.lower()} only, such as {rules.sample}, but the text "
            f"has {foreign!r}: take it out, or choose another model"
        )
    if final_mark and rules.full_stop and wants_mark(current):
        asks = rules.is_question(sentence_body(current))
        mark = rules.question_mark if asks else rules.full_stop
        changes.append(Change(f"final mark added: {mark}", (("", mark),)))
        current = _apply_all(rules.steps, put_mark(current, mark))  # spaces beside the mark
    return Normalised(current, text, tuple(changes))


def _apply_all(steps: tuple[Step, ...], text: str) -> str:
    for step in steps:
        text = step.apply(text)
    return text


def _describe(step: Step, before: str, after: str) -> Change:
    pairs = _differences(before, after) if step.shows else ()
    if not pairs:
        return Change(step.label)
    return Change(f"{step.label}: " + ", ".join(f"{old} → {new}" for old, new in pairs), pairs)


def _differences(before: str, after: str) -> tuple[tuple[str, str], ...]:
    """Find the first few short pieces that differ; a piece that is long is left out."""
    if len(before) == len(after):
        pairs = _aligned_differences(before, after)
    else:
        pairs = [_one_difference(before, after)]
    short = [pair for pair in dict.fromkeys(pairs) if max(map(len, pair)) <= _SHOWN_CHARACTERS]
    return tuple(short[:_SHOWN_REPLACEMENTS])


def _aligned_differences(before: str, after: str) -> list[tuple[str, str]]:
    """Find runs of neighbouring characters that differ, for texts of the same length."""
    runs = groupby(zip(before, after, strict=True), key=lambda pair: pair[0] != pair[1])
    return [
        ("".join(old for old, _ in pieces), "".join(new for _, new in pieces))
        for pieces in (list(run) for differs, run in runs if differs)
    ]


def _one_difference(before: str, after: str) -> tuple[str, str]:
    """Take the common start and the common end off."""
    shortest = min(len(before), len(after))
    start = 0
    while start < shortest and before[start] == after[start]:
        start += 1
    end = 0
    while end < shortest - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return before[start : len(before) - end], after[start : len(after) - end]


DIGITS = "digits"
"""The language of the toy tasks."""

LANGUAGES: dict[str, Language] = {
    "en": Language("English", _CLOSED_UP, ".", "?", is_english_question, "Where is the station?"),
    "fr": Language("French", _FRENCH, ".", " ?", _never, "Où est la gare ?"),
    "de": Language("German", _CLOSED_UP, ".", "?", _never, "Wo ist der Bahnhof?"),
    "es": Language("Spanish", _CLOSED_UP, ".", "?", _never, "¿Dónde está la estación?"),
    "zh": Language("Chinese", CHINESE_STEPS, "。", "？", is_chinese_question, "车站在哪里？"),
    DIGITS: Language("Digits", DIGIT_STEPS, "", "", _never, "4 9 7 1 2", foreign_to_digits),
}
"""Every language that is known; a new one is one line here."""
