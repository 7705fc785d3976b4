"""The end of a run: a complete checkpoint whose card says what was measured on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s_core.errors import CheckpointError
from s2s_core.models.checkpoint import load_card, load_checkpoint
from s2s_core.text.corpus import read_references
from s2s_core.training.config import load_config
from s2s_core.training.evaluation import evaluate
from s2s_core.training.finish import finish_run
from s2s_core.training.trainer import Trainer
from tests.training.corpora import write_corpus


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("run")
    trainer = Trainer(load_config(write_corpus(data)), data=data, folder=data / "out")
    trainer.train()
    finish_run(trainer, data=data)
    return data / "out"


def test_the_figures_on_the_card_are_those_of_the_written_weights(folder: Path) -> None:
    card, model = load_card(folder), load_checkpoint(folder)
    result = evaluate(model, read_references(folder.parent / "dev.tsv"))
    assert card.scores == result.scores
    assert card.score("BLEU", beam_size=5) == result.score("BLEU", beam_size=5)


def test_the_card_holds_budget_data_and_learning_curve(folder: Path) -> None:
    card = load_card(folder)
    assert card.budget["steps_taken"] == 12
    assert card.training_pairs == 14
    assert [point.step for point in card.learning_curve] == [4, 8, 12]
    assert card.parameters == sum(
        parameter.numel() for parameter in load_checkpoint(folder).network.parameters()
    )


def test_a_run_without_an_evaluation_has_nothing_to_finish(tmp_path: Path) -> None:
    trainer = Trainer(load_config(write_corpus(tmp_path)), data=tmp_path, folder=tmp_path / "out")
    with pytest.raises(CheckpointError, match=r"best\.safetensors"):
        finish_run(trainer, data=tmp_path)
