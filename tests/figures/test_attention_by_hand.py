"""Figures of the Attention page on their data: bars in panels, arrows, strips, maps."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from s2s_core.figures.attention import attention_figure
from s2s_core.figures.effect_maps import EffectMap, effect_alt, effect_figure
from s2s_core.figures.grid import AttentionGrid
from s2s_core.figures.labels import token_label
from s2s_core.figures.panels import Panel, panels_alt, panels_figure
from s2s_core.figures.plane import meeting_arrows, mixing_arrows, plane_alt, plane_figure
from s2s_core.figures.strips import Strip, strips_alt, strips_figure
from s2s_core.figures.theme import DARK, LIGHT, THEMES, Theme, literal
from tests.figures.checked import checked

ODD = "▁<b>$1$"
LABELS = ("▁the", "the", ODD)
SCORES = Panel("score", (-2.0, 1.0, -math.inf), ("−2", "1", "−∞"), role="score")
WEIGHTS = Panel("weight", (0.25, 0.75, math.nan), ("25 %", "75 %", "?"), role="weight", most=1.0)
VALUES = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
NAMES = ("value 1", "value 2", "<i>3")
SHARES = np.array([[0.9, -3.0, 0.0], [0.2, 0.3, -0.01]])
MAP = EffectMap(SHARES, ("▁un", ODD), ("the", "the", "cat"), "loses without")


@pytest.mark.parametrize("theme", [LIGHT, DARK, *THEMES.values()], ids=range(4))
def test_every_figure_is_one_that_plotly_accepts(theme: Theme) -> None:
    arrows = mixing_arrows(np.array([0.1, 0.7, 0.2]), VALUES, NAMES)
    figures = (
        panels_figure(LABELS, (SCORES, WEIGHTS), theme=theme, marked=(1,)),
        plane_figure(arrows, theme=theme),
        plane_figure(meeting_arrows(np.zeros(2), VALUES, NAMES), theme=theme),
        strips_figure((Strip("a", np.arange(3.0)), Strip(ODD, np.zeros(90))), theme=theme),
        effect_figure(MAP, theme=theme, row=1),
    )
    for figure in figures:
        checked(figure)


# --- panels --------------------------------------------------------------------------------------


def test_panels_stand_side_by_side_and_share_the_rows() -> None:
    figure = panels_figure(LABELS, (SCORES, WEIGHTS))
    first, second = figure.layout.xaxis.domain, figure.layout.xaxis2.domain
    assert 0 == first[0] < first[1] < second[0] < second[1] <= 1
    assert list(figure.layout.yaxis.ticktext) == [token_label(label, 16) for label in LABELS]
    assert [list(trace.text) for trace in figure.data] == [["−2", "1", "−∞"], ["25 %", "75 %", "?"]]


def test_what_is_not_finite_has_no_bar_but_its_text() -> None:
    figure = panels_figure(LABELS, (SCORES, WEIGHTS))
    assert list(figure.data[0].x) == [-2.0, 1.0, 0.0]
    assert list(figure.data[1].x) == [0.25, 0.75, 0.0]


def test_every_bar_lies_within_its_panel_with_room_for_the_number() -> None:
    figure = panels_figure(LABELS, (SCORES, WEIGHTS))
    low, high = figure.layout.xaxis.range
    assert low < -2 and high > 1
    low, high = figure.layout.xaxis2.range
    assert low == 0 and high > 1


def test_a_marked_row_has_a_sign_in_its_label() -> None:
    labels = panels_figure(LABELS, (WEIGHTS,), marked=(1,)).layout.yaxis.ticktext
    assert ["▸" in label for label in labels] == [False, True, False]


def test_alt_text_of_panels_has_every_number() -> None:
    alt = panels_alt(LABELS, (SCORES, WEIGHTS))
    assert "score: ▁the −2, the 1" in alt and "weight: ▁the 25 %, the 75 %" in alt


# --- the plane -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weights", "context"), [((0.1, 0.7, 0.2), (0.3, 0.9)), ((0.6, 0.1, 0.3), (0.9, 0.4))]
)
def test_the_walk_of_the_shares_ends_at_the_context(
    weights: tuple[float, ...], context: tuple[float, ...]
) -> None:
    arrows = mixing_arrows(np.array(weights), VALUES, NAMES)
    parts = [arrow for arrow in arrows if arrow.role == "part"]
    assert parts[0].start == (0, 0)
    assert all(one.end == other.start for one, other in pairwise(parts))
    for part, weight, value in zip(parts, weights, VALUES, strict=True):
        np.testing.assert_allclose(np.subtract(part.end, part.start), weight * value, atol=1e-12)
    assert parts[-1].end == arrows[-1].end == pytest.approx(context)
    assert arrows[-1].name == "context"


def test_masked_values_take_no_part_in_the_walk() -> None:
    arrows = mixing_arrows(np.array([0.5, 0.0, 0.5]), VALUES, NAMES)
    assert len([arrow for arrow in arrows if arrow.role == "part"]) == 2


def test_arrows_begin_and_end_where_the_vectors_do_on_equal_scales() -> None:
    arrows = meeting_arrows(np.array([1.0, 2.0]), VALUES, NAMES)
    figure = plane_figure(arrows)
    drawn = [(each.ax, each.ay, each.x, each.y) for each in figure.layout.annotations]
    assert drawn == [(0, 0, *map(float, value)) for value in VALUES] + [(0, 0, 1.0, 2.0)]
    assert figure.layout.yaxis.scaleanchor == "x"
    assert literal("<i>3") in figure.data[0].text[2]


def test_every_tip_lies_within_the_axes() -> None:
    arrows = meeting_arrows(np.array([-3.0, 0.5]), VALUES * 4, NAMES)
    layout = plane_figure(arrows).layout
    for arrow in arrows:
        for place, axis in zip(arrow.end, (layout.xaxis, layout.yaxis), strict=True):
            assert axis.range[0] < place < axis.range[1]


def test_what_is_not_a_number_is_not_drawn() -> None:
    arrows = mixing_arrows(np.full(3, np.nan), VALUES, NAMES)
    assert len(plane_figure(arrows).layout.annotations) == 3  # the values alone


def test_alt_text_of_the_plane_has_the_coordinates() -> None:
    alt = plane_alt(mixing_arrows(np.array([0.1, 0.7, 0.2]), VALUES, NAMES))
    assert "context to (0.30, 0.90)" in alt and "value 1 to (1.00, 0.00)" in alt


# --- strips --------------------------------------------------------------------------------------


def test_strips_of_different_width_share_a_scale_around_0() -> None:
    figure = strips_figure((Strip("a", np.array([1.0, -4.0])), Strip("b", np.ones(3))))
    (trace,) = figure.data
    assert (trace.zmin, trace.zmax) == (-4, 4)
    np.testing.assert_array_equal(trace.z, [[1, -4, np.nan], [1, 1, 1]])
    assert trace.texttemplate is not None


def test_wide_strips_have_no_numbers_and_zeros_have_a_scale() -> None:
    (trace,) = strips_figure((Strip("a", np.zeros(64)),)).data
    assert trace.texttemplate is None and trace.zmax == 1
    assert strips_alt((Strip("a", np.zeros(64)),)).count("64 numbers from 0.00 to 0.00") == 1


# --- maps ----------------------------------------------------------------------------------------


def test_maps_have_the_scale_of_attention_and_keep_repeated_columns() -> None:
    figure = effect_figure(MAP)
    grid = AttentionGrid.from_matrix(np.full((2, 3), 1 / 3), MAP.rows, MAP.columns)
    attention = attention_figure(grid)
    assert figure.layout.coloraxis == attention.layout.coloraxis
    assert figure.layout.height == attention.layout.height
    assert list(figure.layout.xaxis.ticktext) == ["the", "the", "cat"]


def test_what_gets_likelier_is_pale_marked_and_told() -> None:
    (trace,) = effect_figure(MAP).data
    np.testing.assert_allclose(trace.z, [[0.9, 0, 0], [0.2, 0.3, 0]], atol=1e-7)
    assert [list(row) for row in trace.text] == [["", "↑", ""], ["", "", ""]]
    assert "likelier, by the factor 4" in trace.customdata[0][1]
    assert literal(ODD) in trace.customdata[1][0] and "20 %" in trace.customdata[1][0]


def test_the_present_row_has_a_frame() -> None:
    assert not effect_figure(MAP).layout.shapes
    (frame,) = effect_figure(MAP, row=1).layout.shapes
    assert (frame.y0, frame.y1, frame.x0, frame.x1) == (0.5, 1.5, -0.5, 2.5)


def test_alt_text_of_a_map_says_what_is_strongest_in_each_row() -> None:
    alt = effect_alt(MAP)
    assert "▁un loses without the most (90 %)" in alt and "loses without the most (30 %)" in alt
