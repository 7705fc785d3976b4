"""A formula as MathML in which each symbol carries its explanation."""

from __future__ import annotations

from functools import lru_cache
from html import escape

from latex2mathml.converter import convert

_FIRST_PLACE = 0xE000  # private characters, which no formula has, stand in for symbols


@lru_cache(maxsize=200)
def formula_html(latex: str, symbols: tuple[tuple[str, str], ...]) -> str:
    """The formula, drawn by the browser; a symbol shows its meaning when pointed at or focused.

    symbols: LaTeX as it stands in the formula, and what it means. The longer ones are looked for
        first, so `h` isn't found inside `W_h` if both are given.

    Raises:
        ValueError: a symbol doesn't occur.
    """
    body = _body(latex)
    marked = sorted(symbols, key=lambda pair: -len(_body(pair[0])))
    for place, (symbol, _) in enumerate(marked):
        inner = _body(symbol)
        if inner not in body:
            raise ValueError(f"the formula {latex!r} has no symbol {symbol!r}")
        body = body.replace(inner, chr(_FIRST_PLACE + place))
    for place, (symbol, meaning) in enumerate(marked):
        body = body.replace(chr(_FIRST_PLACE + place), _explained(_body(symbol), meaning))
    return f'<math display="block">{body}</math>'


def _explained(symbol: str, meaning: str) -> str:
    tip = escape(meaning, quote=True)
    return (
        f'<mtext><span class="symbol" tabindex="0" data-meaning="{tip}" aria-label="{tip}">'
        f"<math>{symbol}</math></span></mtext>"
    )


def _body(latex: str) -> str:
    """What stands inside <math>, without the row around it."""
    whole = convert(latex, display="block")
    return whole[whole.index("<mrow>") + len("<mrow>") : whole.rindex("</mrow>")]
