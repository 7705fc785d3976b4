"""A checklist of the traps around BLEU, chrF, TER and tests, each with the test that handles it.

Definitions
- clip by the maximum over references, in each segment: `test_report.py`
    test_each_ngram_is_clipped_by_the_reference_that_has_it_most,
    test_clips_add_up_over_segments_and_are_never_taken_over_the_corpus
- counts are summed before dividing: test_corpus_score_is_not_the_mean_of_sentence_scores
- the closest length, ties to the shorter, whatever matched: test_closest_length_and_its_ties
- brevity penalty 1 at c = r, 0 without a hypothesis: test_brevity_penalty_at_its_edges
- no match at all is 0, never smoothed: test_nothing_in_common_is_zero_under_every_smoothing
- effective order looks at n-grams, not matches: test_effective_order_keeps_orders_without_a_match
- exp doubles at each order without a match: test_exp_halves_at_each_order_without_a_match
- floor leaves counts alone: test_floor_puts_its_value_over_the_total
- add-k changes sacreBLEU's counts, and gives 100 % to orders that can't be:
    test_add_k_leaves_our_counts_true_and_inflates_short_texts
- none: test_without_smoothing_an_order_without_match_makes_zero
- lower-casing, then the end cut, then the tokenizer, then white space:
    `test_report.py` test_tokens_are_those_that_are_scored
- a perfect score is a little above 100: test_a_perfect_score_is_raw_in_exports_and_100_on_show

sacreBLEU's interface
- effective order off for a corpus, on for a sentence: test_one_sentence_has_two_scores_and_both_say
- the signature lacks the order: test_signature_says_the_order_where_it_is_not_4
- signatures of used metric objects go stale: test_signatures_never_carry_an_earlier_bootstrap
- references cut to the shortest stream, or transposed: `test_report.py`
    test_bad_input_is_a_named_error_with_its_segment; `test_notices.py`
    test_transposed_references_of_a_square_are_noticed
- None is missing, "" is a reference of length 0: test_an_empty_reference_is_not_a_missing_one
- None, bytes, generators, no reference at all: `test_report.py`
    test_bad_input_is_a_named_error_with_its_segment
- an unknown tokenizer or smoothing, an order of 0: `test_settings.py`
    test_a_bad_setting_says_what_is_allowed
- its advice on standard error: test_nothing_is_logged
- the slow TER: `test_others.py` test_ter_refuses_long_segments, test_ter_stops_when_time_is_up

Tokenizers
- those that download in their constructor: `test_settings.py`
    test_tokenizers_that_fetch_are_refused_and_never_made
- MeCab may be absent: `test_settings.py` test_mecab_is_offered_where_it_is_installed
- Chinese, Japanese and Korean under 13a: `test_notices.py` test_cjk_under_13a_names_a_better_one
- NBSP and U+3000 separate, U+200B doesn't: test_which_spaces_separate
- NFC against NFD: `test_notices.py` test_two_ways_to_write_an_accent_are_noticed

chrF and TER
- effective order, best reference, not symmetric, white space: `test_others.py`
    test_chrf_by_hand
- TER above 100, lower-cased, shifts, mean reference length: `test_others.py` test_ter_by_hand

Significance
- identical systems get the smallest p: `test_significance.py`
    test_identical_systems_are_no_difference
- a difference in one segment does as well: `test_significance.py`
    test_one_differing_segment_is_never_significant_under_randomisation
- a seed of 0 is a seed: `test_significance.py` test_a_seed_of_0_is_a_seed
- the interval is around the bootstrap mean: `test_significance.py`
    test_figures_are_those_of_sacrebleu
- one segment has no width: `test_significance.py` test_one_segment_has_an_interval_of_no_width
- sentence scores must not be averaged: test_corpus_score_is_not_the_mean_of_sentence_scores
"""

from __future__ import annotations

import logging
import math
import re
from pathlib import Path

import pytest
from sacrebleu.metrics.bleu import BLEU

