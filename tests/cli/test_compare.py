"""`compare`: two systems, the tests of the library, and no difference where there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from s2s_core.metrics.report import bleu_report
from s2s_core.metrics.settings import BleuSettings
from s2s_core.metrics.significance import paired_tests
from tests.cli.running import Run

REFERENCES = ["the cat sat on the mat", "a dog ran in the park", "it rains in the town"] * 4
BASELINE = ["the cat is on a mat", "a dog ran in a park", "it rains in town"] * 4
SYSTEM = ["the cat sat on a mat", "a dog ran in the park", "it rained in town"] * 4
KEYS = [
    *("baseline", "system", "difference", "verdict", "segments", "differing_segments", "seed"),
    *("bootstrap", "randomisation", "segment_differences", "ngrams"),
]
FEW = ("--samples", 200, "--trials", 300)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    paths = tmp_path / "baseline.txt", tmp_path / "system.txt", tmp_path / "references.txt"
    for path, lines in zip(paths, (BASELINE, SYSTEM, REFERENCES), strict=True):
        path.write_text("\n".join(lines), encoding="utf-8")
    return paths


def setting(files: tuple[Path, Path, Path], *, same: bool = False) -> tuple[object, ...]:
    baseline, system, references = files
    second = baseline if same else system
    return ("compare", "--baseline", baseline, "--system", second, "--references", references, *FEW)


def test_the_json_is_the_librarys(run: Run, files: tuple[Path, Path, Path]) -> None:
    options = ("--smooth", "floor", "--max-order", 3, "--seed", 7, "--ngrams", 2, "--json")
    (found,) = run(*setting(files), *options).objects
    settings = BleuSettings(smooth="floor", max_order=3)
    references = [[text] for text in REFERENCES]
    baseline, system = (bleu_report(each, references, settings) for each in (BASELINE, SYSTEM))
    tests = paired_tests(baseline, system, samples=200, trials=300, seed=7)
    assert list(found) == KEYS
    assert (found["baseline"]["score"], found["system"]["score"]) == (baseline.score, system.score)
    assert found["difference"] == system.score - baseline.score
    assert (found["segments"], found["differing_segments"], found["seed"]) == (12, 12, 7)
    assert found["bootstrap"] == {
        "draws": 200,
        "p_value": tests.bootstrap.p_value,
        "sacrebleu_p_value": tests.bootstrap.sacrebleu_p_value,
        **{
            name: {"lower": each.lower, "upper": each.upper, "mean": each.mean}
            for name, each in (
                ("baseline", tests.baseline),
                ("system", tests.system),
                ("difference", tests.difference),
            )
        },
    }
    assert found["randomisation"]["p_value"] == tests.randomisation.p_value
    rows = found["segment_differences"]
    assert [row["segment"] for row in rows] == list(range(1, 13))
    assert rows[0]["baseline"] == baseline.segments[0].score
    assert rows[0]["difference"] == rows[0]["system"] - rows[0]["baseline"]
    assert [each["order"] for each in found["ngrams"]] == [1, 2, 3]
    unigrams = found["ngrams"][0]
    assert unigrams["won"] == [
        {"ngram": ["the"], "baseline": 4, "system": 8},
        {"ngram": ["sat"], "baseline": 0, "system": 4},
    ]
    assert unigrams["lost"] == [{"ngram": ["rains"], "baseline": 4, "system": 0}]


def test_identical_systems_are_no_difference(run: Run, files: tuple[Path, Path, Path]) -> None:
    (found,) = run(*setting(files, same=True), "--json").objects
    assert (found["difference"], found["differing_segments"]) == (0, 0)
    assert found["bootstrap"]["p_value"] == found["randomisation"]["p_value"] == 1
    assert found["verdict"].startswith("No difference")
    lines = run(*setting(files, same=True)).lines
    assert "difference: 0.00, 95 % 0.00 to 0.00" in lines
    assert "No difference: both systems have the same score." in lines


def test_plain_output_has_scores_tests_verdict_and_ngrams(
    run: Run, files: tuple[Path, Path, Path]
) -> None:
    result = run(*setting(files), "--ngrams", 1)
    starts = ["baseline: BLEU ", "system: BLEU ", "difference: +", "paired bootstrap: p = "]
    for line, start in zip(result.lines, starts, strict=False):
        assert line.startswith(start)
    assert "12 of 12 segments differ" in result.lines
    assert "won, order 1\t4 → 8\tthe" in result.lines
    assert "lost, order 1\t4 → 0\trains" in result.lines


def test_pairs_hold_both_systems(run: Run, files: tuple[Path, Path, Path]) -> None:
    rows = [
        {"baseline": b, "system": s, "references": [r, None]}
        for b, s, r in zip(BASELINE, SYSTEM, REFERENCES, strict=True)
    ]
    text = "\n".join(map(json.dumps, rows)).encode()
    (found,) = run("compare", "--pairs", "-", *FEW, "--json", stdin=text).objects
    (expected,) = run(*setting(files), "--json").objects
    assert found == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "one of the arguments --baseline --pairs is required"),
        (("--baseline", "b", "--references", "r"), "--system FILE is missing"),
        (("--baseline", "b", "--system", "s"), "--references FILE [FILE …] is missing"),
        (("--pairs", "p", "--system", "s"), "--system doesn't go with --pairs"),
        (("--pairs", "p", "--samples", "5"), "samples must be between 100 and 100000, not 5"),
        (("--pairs", "p", "--ngrams", "-1"), "n-grams must be between 0 and 1000, not -1"),
    ],
)
def test_a_bad_command_line_is_one_line(run: Run, options: tuple[str, ...], message: str) -> None:
    assert message in run("compare", *options).error


def test_unequal_line_counts_name_the_line(run: Run, files: tuple[Path, Path, Path]) -> None:
    files[1].write_text("one\n", encoding="utf-8")
    error = run(*setting(files)).error
    assert "line 2 of" in error
    assert "baseline.txt has no partner" in error
