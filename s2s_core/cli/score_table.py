"""Measured scores as tables of plain text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from s2s_core.cli.streams import write_line
from s2s_core.models.card import CheckpointCard, MeasuredScore
from s2s_core.text.words import SourceLengths

if TYPE_CHECKING:
    from s2s_core.training.evaluation import DecodingTime, TimedSentences

GREEDY = 1
_DIGITS = {"loss": 4, "brevity penalty": 3, "length ratio": 3}
_COMPARED = ("token accuracy", "exact match")


def write_scores(scores: Sequence[MeasuredScore]) -> None:
    """A row for each metric and search, a column for each part of the file, then the signatures."""
    parts = list(dict.fromkeys(map(_lengths, scores)))
    counts = {_lengths(score): score.sentences for score in scores}
    heads = [f"{part} ({counts[part]:,})" for part in parts]
    rows: dict[str, list[str]] = {}
    for score in scores:
        rows.setdefault(_name(score), []).append(_cell(score))
    table = [["source length (sentences)", *heads], *([name, *row] for name, row in rows.items())]
    _write_aligned(table)
    write_line("in parentheses: 95 % intervals, by resampling sentences")
    for signature in dict.fromkeys(s.signature for s in scores if s.signature):
        write_line(signature)


def write_times(times: Sequence[DecodingTime]) -> None:
    """A row for each search, a column for each part of the file."""
    parts = times[0].by_length
    counts = [f"{SourceLengths(each.shortest, each.longest)} ({each.sentences})" for each in parts]
    rows = [
        [_search(time.beam_size), *(_milliseconds(each) for each in time.by_length)]
        for time in times
    ]
    _write_aligned([["ms a sentence, by source length (timed)", *counts], *rows])


def write_comparison(cards: Sequence[CheckpointCard]) -> None:
    """A row for each model: what it writes with greedy search, by source length."""
    for metric in _COMPARED:
        found = {
            card.name: {
                str(_lengths(score)): _cell(score)
                for score in card.scores
                if score.metric == metric and score.beam_size == GREEDY
            }
            for card in cards
        }
        parts = list(dict.fromkeys(part for scores in found.values() for part in scores))
        write_line(f"{metric}, greedy search, % by source length")
        rows = [[name, *(scores.get(part, "") for part in parts)] for name, scores in found.items()]
        _write_aligned([["model", *parts], *rows])


def _lengths(score: MeasuredScore) -> SourceLengths:
    return SourceLengths(score.shortest, score.longest)


def _name(score: MeasuredScore) -> str:
    return f"{score.metric}, {_search(score.beam_size)}, {score.references}"


def _search(beam_size: int) -> str:
    return {0: "true prefix", GREEDY: "greedy"}.get(beam_size, f"beam {beam_size}")


def _milliseconds(timed: TimedSentences) -> str:
    mean, low, high = (f"{1000 * seconds:.1f}" for seconds in (timed.mean, timed.low, timed.high))
    return f"{mean} ({low}–{high})"


def _cell(score: MeasuredScore) -> str:
    digits = _DIGITS.get(score.metric, 2)
    value, low, high = (f"{x:.{digits}f}" for x in (score.score, score.low, score.high))
    return f"{value} ({low}–{high})"


def _write_aligned(table: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        write_line("  ".join(cells).rstrip())
