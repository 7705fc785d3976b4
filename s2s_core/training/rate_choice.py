"""The learning rate, chosen on the development set by short runs.

Each rate gets a run of a tenth of the steps, from the same weights and over the same batches, with
its own warm-up and decay. The rate that ends with the highest development BLEU is taken, as the
best weights of a run are; of equal ones that with the lower loss. The loss alone misleads early on:
most of what it falls by is the target language, and at a high rate a decoder may learn that fast
without ever reading the source. Models are compared fairly only if each has had this choice.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path

from s2s_core.models.card import RateTrial
from s2s_core.training.config import OptimiserConfig, TrainingConfig
from s2s_core.training.trainer import Trainer
from s2s_core.training.workers import Workers

SHARE = 10  # a short run has one step for so many of the whole
TRIALS = "learning_rates.json"


def choose_learning_rate(
    config: TrainingConfig, *, data: Path, folder: Path
) -> tuple[TrainingConfig, tuple[RateTrial, ...]]:
    """Try the rates that the configuration lists, if it lists any.

    What was tried is kept in the run's folder, so that a run that was stopped goes on where it was.

    Returns:
        the configuration with the chosen rate, and what each rate gave.

    Raises:
        CorpusError: a corpus is damaged. ConfigError: the configuration doesn't fit.
        CheckpointError: the folder holds another run.
    """
    settings = config.optimiser
    if not settings.learning_rates:
        return config, ()
    trials = {trial.learning_rate: trial for trial in _read(folder / TRIALS)}
    workers = Workers.join()
    for rate in settings.learning_rates:
        if rate not in trials:
            trials[rate] = _try(replace(config, optimiser=short_run(settings, rate)), data, folder)
            if workers.leads:
                tried = [asdict(trial) for trial in trials.values()]
                (folder / TRIALS).write_text(json.dumps(tried, indent=1) + "\n", encoding="utf-8")
    found = tuple(trials[rate] for rate in settings.learning_rates)
    best = max(found, key=lambda trial: (trial.development_bleu, -trial.development_loss))
    chosen = replace(settings, learning_rate=best.learning_rate)
    return replace(config, optimiser=chosen), found


def short_run(settings: OptimiserConfig, rate: float) -> OptimiserConfig:
    """The settings of a run of a tenth of the steps."""
    steps = max(1, settings.steps // SHARE)
    return replace(
        settings,
        steps=steps,
        learning_rate=rate,
        learning_rates=(),
        warmup_steps=min(settings.warmup_steps, steps // 4),
        evaluate_every=steps,
        patience=0,
    )


def _try(config: TrainingConfig, data: Path, folder: Path) -> RateTrial:
    place = folder / f"rate-{config.optimiser.learning_rate:g}"
    trainer = Trainer(config, data=data, folder=place)
    trainer.train()
    end = trainer.progress.curve[-1]
    trainer.workers.wait()
    if trainer.workers.leads:
        shutil.rmtree(place)
    return RateTrial(
        learning_rate=config.optimiser.learning_rate,
        steps=end.step,
        target_tokens=end.target_tokens,
        development_loss=end.development_loss,
        development_bleu=end.development_bleu,
    )


def _read(path: Path) -> list[RateTrial]:
    if not path.exists():
        return []
    return [RateTrial(**trial) for trial in json.loads(path.read_text(encoding="utf-8"))]
