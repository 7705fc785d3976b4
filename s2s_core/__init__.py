"""Seq2Seq Explorer: look inside small translation models.

    import s2s_core

    model = s2s_core.load_model("en-fr-additive-gru")
    trace = s2s_core.beam_search(model, "The cat sat on the mat.")
    print(trace.best.text, trace.best.score)
    s2s_core.attention_figure(s2s_core.attention_grid(trace.best.attention)).show()

Names are loaded on first use, so importing the package costs nothing. `_HOMES` says which module
each is at home in; the modules have more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s_core.lazy import load_on_use

if TYPE_CHECKING:
    from s2s_core.errors import ExplorerError
    from s2s_core.figures import attention_figure, attention_grid, beam_tree_figure
    from s2s_core.metrics.report import BleuReport, bleu_report
    from s2s_core.metrics.settings import BleuSettings
    from s2s_core.models.checkpoint import checkpoint_names, load_card, load_model
    from s2s_core.search.beam import beam_search
    from s2s_core.search.config import SearchConfig
    from s2s_core.search.exact import exact_search
    from s2s_core.search.greedy import greedy_search
    from s2s_core.search.length_penalty import GnmtPenalty, NoPenalty, PowerPenalty, WordReward
    from s2s_core.search.ranking import ranking_curve
    from s2s_core.search.rerank import entries_of, is_exact
    from s2s_core.search.score import score_target
    from s2s_core.search.table import ProbabilityTable
    from s2s_core.search.table_file import load_table
    from s2s_core.search.trace import BeamTrace
    from s2s_core.search.tree import build_tree
    from s2s_core.text.normalise import normalise

__version__ = "0.1.0"

__all__ = [
    "BeamTrace",
    "BleuReport",
    "BleuSettings",
    "ExplorerError",
    "GnmtPenalty",
    "NoPenalty",
    "PowerPenalty",
    "ProbabilityTable",
    "SearchConfig",
    "WordReward",
    "__version__",
    "attention_figure",
    "attention_grid",
    "beam_search",
    "beam_tree_figure",
    "bleu_report",
    "build_tree",
    "checkpoint_names",
    "entries_of",
    "exact_search",
    "greedy_search",
    "is_exact",
    "load_card",
    "load_model",
    "load_table",
    "normalise",
    "ranking_curve",
    "score_target",
]

_HOMES = {
    "errors": ("ExplorerError",),
    "figures": ("attention_figure", "attention_grid", "beam_tree_figure"),
    "metrics.report": ("BleuReport", "bleu_report"),
    "metrics.settings": ("BleuSettings",),
    "models.checkpoint": ("checkpoint_names", "load_card", "load_model"),
    "search.beam": ("beam_search",),
    "search.config": ("SearchConfig",),
    "search.exact": ("exact_search",),
    "search.greedy": ("greedy_search",),
    "search.length_penalty": ("GnmtPenalty", "NoPenalty", "PowerPenalty", "WordReward"),
    "search.ranking": ("ranking_curve",),
    "search.rerank": ("entries_of", "is_exact"),
    "search.score": ("score_target",),
    "search.table": ("ProbabilityTable",),
    "search.table_file": ("load_table",),
    "search.trace": ("BeamTrace",),
    "search.tree": ("build_tree",),
    "text.normalise": ("normalise",),
}
__getattr__, __dir__ = load_on_use(__name__, _HOMES)
