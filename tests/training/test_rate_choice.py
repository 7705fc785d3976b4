"""The learning rate chosen by short runs: the best one, the same each time, and resumable."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from s2s_core.errors import CheckpointError, ConfigError
from s2s_core.models.card import LearningPoint
from s2s_core.training import rate_choice
from s2s_core.training.config import TrainingConfig, load_config
from s2s_core.training.rate_choice import choose_learning_rate, short_run, whole_run
from s2s_core.training.trainer import Trainer
from tests.training.corpora import write_corpus

RATES = (1e-7, 0.01, 0.02)


@pytest.fixture
def config(tmp_path: Path) -> TrainingConfig:
    config = load_config(write_corpus(tmp_path))
    optimiser = replace(config.optimiser, steps=100, learning_rates=RATES)
    return replace(config, optimiser=optimiser)


def test_each_rate_is_tried_with_a_tenth_of_the_steps(
    config: TrainingConfig, tmp_path: Path
) -> None:
    chosen, trials = choose_learning_rate(config, data=tmp_path, folder=tmp_path / "run")
    assert [trial.learning_rate for trial in trials] == list(RATES)
    assert all(trial.steps == 10 for trial in trials)
    assert chosen.optimiser.learning_rate in RATES and chosen.optimiser.steps == 100


@pytest.mark.parametrize(
    ("outcomes", "chosen"),
    [
        (((3.5, 1.0), (3.4, 5.0), (3.3, 0.7)), 1),  # the lowest loss has learned no translation
        (((3.5, 0.0), (3.2, 0.0), (3.3, 0.0)), 1),  # all alike: the loss decides
    ],
)
def test_the_rate_with_the_highest_development_bleu_is_taken(
    config: TrainingConfig,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    outcomes: tuple[tuple[float, float], ...],
    chosen: int,
) -> None:
    reached = dict(zip(RATES, outcomes, strict=True))

    class Scripted(Trainer):
        def train(self) -> None:
            loss, bleu = reached[self.config.optimiser.learning_rate]
            self.progress.curve.append(LearningPoint(10, 1000, 9.0, loss, bleu))

    monkeypatch.setattr(rate_choice, "Trainer", Scripted)
    found, _ = choose_learning_rate(config, data=tmp_path, folder=tmp_path)
    assert found.optimiser.learning_rate == RATES[chosen]


def test_a_trial_is_an_ordinary_run_of_the_short_settings(
    config: TrainingConfig, tmp_path: Path
) -> None:
    _, trials = choose_learning_rate(config, data=tmp_path, folder=tmp_path / "run")
    alone = replace(config, optimiser=short_run(config.optimiser, RATES[1]))
    trainer = Trainer(alone, data=tmp_path, folder=tmp_path / "alone")
    trainer.train()
    assert trials[1].development_loss == trainer.progress.curve[-1].development_loss


def test_what_was_tried_is_not_tried_again(
    config: TrainingConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = choose_learning_rate(config, data=tmp_path, folder=tmp_path / "run")
    monkeypatch.setattr(rate_choice, "Trainer", None)  # a second run would fail
    assert choose_learning_rate(config, data=tmp_path, folder=tmp_path / "run") == first


def test_without_a_list_the_rate_stays(config: TrainingConfig, tmp_path: Path) -> None:
    plain = replace(config, optimiser=replace(config.optimiser, learning_rates=()))
    assert choose_learning_rate(plain, data=tmp_path, folder=tmp_path) == (plain, ())


@pytest.mark.parametrize("key", ["learning_rates", "whole_runs"])
def test_rates_that_are_not_positive_numbers_are_refused(key: str, tmp_path: Path) -> None:
    path = write_corpus(tmp_path)
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}{key} = [0.1, 0]\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=rf"{key} must be numbers above 0, not 0"):
        load_config(path)


@pytest.fixture
def whole(config: TrainingConfig) -> TrainingConfig:
    """Two whole runs, of rates between which the short runs don't choose."""
    settings = replace(config.optimiser, steps=40, learning_rates=RATES[:1], whole_runs=RATES[1:])
    return replace(config, optimiser=settings)


def test_whole_runs_decide_where_there_are_any(whole: TrainingConfig, tmp_path: Path) -> None:
    chosen, trials = choose_learning_rate(whole, data=tmp_path, folder=tmp_path / "run")
    assert [(trial.learning_rate, trial.steps) for trial in trials] == [
        (RATES[0], 4),
        (RATES[1], 40),
        (RATES[2], 40),
    ]
    best = max(trials[1:], key=lambda trial: (trial.development_bleu, -trial.development_loss))
    assert chosen.optimiser.learning_rate == best.learning_rate


