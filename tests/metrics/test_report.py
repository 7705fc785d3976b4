"""The report: sacreBLEU's score, and a breakdown that leads to it."""

from __future__ import annotations

import dataclasses
import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from s2s_core.errors import BreakdownError, SegmentError
from s2s_core.metrics import report as report_module
from s2s_core.metrics.display import shown_score
from s2s_core.metrics.ngrams import occurrence_fates
from s2s_core.metrics.notices import report_notices
from s2s_core.metrics.report import bleu_report
from s2s_core.metrics.settings import BleuSettings
from s2s_core.metrics.statistics import BleuStatistics
from tests.metrics.corpora import (
    SETTINGS,
    Corpus,
    assert_equals_sacrebleu,
    corpora,
    random_corpus,
    random_settings,
    report,
    sacrebleu_metric,
)

THE = "the the the the the the the"


@settings(max_examples=300, deadline=None)
@given(corpora(), SETTINGS)
def test_report_equals_sacrebleu_to_the_last_digit(corpus: Corpus, chosen: BleuSettings) -> None:
    assert_equals_sacrebleu(report(corpus, chosen), corpus)


@pytest.mark.parametrize("seed", range(60))
def test_report_equals_sacrebleu_on_longer_corpora(seed: int) -> None:
    random = Random(seed)
    corpus = random_corpus(random, random.randint(1, 12), random.randint(1, 4))
    assert_equals_sacrebleu(report(corpus, random_settings(random)), corpus)


@settings(max_examples=80, deadline=None)
@given(corpora(), SETTINGS)
def test_parts_multiply_to_the_score(corpus: Corpus, chosen: BleuSettings) -> None:
    found = report(corpus, chosen)
    logs = [
        math.log(order.precision) if order.precision else -math.inf
        for order in found.orders
        if order.in_mean
    ]
    mean = math.exp(sum(logs) / len(logs))
    assert found.geometric_mean == pytest.approx(mean)
    assert found.score == pytest.approx(found.brevity_penalty * mean)
    c, r = found.hypothesis_length, found.reference_length
    if c >= r:
        assert found.brevity_penalty == 1
    else:
        assert found.brevity_penalty == (math.exp(1 - r / c) if c else 0)
    for order in found.orders:
        assert order.fraction.percent == pytest.approx(order.precision)


@settings(max_examples=80, deadline=None)
@given(corpora(), SETTINGS)
def test_sentence_scores_and_cumulative_scores_are_sacrebleus(
    corpus: Corpus, chosen: BleuSettings
) -> None:
    found = report(corpus, chosen)
    metric = sacrebleu_metric(chosen.for_sentences())
    for each in found.segments:
        own = [text for text in each.segment.references if text is not None]
        assert each.score == metric.sentence_score(each.segment.hypothesis, own).score
    for order in found.orders:
        shorter = dataclasses.replace(chosen, max_order=order.order)
        metric = sacrebleu_metric(shorter)
        assert order.cumulative == metric.corpus_score(corpus.hypotheses, corpus.streams).score


@settings(max_examples=80, deadline=None)
@given(corpora(), SETTINGS)
def test_every_figure_is_finite_and_no_shown_score_is_above_100(
    corpus: Corpus, chosen: BleuSettings
) -> None:
    found = report(corpus, chosen)
    precisions = [order.precision for order in found.orders]
    scores = [found.score, *(each.score for each in found.segments), *precisions]
    for score in scores:
        assert math.isfinite(score)
        assert score >= 0
        assert math.copysign(1, score) == 1
        assert 0 <= float(shown_score(score)) <= 100


ANY_TEXT = st.text(max_size=12)  # controls, half characters and all


@settings(max_examples=120, deadline=None)
@given(ANY_TEXT, st.lists(ANY_TEXT, min_size=1, max_size=3), SETTINGS)
def test_any_text_is_scored(hypothesis: str, references: list[str], chosen: BleuSettings) -> None:
    corpus = Corpus([hypothesis], [list(references)])
    found = report(corpus, chosen)
    assert_equals_sacrebleu(found, corpus)
    report_notices(found)


# --- by hand -------------------------------------------------------------------------------------


def test_the_the_cat() -> None:
    unigrams, bigrams, *_ = bleu_report(["the the cat"], [["the cat"]]).orders
    assert (unigrams.matches, unigrams.totals) == (2, 3)
    assert (bigrams.matches, bigrams.totals) == (1, 2)


@pytest.mark.parametrize(("lowercase", "matches"), [(True, 2), (False, 1)])
def test_papinenis_seven_the(lowercase: bool, matches: int) -> None:
    chosen = BleuSettings(lowercase=lowercase)
    found = bleu_report([THE], [["The cat is on the mat"]], chosen)
    (only,) = found.segments[0].ngrams(1)
    assert (only.ngram, only.count, only.clipped) == (("the",), 7, matches)
    assert found.orders[0].raw_precision == pytest.approx(100 * matches / 7)
    assert only.fate == "clipped"


def test_papinenis_first_example() -> None:
    # Papineni et al. 2002, section 2.1: modified unigram precisions 17/18 and 8/14, bigrams 10/17
    # and 1/13, with their full stops left out as in the paper.
    candidates = (
        "It is a guide to action which ensures that the military always obeys the commands of the "
        "party",
        "It is to insure the troops forever hearing the activity guidebook that party direct",
    )
    references = [
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the "
        "command of the Party",
        "It is the practical guide for the army always to heed the directions of the party",
    ]
    found = [
        bleu_report([text], [references], BleuSettings(lowercase=True)).statistics
        for text in candidates
    ]
    assert (found[0].matches[:2], found[0].totals[:2]) == ((17, 10), (18, 17))
    assert (found[1].matches[:2], found[1].totals[:2]) == ((8, 1), (14, 13))


