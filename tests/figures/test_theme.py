"""Text that stays literal, numbers for people, and colours that can be told apart."""

from __future__ import annotations

import colorsys
import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.figures.theme import DARK, LIGHT, Theme, lines, literal, percent, shorten, signed

BOTH = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
HOSTILE = (
    "a<b & \"c\" <unk> '$1$' *x*",
    "</s>",
    "<b>bold</b><br>",
    "&lt;&amp;&#36;",
    "$x^2$ and $y$",
    "#000001#000036",
    "%{x} %{customdata[0]}",
)


def rendered(label: str) -> str:
    """What plotly makes of a label: tags are dropped or obeyed, then entities are decoded."""
    text = re.sub(r"<[^<>]*>", "", label)
    names = {"amp": "&", "lt": "<", "gt": ">"}

    def decode(match: re.Match[str]) -> str:
        name = match[1]
        return chr(int(name[1:])) if name.startswith("#") else names.get(name, match[0])

    return re.sub(r"&(#\d+|[a-z]+);", decode, text)


def bare(text: str) -> str:
    return text.strip("\u2068\u2069")


@given(st.one_of(st.sampled_from(HOSTILE), st.text(), st.text("<>&$#;/bslt0136{}%*")))
def test_any_text_is_rendered_as_typed(text: str) -> None:
    label = literal(text)
    expected = text.replace("\n", "↵").replace("\t", "⇥")
    assert bare(rendered(label)) == bare(expected)


@given(st.text("<>&$#0123456789ab"))
def test_nothing_is_left_for_tex_or_for_theme_colours(text: str) -> None:
    label = literal(text)
    assert "$" not in label
    assert not re.search(r"#0000[0-4][0-9]", label)


@pytest.mark.parametrize("text", ["مرحبا", "שלום 123", "a \u202eb"])
def test_right_to_left_text_is_isolated(text: str) -> None:
    assert literal(text) == f"\u2068{text}\u2069"


def test_every_right_to_left_letter_is_noticed() -> None:
    classes = {"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI"}
    letters = [c for c in map(chr, range(0x110000)) if unicodedata.bidirectional(c) in classes]
    assert len(letters) > 1000
    assert [letter for letter in letters if not literal(letter).startswith("\u2068")] == []


def test_other_text_is_not_wrapped() -> None:
    assert literal("▁où 猫 😀") == "▁où 猫 😀"


@given(st.text("ab <&é", max_size=200), st.integers(8, 60))
def test_broken_lines_keep_every_letter(text: str, width: int) -> None:
    parts = lines(text, width).split("<br>")
    assert all(len(rendered(part)) <= width for part in parts)
    assert "".join(map(rendered, parts)).replace(" ", "") == text.replace(" ", "")


@given(st.text(max_size=30), st.integers(1, 30))
def test_shortened_text_says_that_it_is_shortened(text: str, width: int) -> None:
    short = shorten(text, width)
    assert len(short) <= width
    assert short == text or short.endswith("…")


@pytest.mark.parametrize(
    ("probability", "expected"),
    [
        (0.0, "0 %"),
        (1e-9, "<0.1 %"),
        (0.001, "0.1 %"),
        (0.061, "6.1 %"),
        (0.0996, "10 %"),
        (0.614, "61 %"),
        (0.996, "99.6 %"),
        (0.99999, ">99.9 %"),
        (1.0, "100 %"),
    ],
)
def test_probabilities_are_percentages(probability: float, expected: str) -> None:
    assert percent(probability) == expected


@given(st.floats(0.0, 1.0))
def test_only_certainty_is_called_certain(probability: float) -> None:
    assert (percent(probability) == "100 %") == (probability == 1.0)
    assert (percent(probability) == "0 %") == (probability == 0.0)


def test_negative_numbers_have_a_minus_sign_and_not_a_hyphen() -> None:
    assert signed(-3.2) == "−3.20"


@BOTH
def test_the_scale_has_even_steps_of_lightness_and_one_hue(theme: Theme) -> None:
    lightness = [_lab_lightness(color) for color in theme.scale]
    steps = [after - before for before, after in pairwise(lightness)]
    assert max(steps) - min(steps) < 0.6
    assert abs(lightness[0] - _lab_lightness(theme.background)) < 10
    hues = [colorsys.rgb_to_hsv(*_rgb(color))[0] * 360 for color in theme.scale]
    assert all(200 < hue < 230 for hue in hues)


@BOTH
def test_letters_and_marks_stand_out_from_the_background(theme: Theme) -> None:
    letters = (theme.text, theme.muted, theme.accent)
    marks = (theme.kept, theme.finished, theme.pruned, theme.cut, theme.greedy, *theme.categories)
    assert min(_contrast(color, theme.background) for color in letters) >= 4.5
    assert min(_contrast(color, theme.background) for color in marks) >= 3.0


def _rgb(color: str) -> tuple[float, float, float]:
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def _luminance(color: str) -> float:
    """Relative luminance of WCAG 2."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in _rgb(color)]
    red, green, blue = linear
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _lab_lightness(color: str) -> float:
    """L* of CIELAB."""
    y = _luminance(color)
    return 116 * y ** (1 / 3) - 16 if y > 216 / 24389 else y * 24389 / 27


def _contrast(first: str, second: str) -> float:
    high, low = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)
