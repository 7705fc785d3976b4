"""The score in large type, its parts as bars, and what a person should know about the texts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from s2s_core.metrics.display import shown_score
from s2s_core.metrics.notices import Notice
from s2s_core.metrics.report import BleuReport
from s2s_core.ui import literal, state
from s2s_core.ui.bleu.fields import EFFECTIVE, INPUT, LINES, NFC, SEGMENT, TOKENIZE
from s2s_core.ui.bleu.parts import Part, lowest_part, score_parts, verdict


def draw(report: BleuReport) -> None:
    """Draw score, parts and signature."""
    parts = score_parts(report)
    lowest = lowest_part(parts)
    rows = "".join(_bar(part, lowest=place == lowest) for place, part in enumerate(parts))
    segments = len(report.segments)
    what = f"{segments:,} segments" if segments > 1 else "1 segment"
    st.html(
        '<div class="s2s-score"><span class="s2s-score-number">'
        f'{shown_score(report.score)}</span><span class="s2s-score-name">BLEU, {what}</span></div>'
    )
    literal.show(verdict(report))
    st.html(f'<table class="s2s-bars"><tbody>{rows}</tbody></table>')
    st.code(report.signature, language=None, wrap_lines=True)
    literal.show(
        "BLEU counts equal runs of tokens, not meaning. What it can't see, and what to report with "
        "it, stands under “Beyond BLEU”.",
        look="small",
    )


def draw_notices(notices: Sequence[Notice]) -> None:
    """Say what is odd about the texts, each with a button that mends it where there is one."""
    if state.get(NFC):
        st.info("Accents were composed (NFC) on both sides before scoring.", icon=":material/info:")
    for notice in notices:
        with st.container(horizontal=True, vertical_alignment="center", key=_key(notice)):
            st.warning(literal.code(notice.message), icon=":material/lightbulb:")
            _draw_remedy(notice)


def _key(notice: Notice) -> str:
    return f"notice-{notice.kind.replace(' ', '-').lower()}"


def _draw_remedy(notice: Notice) -> None:
    remedies = {
        "Unicode forms": (NFC, "Compose both (NFC)"),
        "several lines": (LINES, "Lines are segments"),
        "short text": (EFFECTIVE, "Effective order"),
    }
    if notice.kind in remedies:
        field, label = remedies[notice.kind]
        if not state.get(field) and not (field is LINES and state.get(INPUT) == "files"):
            st.button(label, key=f"mend-{field.name}", on_click=state.put, args=(field, True))
    elif notice.tokenizer:
        st.button(
            f"Use {notice.tokenizer}",
            key="mend-tokenizer",
            on_click=state.put,
            args=(TOKENIZE, notice.tokenizer),
        )
    elif len(notice.segments) > 0 and notice.segments[0] != state.get(SEGMENT):
        first = notice.segments[0]
        st.button(
            f"Show segment {first}",
            key=f"show-{_key(notice)}",
            on_click=state.put,
            args=(SEGMENT, first),
        )


def _bar(part: Part, *, lowest: bool) -> str:
    percent = 100 * part.share
    kind = "s2s-bar-lowest" if lowest else "s2s-bar"
    mark = " ◀ lowest" if lowest else ""
    out = " (left out)" if part.factor is None else ""
    return (
        f'<tr class="{kind}"><th scope="row">{escape(part.name)}</th>'
        f'<td class="s2s-bar-place"><div style="width:{percent:.2f}%"></div></td>'
        f'<td class="s2s-number">{percent:.2f} %</td>'
        f"<td>{escape(part.counts + out)}{mark}</td></tr>"
    )