from s2s_core.metrics.corpus_view import mean_of_sentences
from s2s_core.metrics.display import shown_difference, shown_score
from s2s_core.metrics.lengths import closest_length
from s2s_core.metrics.report import BleuReport, bleu_report
from s2s_core.metrics.settings import SMOOTHINGS, BleuSettings, SmoothingMethod


def test_the_checklist_names_tests_that_exist() -> None:
    texts = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    defined = set(re.findall(r"^def (test_\w+)", "\n".join(texts), flags=re.MULTILINE))
    named = set(re.findall(r"\btest_\w+\b(?!\.py)", str(__doc__)))
    assert named
    assert named <= defined


def one(hypothesis: str, *references: str | None, **setting: object) -> BleuReport:
    """A report on one segment."""
    chosen = BleuSettings(**setting)  # type: ignore[arg-type]
    return bleu_report([hypothesis], [references], chosen)


# --- definitions ---------------------------------------------------------------------------------


def test_corpus_score_is_not_the_mean_of_sentence_scores() -> None:
    found = bleu_report(["a b c d", "x"], [["a b c d"], ["y"]], BleuSettings(smooth="none"))
    assert found.orders[0].raw_precision == 80  # 4 of 5, where the mean would be 50
    assert mean_of_sentences(found) == pytest.approx(50)
    assert found.score == pytest.approx(100 * 0.8**0.25)


@pytest.mark.parametrize(
    ("own", "lengths", "length", "reference", "tied"),
    [
        (5, [4, 6], 4, 0, 6),
        (5, [6, 4], 4, 1, 6),
        (5, [6, None, 4, 4], 4, 2, 6),
        (5, [5, 4, 6], 5, 0, None),
        (5, [9, 7], 7, 1, None),
        (5, [0], 0, 0, None),
        (0, [3, 2], 2, 1, None),
        (2, [4, 0], 0, 1, 4),
    ],
)
def test_closest_length_and_its_ties(
    own: int, lengths: list[int | None], length: int, reference: int, tied: int | None
) -> None:
    found = closest_length(own, lengths)
    assert (found.length, found.reference, found.tied_length) == (length, reference, tied)
    assert found.lengths == tuple(lengths)


def test_closest_length_does_not_follow_the_matches() -> None:
    found = one("a b c", "a b c d e", "x y z")
    assert found.orders[0].matches == 3
    assert found.segments[0].closest.reference == 1


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        ("a b", "a b", 1),
        ("a b c", "a b", 1),
        ("a", "a b", math.exp(-1)),
        ("", "a b", 0),
        ("", "", 1),
        ("a", "", 1),
        ("a", "b " * 2000, 0),  # exp(-1999) is too small for a float
    ],
)
def test_brevity_penalty_at_its_edges(hypothesis: str, reference: str, expected: float) -> None:
    found = one(hypothesis, reference)
    assert found.brevity_penalty == pytest.approx(expected)
    assert math.isfinite(found.score)


@pytest.mark.parametrize("method", SMOOTHINGS)
@pytest.mark.parametrize("effective", [False, True])
def test_nothing_in_common_is_zero_under_every_smoothing(
    method: SmoothingMethod, effective: bool
) -> None:
    found = one("yes", "no", smooth=method, effective_order=effective)
    assert found.score == 0
    assert found.precisions == (0, 0, 0, 0)
    assert {order.fraction.source for order in found.orders} == {"nothing matches"}


def test_effective_order_keeps_orders_without_a_match() -> None:
    found = one("a b c", "a x c", effective_order=True)
    assert [order.in_mean for order in found.orders] == [True, True, True, False]
    assert found.orders[1].fraction.source == "smoothed"
    assert found.score == pytest.approx((200 / 3 * 25 * 25) ** (1 / 3))


def test_exp_halves_at_each_order_without_a_match() -> None:
    found = one("a b c d e", "a x c d y")
    assert [order.matches for order in found.orders] == [3, 1, 0, 0]
    fractions = [(o.fraction.numerator, o.fraction.denominator) for o in found.orders]
    assert fractions == [(3, 5), (1, 4), (0.5, 3), (0.25, 2)]  # not 1/8 at order 3


