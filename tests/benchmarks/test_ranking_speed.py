"""How long a move of alpha takes: `pytest -m benchmark tests/benchmarks/test_ranking_speed.py -s`.

Times are printed, never asserted: machines are noisy.
"""

from __future__ import annotations

from itertools import cycle

import pytest

from s2s_core.figures.penalty_curve import penalty_curve_figure
from s2s_core.figures.ranking import ranking_figure
from s2s_core.models.checkpoint import checkpoint_folder, load_checkpoint
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.length_penalty import PowerPenalty
from s2s_core.search.penalty_shape import penalty_curve
from s2s_core.search.ranking import ranking_curve
from s2s_core.search.rerank import entries_of
from s2s_core.ui.length import tables
from tests.benchmarks.test_speed import medians
from tests.pages.conftest import OpenPage, open_page

__all__ = ["open_page"]

pytestmark = pytest.mark.benchmark

SOURCE = "Where is the station?"
CHECKPOINT = "en-fr-additive-gru"


@pytest.mark.parametrize("beam_size", [5, 20, 64])
def test_ranking_figures_and_tables(beam_size: int) -> None:
    model = load_checkpoint(checkpoint_folder(CHECKPOINT))
    config = SearchConfig(beam_size, stop_rule="exhaust", recorded_candidates=0)
    entries = entries_of(beam_search(model, SOURCE, config))

    def rank_and_draw() -> None:
        penalty = PowerPenalty(1.1)
        curve = ranking_curve(entries, PowerPenalty, -1.0, 3.0)
        ranking_figure(curve, 1.1)
        penalty_curve_figure(penalty_curve(penalty, range(1, 21)))
        tables.ranking(entries, penalty)
        tables.winners(curve)
        tables.crossings(curve, penalty)

    found = medians({"rank, draw, tables": rank_and_draw})
    print(f"\nbeam {beam_size}, {len(entries)} hypotheses: {found['rank, draw, tables']:.0f} ms")


@pytest.mark.parametrize("beam_size", [5, 64])
def test_one_act_on_the_page(open_page: OpenPage, beam_size: int) -> None:
    """The whole run of the page's script, and what the test's own browser adds."""
    app = open_page("length", {"model": CHECKPOINT, "source": SOURCE, "beam": str(beam_size)})
    values = cycle((0.2, 0.9, 1.4, 2.1))
    found = medians(
        {"act": lambda: app.slider(key="parameter_slider").set_value(next(values)).run()}
    )
    print(f"\nbeam {beam_size}: one move of the slider {found['act']:.0f} ms")
