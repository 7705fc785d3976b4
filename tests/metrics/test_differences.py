"""Edits, what they change, and what two systems have that the other hasn't."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_core.errors import SegmentError, SettingError
from s2s_core.metrics.differences import (
    ngram_differences,
    report_difference,
    segment_differences,
)
from s2s_core.metrics.edits import drop, insert, repeat, swap, text_of, words_of
from s2s_core.metrics.report import bleu_report
from s2s_core.metrics.settings import BleuSettings
from tests.metrics.corpora import TEXTS, Corpus, corpora, report

REFERENCE = "the cat sat on the mat"


def test_edits_give_new_rows() -> None:
    words = words_of(" the  cat\tsat ")
    assert words == ("the", "cat", "sat")
    assert text_of(drop(words, 1)) == "the sat"
    assert text_of(insert(words, 0, "now")) == "now the cat sat"
    assert text_of(insert(words, 3, "down low")) == "the cat sat down low"
    assert text_of(swap(words, 0, 2)) == "sat cat the"
    assert text_of(repeat(words, 0, 2)) == "the the the cat sat"
    assert words == ("the", "cat", "sat")
    assert insert((), 0, "a") == ("a",)


@pytest.mark.parametrize("position", [-1, 3, 99])
def test_an_edit_where_there_is_no_word_is_refused(position: int) -> None:
    words = ("a", "b", "c")
    for edit in (
        lambda: drop(words, position),
        lambda: swap(words, 0, position),
        lambda: swap(words, position, 0),
        lambda: repeat(words, position),
        lambda: drop((), position),
        lambda: insert(words, position + 1 if position > 0 else position, "x"),
    ):
        with pytest.raises(SettingError, match="there is no word at position"):
            edit()
    with pytest.raises(SettingError, match="blank"):
        insert(words, 0, " ")
    with pytest.raises(SettingError, match="at least 1, not 0"):
        repeat(words, 0, 0)


def test_repeating_the_adds_ngrams_that_are_clipped() -> None:
    pinned = bleu_report([REFERENCE], [[REFERENCE]])
    edited = bleu_report([text_of(repeat(words_of(REFERENCE), 0, 2))], [[REFERENCE]])
    found = report_difference(pinned, edited)
    assert (found.orders[0].matches, found.orders[0].totals) == (0, 2)
    assert found.orders[0].precision == pytest.approx(100 * 6 / 8 - 100)
    assert (found.hypothesis_length, found.reference_length) == (2, 0)
    assert found.brevity_penalty == 0
    assert found.score == edited.score - pinned.score < 0


@settings(max_examples=60, deadline=None)
@given(corpora(), st.data())
def test_differences_add_up_to_the_difference_of_counts(
    corpus: Corpus, data: st.DataObject
) -> None:
    size = len(corpus.hypotheses)
    other = Corpus(data.draw(st.lists(TEXTS, min_size=size, max_size=size)), corpus.references)
    before, after = report(corpus, BleuSettings()), report(other, BleuSettings())
    found = report_difference(before, after)
    for order in found.orders:
        ngrams = ngram_differences(before, after, order.order)
        assert sum(each.difference for each in ngrams) == order.matches
        assert all(each.difference for each in ngrams)
        ranks = [each.difference for each in ngrams]
        assert ranks == sorted(ranks, reverse=True)
    segments = segment_differences(before, after)
    assert [each.number for each in segments] == list(range(1, size + 1))
    for each, old, new in zip(segments, before.segments, after.segments, strict=True):
        assert each.difference == new.score - old.score


def test_ngrams_won_and_lost() -> None:
    baseline = bleu_report(["a dog sat", "the the"], [["the cat sat"], ["the cat"]])
    system = bleu_report(["the cat sat", "cat cat"], [["the cat sat"], ["the cat"]])
    found = [
        (each.ngram, each.baseline_matches, each.system_matches)
        for each in ngram_differences(baseline, system, 1)
    ]
    assert found == [(("cat",), 0, 2)]  # "the" is matched once by both, in other segments
    assert ngram_differences(system, baseline, 1)[0].difference == -2
    with pytest.raises(SegmentError, match="different references"):
        ngram_differences(baseline, bleu_report(["a", "b"], [["a"], ["b"]]), 1)
