"""Two systems on the same references: where they differ, and whether that is more than chance."""

from __future__ import annotations

import streamlit as st

from s2s_core.figures.score_distribution import differences_alt, differences_figure
from s2s_core.figures.theme import minus
from s2s_core.metrics.differences import ngram_differences, segment_differences
from s2s_core.metrics.display import shown_difference, shown_score
from s2s_core.metrics.significance import Interval, PairedTests, SignificanceTest
from s2s_core.text.to_score import TextsToScore
from s2s_core.ui import charts, literal, shell, state
from s2s_core.ui.bleu import choice, frames, scoring
from s2s_core.ui.bleu.fields import BASELINE, INPUT, MAXIMUM_CHARACTERS, TESTED
from s2s_core.ui.bleu.scoring import BleuRequest, Scored
from s2s_core.ui.bleu.what_if import effect_rows

_MOST_ROWS = 500
_MOST_BARS = 2000


def draw(texts: TextsToScore, system: Scored) -> None:
    """Draw the box of the baseline, and the comparison once there is one."""
    if state.get(INPUT) == "typed":
        state.put(BASELINE, state.get(BASELINE))
        st.text_area(
            "Baseline: the same segments by another system",
            key=BASELINE.name,
            height=100,
            max_chars=MAXIMUM_CHARACTERS,
            placeholder="As many lines as the hypothesis above; then Ctrl+Enter",
        )
    if len(texts.systems) < 2:
        literal.show("The texts above are one system. Give a baseline to hold it against.")
        return
    asked = scoring.request(texts, 1)
    baseline = scoring.scored(asked)
    parts, tests = st.columns([3, 2], gap="medium")
    with parts:
        rows = effect_rows(baseline.report, system.report)
        literal.table(
            ("part", "baseline", "system (above)", "difference"),
            rows,
            marked=(len(rows) - 1,),
        )
    with tests:
        _draw_tests(asked, system.request)
    _draw_segments(baseline, system)
    _draw_ngrams(baseline, system)


def _draw_tests(baseline: BleuRequest, system: BleuRequest) -> None:
    if baseline.hypotheses == system.hypotheses:
        literal.show("No difference: the two systems wrote the same.", look="second")
        return
    if len(baseline.hypotheses) == 1:
        literal.show("One segment can't be tested: there is nothing to draw from.")
        return
    state.put(TESTED, state.get(TESTED))
    st.toggle(
        "Test whether it is more than chance",
        key=TESTED.name,
        help="Paired bootstrap (Koehn 2004), 1,000 draws, and approximate randomisation (Riezler "
        "and Maxwell 2005), 10,000 trials; seed 12345. A few seconds for 1,000 segments.",
    )
    if not state.get(TESTED):
        return
    with st.spinner("Drawing …", show_time=True):
        found = scoring.tests(baseline, system)
    literal.show(found.verdict, look="second")
    literal.table(("", "BLEU", "95 % interval"), _interval_rows(found))
    literal.table(
        ("test", "draws", "p"),
        [
            _test_row("paired bootstrap", found.bootstrap),
            _test_row("randomisation", found.randomisation),
        ],
    )
    literal.show(
        f"{found.differing_segments:,} of {found.segments:,} segments differ. Intervals lie around "
        "the mean of the bootstrap, which needn't be the score. A small p says the difference is "
        "unlikely to be chance on such segments, not that it is large or that a reader would see "
        "it.",
        look="small",
    )


def _interval_rows(found: PairedTests) -> list[tuple[str, str, str]]:
    def row(name: str, score: str, interval: Interval) -> tuple[str, str, str]:
        return (name, score, minus(f"{interval.lower:.2f} … {interval.upper:.2f}"))

    return [
        row("baseline", shown_score(found.baseline_score), found.baseline),
        row("system", shown_score(found.system_score), found.system),
        row(
            "difference",
            minus(shown_difference(found.score_difference)),
            found.difference,
        ),
    ]


def _test_row(name: str, test: SignificanceTest) -> tuple[str, str, str]:
    return (name, f"{test.draws:,}", f"{test.p_value:.4f}")


def _draw_segments(baseline: Scored, system: Scored) -> None:
    found = segment_differences(baseline.report, system.report)
    ordered = sorted(found, key=lambda each: (each.difference, each.number))
    values = [each.difference for each in found]
    picture, table = st.columns(2, gap="medium")
    with picture:
        if len(values) <= _MOST_BARS:
            charts.draw(
                differences_figure(values, theme=shell.theme()),
                key="differences",
                alt=differences_alt(values),
            )
        literal.show(differences_alt(values), look="small")
    with table:
        shown = ordered if len(ordered) <= _MOST_ROWS else ordered[:250] + ordered[-250:]
        st.dataframe(
            frames.shown_differences(frames.segment_differences(shown)),
            hide_index=True,
            key="segment_differences",
            alt="Sentence BLEU of both systems, most lost first",
        )


def _draw_ngrams(baseline: Scored, system: Scored) -> None:
    order = choice.order(system.report)
    choice.draw_order(system.report)
    found = ngram_differences(baseline.report, system.report, order)
    won = [each for each in found if each.difference > 0]
    lost = [each for each in reversed(found) if each.difference < 0]
    for place, name, which in zip(
        st.columns(2, gap="medium"), ("won", "lost"), (won, lost), strict=True
    ):
        with place:
            literal.show(f"{order}-grams {name}: {len(which):,}")
            if which:
                st.dataframe(
                    frames.shown_differences(frames.ngram_differences(which[:_MOST_ROWS])),
                    hide_index=True,
                    key=f"ngrams_{name}",
                    alt=f"n-grams {name} by the system",
                )
