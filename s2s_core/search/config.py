"""What a person can set about a search, checked once, as frozen values.

A `SearchConfig` says how to search. A `SearchRequest` says what to search with it; it is the key of
every cache and the content of every link.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from s2s_core.errors import PrefixError, SettingError
from s2s_core.options import IntegerOption, RealOption
from s2s_core.search.length_penalty import LengthPenalty, NoPenalty, PowerPenalty

StopRule = Literal["best", "bound", "exhaust", "first"]

BEAM_SIZE = IntegerOption(
    "beam size", 1, 64, 5, "How many prefixes stay alive at each step, and the size of the pool."
)
MAX_LENGTH = IntegerOption(
    "maximum length", 1, 400, 20, "The most tokens a target may have, the end token counted."
)
MIN_LENGTH = IntegerOption(
    "minimum length", 0, 400, 0, "The fewest tokens a finished target has, the end token counted."
)
NO_REPEAT = IntegerOption(
    "no-repeat n-gram",
    0,
    10,
    0,
    "No n-gram of this size is generated twice; 0 lets everything repeat.",
)
RECORDED_CANDIDATES = IntegerOption(
    "recorded candidates",
    0,
    50,
    5,
    "How many pruned continuations of each prefix are kept to show.",
)
DECODING_ALPHA = RealOption(
    "alpha", 0.0, 3.0, 0.6, 0.05, "How much length is made up for; 0 is the raw log-probability."
)
RANKING_ALPHA = RealOption(
    "alpha", -1.0, 3.0, 0.6, 0.05, "Ranks the finished hypotheses again; no new search is run."
)
GAMMA = RealOption("gamma", -2.0, 2.0, 0.0, 0.05, "The reward for each token, in nats.")

DEFAULT_PENALTY = PowerPenalty(DECODING_ALPHA.default)
NO_PENALTY = NoPenalty()

TABLE_MAX_LENGTH = 20
"""The maximum length where nothing has a source, as with a probability table."""


def default_max_length(source_tokens: Sequence[str]) -> int:
    """2 S + 10 for S source tokens; `TABLE_MAX_LENGTH` where there is no source."""
    if not source_tokens:
        return TABLE_MAX_LENGTH
    return min(2 * len(source_tokens) + 10, MAX_LENGTH.maximum)


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """How to search.

    beam_size: B, the live prefixes and the size of the pool.
    max_length: the most generated tokens, EOS counted; None is `default_max_length`.
    min_length: EOS isn't offered before this step, so every finished length is at least this.
    length_penalty: scores finished hypotheses; it never reorders live prefixes.
    stop_rule: a key of `STOP_RULES`.
    recorded_candidates: R, how many pruned continuations of each row the trace keeps.
    no_repeat: a token that would complete an n-gram of this size a second time isn't offered.

    Raises:
        SettingError: a value lies outside its bounds.
    """

    beam_size: int = BEAM_SIZE.default
    max_length: int | None = None
    length_penalty: LengthPenalty = DEFAULT_PENALTY
    stop_rule: StopRule = "best"
    recorded_candidates: int = RECORDED_CANDIDATES.default
    min_length: int = MIN_LENGTH.default
    no_repeat: int = NO_REPEAT.default

    def __post_init__(self) -> None:
        object.__setattr__(self, "beam_size", BEAM_SIZE.check(self.beam_size))
        if self.max_length is not None:
            object.__setattr__(self, "max_length", MAX_LENGTH.check(self.max_length))
        recorded = RECORDED_CANDIDATES.check(self.recorded_candidates)
        object.__setattr__(self, "recorded_candidates", recorded)
        object.__setattr__(self, "min_length", MIN_LENGTH.check(self.min_length))
        object.__setattr__(self, "no_repeat", NO_REPEAT.check(self.no_repeat))
        if not isinstance(self.length_penalty, LengthPenalty):
            raise SettingError(
                f"length penalty must be a LengthPenalty, not {self.length_penalty!r}; "
                "for example PowerPenalty(0.6)"
            )
        if self.stop_rule not in get_args(StopRule):
            raise SettingError(
                f"stop rule must be one of {', '.join(STOP_RULES)}, not {self.stop_rule!r}"
            )

    def resolved_max_length(self, source_tokens: Sequence[str]) -> int:
        """m, the maximum length for this source.

        Raises:
            SettingError: the minimum length is above it.
        """
        maximum = default_max_length(source_tokens) if self.max_length is None else self.max_length
        if self.min_length > maximum:
            raise SettingError(
                f"minimum length must be at most the maximum length {maximum}, "
                f"not {self.min_length}"
            )
        return maximum


DEFAULT_CONFIG = SearchConfig()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What was asked for: the cache key, the link, and the head of every trace.

    checkpoint: name of the model ("" where it has none).
    source: the text as typed.
    forced_ids: tokens that the target must start with, neither BOS nor EOS among them.

    Raises:
        PrefixError: a forced id isn't a whole number of at least 0.
    """

    checkpoint: str
    source: str
    config: SearchConfig = DEFAULT_CONFIG
    forced_ids: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for token_id in self.forced_ids:
            if isinstance(token_id, bool) or not isinstance(token_id, int) or token_id < 0:
                raise PrefixError(
                    f"a forced prefix holds token ids, whole numbers from 0, not {token_id!r}"
                )
        object.__setattr__(self, "forced_ids", tuple(self.forced_ids))


STOP_RULES: dict[StopRule, str] = {
    "best": "Stop once no live prefix can beat the best finished hypothesis: rank 1 is the same as "
    "with exhaust, the rest of the list may be shorter or other.",
    "bound": "Stop once the pool is full and no live prefix can enter it: the whole list is the "
    "same as with exhaust.",
    "exhaust": "Search to the maximum length: the reference for the other rules.",
    "first": "Stop at B ends, each among the B best candidates of its step, as many toolkits do: "
    "fast, and may miss better hypotheses.",
}
