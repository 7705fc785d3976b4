"""Figures of the Training page: cells and arrows, grids, intervals, chains."""

from __future__ import annotations

import pytest

from s2s_core.figures.dependencies import dependency_alt, dependency_figure
from s2s_core.figures.error_story import (
    FORCED_READ,
    FORCED_WRITE,
    MOST_STEPS,
    OWN_READ,
    OWN_WRITE,
    TARGET,
    error_alt,
    error_cells,
    error_figure,
)
from s2s_core.figures.exposure import (
    EXPOSURE_AXES,
    arithmetic_axes,
    arithmetic_lines,
    exposure_lines,
)
from s2s_core.figures.lines import lines_figure
from s2s_core.figures.mask_grid import TokenGrid, mask_alt, mask_figure
from s2s_core.figures.theme import DARK
from s2s_core.models.checkpoint import checkpoint_folder, load_checkpoint
from s2s_core.training.lessons.dependencies import KINDS, dependency_graph
from s2s_core.training.lessons.exposure import Exposure, PositionCount
from s2s_core.training.lessons.free_running import ErrorStory, Mistake, tell_error
from tests.figures.checked import checked
from tests.models.networks import random_model


@pytest.fixture(scope="module")
def story() -> ErrorStory:
    model = load_checkpoint(checkpoint_folder("reverse-fixed-every-step"))
    (five,) = model.target.ids("5")
    return tell_error(model, "7 4 9", model.target.ids("9 4 7"), Mistake(2, five))


def test_the_cells_show_5_put_in_and_read_at_step_3(story: ErrorStory) -> None:
    cells = {(cell.column, cell.row): cell for cell in error_cells(story)}
    assert [cells[step, TARGET].token for step in (1, 2, 3, 4)] == ["9", "4", "7", "</s>"]
    assert [cells[step, FORCED_READ].token for step in (1, 2, 3, 4)] == ["<s>", "9", "4", "7"]
    assert cells[2, OWN_WRITE].token == cells[3, OWN_READ].token == "5"
    assert cells[2, OWN_WRITE].look == "put in"
    assert cells[1, FORCED_WRITE].look == "right" and cells[3, OWN_WRITE].look == "wrong"
    assert "✗" in cells[3, OWN_WRITE].detail  # not by colour alone


def test_arrows_come_from_the_target_or_from_what_was_written(story: ErrorStory) -> None:
    figure = checked(error_figure(story, theme=DARK))
    arrows = [a for a in figure.layout.annotations if a.showarrow]
    forced = [a for a in arrows if a.y == FORCED_READ]
    own = [a for a in arrows if a.y == OWN_READ]
    assert len(forced) == len(story.forced) - 1 and len(own) == len(story.disturbed) - 1
    assert all(a.ay < FORCED_READ for a in forced) and all(a.ay == OWN_WRITE for a in own)
    assert len(figure.layout.shapes) == len(list(error_cells(story)))


def test_the_alt_text_tells_both_runs(story: ErrorStory) -> None:
    alt = error_alt(story)
    assert "step 3 reads ▁4 and writes ▁7 (right)" in alt
    assert "step 2 reads ▁9 and is made to write ▁5 (wrong)" in alt
    assert "step 3 reads ▁5" in alt


def test_long_targets_are_cut_in_the_picture() -> None:
    model = random_model("gru-bidirectional-additive")
    story = tell_error(model, "Where is the cat?", (5,) * 30)
    assert max(cell.column for cell in error_cells(story)) == MOST_STEPS
    checked(error_figure(story))


def test_tokens_are_literal() -> None:
    model = random_model("gru-bidirectional-additive")
    story = tell_error(model, "Where is the cat?", model.target.encode("<b>$1$"))
    texts = [a.text for a in checked(error_figure(story)).layout.annotations if a.text]
    assert not any("$" in text for text in texts)
    assert any("&lt;" in text for text in texts)


GRID = TokenGrid("sources: a, b", (("3", "4"), ("5", "PAD")), ((True, True), (True, False)))


def test_a_grid_has_a_cell_a_token_and_tells_padding() -> None:
    figure = checked(mask_figure((GRID, GRID, GRID)))
    assert len(figure.data) == 3
    assert [list(row) for row in figure.data[0].z] == [[1, 1], [1, 0]]
    assert [list(row) for row in figure.data[0].text] == [["3", "4"], ["5", "PAD"]]
    texts = figure.layout.annotations
    assert [a.text for a in texts[:4]] == ["3", "4", "5", "PAD"] and len(texts) == 12
    ends = [axis.domain for axis in (figure.layout.xaxis, figure.layout.xaxis2)]
    assert ends[0][1] < ends[1][0]
    assert "3 of them are tokens" in mask_alt((GRID,))


def test_padding_that_leaks_in_is_told_by_a_sign() -> None:
    leaking = TokenGrid(GRID.title, GRID.tokens, GRID.mask, leaks=True)
    figure = checked(mask_figure((leaking,)))
    assert list(figure.data[0].text[1]) == ["5", "PAD ✗"]
    assert "leaks in" in mask_alt((leaking,))


EXPOSURE = Exposure(
    100, 40, (PositionCount(1, 100, 90, 90), PositionCount(2, 50, 40, 20),
              PositionCount(3, 5, 5, 0)), 30, 20, 10,
)  # fmt: skip


def test_exposure_has_a_line_for_each_way_with_intervals_and_leaves_out_the_rare() -> None:
    forced, free = exposure_lines(EXPOSURE)
    assert forced.xs == (1.0, 2.0) and forced.ys == (90.0, 80.0) and free.ys == (90.0, 40.0)
    for line in (forced, free):
        for low, y, high in zip(line.lows, line.ys, line.highs, strict=True):
            assert low < y < high
    checked(lines_figure((forced, free), EXPOSURE_AXES))


def test_the_arithmetic_is_drawn_as_arithmetic() -> None:
    (line,) = arithmetic_lines(0.95, 20)
    assert "not a measurement" in line.name
    assert line.ys[19] == pytest.approx(35.85, abs=0.005)
    assert arithmetic_axes(20).limit == (20.0, "20 tokens")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("positions", [1, 5, 12])
def test_every_node_and_edge_is_drawn_once(kind: tuple[str, str], positions: int) -> None:
    graph = dependency_graph(*kind, positions, layers=2)  # type: ignore[arg-type]
    figure = checked(dependency_figure(graph, theme=DARK))
    drawn = [trace for trace in figure.data if "markers" in trace.mode]
    assert sum(len(trace.x) for trace in drawn) == len(graph.nodes)
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert sum(len(trace.x) // 3 for trace in lines) == len(graph.edges)
    chain = next(trace for trace in drawn if trace.meta == "chain")
    assert len(chain.x) == graph.longest and chain.marker.symbol == "square"
    assert f"longest chain has {graph.longest}" in dependency_alt(graph)
