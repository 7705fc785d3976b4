"""chrF, chrF++ and TER: sacreBLEU's figures, known by hand where they are short."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from s2s_core.errors import SegmentError, TooLongToScoreError
from s2s_core.metrics import others
from s2s_core.metrics.others import TER_MAXIMUM_TOKENS, chrf_score, ter_score
from tests.metrics.corpora import Corpus, corpora, random_corpus


@settings(max_examples=40, deadline=None)
@given(corpora())
def test_scores_and_signatures_are_sacrebleus(corpus: Corpus) -> None:
    for word_order in (0, 2):
        for lowercase in (False, True):
            metric = CHRF(word_order=word_order, lowercase=lowercase)
            expected = metric.corpus_score(corpus.hypotheses, corpus.streams)
            found = chrf_score(
                corpus.hypotheses, corpus.references, word_order=word_order, lowercase=lowercase
            )
            assert (found.score, found.name) == (expected.score, expected.name)
            assert found.signature == str(metric.get_signature())
    for case_sensitive in (False, True):
        ter = TER(case_sensitive=case_sensitive)
        edits = ter.corpus_score(corpus.hypotheses, corpus.streams)
        found = ter_score(corpus.hypotheses, corpus.references, case_sensitive=case_sensitive)
        assert (found.score, found.name) == (edits.score, "TER")
        assert found.signature == str(ter.get_signature())


def test_ter_of_longer_corpora_is_sacrebleus() -> None:
    corpus = random_corpus(Random(2), 12, 3)
    expected = TER().corpus_score(corpus.hypotheses, corpus.streams).score
    assert ter_score(corpus.hypotheses, corpus.references, seconds=None).score == expected


@pytest.mark.parametrize(
    ("hypothesis", "reference", "score"),
    [
        ("the cat is on the mat", "the cat sat on the mat", 61.93),
        ("the cat sat on the mat", "the cat is on the mat", 64.58),  # not symmetric
        ("ab cd", "abcd", 100),  # white space doesn't count
        ("a", "a", 100),
        ("", "a", 0),
        ("", "", 0),
    ],
)
def test_chrf_by_hand(hypothesis: str, reference: str, score: float) -> None:
    found = chrf_score([hypothesis], [[reference]]).score
    assert found == pytest.approx(score, abs=0.005)
    assert chrf_score([hypothesis], [["zzz", reference]]).score >= found


@pytest.mark.parametrize(
    ("hypothesis", "references", "score"),
    [
        ("x y z w", ["a"], 400),
        ("b c a", ["a b c"], 100 / 3),  # one shift
        ("A B", ["a b"], 0),  # lower-cased by default
        ("a b", ["a b c", "a b"], 0),
        ("a b c d", ["a b", "a b c d e f"], 100 * 2 / 4),  # the mean reference length
        ("", [""], 0),
        ("a", [""], 100),
        ("", ["a b"], 100),
        ("a b", ["a b c", None], 100 / 3),
    ],
)
def test_ter_by_hand(hypothesis: str, references: list[str | None], score: float) -> None:
    assert ter_score([hypothesis], [references]).score == pytest.approx(score)


def test_ter_refuses_long_segments() -> None:
    text = "a " * TER_MAXIMUM_TOKENS
    assert ter_score([text], [[text]]).score == 0
    for pair in ((f"{text} b", "a"), ("a", f"{text} b")):
        with pytest.raises(TooLongToScoreError, match="segment 2 has 101 tokens, and above 100"):
            ter_score(["a", pair[0]], [["a"], [pair[1]]])


def test_ter_stops_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 100, 4))
    monkeypatch.setattr(others, "monotonic", lambda: next(clock))
    with pytest.raises(TooLongToScoreError, match="after 10 seconds, at segment 3 of 9"):
        ter_score(["a"] * 9, [["a"]] * 9)
    assert TercomTokenizer.__call__.cache_info().currsize == 0


def test_segments_are_checked_first() -> None:
    for score in (chrf_score, ter_score):
        with pytest.raises(SegmentError, match="segment 2 has no reference"):
            score(["a", "b"], [["a"], [None]])
