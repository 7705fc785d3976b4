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
    from s2s_core.search.exact import ExactResult, exact_search
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
    from s2s_core.search.rerank import Exactness, RankingCurve, is_exact, ranking_curve
    from s2s_core.search.score import score_target
    from s2s_core.search.table import ProbabilityTable
    from s2s_core.search.table_file import load_table
    from s2s_core.search.trace import AttentionMap, BeamTrace, Candidate, DecodeStep, Hypothesis
    from s2s_core.search.tree import BeamTree, TreeNode, build_tree

__all__ = [
    "LENGTH_PENALTIES",
    "STOP_RULES",
    "AttentionMap",
    "BeamTrace",
    "BeamTree",
    "Candidate",
    "DecodeStep",
    "ExactResult",
    "Exactness",
    "GnmtPenalty",
    "GreedyDeparture",
    "Hypothesis",
    "LengthPenalty",
    "NoPenalty",
    "PowerPenalty",
    "ProbabilityTable",
    "RankingCurve",
    "SearchConfig",
    "SearchRequest",
    "TreeNode",
    "WordReward",
    "beam_search",
    "build_tree",
    "crossing",
    "default_max_length",
    "exact_search",
    "greedy_departure",
    "greedy_search",
    "is_exact",
    "load_table",
    "ranking_curve",
    "score_target",
]

_HOMES = {
    "beam": ("beam_search",),
    "config": ("STOP_RULES", "SearchConfig", "SearchRequest", "default_max_length"),
    "departure": ("GreedyDeparture", "greedy_departure"),
    "exact": ("ExactResult", "exact_search"),
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
    "rerank": ("Exactness", "RankingCurve", "is_exact", "ranking_curve"),
    "score": ("score_target",),
    "table": ("ProbabilityTable",),
    "table_file": ("load_table",),
    "trace": ("AttentionMap", "BeamTrace", "Candidate", "DecodeStep", "Hypothesis"),
    "tree": ("BeamTree", "TreeNode", "build_tree"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
