"""Short labels: a token with a quiet mark, the end of a text, texts that mustn't look alike."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from s2s_core.figures.theme import literal, shorten

SPACE_MARK = "\u2581"
"""What a subword tokenizer writes for a space: ▁."""

_HEAD = 12  # characters of the beginning, before what was left out


def token_label(token: str, width: int | None = None) -> str:
    """A token as a literal label; the mark of a space before it is there, but quiet.

    width: the most characters, if there is a limit.
    """
    shown = token if width is None else shorten(token, width)
    if shown.startswith(SPACE_MARK) and len(shown) > 1:
        return f'<span style="fill-opacity:0.35">{SPACE_MARK}</span>{literal(shown[1:])}'
    return literal(shown)


def shorten_start(text: str, width: int) -> str:
    """At most `width` characters, the last ones; what is cut off is shown by an ellipsis."""
    return text if len(text) <= width else "…" + text[len(text) - width + 1 :].lstrip()


def tell_apart(texts: Sequence[str], width: int) -> tuple[str, ...]:
    """Texts in at most `width` characters each; those with the same beginning show where they part.

    So `I went to the old market` and `I went to the old museum` become `I went to … market` and
    `I went to … museum`, and not `I went to the o…` twice.
    """
    short = [shorten(text, width) for text in texts]
    alike = {s: [t for t, other in zip(texts, short, strict=True) if other == s] for s in short}
    return tuple(
        s if len({*alike[s]}) == 1 else _where_it_parts(text, alike[s], width)
        for text, s in zip(texts, short, strict=True)
    )


def _where_it_parts(text: str, alike: Sequence[str], width: int) -> str:
    shared = max(_shared(text, other) for other in alike if other != text)
    parting = max(text.rfind(" ", 0, shared + 1) + 1, shared - _HEAD, 0)
    return shorten(f"{text[:_HEAD].rstrip()} … {text[parting:]}".rstrip(), width)


def _shared(text: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    pairs = zip(text, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
