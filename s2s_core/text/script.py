"""Whether a text is written in letters that a language doesn't use.

Which language a sentence is in is a guess, but its letters are a fact: a model that reads English
can make nothing of Chinese characters. French in Latin letters is never called foreign here.
"""

from __future__ import annotations

import unicodedata
from collections import Counter

_LETTERS = {"en": "LATIN", "fr": "LATIN", "de": "LATIN", "es": "LATIN", "zh": "CJK"}
"""By language, how the names of its letters begin in the Unicode character database."""

_NAMES = {
    "LATIN": "Latin letters",
    "CJK": "Chinese characters",
    "CYRILLIC": "Cyrillic letters",
    "ARABIC": "Arabic letters",
    "HEBREW": "Hebrew letters",
    "GREEK": "Greek letters",
    "HIRAGANA": "Japanese kana",
    "KATAKANA": "Japanese kana",
    "HANGUL": "Korean letters",
    "DEVANAGARI": "Devanagari letters",
    "THAI": "Thai letters",
}


def foreign_letters(text: str, language: str) -> str | None:
    """What a text is written in, if that is certainly not how the language is written.

    For Chinese that means without a single Chinese character, for the others with most letters
    from another script.

    Returns:
        the letters' name, such as "Cyrillic letters"; None if there is nothing to say: no letters
        at all, a language that isn't known here, or letters that fit.
    """
    own = _LETTERS.get(language)
    scripts = Counter(_script(character) for character in text if character.isalpha())
    if own is None or not scripts:
        return None
    fits = scripts[own] > 0 if own == "CJK" else 2 * scripts[own] >= scripts.total()
    if fits:
        return None
    most, _ = scripts.most_common(1)[0]
    return _NAMES.get(most, "letters of another script")


def _script(letter: str) -> str:
    """The first word of a letter's name: LATIN, CJK, CYRILLIC, ..."""
    name = unicodedata.name(letter, "")
    return name.removeprefix("FULLWIDTH ").removeprefix("HALFWIDTH ").partition(" ")[0]
