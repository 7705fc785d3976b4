"""Normalisation steps that are shared by languages with alphabets.

The models learned from cleaned corpora, so what a person types goes through the same cleaning: one
way to write a space, a quote or a dash. A step is a pure function with a few plain words for what
it did. Nothing here drops a character that can be seen.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial


@dataclass(frozen=True, slots=True)
class Step:
    """One rewriting of a text.

    label: what it did, in plain words, for the note on the screen.
    apply: the rewriting.
    shows: whether what was and what is can be told apart by looking at them.
    """

    label: str
    apply: Callable[[str], str]
    shows: bool = False


_compose = partial(unicodedata.normalize, "NFC")

# --- characters that can't be seen, or can't be encoded ------------------------------------------

_SURROGATE = re.compile(r"[\ud800-\udfff]")

# An emoji may hold joiners and variation selectors that change how it looks (family, heart, keycap,
# flag of Scotland); such a sequence is kept whole.
_PICTOGRAPH = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf"
    "\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
)
SKIN_TONES = "\U0001f3fb-\U0001f3ff"
_EMOJI_UNIT = rf"[{_PICTOGRAPH}][\ufe0e\ufe0f]?[{SKIN_TONES}]?"
EMOJI = (
    rf"(?:\U0001f3f4[\U000e0020-\U000e007f]+|[0-9#*]\ufe0f?\u20e3"
    rf"|{_EMOJI_UNIT}(?:\u200d{_EMOJI_UNIT})*)"
)
EMOTICON = r"(?:[:;]-?[()DPp](?![A-Za-z0-9]))"
# In these scripts (Arabic, Syriac, the Indic family, Mongolian) a joiner or non-joiner is spelling.
_JOINING = (
    "\u0600-\u061b\u061d-\u109f\u1780-\u17ff\u1800-\u180d\u180f-\u18af\u1900-\u1cff"
    "\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00010fff\U00011000-\U00011fff"
)
# Control characters other than white space, and format characters (soft hyphen, zero-width space,
# direction marks, ...), but not the visible ones (Arabic number signs and the like).
INVISIBLE = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064"
    "\u2066-\u206f\ufe0e\ufe0f\ufeff\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0001\U000e0020-\U000e007f"
)
_VISIBLE_OR_NOT = re.compile(rf"(?P<kept>{EMOJI}|(?<=[{_JOINING}])[\u200c\u200d])|[{INVISIBLE}]+")


def _mend_surrogates(text: str) -> str:
    """Join surrogate pairs that were typed as two halves; a lone half becomes U+FFFD."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _remove_invisible(text: str) -> str:
    """Remove, and compose what now stands side by side, until nothing is left to do."""
    while (cleaned := _compose(_VISIBLE_OR_NOT.sub(_kept, text))) != text:
        text = cleaned
    return text


def _kept(match: re.Match[str]) -> str:
    return match["kept"] or ""


# --- letters -------------------------------------------------------------------------------------

_LOOK_ALIKES = str.maketrans("АВЕКМНОРСТУХІЈЅаеорсухіјѕһԁԛԝ", "ABEKMHOPCTYXIJSaeopcyxijshdqw")
_LATIN_LETTERS = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
_CYRILLIC_LETTERS = "\u0400-\u052f"
_LATIN = re.compile(f"[{_LATIN_LETTERS}]")
_CYRILLIC = re.compile(f"[{_CYRILLIC_LETTERS}]")
_WORD = re.compile(rf"[{_LATIN_LETTERS}{_CYRILLIC_LETTERS}\u0300-\u036f]+")


def _latin_word(match: re.Match[str]) -> str:
    word = match[0]
    mapped = word.translate(_LOOK_ALIKES)
    return mapped if _LATIN.search(word) and not _CYRILLIC.search(mapped) else word


def _replace_look_alikes(text: str) -> str:
    """Make Cyrillic look-alikes Latin, in words that are Latin otherwise."""
    if not _CYRILLIC.search(text):
        return text
    return _compose(_WORD.sub(_latin_word, text))


# --- spaces, quotes, dashes ----------------------------------------------------------------------

_SPACES = re.compile(r"\s+")
_QUOTES = str.maketrans("‘’‚‛“”„‟", "''''\"\"\"\"")
_DASHES = re.compile("[\u2010-\u2015\u2212]")


def _plain_spaces(text: str) -> str:
    return _SPACES.sub(" ", text).strip(" ")


def _straight_quotes(text: str) -> str:
    return text.translate(_QUOTES)


def _plain_dashes(text: str) -> str:
    return _DASHES.sub("-", text)


def _three_dots(text: str) -> str:
    return text.replace("…", "...")


SHARED_STEPS: tuple[Step, ...] = (
    Step("half characters (lone surrogates) joined, or replaced by �", _mend_surrogates),
    Step("letters joined with their accents (Unicode NFC)", _compose),
    Step("invisible characters removed", _remove_invisible),
    Step("Cyrillic look-alike letters made Latin", _replace_look_alikes),
    Step("every kind of space made one plain space", _plain_spaces),
    Step("curly quotes made straight", _straight_quotes, shows=True),
    Step("dashes made plain", _plain_dashes, shows=True),
)
"""What every language starts with, in this order."""

THREE_DOTS = Step("ellipsis made three dots", _three_dots, shows=True)


# --- spaces beside punctuation -------------------------------------------------------------------


def _closes_up(marks: str) -> re.Pattern[str]:
    """Spaces before a mark that ends a word, a sentence or a quotation.

    Left alone: a mark that starts something (.08, .py, :smile:), emoticons, a spaced ellipsis.
    """
    enders = marks.replace(":", "").replace(";", "")
    after_mark = r"""$|[\s"'»]|[^\w\x00-\x7f]"""
    return re.compile(rf" +(?!\.\.)(?=[{marks}]+(?:{after_mark})|[{enders}]+[)\]])")


_SPACE_BEFORE_MARK = _closes_up(".,;:?!")
_SPACE_BEFORE_COMMA = _closes_up(".,")


def _close_up(text: str) -> str:
    return _SPACE_BEFORE_MARK.sub("", text)


CLOSE_UP = Step("space before punctuation removed", _close_up)

_AFTER_GUILLEMET = re.compile(r"« *(?=\S)")
_BEFORE_GUILLEMET = re.compile(r"(?<=[^\s]) *»")
# Not the marks of a shortcode (:smile:), an HTML entity (&amp;), a time (2:30) or a link (a://b?c).
_FRENCH_MARKS = re.compile(
    r"(?P<kept>(?<!\S):[\w+-]+:|&#?\w+;)|(?<=[^\s?!;:(\[{]) ?(?P<marks>[?!;:]+)(?![\w/\\?!;:])"
)


def _french_mark(match: re.Match[str]) -> str:
    return match["kept"] or f" {match['marks']}"


def _space_french(text: str) -> str:
    """One plain space before `? ! ; :` and inside « »; none before `, .`."""
    text = _AFTER_GUILLEMET.sub("« ", text)
    text = _BEFORE_GUILLEMET.sub(" »", text)
    return _SPACE_BEFORE_COMMA.sub("", _FRENCH_MARKS.sub(_french_mark, text))


FRENCH_SPACING = Step("spaces put as in French: one before ? ! ; : and inside « »", _space_french)
