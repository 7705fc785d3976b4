"""The training loop: reproducible, resumable, and honest about what it refuses."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from s2s_core.errors import CheckpointError, CorpusError
from s2s_core.training.config import TrainingConfig, load_config
from s2s_core.training.trainer import BEST, STATE, Trainer, learning_rate
from tests.training.corpora import write_corpus


def start(config: TrainingConfig, data: Path, folder: Path) -> Trainer:
    return Trainer(config, data=data, folder=folder)


def with_settings(config: TrainingConfig, **settings: int | float) -> TrainingConfig:
    return dataclasses.replace(config, optimiser=dataclasses.replace(config.optimiser, **settings))


@pytest.fixture
def config(tmp_path: Path) -> TrainingConfig:
    return load_config(write_corpus(tmp_path))


def test_same_seed_gives_the_same_weights(config: TrainingConfig, tmp_path: Path) -> None:
    for name in ("a", "b"):
        start(config, tmp_path, tmp_path / name).train()
    first, second = (load_file(tmp_path / name / STATE) for name in ("a", "b"))
    assert first.keys() == second.keys()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_another_seed_gives_other_weights(config: TrainingConfig, tmp_path: Path) -> None:
    start(config, tmp_path, tmp_path / "a").train()
    start(with_settings(config, seed=2), tmp_path, tmp_path / "b").train()
    first, second = (load_file(tmp_path / name / STATE) for name in ("a", "b"))
    assert not torch.equal(first["network.embedding.weight"], second["network.embedding.weight"])


def test_killed_run_goes_on_as_if_it_had_not_been_killed(
    config: TrainingConfig, tmp_path: Path
) -> None:
    whole = start(config, tmp_path, tmp_path / "whole")
    whole.train()

    class KilledError(Exception):
        pass

    killed = start(config, tmp_path, tmp_path / "killed")
    update = killed._update

    def update_until_killed(batch: object) -> float:
        if killed.progress.step == 9:  # one step after the state was last written
            raise KilledError
        return update(batch)  # type: ignore[arg-type]

    killed._update = update_until_killed  # type: ignore[method-assign]
    with pytest.raises(KilledError):
        killed.train()

    resumed = start(config, tmp_path, tmp_path / "killed")
    assert resumed.progress.step == 8
    resumed.train()
    assert resumed.progress == whole.progress
    for name, tensor in load_file(tmp_path / "whole" / STATE).items():
        assert torch.equal(tensor, load_file(tmp_path / "killed" / STATE)[name]), name


def test_training_lowers_the_development_loss(config: TrainingConfig, tmp_path: Path) -> None:
    trainer = start(with_settings(config, steps=60, evaluate_every=20), tmp_path, tmp_path / "run")
    trainer.train()
    losses = [point.development_loss for point in trainer.progress.curve]
    assert losses[-1] < losses[0] - 0.5


def test_patience_stops_a_run_that_gets_no_better(config: TrainingConfig, tmp_path: Path) -> None:
    still = with_settings(config, learning_rate=1e-12, evaluate_every=1, patience=3, steps=50)
    trainer = start(still, tmp_path, tmp_path / "run")
    trainer.train()
    assert trainer.progress.step == 4


def test_best_network_is_the_one_with_the_highest_development_bleu(
    config: TrainingConfig, tmp_path: Path
) -> None:
    trainer = start(config, tmp_path, tmp_path / "run")
    trainer.train()
    assert trainer.progress.best is not None
    bleu = [point.development_bleu for point in trainer.progress.curve]
    assert trainer.progress.best.development_bleu == max(bleu)
    stored = load_file(tmp_path / "run" / BEST)
    assert torch.equal(trainer.best_network().state_dict()["output_bias"], stored["output_bias"])


def test_state_of_another_run_is_refused(config: TrainingConfig, tmp_path: Path) -> None:
    start(config, tmp_path, tmp_path / "run").train()
    with pytest.raises(CheckpointError, match="another run"):
        start(with_settings(config, seed=7), tmp_path, tmp_path / "run")


def test_a_run_may_be_lengthened(config: TrainingConfig, tmp_path: Path) -> None:
    start(config, tmp_path, tmp_path / "run").train()
    longer = start(with_settings(config, steps=16), tmp_path, tmp_path / "run")
    assert longer.progress.step == 12
    longer.train()
    assert longer.progress.step == 16


def test_damaged_state_is_a_named_error(config: TrainingConfig, tmp_path: Path) -> None:
    start(config, tmp_path, tmp_path / "run").train()
    state = tmp_path / "run" / STATE
    state.write_bytes(state.read_bytes()[:1000])
    with pytest.raises(CheckpointError, match=STATE):
        start(config, tmp_path, tmp_path / "run")


def test_bad_corpus_is_refused_with_its_line(config: TrainingConfig, tmp_path: Path) -> None:
    with (tmp_path / "train.tsv").open("a", encoding="utf-8") as file:
        file.write("one column\n")
    with pytest.raises(CorpusError, match=r"train\.tsv, line 15: 1 column"):
        start(config, tmp_path, tmp_path / "run")


def test_learning_rate_rises_stays_and_falls_to_zero(config: TrainingConfig) -> None:
    settings = with_settings(
        config, steps=100, warmup_steps=10, decay_fraction=0.2, learning_rate=1.0
    ).optimiser
    rates = [learning_rate(step, settings) for step in range(101)]
    assert rates[0] == pytest.approx(0.1)
    assert rates[9:81] == [1.0] * 72
    assert rates[90] == pytest.approx(0.5)
    assert rates[100] == 0.0
