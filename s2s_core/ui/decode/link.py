"""The fields of the Decode page's link, and the search that they ask for."""

from __future__ import annotations

from typing import Any, get_args

from s2s_core.figures.moments import Follow
from s2s_core.options import IntegerOption, RealOption
from s2s_core.search.config import (
    BEAM_SIZE,
    DECODING_ALPHA,
    GAMMA,
    MAX_LENGTH,
    RANKING_ALPHA,
    SearchConfig,
    SearchRequest,
    StopRule,
)
from s2s_core.search.length_penalty import LENGTH_PENALTIES, LengthPenalty, NoPenalty, PowerPenalty
from s2s_core.ui.link import (
    LinkField,
    LinkValues,
    choice_field,
    flag_field,
    ids_field,
    integer_field,
    optional_integer_field,
    optional_real_field,
    real_field,
)
from s2s_core.ui.shared_link import FORMAT, MODEL, SHARED, SOURCE, check_source

_STEP = IntegerOption("step", 1, MAX_LENGTH.maximum, 1, "The step of the search that is shown.")
_NODE = IntegerOption("node", 0, 9_999_999, 0, "The selected node of the tree.")
_LAYER = IntegerOption("layer", 1, 99, 1, "The layer whose attention is shown.")

DECODING_OPTIONS: dict[str, RealOption] = {"alpha": DECODING_ALPHA, "gamma": GAMMA}
_STOP_RULES = get_args(StopRule)
FOLLOWS: tuple[Follow, ...] = get_args(Follow)

PRUNED_SHOWN: dict[str, int | None] = {"few": 3, "all": None, "none": 0}
"""How many pruned candidates of each step the tree shows."""

# How it is searched.
BEAM = integer_field(BEAM_SIZE, name="beam")
PENALTY = choice_field("penalty", lambda: tuple(LENGTH_PENALTIES), PowerPenalty.name)
ALPHA = real_field(DECODING_ALPHA, name="alpha")
REWARD = real_field(GAMMA, name="gamma")
STOP = choice_field("stop", lambda: _STOP_RULES, "best")
LIMIT = optional_integer_field(MAX_LENGTH, name="max", absent="auto")
FORCED = ids_field("forced")
# What it is set beside: the forced ids of the run before.
BEFORE = ids_field("before")
# What is shown of it.
STEP = optional_integer_field(_STEP, name="step", absent="last")
NODE = optional_integer_field(_NODE, name="node", absent="none")
RANK_ALPHA = optional_real_field(RANKING_ALPHA, name="rank", absent="same")
RANK_REWARD = optional_real_field(GAMMA, name="rankgamma", absent="same")
FOLLOW = choice_field("follow", lambda: FOLLOWS, "winner")
WORDS = flag_field("words", False)
NUMBERS = flag_field("numbers", False)
END_TOKENS = flag_field("endtokens", True)
ENDS = flag_field("ends", False)
PRUNED = choice_field("pruned", lambda: tuple(PRUNED_SHOWN), "few")
LAYER = optional_integer_field(_LAYER, name="layer", absent="last")
HEAD = optional_integer_field(_LAYER, name="head", absent="mean")
TABS = ("Hypotheses and length", "Selected node", "All candidates", "Save and open")
TAB = choice_field("tab", lambda: TABS, TABS[0])

SETTINGS: tuple[LinkField[Any], ...] = (BEAM, PENALTY, ALPHA, REWARD, STOP, LIMIT)
"""What is set about the search, besides model and source."""
RUN: tuple[LinkField[Any], ...] = (FORCED, BEFORE, STEP, NODE)
"""What belongs to one sentence only."""
VIEW: tuple[LinkField[Any], ...] = (FOLLOW, WORDS, END_TOKENS, NUMBERS, ENDS, PRUNED, LAYER, HEAD)
FIELDS: tuple[LinkField[Any], ...] = (
    *SHARED,
    *SETTINGS,
    *RUN,
    RANK_ALPHA,
    RANK_REWARD,
    *VIEW,
    TAB,
    FORMAT,
)


def decoding_penalty(values: LinkValues) -> LengthPenalty:
    """The penalty that the search uses."""
    family = LENGTH_PENALTIES[values.get(PENALTY)]
    return family.from_parameter(values.get(parameter_field(family)))


def parameter_field(family: type[LengthPenalty]) -> LinkField[float]:
    """The field that holds a family's number."""
    return REWARD if family.parameter_name == "gamma" else ALPHA


def ranking_field(family: type[LengthPenalty]) -> LinkField[float | None]:
    """The field that holds the number to rank again with."""
    return RANK_REWARD if family.parameter_name == "gamma" else RANK_ALPHA


def ranking_option(family: type[LengthPenalty]) -> RealOption:
    """The bounds of the number to rank again with."""
    return GAMMA if family.parameter_name == "gamma" else RANKING_ALPHA


def ranking_penalty(values: LinkValues) -> LengthPenalty:
    """The penalty that ranks what was found; the search's own unless another number was chosen.

    A search without a penalty is ranked again with L^alpha, of which alpha 0 is the search's own.
    """
    used = decoding_penalty(values)
    family: type[LengthPenalty] = PowerPenalty if isinstance(used, NoPenalty) else type(used)
    chosen = values.get(ranking_field(family))
    return used if chosen is None else family.from_parameter(chosen)


def search_request(values: LinkValues) -> SearchRequest:
    """The search that the link asks for.

    Raises:
        SourceTooLongError: the source has more characters than allowed.
    """
    stop_rule = next(rule for rule in _STOP_RULES if rule == values.get(STOP))
    config = SearchConfig(
        beam_size=values.get(BEAM),
        max_length=values.get(LIMIT),
        length_penalty=decoding_penalty(values),
        stop_rule=stop_rule,
    )
    return SearchRequest(
        values.get(MODEL), check_source(values.get(SOURCE)), config, values.get(FORCED)
    )


def from_request(request: SearchRequest) -> LinkValues:
    """The link's values for a search that comes from a file."""
    config, penalty = request.config, request.config.length_penalty
    values = (
        LinkValues({})
        .replace(MODEL, request.checkpoint)
        .replace(SOURCE, request.source)
        .replace(BEAM, config.beam_size)
        .replace(PENALTY, penalty.name)
        .replace(STOP, config.stop_rule)
        .replace(LIMIT, config.max_length)
        .replace(FORCED, request.forced_ids)
    )
    if penalty.parameter is not None:
        values = values.replace(parameter_field(type(penalty)), penalty.parameter)
    return values
