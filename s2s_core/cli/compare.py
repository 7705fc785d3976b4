"""`compare`: two systems on the same references, with paired tests."""

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
from s2s_core.cli.options import add_json, add_number
from s2s_core.cli.streams import note, write_json, write_line
from s2s_core.errors import SettingError
from s2s_core.metrics.settings import SAMPLES, SEED, TRIALS
from s2s_core.options import IntegerOption

if TYPE_CHECKING:
    from s2s_core.metrics.differences import NgramDifference
    from s2s_core.metrics.report import BleuReport
    from s2s_core.metrics.significance import Interval, PairedTests, SignificanceTest
    from s2s_core.text.to_score import TextsToScore

NGRAMS = IntegerOption(
    "n-grams", 0, 1000, 5, "How many n-grams of each order to list as won, and as lost."
)

_DESCRIPTION = """\
Compare a system with a baseline on the same references: corpus BLEU of both, paired bootstrap and
approximate randomisation, and where they differ. Systems of the same score are no difference,
whatever a test would say.

Texts: --baseline, --system and --references, a segment a line; or --pairs, an object a line:
{"baseline": "...", "system": "...", "references": ["...", ...]}, null for a missing reference.

Plain output: the scores with the middle 95 % of their bootstrap, both p, a verdict, and n-grams won
and lost. With --json: one object: baseline and system (as `bleu` has them), difference, verdict,
segments, differing_segments, seed, bootstrap (draws, p_value, sacrebleu_p_value, and baseline,
system, difference with lower, upper, mean), randomisation (draws, p_value, sacrebleu_p_value),
segment_differences (segment, baseline, system, difference: sentence BLEU), ngrams (order, won and
lost: ngram, baseline and system, their clipped matches).

p_value counts the draws that differ at least as much as the systems do; sacreBLEU counts those that
differ more, which is sacrebleu_p_value (null for systems of the same score)."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    texts = parser.add_mutually_exclusive_group(required=True)
    texts.add_argument("--baseline", metavar="FILE", help="one hypothesis a line")
    texts.add_argument("--pairs", metavar="FILE", help="an object a line")
    parser.add_argument("--system", metavar="FILE", help="one hypothesis a line")
    add_references(parser)
    add_bleu_settings(parser)
    add_number(parser, "--samples", SAMPLES, default=SAMPLES.default)
    add_number(parser, "--trials", TRIALS, default=TRIALS.default)
    add_number(parser, "--seed", SEED, default=SEED.default)
    add_number(parser, "--ngrams", NGRAMS, default=NGRAMS.default)
    add_json(parser, "print one object")


def run(args: argparse.Namespace) -> None:
    """Compare the two.

    Raises:
        ExplorerError: a setting or a file can't be used.
    """
    from s2s_core.metrics.notices import report_notices
    from s2s_core.metrics.report import bleu_report
    from s2s_core.metrics.significance import paired_tests

    settings, texts = bleu_settings(args), _read(args)
    baseline, system = (bleu_report(each, texts.references, settings) for each in texts.systems)
    for name, report in (("baseline", baseline), ("system", system)):
        for notice in report_notices(report):
            note(f"{name}: {notice.message}")
    tests = paired_tests(baseline, system, samples=args.samples, trials=args.trials, seed=args.seed)
    if args.json:
        write_json(_object(baseline, system, tests, most=args.ngrams))
    else:
        _write_plain(baseline, system, tests, most=args.ngrams)


def _read(args: argparse.Namespace) -> TextsToScore:
    if args.pairs is not None:
        if args.system is not None:
            raise SettingError("--system doesn't go with --pairs, whose lines hold both systems")
        return read_json_lines(args.pairs, args.references, ("baseline", "system"))
    if args.system is None:
        raise SettingError("--system FILE is missing: what to compare with the baseline")
    return read_plain([args.baseline, args.system], args.references)


def _object(
    baseline: BleuReport, system: BleuReport, tests: PairedTests, *, most: int
) -> dict[str, object]:
    from s2s_core.metrics.differences import segment_differences
    from s2s_core.metrics.export import report_fields

    return {
        "baseline": report_fields(baseline),
        "system": report_fields(system),
        "difference": tests.score_difference,
        "verdict": tests.verdict,
        "segments": tests.segments,
        "differing_segments": tests.differing_segments,
        "seed": tests.seed,
        "bootstrap": {
            **_test_fields(tests.bootstrap),
            "baseline": _interval_fields(tests.baseline),
            "system": _interval_fields(tests.system),
            "difference": _interval_fields(tests.difference),
        },
        "randomisation": _test_fields(tests.randomisation),
        "segment_differences": [
            {
                "segment": each.number,
                "baseline": each.baseline_score,
                "system": each.system_score,
                "difference": each.difference,
            }
            for each in segment_differences(baseline, system)
        ],
        "ngrams": [
            {"order": order, "won": _ngram_fields(won), "lost": _ngram_fields(lost)}
            for order, won, lost in _won_and_lost(baseline, system, most)
        ],
    }


def _test_fields(test: SignificanceTest) -> dict[str, object]:
    return {
        "draws": test.draws,
        "p_value": test.p_value,
        "sacrebleu_p_value": test.sacrebleu_p_value,
    }


def _interval_fields(interval: Interval) -> dict[str, object]:
    return {"lower": interval.lower, "upper": interval.upper, "mean": interval.mean}


def _ngram_fields(found: list[NgramDifference]) -> list[dict[str, object]]:
    return [
        {
            "ngram": each.ngram,
            "baseline": each.baseline_matches,
            "system": each.system_matches,
        }
        for each in found
    ]


def _won_and_lost(
    baseline: BleuReport, system: BleuReport, most: int
) -> list[tuple[int, list[NgramDifference], list[NgramDifference]]]:
    """For each order the n-grams that the system won, and those that it lost, most first."""
    from s2s_core.metrics.differences import ngram_differences

    found = []
    for order in range(1, system.settings.max_order + 1):
        differences = ngram_differences(baseline, system, order)
        won = [each for each in differences if each.difference > 0]
        lost = [each for each in reversed(differences) if each.difference < 0]
        found.append((order, won[:most], lost[:most]))
    return found


def _write_plain(
    baseline: BleuReport, system: BleuReport, tests: PairedTests, *, most: int
) -> None:
    from s2s_core.metrics.display import shown_difference, shown_score

    for name, report, interval in (
        ("baseline", baseline, tests.baseline),
        ("system", system, tests.system),
    ):
        middle = f"{shown_score(interval.lower)} to {shown_score(interval.upper)}"
        write_line(f"{name}: BLEU {shown_score(report.score)}, 95 % {middle}")
    lower, upper = (
        shown_difference(end) for end in (tests.difference.lower, tests.difference.upper)
    )
    write_line(f"difference: {shown_difference(tests.score_difference)}, 95 % {lower} to {upper}")
    write_line(f"paired bootstrap: p = {tests.bootstrap.p_value:.4f}")
    write_line(f"approximate randomisation: p = {tests.randomisation.p_value:.4f}")
    write_line(f"{tests.differing_segments} of {tests.segments} segments differ")
    write_line(tests.verdict)
    write_line(system.signature)
    for order, won, lost in _won_and_lost(baseline, system, most):
        for word, found in (("won", won), ("lost", lost)):
            for each in found:
                counts = f"{each.baseline_matches} → {each.system_matches}"
                write_line(f"{word}, order {order}", counts, " ".join(each.ngram))


COMMAND = Command("compare", "compare two systems", _DESCRIPTION, add_options, run)
