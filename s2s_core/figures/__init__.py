"""Plotly figures from result objects. Nothing is computed here that isn't about drawing.

Names are loaded on first use, so importing the package doesn't load plotly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s_core.lazy import load_on_use

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as Figure  # what the functions here give

    from s2s_core.figures.architecture import architecture_alt, architecture_figure
    from s2s_core.figures.attention import attention_alt, attention_figure
    from s2s_core.figures.beam_tree import beam_tree_alt, beam_tree_figure
    from s2s_core.figures.brevity import brevity_alt, brevity_figure
    from s2s_core.figures.curves import Frame, curves_alt, curves_figure
    from s2s_core.figures.dependencies import dependency_alt, dependency_figure
    from s2s_core.figures.effect_maps import EffectMap, effect_alt, effect_figure
    from s2s_core.figures.error_story import error_alt, error_figure
    from s2s_core.figures.exposure import arithmetic_axes, arithmetic_lines, exposure_lines
    from s2s_core.figures.grid import AttentionGrid, attention_grid, merge_words
    from s2s_core.figures.lines import Axes, Line, lines_alt, lines_figure
    from s2s_core.figures.mask_grid import TokenGrid, mask_alt, mask_figure
    from s2s_core.figures.mass import mass_alt, mass_figure
    from s2s_core.figures.moments import TimelineView, ViewOptions, timeline_view
    from s2s_core.figures.next_token import (
        NextTokens,
        next_token_alt,
        next_token_figure,
        next_tokens,
    )
    from s2s_core.figures.panels import Panel, panels_alt, panels_figure
    from s2s_core.figures.penalty_curve import penalty_curve_alt, penalty_curve_figure
    from s2s_core.figures.plane import (
        Arrow,
        meeting_arrows,
        mixing_arrows,
        plane_alt,
        plane_figure,
    )
    from s2s_core.figures.quality import quality_axes, quality_lines
    from s2s_core.figures.ranking import ranking_alt, ranking_figure
    from s2s_core.figures.score_distribution import (
        bucket_alt,
        bucket_figure,
        differences_alt,
        differences_figure,
        distribution_alt,
        distribution_figure,
    )
    from s2s_core.figures.search_lab import (
        bump_figure,
        surprisal_figure,
        totals_figure,
        utility_figure,
        width_figure,
    )
    from s2s_core.figures.smoothing import smoothing_alt, smoothing_figure
    from s2s_core.figures.strips import Strip, strips_alt, strips_figure
    from s2s_core.figures.sweep_grid import sweep_alt, sweep_figure
    from s2s_core.figures.theme import DARK, LIGHT, THEMES, Theme, literal
    from s2s_core.figures.three_searches import three_searches_alt, three_searches_figure

__all__ = [
    "DARK",
    "LIGHT",
    "THEMES",
    "Arrow",
    "AttentionGrid",
    "Axes",
    "EffectMap",
    "Frame",
    "Line",
    "NextTokens",
    "Panel",
    "Strip",
    "Theme",
    "TimelineView",
    "TokenGrid",
    "ViewOptions",
    "architecture_alt",
    "architecture_figure",
    "arithmetic_axes",
    "arithmetic_lines",
    "attention_alt",
    "attention_figure",
    "attention_grid",
    "beam_tree_alt",
    "beam_tree_figure",
    "brevity_alt",
    "brevity_figure",
    "bucket_alt",
    "bucket_figure",
    "bump_figure",
    "curves_alt",
    "curves_figure",
    "dependency_alt",
    "dependency_figure",
    "differences_alt",
    "differences_figure",
    "distribution_alt",
    "distribution_figure",
    "effect_alt",
    "effect_figure",
    "error_alt",
    "error_figure",
    "exposure_lines",
    "lines_alt",
    "lines_figure",
    "literal",
    "mask_alt",
    "mask_figure",
    "mass_alt",
    "mass_figure",
    "meeting_arrows",
    "merge_words",
    "mixing_arrows",
    "next_token_alt",
    "next_token_figure",
    "next_tokens",
    "panels_alt",
    "panels_figure",
    "penalty_curve_alt",
    "penalty_curve_figure",
    "plane_alt",
    "plane_figure",
    "quality_axes",
    "quality_lines",
    "ranking_alt",
    "ranking_figure",
    "smoothing_alt",
    "smoothing_figure",
    "strips_alt",
    "strips_figure",
    "surprisal_figure",
    "sweep_alt",
    "sweep_figure",
    "three_searches_alt",
    "three_searches_figure",
    "timeline_view",
    "totals_figure",
    "utility_figure",
    "width_figure",
]

_HOMES = {
    "dependencies": ("dependency_alt", "dependency_figure"),
    "error_story": ("error_alt", "error_figure"),
    "exposure": ("arithmetic_axes", "arithmetic_lines", "exposure_lines"),
    "mask_grid": ("TokenGrid", "mask_alt", "mask_figure"),
    "architecture": ("architecture_alt", "architecture_figure"),
    "curves": ("Frame", "curves_alt", "curves_figure"),
    "effect_maps": ("EffectMap", "effect_alt", "effect_figure"),
    "panels": ("Panel", "panels_alt", "panels_figure"),
    "plane": ("Arrow", "meeting_arrows", "mixing_arrows", "plane_alt", "plane_figure"),
    "strips": ("Strip", "strips_alt", "strips_figure"),
    "lines": ("Axes", "Line", "lines_alt", "lines_figure"),
    "quality": ("quality_axes", "quality_lines"),
    "mass": ("mass_alt", "mass_figure"),
    "penalty_curve": ("penalty_curve_alt", "penalty_curve_figure"),
    "search_lab": (
        "bump_figure",
        "surprisal_figure",
        "totals_figure",
        "utility_figure",
        "width_figure",
    ),
    "sweep_grid": ("sweep_alt", "sweep_figure"),
    "three_searches": ("three_searches_alt", "three_searches_figure"),
    "attention": ("attention_alt", "attention_figure"),
    "grid": ("AttentionGrid", "attention_grid", "merge_words"),
    "beam_tree": ("beam_tree_alt", "beam_tree_figure"),
    "next_token": ("NextTokens", "next_token_alt", "next_token_figure", "next_tokens"),
    "ranking": ("ranking_alt", "ranking_figure"),
    "brevity": ("brevity_alt", "brevity_figure"),
    "score_distribution": (
        "bucket_alt",
        "bucket_figure",
        "differences_alt",
        "differences_figure",
        "distribution_alt",
        "distribution_figure",
    ),
    "smoothing": ("smoothing_alt", "smoothing_figure"),
    "theme": ("DARK", "LIGHT", "THEMES", "Theme", "literal"),
    "moments": ("TimelineView", "ViewOptions", "timeline_view"),
}
__getattr__, __dir__ = load_on_use(__name__, _HOMES)
