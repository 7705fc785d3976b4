"""Notices: each is there when it should be, says what to do, and is absent otherwise."""

from __future__ import annotations

import unicodedata

import pytest

from s2s_core.metrics import tokenizers
from s2s_core.metrics.notices import Notice, report_notices, to_nfc
from s2s_core.metrics.report import bleu_report
from s2s_core.metrics.settings import BleuSettings

CLEAN = "The cat sat on the mat."


def notices(
    hypotheses: list[str], references: list[list[str | None]], settings: BleuSettings | None = None
) -> dict[str, Notice]:
    found = report_notices(bleu_report(hypotheses, references, settings or BleuSettings()))
    return {notice.kind: notice for notice in found}


def test_clean_text_has_none() -> None:
    assert notices([CLEAN, "Él comió café."], [[CLEAN], ["Él comió café.", None]]) == {}


@pytest.mark.parametrize(
    ("text", "missing", "installed"),
    [
        ("猫坐在垫子上。", "zh", "zh"),
        ("ネコがすわる", "char", "ja-mecab"),
        ("고양이가", "char", "ko-mecab"),
    ],
)
def test_cjk_under_13a_names_a_better_one(
    monkeypatch: pytest.MonkeyPatch, text: str, missing: str, installed: str
) -> None:
    for found, advice in ((None, missing), (object(), installed)):
        monkeypatch.setattr(tokenizers, "find_spec", lambda _, found=found: found)
        notice = notices([CLEAN, text], [[CLEAN], [text]])["CJK tokenizer"]
        assert notice.segments == (2,)
        assert notice.message.endswith(f"Use the tokenizer {advice}.")
    for name in ("zh", "char"):
        assert "CJK tokenizer" not in notices([text], [[text]], BleuSettings(tokenize=name))


def test_two_ways_to_write_an_accent_are_noticed() -> None:
    composed = "un café noir au matin"
    decomposed = unicodedata.normalize("NFD", composed)
    notice = notices([CLEAN, decomposed], [[CLEAN], [composed]])["Unicode forms"]
    assert notice.segments == (2,)
    assert "NFC" in notice.message
    assert "Unicode forms" in notices([composed], [[decomposed]])
    assert notices([decomposed], [[decomposed]]) == {}  # both the same: they match
    assert notices([to_nfc(decomposed)], [[composed]]) == {}


def test_text_too_short_for_4_grams_is_noticed_with_its_effect() -> None:
    text = "a b c"
    assert "so the score is 0" in notices([text], [[text]])["short text"].message
    effective = notices([text], [[text]], BleuSettings(effective_order=True))["short text"]
    assert "left out" in effective.message
    added = notices([text], [[text]], BleuSettings(smooth="add-k"))["short text"]
    assert "as 100 %, which inflates the score" in added.message
    assert "short text" not in notices([text], [[text]], BleuSettings(max_order=3))
    assert "short text" not in notices([text, CLEAN], [[text], [CLEAN]])


def test_empty_sides_are_noticed() -> None:
    found = notices(["", CLEAN, " "], [[CLEAN], [CLEAN, ""], [CLEAN, None]])
    assert found["empty hypothesis"].segments == (1, 3)
    assert found["empty hypothesis"].message.startswith("Segment 1 (and 1 other) has")
    assert found["empty reference"].segments == (2,)
    assert "null in JSON" in found["empty reference"].message


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_several_lines_as_one_segment_are_noticed(line_break: str) -> None:
    text = f"{CLEAN}{line_break}{CLEAN}"
    assert notices([text], [[CLEAN]])["several lines"].segments == (1,)
    assert notices([CLEAN], [[text]])["several lines"].segments == (1,)
    assert "several lines" not in notices([f"{CLEAN}{line_break}"], [[CLEAN]])


def test_transposed_references_of_a_square_are_noticed() -> None:
    # Two translators, two segments: given by translator where they should be by segment.
    first, second = "one cat sat on a mat", "two dogs ran in the park"
    by_segment: list[list[str | None]] = [[first, f"{first} x"], [second, f"{second} y"]]
    by_translator = [list(stream) for stream in zip(*by_segment, strict=True)]
    assert "transposed" not in notices([first, second], by_segment)
    assert "exchanged" in notices([first, second], by_translator)["transposed"].message


def test_text_that_looks_tokenised_is_noticed() -> None:
    text = "The cat sat on the mat ."
    many = [text] * 10
    assert len(notices(many, [[t] for t in many])["tokenised text"].segments) == 10
    assert notices(many[:9], [[t] for t in many[:9]]) == {}
    mixed = many + [CLEAN] * 11
    assert notices(mixed, [[t] for t in mixed]) == {}
    assert notices(many, [[t] for t in many], BleuSettings(tokenize="none")) == {}
