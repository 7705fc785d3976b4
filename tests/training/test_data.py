"""The two kinds of data of a run."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from s2s_core.errors import ConfigError
from s2s_core.text.corpus import read_pairs, read_references
from s2s_core.text.tasks import TASKS
from s2s_core.text.words import SourceLengths, word_count
from s2s_core.training.config import load_config
from s2s_core.training.data import DataConfig, TaskConfig
from s2s_core.training.trainer import Trainer
from tests.training.corpora import TASK, write_corpus


def test_a_corpus_is_read_from_its_files(tmp_path: Path) -> None:
    data = load_config(write_corpus(tmp_path)).data
    assert isinstance(data, DataConfig)
    assert data.read_training(tmp_path) == read_pairs(tmp_path / "train.tsv")
    assert data.read_development(tmp_path) == read_references(tmp_path / "dev.tsv")
    assert data.read_test(tmp_path) == read_references(tmp_path / "dev.tsv")
    assert data.test_options == "--data DATA/dev.tsv"
    assert data.groups[0] == SourceLengths()


def test_a_task_needs_no_file_and_is_tested_to_twice_its_length(tmp_path: Path) -> None:
    data = TaskConfig("sort", longest=4, pairs=500)
    training, test = data.read_training(tmp_path), data.read_test(tmp_path)
    development = data.read_development(tmp_path)
    assert len(training) == 500
    for pairs, longest in ((training, 4), (development, 4), (test, 8)):
        assert {word_count(pair.source) for pair in pairs} == set(range(1, longest + 1))
        for pair in pairs:
            assert pair.target.split() == sorted(pair.source.split())
    sources = [{pair.source for pair in pairs} for pairs in (training, development, test)]
    assert len(set.union(*sources)) == sum(map(len, sources))
    assert data.test_options == "--task sort --lengths 1-8 --by-length 1-4,5-8,1-4,5-8"


def test_the_lengths_of_the_training_come_first_among_the_parts() -> None:
    parts = [str(part) for part in TaskConfig("reverse").groups]
    assert parts[:4] == ["1-20", "21-40", "1-5", "6-10"]
    assert parts[-1] == "36-40"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"reverse"', '"shuffle"', "data: task must be one of reverse, copy, sort"),
        ("longest = 3", "longest = 0", "data: lengths must be 1 to 100"),
        ("longest = 3", "longest = 51", "data: lengths must be 1 to 100.*twice the longest"),
        ("longest = 3", "shortest = 4\nlongest = 3", "data: lengths must be"),
        ("pairs = 200", "pairs = 0", "data: pairs must be at least 1"),
        ("pairs = 200", 'train = "x.tsv"', "data: 'train' isn't a key; there are: task"),
    ],
)
def test_a_bad_task_is_named(tmp_path: Path, before: str, after: str, message: str) -> None:
    path = tmp_path / "config.toml"
    text = TASK.replace("CONTEXT", "additive")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        load_config(path)


def test_each_digit_is_one_token_and_the_same_everywhere(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(TASK.replace("CONTEXT", "additive"), encoding="utf-8")
    trainer = Trainer(load_config(path), data=tmp_path, folder=tmp_path / "out")
    tokenizer = trainer.tokenizer
    ids = {digit: tokenizer.encode(digit) for digit in "0123456789"}
    assert all(len(found) == 1 for found in ids.values())
    assert tokenizer.encode("7 0 7 3") == [ids[digit][0] for digit in "7073"]
    assert tokenizer.size == 280


def test_a_run_with_other_task_data_is_another_run() -> None:
    data = TaskConfig("reverse")
    for other in ({"task": "copy"}, {"longest": 7}, {"pairs": 5}, {"seed": 2}, {"shortest": 2}):
        assert dataclasses.replace(data, **other).identity != data.identity  # type: ignore[arg-type]
    assert set(TASKS) == {"reverse", "copy", "sort"}
