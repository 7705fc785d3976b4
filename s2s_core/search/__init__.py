"""Search: beam, greedy and exact, one trace for all, and what can be done with a trace.

Names are loaded on first use, so importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s_core.lazy import load_on_use

if TYPE_CHECKING:
    from s2s_core.search.beam import beam_search
    from s2s_core.search.config import STOP_RULES, SearchConfig, SearchRequest, default_max_length
    from s2s_core.search.coverage import Covered, rank_by_coverage
    from s2s_core.search.decoder_base import Decoded, Decoder
    from s2s_core.search.decoders import DECODERS
    from s2s_core.search.departure import Departure, gap_to_survivor, greedy_departure
    from s2s_core.search.diverse import DiverseResult, Diversity, diverse_beam
    from s2s_core.search.exact import ExactProgress, ExactResult, exact_search
    from s2s_core.search.forced_words import forced_words_search
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
    from s2s_core.search.mbr import MbrResult, minimum_bayes_risk, pool_weights, sample_weights
    from s2s_core.search.penalty_shape import PenaltyCurve, penalty_curve
    from s2s_core.search.pool_change import PoolChange, pool_changes
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
    from s2s_core.search.sampling import SampleResult, Sampling, sample
    from s2s_core.search.score import score_target
    from s2s_core.search.stochastic import StochasticResult, stochastic_beam
    from s2s_core.search.sweep import SweepCell, SweepPlan, best_cell, sweep_cells, sweep_file
    from s2s_core.search.sweep_file import SweepStore
    from s2s_core.search.table import ProbabilityTable
    from s2s_core.search.table_check import RowCheck, check_table
    from s2s_core.search.table_file import load_table
    from s2s_core.search.trace import AttentionMap, BeamTrace, Candidate, DecodeStep, Hypothesis
    from s2s_core.search.tree import BeamTree, TreeNode, build_tree
    from s2s_core.search.verdict import Mass, Verdict, judge, mass_covered
    from s2s_core.search.width_sweep import WidthResult, sweep_widths
    from s2s_core.search.word_by_word import (
        lost_rivals,
        places_over_time,
        surprisals,
        totals_against_rivals,
    )

__all__ = [
    "DECODERS",
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
    "Covered",
    "DecodeStep",
    "Decoded",
    "Decoder",
    "Departure",
    "DiverseResult",
    "Diversity",
    "ExactProgress",
    "ExactResult",
    "Exactness",
    "GnmtPenalty",
    "Hypothesis",
    "LengthPenalty",
    "Listing",
    "Mass",
    "MbrResult",
    "NoPenalty",
    "PairCrossing",
    "PenaltyCurve",
    "PoolChange",
    "PowerPenalty",
    "Preset",
    "ProbabilityTable",
    "PublishedList",
    "RankEntry",
    "Ranked",
    "RankingCurve",
    "RowCheck",
    "SampleResult",
    "Sampling",
    "SearchConfig",
    "SearchRequest",
    "StochasticResult",
    "SweepCell",
    "SweepPlan",
    "SweepStore",
    "Toolkit",
    "TreeNode",
    "Verdict",
    "WidthResult",
    "WordReward",
    "beam_search",
    "best_cell",
    "build_tree",
    "check_table",
    "crossing",
    "default_max_length",
    "diverse_beam",
    "entries_from_rows",
    "entries_of",
    "exact_search",
    "forced_words_search",
    "gap_to_survivor",
    "greedy_departure",
    "greedy_search",
    "is_exact",
    "judge",
    "list_strings",
    "load_table",
    "lost_rivals",
    "mass_covered",
    "minimum_bayes_risk",
    "pair_crossings",
    "penalty_curve",
    "places_over_time",
    "pool_changes",
    "pool_weights",
    "rank",
    "rank_by_coverage",
    "ranking_curve",
    "recount",
    "sample",
    "sample_weights",
    "score_line",
    "score_target",
    "stochastic_beam",
    "surprisals",
    "sweep_cells",
    "sweep_file",
    "sweep_widths",
    "totals_against_rivals",
    "whole_tree",
]

_HOMES = {
    "penalty_shape": ("PenaltyCurve", "penalty_curve"),
    "beam": ("beam_search",),
    "config": ("STOP_RULES", "SearchConfig", "SearchRequest", "default_max_length"),
    "coverage": ("Covered", "rank_by_coverage"),
    "decoder_base": ("Decoded", "Decoder"),
    "decoders": ("DECODERS",),
    "departure": ("Departure", "gap_to_survivor", "greedy_departure"),
    "diverse": ("DiverseResult", "Diversity", "diverse_beam"),
    "exact": ("ExactProgress", "ExactResult", "exact_search"),
    "forced_words": ("forced_words_search",),
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
    "listing": ("Listing", "list_strings", "whole_tree"),
    "mbr": ("MbrResult", "minimum_bayes_risk", "pool_weights", "sample_weights"),
    "pool_change": ("PoolChange", "pool_changes"),
    "presets": ("PRESETS", "Preset"),
    "published": ("PUBLISHED_LISTS", "TOOLKITS", "PublishedList", "Toolkit"),
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
    "ranking": ("RankEntry", "RankingCurve", "ranking_curve"),
    "rerank": ("Exactness", "entries_of", "is_exact"),
    "sampling": ("SampleResult", "Sampling", "sample"),
    "score": ("score_target",),
    "stochastic": ("StochasticResult", "stochastic_beam"),
    "sweep": ("SweepCell", "SweepPlan", "best_cell", "sweep_cells", "sweep_file"),
    "sweep_file": ("SweepStore",),
    "table": ("ProbabilityTable",),
    "table_check": ("RowCheck", "check_table"),
    "table_file": ("load_table",),
    "trace": ("AttentionMap", "BeamTrace", "Candidate", "DecodeStep", "Hypothesis"),
    "tree": ("BeamTree", "TreeNode", "build_tree"),
    "verdict": ("Mass", "Verdict", "judge", "mass_covered"),
    "width_sweep": ("WidthResult", "sweep_widths"),
    "word_by_word": ("lost_rivals", "places_over_time", "surprisals", "totals_against_rivals"),
}
__getattr__, __dir__ = load_on_use(__name__, _HOMES)
