"""The fields that many pages have: which model reads which source, and how charts are saved."""

from __future__ import annotations

from typing import Any

from s2s_core.errors import SourceTooLongError
from s2s_core.models.checkpoint import checkpoint_names
from s2s_core.ui.link import LinkField, choice_field, text_field

MAXIMUM_CHARACTERS = 1000
"""Longer sources are refused, so that one visitor doesn't keep the others waiting."""

# Both are always in the link: they are what a screen is about.
MODEL = choice_field("model", checkpoint_names, next(iter(checkpoint_names()), ""), always=True)
SOURCE = text_field("source", always=True)
SHARED: tuple[LinkField[Any], ...] = (MODEL, SOURCE)
"""What pages hand to one another."""

FORMATS = ("png", "svg")
FORMAT = choice_field("picture", lambda: FORMATS, "png")
"""What the camera of a chart saves."""


def check_source(source: str) -> str:
    """The source, if it isn't too long.

    Raises:
        SourceTooLongError: it has more than `MAXIMUM_CHARACTERS`.
    """
    if len(source) > MAXIMUM_CHARACTERS:
        raise SourceTooLongError(
            f"the text has {len(source):,} characters, but at most {MAXIMUM_CHARACTERS:,} are "
            "allowed: shorten it or split it into sentences"
        )
    return source
