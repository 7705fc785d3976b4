"""The learning rate, chosen on the development set.

Each listed rate gets a short run, a tenth of the steps, from the same weights and over the same
batches, with its own warm-up and decay. The rate that reaches the highest development BLEU is
taken, as the best weights of a run are; of equal ones that with the lower loss. The loss alone
misleads early on: most of what it falls by is the target language, and at a high rate a decoder may
learn that fast without ever reading the source. Models are compared fairly only if each has had
this choice.

A short run favours rates that begin fast, and they need not end well. Where that is in doubt, the
rates of `whole_runs` are run to the end, and the best of those is the checkpoint.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from s2s_core.errors import CheckpointError
from s2s_core.models.card import RateTrial
from s2s_core.training.config import OptimiserConfig, TrainingConfig
from s2s_core.training.trainer import Trainer, run_identity
from s2s_core.training.workers import Workers

SHARE = 10  # a short run has one step for so many of the whole
TRIALS = "learning_rates.json"
WHOLE_TRIALS = "whole_runs.json"


def choose_learning_rate(
    config: TrainingConfig, *, data: Path, folder: Path
) -> tuple[TrainingConfig, tuple[RateTrial, ...]]:
    """Try the rates that the configuration lists, if it lists any.

    What was tried is kept in the run's folder, so that a run that was stopped goes on where it was.
    After whole runs the folder holds the best of them.

    Returns:
        the configuration with the chosen rate, and what each rate gave: short runs, then whole.

    Raises:
        CorpusError: a corpus is damaged. ConfigError: the configuration doesn't fit.
        CheckpointError: the folder holds another run.
    """
    settings = config.optimiser
    short = [_try(config, rate, data, folder) for rate in settings.learning_rates]
    whole = [_run_whole(config, rate, data, folder) for rate in settings.whole_runs]
    if not short and not whole:
        return config, ()
    best = max(whole or short, key=lambda trial: trial.merit)
    if whole:
        _keep_only(best.learning_rate, settings.whole_runs, folder)
    chosen = replace(settings, learning_rate=best.learning_rate)
    return replace(config, optimiser=chosen), (*short, *whole)


def whole_run(settings: OptimiserConfig, rate: float) -> OptimiserConfig:
    """The settings of a run of all steps with one rate."""
    return replace(settings, learning_rate=rate, learning_rates=(), whole_runs=())


def short_run(settings: OptimiserConfig, rate: float) -> OptimiserConfig:
    """The settings of a run of a tenth of the steps with one rate."""
    steps = max(1, settings.steps // SHARE)
    return replace(
        whole_run(settings, rate),
        steps=steps,
        warmup_steps=min(settings.warmup_steps, steps // 4),
        evaluate_every=steps,
        patience=0,
    )


def _try(config: TrainingConfig, rate: float, data: Path, folder: Path) -> RateTrial:
    """What a short run gives; nothing but the figures is kept of it."""
    place = folder / f"rate-{rate!r}"
    tried = replace(config, optimiser=short_run(config.optimiser, rate))
    trial = _recorded(tried, data, place, folder / TRIALS)
    if Workers.join().leads:
        shutil.rmtree(place, ignore_errors=True)
    return trial


def _run_whole(config: TrainingConfig, rate: float, data: Path, folder: Path) -> RateTrial:
    """What a whole run gives; it stays until it is known which is the best."""
    tried = replace(config, optimiser=whole_run(config.optimiser, rate))
    return _recorded(tried, data, _place(folder, rate), folder / WHOLE_TRIALS)


def _recorded(config: TrainingConfig, data: Path, place: Path, record: Path) -> RateTrial:
    """What a run reached at its best evaluation: as recorded, or run now and recorded."""
    known = _read(record, config)
    for trial in known:
        if trial.learning_rate == config.optimiser.learning_rate:
            return trial
    trainer = Trainer(config, data=data, folder=place)
    trainer.train()
    best = trainer.progress.best
    assert best is not None, "a run ends with an evaluation"
    trial = RateTrial(
        learning_rate=config.optimiser.learning_rate,
        steps=trainer.progress.step,
        target_tokens=trainer.progress.target_tokens,
        development_loss=best.development_loss,
        development_bleu=best.development_bleu,
    )
    trainer.workers.wait()  # all have looked into the record
    if trainer.workers.leads:
        _write(record, config, (*known, trial))
    trainer.workers.wait()
    return trial


def _keep_only(chosen: float, rates: Sequence[float], folder: Path) -> None:
    """Move the chosen whole run into the folder, and remove the others."""
    workers = Workers.join()
    if workers.leads:
        if _place(folder, chosen).exists():
            for path in _place(folder, chosen).iterdir():
                path.replace(folder / path.name)
        for rate in rates:
            shutil.rmtree(_place(folder, rate), ignore_errors=True)
    workers.wait()


def _place(folder: Path, rate: float) -> Path:
    return folder / f"whole-{rate!r}"


def _write(path: Path, config: TrainingConfig, trials: Sequence[RateTrial]) -> None:
    """Beside the old record, then in its place: a kill leaves one whole."""
    record = {"run": _identity(config), "trials": [asdict(trial) for trial in trials]}
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    unfinished.replace(path)


def _read(path: Path, config: TrainingConfig) -> tuple[RateTrial, ...]:
    if not path.exists():
        return ()
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        run, trials = record["run"], tuple(RateTrial(**trial) for trial in record["trials"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path} can't be read: {error}; remove it to try again") from error
    if run != _identity(config):
        raise CheckpointError(
            f"{path} is of another run (other data, model or settings): give another folder, or "
            "remove the file to try the rates anew"
        )
    return trials


def _identity(config: TrainingConfig) -> dict[str, Any]:
    """What the runs with different rates have in common."""
    identity = run_identity(config)
    for name in ("learning_rate", "warmup_steps"):  # short runs warm up in fewer steps
        del identity["optimiser"][name]
    return identity