def test_the_best_whole_run_is_the_run(whole: TrainingConfig, tmp_path: Path) -> None:
    chosen, _ = choose_learning_rate(whole, data=tmp_path, folder=tmp_path / "run")
    trainer = Trainer(chosen, data=tmp_path, folder=tmp_path / "run")
    assert trainer.progress.step == 40
    plain = replace(whole, optimiser=whole_run(whole.optimiser, chosen.optimiser.learning_rate))
    alone = Trainer(plain, data=tmp_path, folder=tmp_path / "alone")
    alone.train()
    assert trainer.progress.curve == alone.progress.curve
    for name, weights in alone.best_network().state_dict().items():
        assert torch.equal(trainer.best_network().state_dict()[name], weights)
    assert not any(path.is_dir() for path in (tmp_path / "run").iterdir())


@pytest.mark.parametrize("moved", [0, 1, 2])
def test_a_choice_that_was_stopped_goes_on(
    whole: TrainingConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moved: int
) -> None:
    folder = tmp_path / "run"
    with monkeypatch.context() as stopped:
        stopped.setattr(rate_choice, "_keep_only", lambda *_: None)
        first = choose_learning_rate(whole, data=tmp_path, folder=folder)
    best = folder / f"whole-{first[0].optimiser.learning_rate!r}"
    for path in sorted(best.iterdir())[:moved]:
        path.replace(folder / path.name)
    monkeypatch.setattr(rate_choice, "Trainer", None)  # another run would fail
    assert choose_learning_rate(whole, data=tmp_path, folder=folder) == first
    assert Trainer(first[0], data=tmp_path, folder=folder).progress.step == 40


def test_the_score_of_a_trial_is_that_of_its_best_evaluation(
    whole: TrainingConfig, tmp_path: Path
) -> None:
    often = replace(whole, optimiser=replace(whole.optimiser, evaluate_every=5))
    chosen, trials = choose_learning_rate(often, data=tmp_path, folder=tmp_path / "run")
    curve = Trainer(chosen, data=tmp_path, folder=tmp_path / "run").progress.curve
    [taken] = [t for t in trials[1:] if t.learning_rate == chosen.optimiser.learning_rate]
    assert len(curve) == 8
    assert taken.development_bleu == max(point.development_bleu for point in curve)


@pytest.mark.parametrize("record", [rate_choice.TRIALS, rate_choice.WHOLE_TRIALS])
def test_what_another_run_tried_is_refused(
    whole: TrainingConfig, tmp_path: Path, record: str
) -> None:
    folder = tmp_path / "run"
    choose_learning_rate(whole, data=tmp_path, folder=folder)
    for path in folder.iterdir():
        if path.name != record:
            path.unlink()
    other = replace(whole, model={**whole.model, "embedding_size": 8})
    with pytest.raises(CheckpointError, match=f"{record} is of another run"):
        choose_learning_rate(other, data=tmp_path, folder=folder)


@pytest.mark.parametrize("text", ["", "[", "{}", "[1]", '{"run": {}, "trials": [{"steps": 1}]}'])
def test_a_damaged_record_is_named(whole: TrainingConfig, tmp_path: Path, text: str) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / rate_choice.TRIALS).write_text(text, encoding="utf-8")
    with pytest.raises(CheckpointError, match=f"{rate_choice.TRIALS} can't be read"):
        choose_learning_rate(whole, data=tmp_path, folder=tmp_path / "run")


def test_rates_that_are_nearly_alike_have_runs_of_their_own(
    whole: TrainingConfig, tmp_path: Path
) -> None:
    near = replace(whole, optimiser=replace(whole.optimiser, whole_runs=(0.01, 0.010000001)))
    _, trials = choose_learning_rate(near, data=tmp_path, folder=tmp_path / "run")
    assert [trial.steps for trial in trials] == [4, 40, 40]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("whole_runs = [0.01, 0.01]", "whole_runs names a rate twice: 0.01, 0.01"),
        ("learning_rates = [inf]", "at most 1, not inf"),
        ("whole_runs = [0.1, 1e30]", r"at most 1, not 1e\+30"),
        (f"whole_runs = [1{'0' * 400}]", "at most 1, not 1000000"),
    ],
)
def test_rates_that_no_run_can_use_are_refused(tmp_path: Path, line: str, told: str) -> None:
    path = write_corpus(tmp_path)
    path.write_text(f"{path.read_text(encoding='utf-8')}{line}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=told):
        load_config(path)
