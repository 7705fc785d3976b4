"""Texts and settings on their way between link, boxes, files and a saved screen."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_core.errors import CorpusError, TraceFormatError
from s2s_core.metrics.corpus_view import segment_rows
from s2s_core.metrics.differences import ngram_differences, segment_differences
from s2s_core.metrics.report import bleu_report
from s2s_core.metrics.settings import BleuSettings
from s2s_core.text.to_score import NamedFile, TextsToScore
from s2s_core.ui.bleu import frames
from s2s_core.ui.bleu.fields import (
    BASELINE,
    FIELDS,
    HYPOTHESIS,
    LINES,
    ORDER,
    REFERENCES,
    SORTS,
    bleu_settings,
    box_count,
    settings_values,
)
from s2s_core.ui.bleu.marked_text import MAXIMUM_CHIPS, payload
from s2s_core.ui.bleu.saved import from_json, segments_json_lines, to_json
from s2s_core.ui.bleu.scoring import check_characters, texts_of
from s2s_core.ui.bleu.segment_panel import arranged
from s2s_core.ui.bleu.uploads import boxes_of, read_files
from s2s_core.ui.link import LinkValues, read_link, write_link
from tests.metrics.corpora import SETTINGS, Corpus, corpora


@settings(deadline=None)
@given(SETTINGS)
def test_settings_come_through_a_link(chosen: BleuSettings) -> None:
    values, notices = read_link(write_link(settings_values(chosen), FIELDS), FIELDS)
    assert not notices
    found = bleu_settings(values)
    assert found.effective_smooth_value == chosen.effective_smooth_value
    assert write_link(settings_values(found), FIELDS) == write_link(values, FIELDS)


def typed(hypothesis: str, *references: str) -> LinkValues:
    values = LinkValues({}).replace(HYPOTHESIS, hypothesis)
    for field, text in zip(REFERENCES, references, strict=False):
        values = values.replace(field, text)
    return values


def test_lines_are_segments_unless_said_otherwise() -> None:
    values = typed("a\nb", "c\n", "\nd")
    found = texts_of(typed("a\nb", "c\nx", "\nd"))
    assert found is not None and found.references == (("c", None), ("x", "d"))
    found = texts_of(values.replace(LINES, False))
    assert found is not None and found.systems == (("a\nb",),)
    assert texts_of(typed("a", "  ", "\n")) is None


def test_a_baseline_needs_as_many_lines() -> None:
    found = texts_of(typed("a\nb", "c\nd").replace(BASELINE, "x\ny"))
    assert found is not None and found.systems == (("a", "b"), ("x", "y"))
    with pytest.raises(CorpusError, match="line 2 of the box of hypotheses"):
        texts_of(typed("a\nb", "c\nd").replace(BASELINE, "x"))


def test_a_box_with_text_is_never_hidden() -> None:
    assert box_count(typed("a", "b", "", "c")) == 3
    assert box_count(LinkValues({})) == 1


@settings(deadline=None)
@given(corpora())
def test_boxes_hold_texts_only_if_they_give_the_same_again(corpus: Corpus) -> None:
    texts = TextsToScore((tuple(corpus.hypotheses),), tuple(map(tuple, corpus.references)))
    boxes = boxes_of(texts)
    if boxes is not None:
        assert texts_of(typed("\n".join(texts.systems[0]), *boxes)) == texts


@settings(deadline=None)
@given(corpora(), SETTINGS)
def test_a_saved_screen_reads_back(corpus: Corpus, chosen: BleuSettings) -> None:
    texts = TextsToScore(
        (tuple(corpus.hypotheses), tuple(corpus.hypotheses)), tuple(map(tuple, corpus.references))
    )
    values = settings_values(chosen).replace(ORDER, 2)
    report = bleu_report(corpus.hypotheses, corpus.references, chosen)
    saved = to_json(values, texts, report)
    found = from_json(saved.encode())
    assert found.texts == texts
    assert bleu_settings(found.values) == bleu_settings(values) and found.values.get(ORDER) == 2
    assert json.loads(saved)["result"]["score"] == report.score
    assert segments_json_lines(report).count("\n") == len(report.segments)


SAVED = {"format": "seq2seq-explorer-bleu", "version": 1}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "version is 1, and here it is '2'"),
        ({"screen": []}, "object of texts"),
        ({"screen": {"n": "99"}}, "n: “99”"),
        ({"screen": {}, "segments": []}, "at least one"),
        ({"screen": {}, "segments": [{"hypothesis": "a"}]}, "line 1"),
        ({"screen": {}, "segments": [3]}, "an object is needed"),
    ],
)
def test_a_damaged_screen_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(TraceFormatError, match=message):
        from_json(json.dumps(SAVED | change).encode())


def test_files_with_a_baseline_make_two_systems() -> None:
    given = NamedFile("h.tsv", b"a\tb\nc\td\n")
    found = read_files(given, [], NamedFile("b.txt", b"x\ny\n"))
    assert found.systems == (("a", "c"), ("x", "y"))
    with pytest.raises(CorpusError, match=r"no partner in b\.txt"):
        read_files(given, [], NamedFile("b.txt", b"x\n"))


def test_half_a_surrogate_pair_is_refused_with_the_segment() -> None:
    with pytest.raises(CorpusError, match="segment 2"):
        check_characters(TextsToScore((("a", "b"),), (("a",), ("\ud800",))))


def test_the_browser_gets_every_fate_up_to_a_limit() -> None:
    (segment,) = bleu_report(["the the cat " + "x " * 500], [["the cat", None]]).segments
    found = payload(segment, 1, 0)
    assert found["fates"][:3] == ("matched", "clipped", "matched")  # type: ignore[index]
    assert len(found["fates"]) == MAXIMUM_CHIPS and found["total"] == 503  # type: ignore[arg-type]
    assert [each["title"] for each in found["references"]] == ["Reference 1, 2 tokens"]  # type: ignore[attr-defined]


@settings(deadline=None)
@given(corpora(), st.integers(1, 4))
def test_the_table_of_ngrams_sums_to_the_matches(corpus: Corpus, order: int) -> None:
    report = bleu_report(corpus.hypotheses, corpus.references)
    tables = [frames.ngrams(segment.ngrams(order)) for segment in report.segments]
    assert sum(table["counts"].sum() for table in tables) == report.orders[order - 1].matches
    assert sum(table["in hypothesis"].sum() for table in tables) == report.orders[order - 1].totals


def test_segments_are_filtered_and_sorted() -> None:
    report = bleu_report(["a b c d", "x", "a b"], [["a b c d"], ["A y"], ["a b c d"]])
    rows = segment_rows(report)
    assert [row.number for row in arranged(rows, SORTS[0], "A")] == [1, 2, 3]
    assert [row.number for row in arranged(rows, SORTS[1], "")] == [2, 3, 1]
    assert [row.number for row in arranged(rows, SORTS[2], "")] == [2, 3, 1]
    assert [row.number for row in arranged(rows, SORTS[3], "")] == [2, 1, 3]
    assert [row.number for row in arranged(rows, SORTS[0], "y")] == [2]
    assert next(iter(frames.segments(rows)["sentence BLEU"])) == 100.0


def test_differences_are_shown_with_real_minus_signs_and_no_negative_zero() -> None:
    old = bleu_report(["a b c", "x y"], [["a b c"], ["x y"]])
    new = bleu_report(["a b z", "x y"], [["a b c"], ["x y"]])
    scores = frames.shown_differences(frames.segment_differences(segment_differences(old, new)))
    counts = frames.shown_differences(frames.ngram_differences(ngram_differences(old, new, 1)))
    page = scores.to_html() + counts.to_html()
    assert ">−1</td>" in page and ">0.00</td>" in page and ">100.00</td>" in page
    assert ">-" not in page
