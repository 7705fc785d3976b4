"""`train`: from a corpus to a checkpoint and its figures."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from s2s_core.models.checkpoint import load_card, load_checkpoint
from s2s_core.training.trainer import Trainer
from tests.cli.running import Run
from tests.training.corpora import TASK, write_corpus

HEAD = "exact match, greedy search, % by source length"


def test_training_writes_a_checkpoint_and_prints_its_folder(run: Run, tmp_path: Path) -> None:
    config, out = write_corpus(tmp_path), tmp_path / "out"
    result = run("train", config, "--out", out)
    assert (result.status, result.lines) == (0, [str(out)])
    assert "step 12: training loss" in result.err
    assert load_card(out).name == "out"  # as the folder is called, not as the configuration
    assert load_checkpoint(out).target_language == "fr"


def test_the_corpora_can_lie_elsewhere(run: Run, tmp_path: Path) -> None:
    config = write_corpus(tmp_path)
    elsewhere = tmp_path / "elsewhere" / "config.toml"
    elsewhere.parent.mkdir()
    config.rename(elsewhere)
    setting = ("train", elsewhere, "--out", tmp_path / "out")
    assert "dev.tsv can't be read" in run(*setting).error
    assert run(*setting, "--data", tmp_path).status == 0


def test_a_bad_configuration_is_one_line(run: Run, tmp_path: Path) -> None:
    config = write_corpus(tmp_path)
    config.write_text(config.read_text(encoding="utf-8").replace("steps", "stepps"))
    assert "'stepps' isn't a key" in run("train", config, "--out", tmp_path / "out").error
    assert "required: --out" in run("train", config).error


@pytest.mark.parametrize(
    ("line", "instead", "message"),
    [
        ('target_language = "fr"', 'target_language = "it"', "must be one of en, fr"),
        ('test = "dev.tsv"', 'test = "nothing.tsv"', "nothing.tsv can't be read"),
        ('test = "dev.tsv"', 'test = "bad.tsv"', "bad.tsv, line 2"),
        ('test = "dev.tsv"', 'test = "blank.tsv"', "test set, line 1: the source is blank"),
    ],
)
def test_what_can_not_be_measured_is_named_before_training(
    run: Run, tmp_path: Path, line: str, instead: str, message: str
) -> None:
    config = write_corpus(tmp_path)
    (tmp_path / "bad.tsv").write_text("a\tb\nc\n", encoding="utf-8")
    (tmp_path / "blank.tsv").write_text("\u200b\tb\n", encoding="utf-8")
    text = config.read_text(encoding="utf-8")
    assert line in text
    config.write_text(text.replace(line, instead), encoding="utf-8")
    assert message in run("train", config, "--out", tmp_path / "out").error
    assert not (tmp_path / "out").exists()


def test_ctrl_c_says_that_the_run_can_go_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: Trainer) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Trainer, "train", interrupted)
    result = run("train", write_corpus(tmp_path), "--out", tmp_path / "out")
    assert (result.status, result.out) == (130, "")
    assert result.err == "stopped; the same command goes on from the last saved step\n"


def test_the_card_names_the_commands_that_give_its_figures(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("train", write_corpus(tmp_path), "--out", out)
    card = load_card(out)
    command = "python -m s2s_core evaluate --model out --data DATA/dev.tsv"
    assert card.commands == {"test": command, "development": command}
    arguments = command.replace("--model out", f"--model {out}").replace("DATA", str(tmp_path))
    (found,) = run(*arguments.split()[3:], "--workers", 1, "--json").objects
    assert found["loss"] == card.development_loss
    shown = [{"data": "test", **score} for score in found["scores"]]
    assert shown == [dataclasses.asdict(score) for score in card.scores]


def test_several_configurations_end_in_a_table(run: Run, tmp_path: Path) -> None:
    configs = []
    for name, context in (("first", "additive"), ("second", "fixed_once")):
        text = TASK.replace("NAME", name).replace("CONTEXT", context)
        configs.append(tmp_path / f"{name}.toml")
        configs[-1].write_text(text, encoding="utf-8")
    result = run("train", *configs, "--out", tmp_path / "runs")
    assert result.status == 0
    cards = [load_card(tmp_path / "runs" / name) for name in ("first", "second")]
    assert result.lines[:2] == [str(tmp_path / "runs" / card.name) for card in cards]
    head, *rows = (line.split("  ") for line in result.lines[result.lines.index(HEAD) + 1 :])
    assert [row[0].strip() for row in rows] == ["first", "second"]
    assert [cell.strip() for cell in head if cell][:3] == ["model", "1-3", "4-6"]
    for card, row in zip(cards, rows, strict=True):
        score = card.score("exact match", beam_size=1)
        assert score is not None
        assert " ".join(row).split()[1].startswith(f"{score.score:.3f}"[:4])
