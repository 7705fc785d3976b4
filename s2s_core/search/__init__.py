"""Search: beam, greedy and exact, one trace for all, and what can be done with a trace.

Names are loaded on first use, so importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2s_core.search.beam import beam_search
    from s2s_core.search.config import STOP_RULES, SearchConfig, SearchRequest, default_max_length
    from s2s_core.search.departure import GreedyDeparture, greedy_departure
    from s2s_core.search.exact import ExactProgress, ExactResult, exact_search
    from s2s_core.search.greedy import greedy_search
    from s2s_core.search.length_penalty import (
        LENGTH_PENALTIES,
        GnmtPenalty,
        LengthPenalty,
        NoPenalty,
        PowerPenalty,
        WordReward,
        crossing,
    )
    from s2s_core.search.listing import Listing, list_strings, whole_tree
    from s2s_core.search.presets import PRESETS, Preset
    from s2s_core.search.published import PUBLISHED_LISTS, TOOLKITS, PublishedList, Toolkit
    from s2s_core.search.rank_entries import (
        LENGTH_COUNTS,
        PairCrossing,
        Ranked,
        entries_from_rows,
        pair_crossings,
        rank,
        recount,
        score_line,
    )
    from s2s_core.search.ranking import RankEntry, RankingCurve, ranking_curve
    from s2s_core.search.rerank import Exactness, entries_of, is_exact
    from s2s_core.search.score import score_target
    from s2s_core.search.table import ProbabilityTable
    from s2s_core.search.table_file import load_table
    from s2s_core.search.trace import AttentionMap, BeamTrace, Candidate, DecodeStep, Hypothesis
    from s2s_core.search.tree import BeamTree, TreeNode, build_tree
    from s2s_core.search.verdict import Mass, Verdict, judge, mass_covered

__all__ = [
    "LENGTH_COUNTS",
    "LENGTH_PENALTIES",
    "PRESETS",
    "PUBLISHED_LISTS",
    "STOP_RULES",
    "TOOLKITS",
    "AttentionMap",
    "BeamTrace",
    "BeamTree",
    "Candidate",
    "DecodeStep",
    "ExactProgress",
    "ExactResult",
    "Exactness",
    "GnmtPenalty",
    "GreedyDeparture",
    "Hypothesis",
    "LengthPenalty",
    "Listing",
    "Mass",
    "NoPenalty",
    "PairCrossing",
    "PowerPenalty",
    "Preset",
    "ProbabilityTable",
    "PublishedList",
    "RankEntry",
    "Ranked",
    "RankingCurve",
    "SearchConfig",
    "SearchRequest",
    "Toolkit",
    "TreeNode",
    "Verdict",
    "WordReward",
    "beam_search",
    "build_tree",
    "crossing",
    "default_max_length",
    "entries_from_rows",
    "entries_of",
    "exact_search",
    "greedy_departure",
    "greedy_search",
    "is_exact",
    "judge",
    "list_strings",
    "load_table",
    "mass_covered",
    "pair_crossings",
    "rank",
    "ranking_curve",
    "recount",
    "score_line",
    "score_target",
    "whole_tree",
]

_HOMES = {
    "beam": ("beam_search",),
    "config": (
        "STOP_RULES",
        "SearchConfig",
        "SearchRequest",
        "default_max_length",
    ),
    "departure": (
        "GreedyDeparture",
        "greedy_departure",
    ),
    "exact": (
        "ExactProgress",
        "ExactResult",
        "exact_search",
    ),
    "greedy": ("greedy_search",),
    "length_penalty": (
        "LENGTH_PENALTIES",
        "GnmtPenalty",
        "LengthPenalty",
        "NoPenalty",
        "PowerPenalty",
        "WordReward",
        "crossing",
    ),
    "listing": (
        "Listing",
        "list_strings",
        "whole_tree",
    ),
    "presets": (
        "PRESETS",
        "Preset",
    ),
    "published": (
        "PUBLISHED_LISTS",
        "TOOLKITS",
        "PublishedList",
        "Toolkit",
    ),
    "rank_entries": (
        "LENGTH_COUNTS",
        "PairCrossing",
        "Ranked",
        "entries_from_rows",
        "pair_crossings",
        "rank",
        "recount",
        "score_line",
    ),
    "ranking": (
        "RankEntry",
        "RankingCurve",
        "ranking_curve",
    ),
    "rerank": (
        "Exactness",
        "entries_of",
        "is_exact",
    ),
    "score": ("score_target",),
    "table": ("ProbabilityTable",),
    "table_file": ("load_table",),
    "trace": (
        "AttentionMap",
        "BeamTrace",
        "Candidate",
        "DecodeStep",
        "Hypothesis",
    ),
    "tree": (
        "BeamTree",
        "TreeNode",
        "build_tree",
    ),
    "verdict": (
        "Mass",
        "Verdict",
        "judge",
        "mass_covered",
    ),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
