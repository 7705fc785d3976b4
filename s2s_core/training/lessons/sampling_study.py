"""Scheduled sampling against teacher forcing, as it was measured, with intervals over seeds.

Nothing here trains: `python -m tests.benchmarks.measure_scheduled_sampling` does, and writes the
file. Both ways have the same steps and, seed by seed, the same first weights and training strings,
so that the difference is taken within each seed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from s2s_core.errors import SettingError
from s2s_core.training.live.result import LiveReport
from s2s_core.training.schedules import ObjectiveConfig

STUDY = Path(__file__).with_name("sampling_study.json")
"""Written by `python -m tests.benchmarks.measure_scheduled_sampling`."""

METRICS: dict[str, Callable[[StudyPoint], float]] = {
    "exact match": lambda point: point.exact,
    "free-running accuracy": lambda point: point.free,
    "teacher-forced accuracy": lambda point: point.forced,
}
"""What is compared, in percent."""

# Student's t, two-sided 95 %, for 1 to 9 degrees of freedom: 2 to 10 seeds.
_T = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622)


@dataclass(frozen=True, slots=True)
class StudyPoint:
    """What held-out strings said at one step; shares in percent. processor: seconds of one core."""

    step: int
    processor: float
    exact: float
    free: float
    forced: float

    @classmethod
    def of(cls, report: LiveReport) -> StudyPoint:
        """The part of a report that is kept, rounded."""
        found = report.measured
        shares = (found.exact_match, found.free_accuracy, found.forced_accuracy)
        return cls(report.step, round(report.processor, 2), *(round(each, 2) for each in shares))


@dataclass(frozen=True, slots=True)
class StudyArm:
    """One way to train: its objective, and the points of one run for each seed."""

    name: str
    objective: ObjectiveConfig
    runs: tuple[tuple[StudyPoint, ...], ...]


@dataclass(frozen=True, slots=True)
class SamplingStudy:
    """The whole measurement.

    machine: in words, without a date. setting: what all runs have in common, in words.
    arms: teacher forcing first. Runs are in the order of the seeds.
    """

    machine: str
    setting: str
    seeds: tuple[int, ...]
    arms: tuple[StudyArm, ...]

    def to_json(self) -> str:
        """As the text of the file, a run a line."""
        arms = ",\n".join(
            f'  {{"name": {json.dumps(arm.name)}, "objective": {json.dumps(asdict(arm.objective))},'
            '\n   "runs": [\n'
            + ",\n".join(
                "    " + json.dumps([list(asdict(point).values()) for point in run])
                for run in arm.runs
            )
            + "\n   ]}"
            for arm in self.arms
        )
        head = "".join(
            f" {json.dumps(name)}: {json.dumps(getattr(self, name), ensure_ascii=False)},\n"
            for name in ("machine", "setting", "seeds")
        )
        return f'{{\n{head} "arms": [\n{arms}\n ]\n}}\n'


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over seeds with its 95 % interval (Student's t)."""

    mean: float
    low: float
    high: float


def interval(values: Sequence[float]) -> Interval:
    """The mean of one value for each seed, and the interval in which it is known to lie.

    Raises:
        SettingError: there are fewer than 2 values, or more than 10.
    """
    count = len(values)
    if not 2 <= count <= len(_T) + 1:
        raise SettingError(f"an interval needs 2 to {len(_T) + 1} seeds, not {count}")
    mean = math.fsum(values) / count
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    half = _T[count - 2] * math.sqrt(variance / count)
    return Interval(mean, mean - half, mean + half)


def at_the_end(arm: StudyArm, metric: str) -> Interval:
    """A metric after the last step."""
    return interval([METRICS[metric](run[-1]) for run in arm.runs])


def difference(arm: StudyArm, baseline: StudyArm, metric: str) -> Interval:
    """How much higher an arm is than the baseline after the last step, within each seed."""
    value = METRICS[metric]
    return interval(
        [
            value(one[-1]) - value(other[-1])
            for one, other in zip(arm.runs, baseline.runs, strict=True)
        ]
    )


def over_steps(arm: StudyArm, metric: str) -> tuple[tuple[int, Interval], ...]:
    """A metric at every step at which it was measured."""
    value = METRICS[metric]
    return tuple(
        (points[0].step, interval([value(point) for point in points]))
        for points in zip(*arm.runs, strict=True)
    )


def processor_seconds(arm: StudyArm) -> Interval:
    """What a whole run costs."""
    return interval([run[-1].processor for run in arm.runs])


@cache
def sampling_study() -> SamplingStudy:
    """The measurement that comes with the program."""
    return read_study(STUDY.read_text(encoding="utf-8"))


def read_study(text: str) -> SamplingStudy:
    """Read what `to_json` wrote."""
    data = json.loads(text)
    return SamplingStudy(
        data["machine"],
        data["setting"],
        tuple(data["seeds"]),
        tuple(
            StudyArm(
                arm["name"],
                ObjectiveConfig(**arm["objective"]),
                tuple(tuple(StudyPoint(*point) for point in run) for run in arm["runs"]),
            )
            for arm in data["arms"]
        ),
    )
