"""`bleu`: the BLEU report of files, or of each line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from s2s_core.cli.bleu_options import (
    add_bleu_settings,
    add_references,
    bleu_settings,
    read_json_lines,
    read_plain,
)
from s2s_core.cli.command import Command
from s2s_core.cli.options import add_json
from s2s_core.cli.streams import note, progress, write_json, write_line
from s2s_core.errors import TooLongToScoreError

if TYPE_CHECKING:
    from s2s_core.metrics.others import MetricScore
    from s2s_core.metrics.report import BleuReport
    from s2s_core.metrics.settings import BleuSettings
    from s2s_core.text.to_score import TextsToScore

_DESCRIPTION = """\
BLEU by sacreBLEU, with its parts. No model is loaded.

Texts: --hypotheses and --references, a segment a line; or --pairs, an object a line with any number
of references, null for a missing one: {"hypothesis": "...", "references": ["...", ...]}.
A blank line of a plain file is an empty text. "-" is standard input.

Plain output: score, precisions with their counts, brevity penalty, lengths, signature. With
--sentence, a line each: score TAB hypothesis, with effective order (further scores in between).
With --json: one object: score, precisions (0-100), matches, totals, brevity_penalty,
hypothesis_length, reference_length, max_order, signature; a list of such objects with --sentence.
matches and totals are the true counts, also under add-k. --chrf adds chrf and chrf_plus_plus, --ter
adds ter: {"score": ..., "signature": ...}; ter is null, with a note, where it would take too long.

Notes on standard error say what looks wrong with the texts."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    texts = parser.add_mutually_exclusive_group(required=True)
    texts.add_argument("--hypotheses", metavar="FILE", help="one hypothesis a line")
    texts.add_argument("--pairs", metavar="FILE", help="an object a line")
    add_references(parser)
    add_bleu_settings(parser)
    parser.add_argument(
        "--sentence", action="store_true", help="score each line, with effective order"
    )
    parser.add_argument("--chrf", action="store_true", help="chrF and chrF++ as well")
    parser.add_argument("--ter", action="store_true", help="TER as well (slow on long segments)")
    add_json(parser, "print one object; with --sentence a list")


def run(args: argparse.Namespace) -> None:
    """Score the texts.

    Raises:
        ExplorerError: a setting or a file can't be used.
    """
    from s2s_core.metrics.export import report_fields
    from s2s_core.metrics.notices import report_notices
    from s2s_core.metrics.report import bleu_report

    settings = bleu_settings(args)
    texts = (
        read_json_lines(args.pairs, args.references, ("hypothesis",))
        if args.pairs is not None
        else read_plain([args.hypotheses], args.references)
    )
    if args.sentence:
        settings = settings.for_sentences()
    report = bleu_report(texts.systems[0], texts.references, settings)
    for notice in report_notices(report):
        note(notice.message)
    if args.sentence:
        _run_sentences(args, texts, settings)
        return
    others = _other_scores(args, texts)
    if args.json:
        write_json({**report_fields(report), **_other_fields(others)})
    else:
        _write_report(report, others)


def _run_sentences(args: argparse.Namespace, texts: TextsToScore, settings: BleuSettings) -> None:
    """Each line as a corpus of its own."""
    from s2s_core.metrics.display import shown_score
    from s2s_core.metrics.export import report_fields
    from s2s_core.metrics.report import bleu_report
    from s2s_core.text.to_score import TextsToScore

    objects = []
    lines = list(zip(texts.systems[0], texts.references, strict=True))
    for hypothesis, references in progress(lines):
        report = bleu_report([hypothesis], [references], settings)
        others = _other_scores(args, TextsToScore(((hypothesis,),), (references,)))
        if args.json:
            objects.append({**report_fields(report), **_other_fields(others)})
        else:
            columns = [_shown_other(score) for score in others.values()]
            write_line(shown_score(report.score), *columns, hypothesis)
    if args.json:
        write_json(objects)


def _other_scores(args: argparse.Namespace, texts: TextsToScore) -> dict[str, MetricScore | None]:
    """The scores that were asked for; None where one would take too long."""
    if not (args.chrf or args.ter):
        return {}
    from s2s_core.metrics.others import chrf_score, ter_score

    hypotheses, references = texts.systems[0], texts.references
    scores: dict[str, MetricScore | None] = {}
    if args.chrf:
        for key, word_order in (("chrf", 0), ("chrf_plus_plus", 2)):
            scores[key] = chrf_score(
                hypotheses, references, word_order=word_order, lowercase=args.lowercase
            )
    if args.ter:
        try:
            scores["ter"] = ter_score(hypotheses, references, seconds=None)
        except TooLongToScoreError as error:
            note(str(error))
            scores["ter"] = None
    return scores


def _other_fields(others: dict[str, MetricScore | None]) -> dict[str, object]:
    return {
        key: None if found is None else {"score": found.score, "signature": found.signature}
        for key, found in others.items()
    }


def _write_report(report: BleuReport, others: dict[str, MetricScore | None]) -> None:
    from s2s_core.metrics.display import shown_score

    write_line(f"BLEU {shown_score(report.score)}")
    for order in report.orders:
        write_line(
            f"precision {order.order}: {shown_score(order.precision)} % "
            f"({order.matches} of {order.totals}){_stand_in(order.fraction.source)}"
        )
    write_line(
        f"brevity penalty {report.brevity_penalty:.3f}: {report.hypothesis_length} hypothesis "
        f"tokens, {report.reference_length} reference tokens"
    )
    write_line(report.signature)
    for found in others.values():
        if found is not None:
            write_line(f"{found.name} {_shown_other(found)}, {found.signature}")


def _stand_in(source: str) -> str:
    return "" if source == "counts" else f", {source}"


def _shown_other(found: MetricScore | None) -> str:
    """Two digits; TER may well be above 100, and chrF can't be by more than rounding."""
    return "-" if found is None else f"{found.score:.2f}"


COMMAND = Command("bleu", "score files with BLEU", _DESCRIPTION, add_options, run)
