"""Trains with teacher forcing and with scheduled sampling, and writes the file that the app shows.

    python -m tests.benchmarks.measure_scheduled_sampling [--seeds 5] [--steps N] [--out FILE]

Every seed trains once in each way, from the same weights, on the same strings, for the same number
of steps. Nothing is chosen after looking at the result: the settings stand here.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from s2s_core.models.threads import use_one_thread
from s2s_core.training.lessons.sampling_study import STUDY, SamplingStudy, StudyArm, StudyPoint
from s2s_core.training.live.config import LIVE_MODELS, LiveConfig
from s2s_core.training.live.run import LiveRun
from s2s_core.training.schedules import ObjectiveConfig
from tests.benchmarks.measure_cost import machine

STEPS = 300


def setting(steps: int) -> LiveConfig:
    """What all runs have in common: a network that stays below perfection for the whole budget."""
    return LiveConfig(
        model="fixed-every-step", length=6, learning_rate=0.005, steps=steps, seconds=120
    )


def arms(steps: int) -> dict[str, ObjectiveConfig]:
    """The ways to train, by name; teacher forcing first."""
    half = steps // 2
    return {
        "teacher forcing": ObjectiveConfig(),
        "scheduled sampling": ObjectiveConfig(schedule="inverse_sigmoid", half=half),
    }


def measure(config: LiveConfig) -> tuple[StudyPoint, ...]:
    """One run, until its steps are over, however long that takes."""
    run = LiveRun(config)
    while run.step < config.steps:
        run.advance()
    return tuple(map(StudyPoint.of, run.reports))


def describe(config: LiveConfig) -> str:
    """The setting in words."""
    model = LIVE_MODELS[config.model].title
    return (
        f"{model}, {config.task} {config.length} digits, width {config.width}, learning rate "
        f"{config.learning_rate:g}, {config.steps} steps"
    )


def main() -> None:
    """Train every seed in every way and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--out", type=Path, default=STUDY)
    arguments = parser.parse_args()
    use_one_thread()
    seeds = tuple(range(1, arguments.seeds + 1))
    config, ways = setting(arguments.steps), arms(arguments.steps)
    found: dict[str, list[tuple[StudyPoint, ...]]] = {name: [] for name in ways}
    for seed in seeds:
        for name, objective in ways.items():
            found[name].append(measure(replace(config, seed=seed, objective=objective)))
            print(seed, name, found[name][-1][-1], flush=True)
    study = SamplingStudy(
        machine(),
        describe(config),
        seeds,
        tuple(StudyArm(name, ways[name], tuple(runs)) for name, runs in found.items()),
    )
    arguments.out.write_text(study.to_json(), encoding="utf-8")


if __name__ == "__main__":
    main()
