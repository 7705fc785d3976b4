"""Colours, sizes and text for all figures, in one place.

The colours of states are those of Okabe and Ito (2008), which people with any kind of colour
blindness can tell apart, made darker or lighter to stand out from the background. The scale of the
heatmap has one hue (blue) and even steps of lightness (CIELAB L*), so that it also reads in grey.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from s2s_core.search.penalty_base import readable

FONT_SIZE = 16
"""Pixels; large enough for the last row of a lecture hall."""
SMALL_SIZE = 14
TOP = 30
"""Pixels above the picture; the button that saves it stands there."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of one look, as `#rrggbb`.

    scale: from weight 0 to weight 1, evenly spaced.
    kept, finished, pruned, cut: the fates of a node.
    best, greedy: the winner's path, the greedy path.
    accent: marks the present (step, alpha, selection); not used for anything else.
    categories: for up to eight hypotheses; each also has its own dash and number.
    """

    name: str
    background: str
    text: str
    muted: str
    grid: str
    scale: tuple[str, ...]
    kept: str
    finished: str
    pruned: str
    cut: str
    best: str
    greedy: str
    accent: str
    categories: tuple[str, ...]

    @property
    def colorscale(self) -> list[list[object]]:
        """The scale as plotly takes it."""
        last = len(self.scale) - 1
        return [[index / last, color] for index, color in enumerate(self.scale)]


LIGHT = Theme(
    name="light",
    background="#ffffff",
    text="#16202b",
    muted="#5d6472",
    grid="#e3e5ea",
    scale=(
        *("#f8f9fc", "#cde3ff", "#a2cbff", "#7db2f7", "#5a9aec"),
        *("#3883dd", "#126bca", "#0056a9", "#004184"),
    ),
    kept="#0068b5",
    finished="#007a58",
    pruned="#8b909e",
    cut="#9b3f7c",
    best="#f5c84c",
    greedy="#c24e00",
    accent="#d1234f",
    categories=(
        *("#0068b5", "#c24e00", "#007a58", "#9b3f7c"),
        *("#9a6a00", "#2f8fc4", "#5b4db1", "#5f6470"),
    ),
)
DARK = Theme(
    name="dark",
    background="#0e1117",
    text="#fafafa",
    muted="#a3a8b8",
    grid="#2b303b",
    scale=(
        *("#182029", "#0d365c", "#004d88", "#0166b0", "#2380d0"),
        *("#4e9be5", "#7cb5f1", "#acd0f5", "#dee9f5"),
    ),
    kept="#5cb0ff",
    finished="#2fcf9f",
    pruned="#7d8494",
    cut="#e38cc1",
    best="#e0ac1c",
    greedy="#ff9a52",
    accent="#ff5c86",
    categories=(
        *("#5cb0ff", "#ff9a52", "#2fcf9f", "#e38cc1"),
        *("#e3b341", "#9fd6ff", "#b3a5ff", "#c0c4ce"),
    ),
)
# Streamlit replaces this in a figure by the text colour of the page as it is now. So letters stay
# legible when the theme changes in the browser, before Python hears of it.
_PAGE_TEXT = "#000037"

THEMES: dict[str, Theme] = {theme.name: replace(theme, text=_PAGE_TEXT) for theme in (LIGHT, DARK)}
"""For figures in Streamlit, by the name that `st.context.theme.type` gives."""

# Plotly reads tags and entities in every text, and TeX between dollars where MathJax is loaded.
# Streamlit replaces #000001 to #000040 by colours of its theme, wherever they stand in a figure.
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "#": "&#35;", "\n": "↵", "\t": "⇥"}
)
_SPECIAL = re.compile("[&<>$#\n\t]")
# The blocks of right-to-left scripts and the marks that set a direction.
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_HYPHEN_MINUS = re.compile(r"(?<!\w)-(?=[\d.])")
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"


def literal(text: str) -> str:
    """Make any text show exactly as typed in plotly labels, hover texts and annotations.

    Text with right-to-left letters is isolated, so that it can't reorder what stands around it. A
    line break is shown as ↵ and a tab as ⇥.
    """
    escaped = text.translate(_ESCAPES) if _SPECIAL.search(text) else text
    if _RIGHT_TO_LEFT.search(text):
        return f"{_ISOLATE}{escaped}{_END_ISOLATE}"
    return escaped


def shorten(text: str, width: int) -> str:
    """At most `width` characters; what is cut off is shown by an ellipsis."""
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def lines(text: str, width: int) -> str:
    """Literal text broken into lines of about `width` characters, at spaces where there are any."""
    broken = []
    while len(text) > width:
        end = text.rfind(" ", width // 2, width + 1)
        end = width if end < 0 else end
        broken.append(literal(text[:end]))
        text = text[end:].lstrip()
    return "<br>".join([*broken, literal(text)])


def percent(probability: float) -> str:
    """A probability (0-1) for people: `61 %`, `6.1 %`, `<0.1 %`, `>99.9 %`."""
    if 0.0 < probability < 0.001:
        return "<0.1 %"
    if 0.999 < probability < 1.0:
        return ">99.9 %"
    value = 100.0 * probability
    return f"{value:.1f} %" if 0.0 < value < 9.95 or 99.5 <= value < 100.0 else f"{value:.0f} %"


def signed(value: float) -> str:
    """A log-probability or score for people, with a real minus sign; see `readable`."""
    return readable(value).replace("-", "−")


def minus(text: str) -> str:
    """Words with numbers in them, with real minus signs; other hyphens stay."""
    return _HYPHEN_MINUS.sub("−", text)


def font(theme: Theme, size: int = FONT_SIZE) -> dict[str, object]:
    """Letters of full contrast; Streamlit's own theme would make axis labels grey."""
    return {"size": size, "color": theme.text}


def base_layout(theme: Theme, *, height: int) -> dict[str, object]:
    """What all figures have in common.

    Backgrounds stand in the template, where Streamlit puts its own over them.
    """
    return {
        "template": {
            "layout": {
                "paper_bgcolor": theme.background,
                "plot_bgcolor": theme.background,
                "font": {"family": "sans-serif"},
                "hoverlabel": {"bgcolor": theme.background},
            }
        },
        "height": height,
        "font": font(theme),
        "hoverlabel": {
            "font": font(theme, SMALL_SIZE),
            "align": "left",
            "bordercolor": theme.muted,
        },
        "margin": {"l": 8, "r": 8, "t": TOP, "b": 8},
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": theme.muted, "activecolor": theme.text},
        "dragmode": False,
        "hovermode": "closest",
        "showlegend": False,
    }


def bare_axis(theme: Theme, labels: Sequence[str]) -> dict[str, object]:
    """An axis of numbered places, 0, 1, ..., with a label at each and no lines."""
    return {
        "tickvals": list(range(len(labels))),
        "ticktext": list(labels),
        "tickfont": font(theme),
        "ticks": "",
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
    }
