"""Paired tests: sacreBLEU's draws and figures, and no difference where there is none."""

from __future__ import annotations

from random import Random
from typing import Literal

import pytest
from sacrebleu.significance import PairedTest, Result

from s2s_core.errors import SegmentError, SettingError
from s2s_core.metrics import significance
from s2s_core.metrics.report import BleuReport, bleu_report
from s2s_core.metrics.settings import BleuSettings
from s2s_core.metrics.significance import PairedTests, paired_tests
from tests.metrics.corpora import sacrebleu_metric

WORDS = [f"w{number}" for number in range(300)]


def systems(
    seed: int, size: int, quality: tuple[float, float]
) -> tuple[list[str], list[str], list[str]]:
    """References, and two systems that have that share of the words right."""
    random = Random(seed)
    references = [
        " ".join(random.choice(WORDS) for _ in range(random.randint(4, 25))) for _ in range(size)
    ]

    def translate(share: float) -> list[str]:
        return [
            " ".join(w if random.random() < share else random.choice(WORDS) for w in text.split())
            for text in references
        ]

    return references, translate(quality[0]), translate(quality[1])


def reports(
    references: list[str], *outputs: list[str], settings: BleuSettings
) -> tuple[BleuReport, ...]:
    return tuple(bleu_report(each, [[text] for text in references], settings) for each in outputs)


@pytest.mark.parametrize(
    ("settings", "size"),
    [
        (BleuSettings(), 160),
        (BleuSettings(smooth="add-k", max_order=3), 60),
        (BleuSettings(smooth="none", effective_order=True), 40),
    ],
)
def test_figures_are_those_of_sacrebleu(
    monkeypatch: pytest.MonkeyPatch, settings: BleuSettings, size: int
) -> None:
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    monkeypatch.setattr(significance, "_CHUNK_NUMBERS", 64 * size)  # many chunks, the same draws
    references, *outputs = systems(size, size, (0.7, 0.74))
    found = paired_tests(*reports(references, *outputs, settings=settings), trials=1000)

    def theirs(kind: Literal["bs", "ar"]) -> tuple[Result, Result]:
        named = [("first", outputs[0]), ("second", outputs[1])]
        metrics = {"BLEU": sacrebleu_metric(settings)}
        _, scores = PairedTest(named, metrics, [references], test_type=kind, n_samples=1000)()
        first, second = scores["BLEU"]
        assert isinstance(first, Result)
        assert isinstance(second, Result)
        return first, second

    first, second = theirs("bs")
    assert (found.baseline_score, found.system_score) == (first.score, second.score)
    assert found.bootstrap.sacrebleu_p_value == found.bootstrap.p_value == second.p_value
    # sacreBLEU's bootstrap works in single precision.
    assert found.baseline.mean == pytest.approx(first.mean, rel=1e-5)
    assert found.baseline.half_width == pytest.approx(first.ci, rel=1e-5)
    assert found.system.mean == pytest.approx(second.mean, rel=1e-5)
    assert found.system.half_width == pytest.approx(second.ci, rel=1e-5)
    _, second = theirs("ar")
    assert found.randomisation.sacrebleu_p_value == second.p_value


def test_identical_systems_are_no_difference() -> None:
    references, output, _ = systems(1, 30, (0.8, 0.8))
    one, other = reports(references, output, list(output), settings=BleuSettings())
    found = paired_tests(one, other, trials=500)
    for test in (found.bootstrap, found.randomisation):
        assert (test.p_value, test.sacrebleu_p_value, test.significant) == (1, None, False)
    assert found.differing_segments == 0
    assert (found.difference.lower, found.difference.upper) == (0, 0)
    assert found.verdict.startswith("No difference")


def test_one_differing_segment_is_never_significant_under_randomisation() -> None:
    references, output, _ = systems(1, 30, (0.6, 0.6))
    better = [references[0], *output[1:]]
    found = paired_tests(*reports(references, output, better, settings=BleuSettings()), trials=500)
    assert found.differing_segments == 1
    assert found.randomisation.p_value == 1
    assert found.randomisation.sacrebleu_p_value == 1 / 501  # each draw ties, none is above
    assert "Significant" not in found.verdict


def test_a_clear_difference_is_significant_in_both() -> None:
    references, weak, strong = systems(3, 100, (0.4, 0.9))
    found = paired_tests(*reports(references, weak, strong, settings=BleuSettings()), trials=500)
    assert found.verdict.startswith("Significant")
    assert found.difference.lower > 0
    assert found.difference.lower < found.score_difference < found.difference.upper


def test_the_other_way_round_gives_the_same_p() -> None:
    references, weak, strong = systems(4, 50, (0.7, 0.75))
    pair = reports(references, weak, strong, settings=BleuSettings())
    there = paired_tests(*pair, trials=500)
    back = paired_tests(*reversed(pair), trials=500)
    assert there.bootstrap.p_value == back.bootstrap.p_value
    assert there.randomisation.p_value == pytest.approx(back.randomisation.p_value, abs=1e-9)
    assert there.score_difference == -back.score_difference


def test_a_seed_of_0_is_a_seed() -> None:
    references, *outputs = systems(5, 20, (0.7, 0.75))
    pair = reports(references, *outputs, settings=BleuSettings())

    def run(seed: int) -> PairedTests:
        return paired_tests(*pair, samples=100, trials=100, seed=seed)

    assert run(0) == run(0)
    assert run(0) != run(1)


def test_one_segment_has_an_interval_of_no_width() -> None:
    pair = reports(["a b c d e"], ["a b c d x"], ["a b c d e"], settings=BleuSettings())
    found = paired_tests(*pair, samples=100, trials=100)
    assert found.system.half_width == found.baseline.half_width == 0
    assert found.randomisation.p_value == 1


def test_only_reports_on_the_same_texts_are_tested() -> None:
    base = bleu_report(["a", "b"], [["a"], ["b"]])
    other = bleu_report(["a", "b"], [["a"], ["c"]])
    with pytest.raises(SegmentError, match=r"segment 2: .* different references"):
        paired_tests(base, other)
    with pytest.raises(SegmentError, match="has 2 segments, but the system has 1"):
        paired_tests(base, bleu_report(["a"], [["a"]]))
    with pytest.raises(SegmentError, match="different settings"):
        paired_tests(base, bleu_report(["a", "b"], [["a"], ["b"]], BleuSettings(lowercase=True)))
    with pytest.raises(SettingError, match="samples must be between 100 and 100000, not 0"):
        paired_tests(base, base, samples=0)
