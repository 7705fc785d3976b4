"""The end of a run: the best weights, measured as they will be used, become a checkpoint folder."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from s2s_core.models.checkpoint import (
    CheckpointCard,
    MeasuredScore,
    load_checkpoint,
    save_checkpoint,
)
from s2s_core.models.network import parameter_count
from s2s_core.training.evaluation import Evaluation, evaluate, mean_loss
from s2s_core.training.trainer import Trainer


def finish_run(trainer: Trainer, *, data: Path) -> CheckpointCard:
    """Write `card.json`, `weights.safetensors` and `tokenizer.json` into the run's folder.

    The figures on the card are those of the float16 weights that were written, read back: what a
    user of the checkpoint gets.

    Raises:
        CorpusError: the test file is damaged.
        CheckpointError: the run has no evaluated weights yet, or a file can't be written.
    """
    network, folder, config = trainer.best_network(), trainer.folder, trainer.config
    test = config.data.read_test(data)
    card = CheckpointCard(
        name=config.name,
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
            **dataclasses.asdict(config.optimiser),
            "steps_taken": trainer.progress.step,
            "target_tokens_seen": trainer.progress.target_tokens,
        },
        development_loss=mean_loss(network, trainer.development, trainer.tokenizer),
        learning_curve=tuple(trainer.progress.curve),
    )
    save_checkpoint(folder, card, network, trainer.tokenizer)
    result = evaluate(load_checkpoint(folder), test, show_progress=True)
    card = dataclasses.replace(card, scores=tuple(_scores(result)))
    save_checkpoint(folder, card, network, trainer.tokenizer)
    return card


def _scores(result: Evaluation) -> Iterator[MeasuredScore]:
    """The test scores in the order of the card: greedy and beam, one reference and several."""
    several = f"all, {result.fewest_references} to {result.most_references} a sentence"
    for decoding in (result.greedy, result.beam):
        for references, bleu in (("column 2", decoding.single), (several, decoding.multiple)):
            yield MeasuredScore(
                data="test",
                sentences=result.sentences,
                references=references,
                beam_size=decoding.beam_size,
                metric="BLEU",
                score=bleu.score,
                signature=bleu.signature,
            )
