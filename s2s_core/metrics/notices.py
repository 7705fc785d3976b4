"""What a person should know about texts before believing their score, as values.

A notice doesn't stop anything. What can't be scored at all is an error of `bleu_report`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from s2s_core.metrics.ngrams import Tokens, clipped_counts
from s2s_core.metrics.report import BleuReport, SegmentReport
from s2s_core.metrics.tokenizers import TOKENIZERS

NoticeKind = Literal[
    "CJK tokenizer",
    "Unicode forms",
    "short text",
    "empty hypothesis",
    "empty reference",
    "several lines",
    "transposed",
    "tokenised text",
]

_LARGEST_SQUARE = 100


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to look at.

    message: what was found, and what to do, in one or two sentences.
    segments: the numbers, from 1, of the segments where; empty where it's about all of them.
    tokenizer: the one to use instead, where that is the advice.
    """

    kind: NoticeKind
    message: str
    segments: tuple[int, ...] = ()
    tokenizer: str = ""


def report_notices(report: BleuReport) -> tuple[Notice, ...]:
    """Everything worth saying about a report, the most important first."""
    found = [check(report) for check in _CHECKS]
    return tuple(notice for notice in found if notice is not None)


def to_nfc(text: str) -> str:
    """The text with letters and accents composed (Unicode NFC), for a switch that offers it."""
    return unicodedata.normalize("NFC", text)


# --- the checks ----------------------------------------------------------------------------------


def _transposed(report: BleuReport) -> Notice | None:
    """As many references as segments, and they match better the other way round."""
    size = len(report.segments)
    if not 2 <= size <= _LARGEST_SQUARE or any(
        len(each.reference_tokens) != size for each in report.segments
    ):
        return None
    given = [each.reference_tokens for each in report.segments]
    other = list(zip(*given, strict=True))
    tokens = [each.tokens for each in report.segments]
    if _unigram_matches(tokens, other) <= _unigram_matches(tokens, given):
        return None
    return Notice(
        "transposed",
        f"There are as many references for each segment as segments ({size}), and the hypotheses "
        "match better if the two are exchanged. Check that references[i] are those of segment i.",
    )


def _several_lines(report: BleuReport) -> Notice | None:
    numbers = _numbers(report, lambda each: any(map(_breaks_line, _texts(each))))
    if not numbers:
        return None
    return Notice(
        "several lines",
        f"{_where(numbers)} holds a line break: several lines are scored as one segment, so that "
        "n-grams and lengths run across them. Give each line as a segment of its own.",
        numbers,
    )


def _empty_hypothesis(report: BleuReport) -> Notice | None:
    numbers = _numbers(report, lambda each: not each.tokens)
    if not numbers:
        return None
    return Notice(
        "empty hypothesis",
        f"{_where(numbers)} has no hypothesis token. It counts in the reference length, so the "
        "brevity penalty bears it; fill it in, or leave the segment out.",
        numbers,
    )


def _empty_reference(report: BleuReport) -> Notice | None:
    numbers = _numbers(report, lambda each: () in each.reference_tokens)
    if not numbers:
        return None
    return Notice(
        "empty reference",
        f"{_where(numbers)} has a reference without tokens. It counts as a reference of length 0 "
        "and can switch the brevity penalty off; if it is missing, give None (null in JSON).",
        numbers,
    )


def _cjk(report: BleuReport) -> Notice | None:
    if report.settings.tokenize not in ("13a", "intl", "none"):
        return None
    numbers = _numbers(report, lambda each: any(_CJK.search(text) for text in _texts(each)))
    if not numbers:
        return None
    texts = "".join(text for each in report.segments for text in _texts(each))
    name = "ja-mecab" if _KANA.search(texts) else "ko-mecab" if _HANGUL.search(texts) else "zh"
    advice = name if TOKENIZERS[name].installed else "char"
    return Notice(
        "CJK tokenizer",
        f"{_where(numbers)} has Chinese, Japanese or Korean text, which the tokenizer "
        f"{report.settings.tokenize} splits at spaces and punctuation only, so a whole sentence "
        f"may be one token. Use the tokenizer {advice}.",
        numbers,
        advice,
    )


