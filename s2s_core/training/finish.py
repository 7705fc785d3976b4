"""The end of a run: the best weights, measured as they will be used, become a checkpoint folder."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from s2s_core.models.checkpoint import (
    CheckpointCard,
    RateTrial,
    load_checkpoint,
    save_checkpoint,
)
from s2s_core.models.network import parameter_count
from s2s_core.training.config import OptimiserConfig
from s2s_core.training.evaluation import evaluate, mean_loss
from s2s_core.training.schedules import ObjectiveConfig
from s2s_core.training.teacher_forcing import force_references
from s2s_core.training.trainer import Trainer


def finish_run(
    trainer: Trainer, *, data: Path, trials: tuple[RateTrial, ...] = ()
) -> CheckpointCard:
    """Write `card.json`, `weights.safetensors` and `tokenizer.json` into the run's folder.

    The checkpoint is called as its folder is.

    trials: the runs that chose the learning rate.

    The figures on the card are those of the float16 weights that were written, read back: what a
    user of the checkpoint gets.

    Raises:
        CorpusError: the test file is damaged.
        CheckpointError: the run has no evaluated weights yet, or a file can't be written.
    """
    network, folder, config = trainer.best_network(), trainer.folder, trainer.config
    test = config.data.read_test(data)
    card = CheckpointCard(
        name=folder.resolve().name,
        title=config.title,
        architecture=config.architecture,
        source_language=config.data.source_language,
        target_language=config.data.target_language,
        sizes={"vocabulary_size": trainer.tokenizer.size, **config.model},
        parameters=parameter_count(network),
        data=config.data.description,
        training_pairs=len(trainer.encoded.sources),
        licence=config.data.licence,
        attribution=config.data.attribution,
        seed=config.optimiser.seed,
        budget={
            **_optimiser(config.optimiser),
            **_objective(config.objective),
            "steps_taken": trainer.progress.step,
            "target_tokens_seen": trainer.progress.target_tokens,
        },
        development_loss=mean_loss(network, trainer.development, trainer.tokenizer),
        commands={
            "test": _command(folder, config.data.test_options),
            "development": _command(folder, config.data.development_options),
        },
        learning_curve=tuple(trainer.progress.curve),
        learning_rate_trials=trials,
    )
    save_checkpoint(folder, card, network, trainer.tokenizer)
    model = load_checkpoint(folder)
    forced = force_references(model, trainer.development)
    result = evaluate(model, test, groups=config.data.groups, show_progress=True)
    card = dataclasses.replace(
        card,
        development_loss=float(forced.losses.sum() / forced.tokens.sum()),
        scores=result.scores,
    )
    save_checkpoint(folder, card, network, trainer.tokenizer)
    return card


def _command(folder: Path, options: str) -> str:
    return f"python -m s2s_core evaluate --model {folder.resolve().name} {options}"


def _objective(objective: ObjectiveConfig) -> dict[str, int | float | str]:
    """What a card says of the decoder's inputs; nothing for teacher forcing."""
    return {} if objective.teacher_forcing else dataclasses.asdict(objective)


def _optimiser(settings: OptimiserConfig) -> dict[str, int | float | str]:
    """The settings but for the rates that were tried, which the card lists with what they gave."""
    values = dataclasses.asdict(settings)
    tried = ("learning_rates", "whole_runs")
    return {name: value for name, value in values.items() if name not in tried}
