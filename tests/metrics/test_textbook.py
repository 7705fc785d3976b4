"""The examples show what they say they show."""

from __future__ import annotations

from s2s_core.metrics.notices import report_notices
from s2s_core.metrics.report import BleuReport, bleu_report
from s2s_core.metrics.textbook import EXAMPLES

REPORTS: dict[str, BleuReport] = {
    each.title: bleu_report([each.hypothesis], [each.references], each.settings)
    for each in EXAMPLES
}


def counts(title: str) -> list[tuple[int, int]]:
    """Matches and n-grams of each order."""
    return [(order.matches, order.totals) for order in REPORTS[title].orders]


def test_titles_are_unique_and_words_are_sentences() -> None:
    assert len(REPORTS) == len(EXAMPLES)
    assert all(each.shows.endswith(".") for each in EXAMPLES)


def test_clipping() -> None:
    assert counts("the the cat")[:2] == [(2, 3), (1, 2)]
    assert counts("Seven times the")[0] == (2, 7)
    (only,) = REPORTS["Seven times the"].segments[0].ngrams(1)
    assert (only.reference_counts, only.clip_reference) == ((2, 1), 0)


def test_papinenis_candidates() -> None:
    assert counts("A good candidate")[:2] == [(17, 18), (10, 17)]
    assert counts("A bad candidate") == [(8, 14), (1, 13), (0, 12), (0, 11)]


def test_lengths() -> None:
    short = REPORTS["Too short to be wrong"]
    assert short.precisions == (100, 100, 100, 100)
    assert short.brevity_penalty < 0.5
    tie = REPORTS["Two lengths equally close"]
    closest = tie.segments[0].closest
    assert (closest.length, closest.tied_length) == (4, 6)
    assert tie.brevity_penalty == 1


def test_smoothing_and_paraphrase() -> None:
    smoothed = REPORTS["No 4-gram matches"]
    assert smoothed.orders[3].matches == 0
    assert smoothed.score > 0
    assert smoothed.orders[3].fraction.source == "smoothed"
    paraphrase = REPORTS["A right paraphrase"]
    assert paraphrase.statistics.matches == (2, 0, 0, 0)
    assert paraphrase.score < 10


def test_only_the_short_ones_have_a_notice() -> None:
    noticed = {title for title, found in REPORTS.items() if report_notices(found)}
    assert noticed == {"the the cat"}
