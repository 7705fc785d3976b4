"""The fields of the Search lab's link, and the search that they ask for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from s2s_core.figures.sweep_grid import MEASURES
from s2s_core.options import IntegerOption
from s2s_core.search.config import MIN_LENGTH, NO_REPEAT, SearchRequest
from s2s_core.search.coverage import BETA
from s2s_core.search.decoders import DECODERS, SamplingDecoder
from s2s_core.search.diverse import GROUPS, STRENGTH
from s2s_core.search.exact import NODE_BUDGET
from s2s_core.search.sampling import SAMPLES, SEED, TEMPERATURE, TOP_K, TOP_P
from s2s_core.ui.decode.link import SETTINGS, search_request
from s2s_core.ui.link import (
    LinkField,
    LinkValues,
    choice_field,
    integer_field,
    optional_integer_field,
    real_field,
    text_field,
)
from s2s_core.ui.shared_link import FORMAT, SHARED

BUDGET_OPTION = IntegerOption(
    "node budget",
    100,
    200_000,
    NODE_BUDGET,
    "How many prefixes the model may be asked to continue: some seconds for ten thousand.",
)
_RANK = IntegerOption("hypothesis", 1, 64, 1, "Which hypothesis of the beam search.")
TABS = (
    "Exact search",
    "Beam width",
    "Grid over a file",
    "Other decoders",
    "Word by word",
    "Save and open",
)
DECODER_NAMES = tuple(name for name in DECODERS if name not in ("beam", "greedy", "exact"))
UTILITY_NAMES = ("chrf", "bleu")
MBR_OF = ("samples", "pool")

TAB = choice_field("tab", lambda: TABS, TABS[0])
REFERENCE = text_field("reference")
MINIMUM = integer_field(MIN_LENGTH, name="min")
NO_REPEATS = integer_field(NO_REPEAT, name="norepeat")
BUDGET = integer_field(BUDGET_OPTION, name="budget")
DECODER = choice_field("decoder", lambda: DECODER_NAMES, SamplingDecoder.name)
WARMTH = real_field(TEMPERATURE, name="temperature")
TOP_K_FIELD = integer_field(TOP_K, name="topk")
TOP_P_FIELD = real_field(TOP_P, name="topp")
COUNT = integer_field(SAMPLES, name="samples")
SEED_FIELD = integer_field(SEED, name="seed")
GROUP_COUNT = integer_field(GROUPS, name="groups", default=5)
STRENGTH_FIELD = real_field(STRENGTH, name="strength")
BETA_FIELD = real_field(BETA, name="beta")
WORDS = text_field("words")
UTILITY = choice_field("utility", lambda: UTILITY_NAMES, "chrf")
OF = choice_field("of", lambda: MBR_OF, "samples")
GRID_BEAMS = text_field("beams", default="1,2,4,8")
GRID_PARAMETERS = text_field("values", default="0,0.3,0.6,1,1.5")
GRID_SHOWN = choice_field("shown", lambda: tuple(MEASURES), "BLEU")
RANK = optional_integer_field(_RANK, name="rank", absent="first")

FIELDS: tuple[LinkField[Any], ...] = (
    *SHARED,
    *SETTINGS,
    MINIMUM,
    NO_REPEATS,
    REFERENCE,
    TAB,
    BUDGET,
    DECODER,
    WARMTH,
    TOP_K_FIELD,
    TOP_P_FIELD,
    COUNT,
    SEED_FIELD,
    GROUP_COUNT,
    STRENGTH_FIELD,
    BETA_FIELD,
    WORDS,
    UTILITY,
    OF,
    GRID_BEAMS,
    GRID_PARAMETERS,
    GRID_SHOWN,
    RANK,
    FORMAT,
)


def lab_request(values: LinkValues) -> SearchRequest:
    """The search that the link asks for.

    Raises:
        SourceTooLongError: the source has more characters than allowed.
    """
    request = search_request(values)
    config = replace(
        request.config, min_length=values.get(MINIMUM), no_repeat=values.get(NO_REPEATS)
    )
    return replace(request, config=config, forced_ids=())