def _unicode_forms(report: BleuReport) -> Notice | None:
    numbers = _numbers(report, _composing_helps)
    if not numbers:
        return None
    return Notice(
        "Unicode forms",
        f"{_where(numbers)} writes the same letters in two ways (composed and decomposed accents), "
        "which never match. Normalise both sides to NFC before scoring, and say so.",
        numbers,
    )


def _short_text(report: BleuReport) -> Notice | None:
    order = next((each for each in report.orders if not each.totals), None)
    if order is None or not report.hypothesis_length:
        return None
    if order.fraction.source == "smoothed":
        share = f"{order.precision:.0f} %"
        effect = f": add-k counts its precision as {share}, which inflates the score"
    elif order.in_mean:
        effect = ", so the score is 0"
    else:
        effect = ", so orders from there on are left out (effective order)"
    return Notice(
        "short text",
        f"No hypothesis has {order.order} tokens and none a {order.order}-gram{effect}. "
        + (
            "Score single sentences with effective order, or set a lower maximum order."
            if order.in_mean
            else "Compare this score only with others that were computed so."
        ),
    )


def _tokenised(report: BleuReport) -> Notice | None:
    """sacreBLEU's own sign, a full stop after a space, for most of the lines."""
    if report.settings.tokenize == "none":
        return None
    numbers = _numbers(report, lambda each: each.segment.hypothesis.rstrip().endswith(" ."))
    if len(numbers) < 10 or 2 * len(numbers) < len(report.segments):
        return None
    return Notice(
        "tokenised text",
        f"{len(numbers)} hypotheses end in a full stop after a space, so they look tokenised. "
        "Score text as people write it, or use the tokenizer none on both sides.",
        numbers,
    )


_CHECKS: tuple[Callable[[BleuReport], Notice | None], ...] = (
    _transposed,
    _several_lines,
    _empty_hypothesis,
    _empty_reference,
    _cjk,
    _unicode_forms,
    _short_text,
    _tokenised,
)

# --- parts ---------------------------------------------------------------------------------------

_KANA = re.compile("[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")
_CJK = re.compile(
    "[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def _numbers(report: BleuReport, applies: Callable[[SegmentReport], bool]) -> tuple[int, ...]:
    return tuple(each.number for each in report.segments if applies(each))


def _texts(each: SegmentReport) -> tuple[str, ...]:
    given = (each.segment.hypothesis, *each.segment.references)
    return tuple(text for text in given if text is not None)


def _breaks_line(text: str) -> bool:
    return "\n" in text.strip() or "\r" in text.strip()


def _where(numbers: Sequence[int]) -> str:
    """ "Segment 3", or "Segment 3 (and 12 others)"."""
    others = len(numbers) - 1
    more = f" (and {others} {'other' if others == 1 else 'others'})" if others else ""
    return f"Segment {numbers[0]}{more}"


def _composing_helps(each: SegmentReport) -> bool:
    """More tokens match once both sides are in NFC."""
    if all(unicodedata.is_normalized("NFC", text) for text in _texts(each)):
        return False
    theirs = [set(tokens) for tokens in each.reference_tokens if tokens is not None]
    ours, both = set(each.tokens), set[str]().union(*theirs)
    return len(set(map(to_nfc, ours)) & set(map(to_nfc, both))) > len(ours & both)


def _unigram_matches(
    hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens | None]]
) -> int:
    """The matches of each hypothesis with each of its references alone, all added up."""
    pairs = zip(hypotheses, references, strict=True)
    return sum(
        clipped_counts(tokens, [each], 1).total() for tokens, theirs in pairs for each in theirs
    )
