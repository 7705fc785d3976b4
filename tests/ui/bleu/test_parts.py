"""Which part of a score is low, what is told about it, and the arithmetic on the screen."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings

from s2s_core.metrics.report import bleu_report
from s2s_core.metrics.settings import BleuSettings
from s2s_core.metrics.unclipped import unclipped_matches
from s2s_core.ui.bleu import arithmetic, what_if
from s2s_core.ui.bleu.length_panel import tie_story
from s2s_core.ui.bleu.parts import lowest_part, score_parts, verdict
from s2s_core.ui.bleu.smoothing_panel import touched
from tests.metrics.corpora import SETTINGS, Corpus, corpora


@settings(deadline=None)
@given(corpora(), SETTINGS)
def test_the_score_is_the_product_of_its_parts(corpus: Corpus, chosen: BleuSettings) -> None:
    report = bleu_report(corpus.hypotheses, corpus.references, chosen)
    parts = score_parts(report)
    product = math.prod(part.factor for part in parts if part.factor is not None)
    assert 100 * product == pytest.approx(report.score, abs=1e-9)
    assert all(0 <= part.share <= 1 for part in parts)
    lowest = lowest_part(parts)
    assert (lowest is None) == (report.score > 100 - 1e-6)
    assert verdict(report).endswith(".")


@settings(deadline=None)
@given(corpora(), SETTINGS)
def test_formulas_hold_no_nan_no_negative_zero_and_nothing_above_100(
    corpus: Corpus, chosen: BleuSettings
) -> None:
    report = bleu_report(corpus.hypotheses, corpus.references, chosen)
    formulas = (
        arithmetic.precision_latex(report.orders, unclipped_matches(report)),
        arithmetic.mean_latex(report),
        arithmetic.penalty_latex(report),
        arithmetic.product_latex(report),
    )
    for formula in formulas:
        assert formula.count("{") == formula.count("}")
        assert not re.search(r"nan|inf\b|-0\.0+\b", formula)
    assert f"{min(report.score, 100):.2f}" in formulas[-1]
    assert touched(report)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "smooth", "words"),
    [
        ("", "a", "exp", "There is no hypothesis token"),
        ("x", "a", "exp", "Nothing matches in any order"),
        ("a b c d", "a b c d", "exp", "the length is right"),
        ("the cat sat on", "the cat sat on the mat", "exp", "the brevity penalty. c = 4"),
        ("a b c d", "a b x c d", "none", "so the whole product is 0"),
        ("a b", "a b", "exp", "so the whole product is 0"),
        ("a b c d", "a b x c d", "exp", "(smoothed)"),
    ],
)
def test_the_verdict_names_the_reason(
    hypothesis: str, reference: str, smooth: str, words: str
) -> None:
    chosen = BleuSettings(smooth=smooth)  # type: ignore[arg-type]
    assert words in verdict(bleu_report([hypothesis], [[reference]], chosen))


def test_an_effect_has_every_part_with_its_change() -> None:
    reference = [["yesterday the cat sat on the mat again"]]
    before = bleu_report(["the cat sat on the mat"], reference)
    after = bleu_report(["the cat sat on the the mat"], reference)
    rows = {
        name: (old, new, change) for name, old, new, change in what_if.effect_rows(before, after)
    }
    assert rows["1-grams"] == ("6 / 6 = 100.00 %", "6 / 7 = 85.71 %", "−14.29")
    assert rows["c"] == ("6", "7", "+1") and rows["r"][2] == "0"
    assert rows["BLEU"][:2] == (f"{before.score:.2f}", f"{after.score:.2f}")
    assert all(
        row[2] == "0" or float(row[2].replace("−", "-")) == 0
        for row in [r[1:] for r in what_if.effect_rows(before, before)]
    )


def test_a_tie_of_lengths_is_told() -> None:
    (segment,) = bleu_report(["a b c d e"], [["a b c d", "a b c d e f"]]).segments
    assert "4 and 6 are equally close to 5" in tie_story(segment.closest, 5)
    (segment,) = bleu_report(["a b"], [["a b c", None]]).segments
    assert "one reference" in tie_story(segment.closest, 2)


def test_clipping_stands_in_the_formula() -> None:
    report = bleu_report(["the the cat"], [["the cat"]])
    formula = arithmetic.precision_latex(report.orders, unclipped_matches(report))
    assert r"p_{1} &= \frac{3 - 1}{3} = \frac{2}{3} = 66.67" in formula
    assert r"(\text{no 4-grams})" in formula
