"""The fields of the BLEU page's link, and the settings that they say."""

from __future__ import annotations

from typing import Any

from s2s_core.metrics.settings import DEFAULT_SETTINGS, MAX_ORDER, SMOOTHINGS, BleuSettings
from s2s_core.metrics.tokenizers import available_tokenizers
from s2s_core.options import IntegerOption
from s2s_core.ui.link import (
    LinkField,
    LinkValues,
    choice_field,
    flag_field,
    integer_field,
    optional_integer_field,
    real_field,
    text_field,
)
from s2s_core.ui.shared_link import FORMAT, SHARED

MAXIMUM_BOXES = 6
MAXIMUM_CHARACTERS = 500_000
"""Of one box; larger texts come as files."""

_BOXES = IntegerOption("references", 1, MAXIMUM_BOXES, 1, "How many boxes of references there are.")
_SEGMENT = IntegerOption("segment", 1, 9_999_999, 1, "The segment that is shown.")
_POSITION = IntegerOption("n-gram", 1, 9_999_999, 1, "The first token of the chosen n-gram.")

# What is scored.
HYPOTHESIS = text_field("hypothesis", always=True)
REFERENCES = tuple(
    text_field("reference" if place == 1 else f"reference{place}")
    for place in range(1, MAXIMUM_BOXES + 1)
)
BOXES = integer_field(_BOXES, name="boxes")
LINES = flag_field("lines", True)
INPUTS = ("typed", "files")
INPUT = choice_field("input", lambda: INPUTS, "typed")
TRANSLATED = flag_field("translated", False)  # the hypothesis is one of the model for the source
BASELINE = text_field("baseline")
PINNED = text_field("pinned")

# How it is scored.
TOKENIZE = choice_field("tokenizer", available_tokenizers, DEFAULT_SETTINGS.tokenize)
LOWERCASE = flag_field("lowercase", DEFAULT_SETTINGS.lowercase)
SMOOTH = choice_field("smoothing", lambda: tuple(SMOOTHINGS), DEFAULT_SETTINGS.smooth)
SMOOTH_VALUES = {
    method: real_field(smoothing.value, name=method.replace("-", ""))
    for method, smoothing in SMOOTHINGS.items()
    if smoothing.value is not None
}
MAXIMUM_ORDER = integer_field(MAX_ORDER, name="maxorder")
EFFECTIVE = flag_field("effective", DEFAULT_SETTINGS.effective_order)
NFC = flag_field("nfc", False)

# What is shown of it.
PARTS = (
    "Arithmetic",
    "n-grams",
    "Length",
    "Smoothing",
    "What if",
    "Segments",
    "Two systems",
    "Beyond BLEU",
    "Save and open",
)
PART = choice_field("part", lambda: PARTS, PARTS[0])
SEGMENT = integer_field(_SEGMENT, name="segment")
ORDER = integer_field(MAX_ORDER, name="n", default=1)
POSITION = optional_integer_field(_POSITION, name="at", absent="none")
WHOLE_CORPUS = flag_field("whole", False)
SORTS = ("place in the corpus", "lowest score", "shortest for its reference", "most lost")
SORT = choice_field("sort", lambda: SORTS, SORTS[0])
CONTAINS = text_field("contains")
TESTED = flag_field("tested", False)
OTHERS = flag_field("others", False)
TER = flag_field("ter", False)

TEXTS: tuple[LinkField[Any], ...] = (
    HYPOTHESIS,
    *REFERENCES,
    BOXES,
    LINES,
    INPUT,
    TRANSLATED,
    BASELINE,
    PINNED,
)
SETTINGS: tuple[LinkField[Any], ...] = (
    TOKENIZE,
    LOWERCASE,
    SMOOTH,
    *SMOOTH_VALUES.values(),
    MAXIMUM_ORDER,
    EFFECTIVE,
    NFC,
)
RESULTS: tuple[LinkField[Any], ...] = (SEGMENT, POSITION, CONTAINS, TESTED, OTHERS, TER)
"""What belongs to one text only."""
FIELDS: tuple[LinkField[Any], ...] = (
    *SHARED,
    *TEXTS,
    *SETTINGS,
    *RESULTS,
    PART,
    ORDER,
    WHOLE_CORPUS,
    SORT,
    FORMAT,
)


def bleu_settings(values: LinkValues) -> BleuSettings:
    """How the link wants BLEU computed.

    Raises:
        SettingError: a setting isn't allowed.
    """
    method = next(method for method in SMOOTHINGS if method == values.get(SMOOTH))
    field = SMOOTH_VALUES.get(method)
    value = None if field is None or values.get(field) == field.default else values.get(field)
    return BleuSettings(
        lowercase=values.get(LOWERCASE),
        tokenize=values.get(TOKENIZE),
        smooth=method,
        smooth_value=value,
        max_order=values.get(MAXIMUM_ORDER),
        effective_order=values.get(EFFECTIVE),
    )


def settings_values(settings: BleuSettings) -> LinkValues:
    """The link's values for some settings."""
    values = (
        LinkValues({})
        .replace(LOWERCASE, settings.lowercase)
        .replace(TOKENIZE, settings.tokenize)
        .replace(SMOOTH, settings.smooth)
        .replace(MAXIMUM_ORDER, settings.max_order)
        .replace(EFFECTIVE, settings.effective_order)
    )
    if settings.smooth_value is None:
        return values
    return values.replace(SMOOTH_VALUES[settings.smooth], settings.smooth_value)


def box_count(values: LinkValues) -> int:
    """The boxes of references on show: as many as asked for, and none with text is hidden."""
    filled = [place for place, field in enumerate(REFERENCES, start=1) if values.get(field)]
    return max(values.get(BOXES), *filled, 1)
