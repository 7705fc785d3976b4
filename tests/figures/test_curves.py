"""Growing curves: fixed axes, bands, and the picture in words."""

from __future__ import annotations

from s2s_core.figures.curves import Frame, curves_alt, curves_figure
from s2s_core.figures.lines import Line
from s2s_core.figures.theme import THEMES
from tests.figures.checked import checked

FRAME = Frame("step", "%", 400, height=100, rows=3)
GROWING = Line("a <b>", (0, 25, 50), (1.0, 40.0, 90.0))
BANDED = Line("b", (0, 25), (2.0, 30.0), (0.0, 20.0), (5.0, 45.0))


def test_axes_stay_where_they_are_while_curves_grow() -> None:
    for lines in ([], [Line("a", (0,), (3.0,))], [GROWING]):
        layout = checked(curves_figure(lines, FRAME)).layout
        assert (layout.xaxis.range, layout.yaxis.range) == ((0, 400), (0, 100))
    heights = {curves_figure(lines, FRAME).layout.height for lines in ([], [GROWING, BANDED])}
    assert len(heights) == 1


def test_a_band_goes_there_and_back_below_its_curve() -> None:
    for theme in THEMES.values():
        band, curve = checked(curves_figure([BANDED], FRAME, theme=theme)).data
        assert (band.meta, curve.meta) == ("band", "curve")
        assert band.x == (0, 25, 25, 0) and band.y == (0.0, 20.0, 45.0, 5.0)
        assert curve.y == (2.0, 30.0) and band.fillcolor == curve.line.color


def test_curves_differ_in_more_than_colour_and_names_are_literal() -> None:
    first, second = checked(curves_figure([GROWING, GROWING], FRAME)).data
    assert first.line.dash != second.line.dash
    assert first.name == "a &lt;b&gt;"


def test_a_single_point_is_seen() -> None:
    (trace,) = curves_figure([Line("a", (0,), (3.0,))], FRAME).data
    assert trace.mode == "markers"


def test_the_alt_text_says_first_and_last() -> None:
    assert "a <b>: 1 at 0, 90 at 50" in curves_alt([GROWING], FRAME)
    assert "nothing is measured yet" in curves_alt([], FRAME)
