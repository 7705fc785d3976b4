"""The heatmap of a sweep on its data."""

from __future__ import annotations

import pytest

from s2s_core.figures.sweep_grid import MEASURES, sweep_alt, sweep_figure
from s2s_core.search.length_penalty import PowerPenalty
from s2s_core.search.sweep import CorpusMeasure, SweepCell
from tests.figures.checked import checked

PENALTIES = (PowerPenalty(0.0), PowerPenalty(0.6), PowerPenalty(1.0))
CELLS = tuple(
    SweepCell(
        size, penalty, CorpusMeasure(10.0 * row + column, 0.5 + column / 10, 0.9), 0.01 * size
    )
    for row, size in enumerate((1, 4))
    for column, penalty in enumerate(PENALTIES)
)


@pytest.mark.parametrize("name", MEASURES)
def test_every_cell_stands_in_its_place_and_the_best_is_framed(name: str) -> None:
    figure = checked(sweep_figure(CELLS, name))
    (heatmap,) = figure.data
    flat = [value for row in heatmap.z for value in row]
    assert flat == [MEASURES[name](cell) for cell in CELLS]
    assert list(figure.layout.yaxis.ticktext) == ["1", "4"]
    assert list(figure.layout.xaxis.ticktext) == ["0", "0.6", "1"]
    (frame,) = figure.layout.shapes
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (1.5, 2.5, 0.5, 1.5)
    assert name in sweep_alt(CELLS, name) and "beam size 4" in sweep_alt(CELLS, name)
