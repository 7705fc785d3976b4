"""`train` and `evaluate`: from a corpus to a checkpoint and its figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s_core.models.checkpoint import load_card, load_checkpoint
from s2s_core.text.corpus import read_references
from s2s_core.training.evaluation import evaluate
from s2s_core.training.trainer import Trainer
from tests.cli.running import Run
from tests.training.corpora import write_corpus


def test_training_writes_a_checkpoint_and_prints_its_folder(run: Run, tmp_path: Path) -> None:
    config, out = write_corpus(tmp_path), tmp_path / "out"
    result = run("train", config, "--out", out)
    assert (result.status, result.lines) == (0, [str(out)])
    assert "step 12: training loss" in result.err
    assert load_card(out).name == "tiny"
    assert load_checkpoint(out).target_language == "fr"


def test_the_corpora_can_lie_elsewhere(run: Run, tmp_path: Path) -> None:
    config = write_corpus(tmp_path)
    elsewhere = tmp_path / "elsewhere" / "config.toml"
    elsewhere.parent.mkdir()
    config.rename(elsewhere)
    setting = ("train", elsewhere, "--out", tmp_path / "out")
    assert "train.tsv can't be read" in run(*setting).error
    assert run(*setting, "--data", tmp_path).status == 0


def test_a_bad_configuration_is_one_line(run: Run, tmp_path: Path) -> None:
    config = write_corpus(tmp_path)
    config.write_text(config.read_text(encoding="utf-8").replace("steps", "stepps"))
    assert "'stepps' isn't a key" in run("train", config, "--out", tmp_path / "out").error
    assert "required: --out" in run("train", config).error


def test_ctrl_c_says_that_the_run_can_go_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: Trainer) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Trainer, "train", interrupted)
    result = run("train", write_corpus(tmp_path), "--out", tmp_path / "out")
    assert (result.status, result.out) == (130, "")
    assert result.err == "stopped; the same command goes on from the last saved step\n"


@pytest.fixture
def test_file(tmp_path: Path) -> Path:
    path = tmp_path / "test.tsv"
    path.write_text("The cat\tLe chat\tUn chat\nA dog ran\tUn chien court\n", encoding="utf-8")
    return path


def test_evaluate_prints_what_the_library_measures(
    run: Run, checkpoint: Path, test_file: Path
) -> None:
    setting = ("evaluate", "--model", checkpoint, "--data", test_file, "--beam-size", 2)
    result = run(*setting, "--json")
    (found,) = result.objects
    expected = evaluate(load_checkpoint(checkpoint), read_references(test_file), beam_size=2)
    counts = ("sentences", "fewest_references", "most_references")
    assert list(found) == ["model", "data", *counts, "loss", "greedy", "beam"]
    assert [found[key] for key in counts] == [2, 1, 2]
    assert found["loss"] == pytest.approx(expected.loss)
    for name, figures in (("greedy", expected.greedy), ("beam", expected.beam)):
        assert found[name]["search"] == name
        assert found[name]["beam_size"] == figures.beam_size
        assert found[name]["seconds_per_sentence"] > 0
        for kind, bleu in (("single", figures.single), ("multiple", figures.multiple)):
            assert found[name][kind] == {
                "score": bleu.score,
                "signature": bleu.signature,
                "brevity_penalty": bleu.brevity_penalty,
                "length_ratio": bleu.length_ratio,
            }
    assert "2/2" in result.err  # the bars


def test_evaluate_in_plain_words_names_signature_and_time(
    run: Run, checkpoint: Path, test_file: Path
) -> None:
    result = run("evaluate", "--model", checkpoint, "--data", test_file)
    assert result.lines[0] == "sentences 2"
    assert result.lines[1].startswith("loss ")
    assert [line.partition(":")[0] for line in result.lines[2:]] == [
        "greedy",
        "greedy, column 2",
        "greedy, all references",
        "beam 5",
        "beam 5, column 2",
        "beam 5, all references",
    ]
    assert "nrefs:1|" in result.lines[3]
    assert "nrefs:var|" in result.lines[4]


def test_evaluate_names_a_bad_line_before_it_starts(
    run: Run, checkpoint: Path, tmp_path: Path
) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text("The cat\tLe chat\nThe dog\n", encoding="utf-8")
    setting = ("evaluate", "--model", checkpoint, "--data", path)
    assert run(*setting).error.startswith("bad.tsv, line 2: 1 column(s)")
    path.write_text("The cat\tLe chat\n\u200b\tLe chat\n", encoding="utf-8")
    assert run(*setting).error.startswith("line 2: the source is blank")