def test_floor_puts_its_value_over_the_total() -> None:
    found = one("a b c d e", "a x c d y", smooth="floor")
    assert [order.matches for order in found.orders] == [3, 1, 0, 0]
    assert found.precisions == pytest.approx((60, 25, 10 / 3, 5))
    assert one("a b", "a x", smooth="floor", smooth_value=0).score == 0


def test_add_k_leaves_our_counts_true_and_inflates_short_texts() -> None:
    found = one("a b c", "a b d", smooth="add-k", effective_order=True)
    assert found.statistics.matches == (2, 1, 0, 0)
    assert found.statistics.totals == (3, 2, 1, 0)
    assert found.precisions == pytest.approx((200 / 3, 200 / 3, 50, 100))
    assert all(order.in_mean for order in found.orders)
    assert found.orders[3].raw_precision is None
    assert "counts as 100 %" in found.orders[3].fraction.explanation


def test_without_smoothing_an_order_without_match_makes_zero() -> None:
    found = one("a b c d", "a b c x", smooth="none")
    assert found.score == 0
    assert found.orders[3].fraction.source == "no match"


@pytest.mark.parametrize("order", range(1, 11))
def test_a_perfect_score_is_raw_in_exports_and_100_on_show(order: int) -> None:
    text = "a b c d e f g h i j k"
    found = one(text, text, max_order=order)
    assert found.score == pytest.approx(100)
    assert shown_score(found.score) == "100.00"
    assert float(shown_score(found.score, 14)) <= 100
    assert one(text, text).score > 100


@pytest.mark.parametrize(
    ("value", "shown"),
    [(-0.0, "0.00"), (-0.004, "0.00"), (0.004, "0.00"), (1.5, "+1.50"), (-1.5, "-1.50")],
)
def test_a_difference_is_never_minus_nothing(value: float, shown: str) -> None:
    assert shown_difference(value) == shown


# --- sacreBLEU's interface -----------------------------------------------------------------------


def test_one_sentence_has_two_scores_and_both_say() -> None:
    found = one("the cat sat", "the cat sat on")
    sentence = one("the cat sat", "the cat sat on", effective_order=True)
    assert shown_score(found.score) == "0.00"
    assert shown_score(sentence.score) == "71.65"
    assert found.segments[0].score == sentence.score
    assert ("eff:no" in found.signature, "eff:yes" in sentence.signature) == (True, True)


def test_signature_says_the_order_where_it_is_not_4() -> None:
    usual, shorter = one("a b", "a b"), one("a b", "a b", max_order=2)
    assert usual.signature == usual.sacrebleu_signature == shorter.sacrebleu_signature
    assert shorter.signature == f"{usual.signature}|order:2"


def test_signatures_never_carry_an_earlier_bootstrap() -> None:
    BLEU().corpus_score(["a b", "b"], [["a b", "b"]], n_bootstrap=10)
    assert "bs:" not in one("a b", "a b").signature


def test_signature_counts_references_or_says_they_vary() -> None:
    assert "nrefs:2|" in one("a", "a", "b").signature
    assert "nrefs:1|" in one("a", "a", None).signature
    assert "nrefs:var|" in bleu_report(["a", "a"], [["a", "b"], ["a", None]]).signature


def test_an_empty_reference_is_not_a_missing_one() -> None:
    missing, empty = one("a b", "a b c d e", None), one("a b", "a b c d e", "")
    assert missing.brevity_penalty < 1
    assert empty.brevity_penalty == 1
    assert empty.segments[0].closest.length == 0


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        bleu_report(["a ."] * 200, [["a ."]] * 200)
    assert not caplog.records


# --- tokenizers ----------------------------------------------------------------------------------


def test_which_spaces_separate() -> None:
    tokens = one("a\u00a0b\u3000c\u200bd\re", "a", tokenize="none").segments[0].tokens
    assert tokens == ("a", "b", "c\u200bd", "e")
