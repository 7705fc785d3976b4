"""Intervals over seeds by hand, pairs within a seed, and the file there and back."""

from __future__ import annotations

import pytest

from s2s_core.errors import SettingError
from s2s_core.training.lessons.sampling_study import (
    METRICS,
    Interval,
    SamplingStudy,
    StudyArm,
    StudyPoint,
    at_the_end,
    difference,
    interval,
    over_steps,
    processor_seconds,
    read_study,
    sampling_study,
)
from s2s_core.training.schedules import ObjectiveConfig


def arm(name: str, ends: list[float]) -> StudyArm:
    runs = tuple(
        (StudyPoint(0, 0.0, 0.0, 5.0, 7.0), StudyPoint(25, 2.0 + i, end, end + 1, end + 2))
        for i, end in enumerate(ends)
    )
    return StudyArm(name, ObjectiveConfig(schedule="linear"), runs)


def close(found: Interval, mean: float, low: float, high: float) -> bool:
    return (found.mean, found.low, found.high) == pytest.approx((mean, low, high), abs=1e-3)


def test_the_interval_is_students_t_by_hand() -> None:
    # Mean 3, variance 2.5, standard error sqrt(2.5 / 5) = 0.70711, t with 4 degrees 2.7764.
    assert close(interval([1, 2, 3, 4, 5]), 3, 3 - 1.96324, 3 + 1.96324)
    # Mean 1, variance 2, standard error 1, t with one degree 12.7062.
    assert close(interval([0, 2]), 1, -11.7062, 13.7062)


def test_seeds_that_agree_leave_no_width() -> None:
    assert interval([4.0] * 10) == Interval(4.0, 4.0, 4.0)


@pytest.mark.parametrize("count", [0, 1, 11])
def test_too_few_or_too_many_seeds_are_named(count: int) -> None:
    with pytest.raises(SettingError, match="2 to 10 seeds"):
        interval([1.0] * count)


def test_a_difference_is_taken_within_each_seed() -> None:
    low, high = arm("a", [10, 50, 90]), arm("b", [11, 51, 91])
    assert difference(high, low, "exact match") == Interval(1.0, 1.0, 1.0)
    assert at_the_end(high, "exact match").high - at_the_end(high, "exact match").low > 100


def test_metrics_steps_and_cost_are_those_of_the_points() -> None:
    one = arm("a", [10, 20])
    assert [at_the_end(one, metric).mean for metric in METRICS] == [15, 16, 17]
    assert [(step, each.mean) for step, each in over_steps(one, "exact match")] == [
        (0, 0),
        (25, 15),
    ]
    assert processor_seconds(one).mean == 2.5


def test_the_file_gives_back_what_was_written() -> None:
    study = SamplingStudy(
        "a processor", "a “setting”", (1, 2), (arm("a", [1, 2]), arm("b", [3, 4]))
    )
    assert read_study(study.to_json()) == study


def test_the_measurement_that_comes_with_the_program_is_whole() -> None:
    study = sampling_study()
    first, *others = study.arms
    assert first.objective.teacher_forcing and others
    assert not any(each.objective.teacher_forcing for each in others)
    assert len(study.seeds) >= 5
    assert all(len(each.runs) == len(study.seeds) for each in study.arms)
    steps = {tuple(point.step for point in run) for each in study.arms for run in each.runs}
    assert len(steps) == 1  # the same budget
