"""Is the difference between two systems more than chance? Two tests, as sacreBLEU draws them.

Paired bootstrap (Koehn 2004) draws segments again, with replacement, the same for both systems.
Approximate randomisation (Riezler & Maxwell 2005) swaps the two outputs of a segment at random.
Both work on the statistics of the segments, and every score is sacreBLEU's of summed statistics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from s2s_core.errors import SegmentError
from s2s_core.metrics.report import BleuReport
from s2s_core.metrics.sacre import score_statistics
from s2s_core.metrics.settings import SAMPLES, SEED, TRIALS, BleuSettings
from s2s_core.metrics.statistics import BleuStatistics

SIGNIFICANT = 0.05
"""The level of p below which a difference is called significant."""

Array = NDArray[np.float64]

_CHUNK_NUMBERS = 4_000_000


@dataclass(frozen=True, slots=True)
class Interval:
    """The middle 95 % of bootstrap scores, and their mean.

    It is an interval around that mean, which needn't be the score itself.
    """

    lower: float
    upper: float
    mean: float

    @property
    def half_width(self) -> float:
        """What sacreBLEU writes behind ±."""
        return (self.upper - self.lower) / 2


@dataclass(frozen=True, slots=True)
class SignificanceTest:
    """One test.

    draws: how often something was drawn.
    p_value: the share of draws that differ at least as much as the systems do, (c + 1) / (n + 1).
    sacrebleu_p_value: the same with "more" in place of "at least as much"; equal where nothing
        ties. Where few segments differ, ties are many, and this one is too small. For systems of
        the same score it would be the smallest p there can be, and is None instead.
    """

    draws: int
    p_value: float
    sacrebleu_p_value: float | None

    @property
    def significant(self) -> bool:
        """p is at most 0.05."""
        return self.p_value <= SIGNIFICANT


@dataclass(frozen=True, slots=True)
class PairedTests:
    """Both tests of a system against a baseline.

    baseline_score, system_score: corpus BLEU, 0-100.
    baseline, system, difference: bootstrap intervals; `difference` is of system minus baseline.
    differing_segments: where the statistics of the two aren't the same. Fewer than six can't be
        significant under randomisation.
    """

    baseline_score: float
    system_score: float
    baseline: Interval
    system: Interval
    difference: Interval
    bootstrap: SignificanceTest
    randomisation: SignificanceTest
    segments: int
    differing_segments: int
    seed: int

    @property
    def score_difference(self) -> float:
        """System minus baseline."""
        return self.system_score - self.baseline_score

    @property
    def verdict(self) -> str:
        """One plain sentence."""
        if self.score_difference == 0:
            return "No difference: both systems have the same score."
        found = [self.bootstrap.significant, self.randomisation.significant]
        if all(found):
            return f"Significant at p ≤ {SIGNIFICANT} in both tests."
        if any(found):
            return f"The tests disagree at p ≤ {SIGNIFICANT}: don't call it significant."
        return f"Not significant: neither test has p ≤ {SIGNIFICANT}."


def paired_tests(
    baseline: BleuReport,
    system: BleuReport,
    *,
    samples: int = SAMPLES.default,
    trials: int = TRIALS.default,
    seed: int = SEED.default,
) -> PairedTests:
    """Test two reports on the same references and settings.

    seed: of numpy's PCG64; environment variables aren't read.

    Raises:
        SegmentError: the reports aren't on the same segments with the same settings.
        SettingError: a number is out of bounds.
    """
    check_same_segments(baseline, system)
    samples, trials, seed = SAMPLES.check(samples), TRIALS.check(trials), SEED.check(seed)
    ours, theirs = _rows(baseline), _rows(system)
    score = _scorer(system.settings)
    observed = abs(system.score - baseline.score)

    drawn = [
        (score(weights @ ours), score(weights @ theirs))
        for weights in _bootstrap_weights(len(ours), samples, seed)
    ]
    first, second = (np.concatenate(scores) for scores in zip(*drawn, strict=True))
    spread = np.abs(second - first)

    swapped = [
        np.abs(score(swap @ ours + ~swap @ theirs) - score(~swap @ ours + swap @ theirs))
        for swap in _swaps(len(ours), trials, seed)
    ]
    return PairedTests(
        baseline_score=baseline.score,
        system_score=system.score,
        baseline=_interval(first),
        system=_interval(second),
        difference=_interval(second - first),
        bootstrap=_result(spread - spread.mean(), observed),
        randomisation=_result(np.concatenate(swapped), observed),
        segments=len(ours),
        differing_segments=int((ours != theirs).any(axis=1).sum()),
        seed=seed,
    )


def check_same_segments(baseline: BleuReport, system: BleuReport) -> None:
    """Two reports can be compared.

    Raises:
        SegmentError: their settings, their numbers of segments or their references differ.
    """
    if baseline.settings != system.settings:
        raise SegmentError("the two systems were scored with different settings; use the same")
    if len(baseline.segments) != len(system.segments):
        raise SegmentError(
            f"the baseline has {len(baseline.segments)} segments, but the system has "
            f"{len(system.segments)}; both need one hypothesis for each reference"
        )
    for ours, theirs in zip(baseline.segments, system.segments, strict=True):
        if ours.segment.references != theirs.segment.references:
            raise SegmentError(
                f"segment {ours.number}: the two systems were scored on different references"
            )


def _rows(report: BleuReport) -> Array:
    """(segments, 2 N + 2): c, r, matches and totals of every segment."""
    return np.array(
        [
            (s.hypothesis_length, s.reference_length, *s.matches, *s.totals)
            for s in (segment.statistics for segment in report.segments)
        ],
        dtype=np.float64,  # exact for integers, and fast to multiply
    )


def _scorer(settings: BleuSettings) -> Callable[[Array], Array]:
    """A function from (draws, 2 N + 2) sums to their (draws,) scores."""
    order = settings.max_order

    def scores(sums: Array) -> Array:
        found = []
        for c, r, *counts in sums.round().astype(np.int64).tolist():
            part = BleuStatistics(tuple(counts[:order]), tuple(counts[order:]), c, r)
            found.append(score_statistics(part, settings).score)
        return np.array(found)

    return scores


def _bootstrap_weights(segments: int, samples: int, seed: int) -> Iterator[Array]:
    """Chunks of (draws, segments): how often each draw takes each segment."""
    generator = np.random.default_rng(seed)
    for draws in _chunks(samples, segments):
        drawn = generator.choice(segments, size=(draws, segments), replace=True)
        yield np.stack([np.bincount(row, minlength=segments) for row in drawn]).astype(np.float64)


def _swaps(segments: int, trials: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    """Chunks of (draws, segments): which outputs of the baseline go to the first pile."""
    generator = np.random.default_rng(seed)
    for draws in _chunks(trials, segments):
        yield generator.integers(2, size=(draws, segments), dtype=np.bool_)


def _chunks(draws: int, segments: int) -> Iterator[int]:
    """Cut the draws into parts that fit into memory.

    Parts of a multiple of 32 rows, so that the random bits come as if they were drawn at once.
    """
    rows = max(_CHUNK_NUMBERS // segments // 32, 1) * 32
    for start in range(0, draws, rows):
        yield min(rows, draws - start)


def _interval(scores: Array) -> Interval:
    ordered = np.sort(scores)
    tail = len(ordered) // 40  # 2.5 %
    return Interval(float(ordered[tail]), float(ordered[-tail - 1]), float(ordered.mean()))


def _result(drawn: Array, observed: float) -> SignificanceTest:
    at_least, more = int((drawn >= observed).sum()), int((drawn > observed).sum())
    draws = len(drawn)
    return SignificanceTest(
        draws=draws,
        p_value=(at_least + 1) / (draws + 1),
        sacrebleu_p_value=(more + 1) / (draws + 1) if observed else None,
    )
