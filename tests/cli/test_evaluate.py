"""`evaluate`: what it prints is what the library measures."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from s2s_core.models.checkpoint import load_card, load_checkpoint, save_checkpoint
from s2s_core.text.corpus import read_references
from s2s_core.text.words import SourceLengths
from s2s_core.training.evaluation import Evaluation, evaluate
from tests.cli.running import Run

LENGTHS = ("--by-length", "1-,4-")


@pytest.fixture
def test_file(tmp_path: Path) -> Path:
    path = tmp_path / "test.tsv"
    path.write_text("The cat\tLe chat\tUn chat\nA dog ran\tUn chien court\n", encoding="utf-8")
    return path


@pytest.fixture
def digits(tmp_path: Path, checkpoint: Path) -> Path:
    """The tiny checkpoint, said to read digits."""
    model, card = load_checkpoint(checkpoint), load_card(checkpoint)
    card = dataclasses.replace(card, source_language="digits", target_language="digits")
    save_checkpoint(tmp_path / "digits", card, model.network, model.tokenizer)
    return tmp_path / "digits"


def measure(checkpoint: Path, test_file: Path, beam_size: int) -> Evaluation:
    pairs = read_references(test_file)
    groups = (SourceLengths(1), SourceLengths(4))
    return evaluate(load_checkpoint(checkpoint), pairs, beam_size=beam_size, groups=groups)


def without_data(result: Evaluation) -> list[dict[str, Any]]:
    scores = [dataclasses.asdict(score) for score in result.scores]
    return [{k: v for k, v in score.items() if k != "data"} for score in scores]


@pytest.mark.parametrize("workers", [1, 2])
def test_json_holds_what_the_library_measures(
    run: Run, checkpoint: Path, test_file: Path, workers: int
) -> None:
    setting = ("--model", checkpoint, "--data", test_file, "--beam-size", 2, "--workers", workers)
    result = run("evaluate", *setting, *LENGTHS, "--json")
    (found,) = result.objects
    expected = measure(checkpoint, test_file, 2)
    assert [found[name] for name in ("sentences", "fewest_references", "most_references")] == [
        2, 1, 2,
    ]  # fmt: skip
    assert found["scores"] == without_data(expected)
    assert found["loss"] == expected.score("loss").score
    assert [time["workers"] for time in found["times"]] == [workers] * 2
    for name, beam_size in (("greedy", 1), ("beam", 2)):
        assert (found[name]["search"], found[name]["beam_size"]) == (name, beam_size)
        assert found[name]["seconds_per_sentence"] > 0
        for kind, every in (("single", False), ("multiple", True)):
            bleu = expected.score("BLEU", beam_size=beam_size, all_references=every)
            ratio = expected.score("length ratio", beam_size=beam_size, all_references=every)
            assert found[name][kind]["score"] == bleu.score
            assert found[name][kind]["signature"] == bleu.signature
            assert found[name][kind]["length_ratio"] == ratio.score
    for time in found["times"]:
        parts = [
            (part["shortest"], part["longest"], part["sentences"]) for part in time["by_length"]
        ]
        assert parts == [(1, None, 2)]  # no source of the file has four words
        assert all(0 < part["low"] <= part["mean"] <= part["high"] for part in time["by_length"])
    assert "2/2" in result.err  # the bars


def test_plain_output_is_a_table_with_intervals_and_signatures(
    run: Run, checkpoint: Path, test_file: Path
) -> None:
    result = run("evaluate", "--model", checkpoint, "--data", test_file, "--workers", 1, *LENGTHS)
    expected = measure(checkpoint, test_file, 5)
    assert result.lines[0] == "sentences 2"
    assert result.lines[1].startswith("greedy: ")
    assert result.lines[2].startswith("beam 5: ")
    assert result.lines[3].split() == ["source", "length", "(sentences)", "1-", "(2)"]
    loss = expected.score("loss")
    assert result.lines[4].startswith("loss, true prefix, column 2 ")
    assert f"{loss.score:.4f} ({loss.low:.4f}–{loss.high:.4f})" in result.lines[4]
    assert any("nrefs:1|" in line for line in result.lines)
    head, greedy, beam = result.lines[-3:]
    assert head.split() == [
        "ms",
        "a",
        "sentence,",
        "by",
        "source",
        "length",
        "(timed)",
        "1-",
        "(2)",
    ]
    assert (greedy.split()[0], beam.split()[:2]) == ("greedy", ["beam", "5"])
    assert any("nrefs:var|" in line for line in result.lines)


def test_a_toy_task_needs_no_file(run: Run, digits: Path) -> None:
    setting = ("evaluate", "--model", digits, "--task", "reverse", "--workers", 1, "--json")
    (found,) = run(*setting, "--lengths", "1-7").objects
    assert found["data"] == "reverse 1-7 test"
    groups = dict.fromkeys((s["shortest"], s["longest"]) for s in found["scores"])
    assert list(groups) == [(1, 7), (1, 5), (6, 7)]
    (other,) = run(*setting, "--lengths", "4-4", "--split", "development").objects
    assert (other["data"], other["sentences"]) == ("reverse 4-4 development", 50)


def test_a_bad_line_or_option_is_named_before_it_starts(
    run: Run, checkpoint: Path, tmp_path: Path
) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text("The cat\tLe chat\nThe dog\n", encoding="utf-8")
    setting = ("evaluate", "--model", checkpoint)
    assert run(*setting, "--data", path).error.startswith("bad.tsv, line 2: 1 column(s)")
    path.write_text("The cat\tLe chat\n\u200b\tLe chat\n", encoding="utf-8")
    assert run(*setting, "--data", path).error.startswith("line 2: the source is blank")
    assert "must be like 6-10" in run(*setting, "--data", path, "--by-length", "x").error
    assert "not allowed with argument" in run(*setting, "--data", path, "--task", "copy").error
    assert "one of reverse, copy, sort" in run(*setting, "--task", "shuffle").error
    assert "required" in run(*setting).error