def test_each_ngram_is_clipped_by_the_reference_that_has_it_most() -> None:
    found = bleu_report(["a a a b b b"], [["a a c", None, "a b b", "b"]])
    first, second = found.segments[0].ngrams(1)
    assert first.reference_counts == (2, None, 1, 0)
    assert (first.clipped, first.lost, first.clip_reference) == (2, 1, 0)
    assert second.reference_counts == (0, None, 2, 1)
    assert (second.clipped, second.lost, second.clip_reference) == (2, 1, 2)


def test_clips_add_up_over_segments_and_are_never_taken_over_the_corpus() -> None:
    found = bleu_report(["the the", "cat"], [["the"], ["the the the"]])
    assert found.orders[0].matches == 1  # over the corpus there would be four to match two
    totals = {total.ngram: (total.count, total.clipped) for total in found.ngrams(1)}
    assert totals == {("the",): (2, 1), ("cat",): (1, 0)}


def test_fates_follow_the_text_from_left_to_right() -> None:
    found = bleu_report(["the the cat the dog"], [["the cat the"]]).segments[0]
    fates = occurrence_fates(found.tokens, found.reference_tokens, 1)
    assert fates == ("matched", "matched", "matched", "clipped", "unmatched")
    assert occurrence_fates(found.tokens, found.reference_tokens, 2) == (
        *("unmatched", "matched", "matched", "unmatched"),
    )
    assert occurrence_fates(found.tokens, found.reference_tokens, 6) == ()


@settings(max_examples=50, deadline=None)
@given(corpora(), SETTINGS)
def test_fates_count_what_the_table_counts(corpus: Corpus, chosen: BleuSettings) -> None:
    for each in report(corpus, chosen).segments:
        for order in range(1, chosen.max_order + 1):
            fates = occurrence_fates(each.tokens, each.reference_tokens, order)
            assert len(fates) == each.statistics.totals[order - 1]
            assert fates.count("matched") == each.statistics.matches[order - 1]
            unmatched = sum(m.count for m in each.ngrams(order) if m.fate == "unmatched")
            assert fates.count("unmatched") == unmatched


def test_tokens_are_those_that_are_scored() -> None:
    chosen = BleuSettings(lowercase=True)
    each = bleu_report(["The &quot;cat&quot;\u00a0sat."], [["A", None]], chosen).segments[0]
    assert each.tokens == ("the", '"', "cat", '"', "sat", ".")
    assert each.reference_tokens == (("a",), None)


def test_progress_is_told_up_to_the_last_segment() -> None:
    told: list[tuple[int, int]] = []
    bleu_report(["a"] * 450, [["a"]] * 450, on_progress=lambda *done: told.append(done))
    assert told == [(200, 450), (400, 450), (450, 450)]


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        ("the cat", [["the cat"]], "hypotheses must be a list .*, not str"),
        (["the cat"], "the cat", "references must be a list .*, not str"),
        (None, [["a"]], r"hypotheses must be .* not nothing \(None\)"),
        ((text for text in "ab"), [["a"]], "hypotheses must be .* not generator"),
        ([], [], "there is no hypothesis"),
        (["a", "b"], [["a"]], "2 hypotheses, but references for 1 segments"),
        (["a", "b"], [["a", "b"], ["c", "d"], ["e", "f"]], r"turn them round with zip\("),
        (["a", None], [["a"], ["a"]], "segment 2: the hypothesis must be text, not nothing"),
        ([b"a"], [["a"]], "segment 1: the hypothesis must be text, not bytes"),
        ([["a"]], [["a"]], "segment 1: the hypothesis must be text, not list"),
        (["a"], ["a"], "segment 1: its references must be a list of texts, not str"),
        (["a", "b"], [["a"], ["b", 3]], "segment 2: reference 2 must be text, or None"),
        (["a", "b"], [["a"], []], "segment 2 has no reference"),
        (["a", "b"], [["a"], [None, None]], "segment 2 has no reference"),
    ],
)
def test_bad_input_is_a_named_error_with_its_segment(
    hypotheses: object, references: object, message: str
) -> None:
    with pytest.raises(SegmentError, match=message):
        bleu_report(hypotheses, references)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        BleuStatistics((1, 0, 0, 0), (2, 1, 0, 0), 2, 2),
        BleuStatistics((2, 1, 0, 0), (3, 1, 0, 0), 2, 2),
        BleuStatistics((2, 1, 0, 0), (2, 1, 0, 0), 3, 2),
        BleuStatistics((2, 1, 0, 0), (2, 1, 0, 0), 2, 1),
    ],
)
@pytest.mark.parametrize("chosen", [BleuSettings(), BleuSettings(smooth="add-k")])
def test_a_breakdown_that_does_not_agree_is_refused(
    monkeypatch: pytest.MonkeyPatch, wrong: BleuStatistics, chosen: BleuSettings
) -> None:
    monkeypatch.setattr(report_module, "_statistics", lambda *_: wrong)
    with pytest.raises(BreakdownError, match="doesn't agree with sacreBLEU"):
        bleu_report(["a b"], [["a b"]], chosen)


def test_texts_are_not_kept_in_the_tokenizers_caches() -> None:
    tokenizer = BLEU().tokenizer
    tokenizer("another text")
    bleu_report(["a secret text"], [["a secret text"]])
    assert type(tokenizer).__call__.cache_info().currsize == 0
