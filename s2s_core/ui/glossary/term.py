"""What an entry of the glossary is."""

from __future__ import annotations

from dataclasses import dataclass

Symbols = tuple[tuple[str, str], ...]
"""Symbols of a formula, as LaTeX, and what each means."""


@dataclass(frozen=True, slots=True)
class Term:
    """One word of the field.

    name: the word, as the app uses it. also: other names for the same thing.
    meaning: in our own words, as Markdown.
    formula: as LaTeX; "" where there is none. symbols: what is in it.
    source: where it comes from; "" for words that everybody uses.
    page: the page in `shell.PAGES` where it can be touched; link: the parameters that lead there.
    """

    name: str
    meaning: str
    page: str
    also: str = ""
    formula: str = ""
    symbols: Symbols = ()
    source: str = ""
    link: tuple[tuple[str, str], ...] = ()
