"""Figures are put together unchecked; here every kind of them passes plotly's own check."""

from __future__ import annotations

import json

import plotly.graph_objects as go
import pytest

from s2s_core.figures.attention import attention_figure
from s2s_core.figures.beam_tree import beam_tree_figure
from s2s_core.figures.brevity import brevity_figure
from s2s_core.figures.build import make_figure
from s2s_core.figures.grid import attention_grid
from s2s_core.figures.next_token import next_token_figure, next_tokens
from s2s_core.figures.ranking import ranking_figure
from s2s_core.figures.score_distribution import (
    bucket_figure,
    differences_figure,
    distribution_figure,
)
from s2s_core.figures.smoothing import smoothing_figure
from s2s_core.figures.theme import DARK, LIGHT, THEMES, Theme
from s2s_core.metrics.corpus_view import length_buckets
from s2s_core.metrics.report import bleu_report
from s2s_core.metrics.smoothing_view import smoothing_rows
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.length_penalty import GnmtPenalty, PowerPenalty, WordReward
from s2s_core.search.ranking import ranking_curve
from s2s_core.search.rerank import entries_of
from s2s_core.search.trace import BeamTrace
from s2s_core.search.tree import build_tree
from tests.browser.apps.demo_model import DemoModel
from tests.figures.checked import checked


def figures(trace: BeamTrace, greedy: BeamTrace, theme: Theme) -> dict[str, go.Figure]:
    """Every kind of figure, in every form."""
    attention = trace.best.attention
    assert attention is not None
    grid, penalty = attention_grid(attention), PowerPenalty(0.6)
    row = next_tokens(trace, 0)
    assert row is not None
    cut = beam_search(DemoModel(), "the cat", SearchConfig(beam_size=2, max_length=3))
    tree = build_tree(trace, greedy=greedy, show_unpooled_ends=True)
    chosen = tree.nodes[5].id
    made = {
        "attention": attention_figure(grid, theme=theme),
        "numbers": attention_figure(grid, theme=theme, numbers=True),
        "two maps": attention_figure(grid, theme=theme, compare=grid, titles=("a", "b")),
        "room": attention_figure(grid.with_room(len(grid.rows) + 2), theme=theme),
        "bars": next_token_figure(row, theme=theme, slots=12),
        "tree": beam_tree_figure(tree, penalty=penalty, theme=theme, selected_id=chosen),
        "cut": beam_tree_figure(build_tree(cut), penalty=penalty, theme=theme),
    }
    for family in (PowerPenalty, GnmtPenalty, WordReward):
        curve = ranking_curve(entries_of(trace), family, -1.0, 2.0)
        made[family.name] = ranking_figure(curve, 0.6, theme=theme)
    return made | bleu_figures(theme)


def bleu_figures(theme: Theme) -> dict[str, go.Figure]:
    """Every kind that the BLEU page has."""
    report = bleu_report(["the cat", "a b c d"], [["the cat sat", "a"], ["a b d c", None]])
    scores = [segment.score for segment in report.segments]
    return {
        "brevity": brevity_figure(2, 3, lengths=(3, 1), theme=theme),
        "smoothing": smoothing_figure(smoothing_rows(report), theme=theme),
        "distribution": distribution_figure(scores, report.score, 30.0, theme=theme),
        "buckets": bucket_figure(length_buckets(report), theme=theme),
        "differences": differences_figure([1.0, -2.0, 0.0], theme=theme),
    }


@pytest.mark.parametrize("theme", [LIGHT, DARK, *THEMES.values()], ids=range(4))
def test_every_figure_is_one_that_plotly_accepts(
    trace: BeamTrace, greedy: BeamTrace, theme: Theme
) -> None:
    for name, figure in figures(trace, greedy, theme).items():
        assert json.loads(checked(figure).to_json()) == json.loads(figure.to_json()), name


def test_the_check_would_find_a_bad_property() -> None:
    figure = make_figure([{"type": "scatter", "mode": "lies"}], {"height": 5})
    with pytest.raises(ValueError, match="mode"):
        checked(figure)
