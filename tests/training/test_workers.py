"""Two processes take the same steps as one with the same batches."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from s2s_core.models.checkpoint import load_card
from s2s_core.training.objective import make_batch
from s2s_core.training.workers import Workers
from tests.training.corpora import write_corpus

ROOT = Path(__file__).parents[2]


def train(folder: Path, *, processes: int) -> Path:
    out = folder / f"out-{processes}"
    launcher = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}"]
    command = ["-m", "s2s_core", "train", str(folder / "config.toml"), "--out", str(out)]
    subprocess.run(
        [sys.executable, *(launcher if processes > 1 else []), *command],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        check=True,
        capture_output=True,
        timeout=240,
    )
    return out


def test_two_processes_have_the_loss_curve_of_one(tmp_path: Path) -> None:
    config = write_corpus(tmp_path)
    text = config.read_text(encoding="utf-8").replace("dropout = 0.1", "dropout = 0.0")
    text = re.sub("steps = 12", "steps = 24", text)
    # Of 7 tokens a batch has one pair, and the second process none: that must work too.
    config.write_text(re.sub("batch_tokens = 40", "batch_tokens = 21", text), encoding="utf-8")
    one, two = (load_card(train(tmp_path, processes=count)) for count in (1, 2))
    assert [point.step for point in two.learning_curve] == [4, 8, 12, 16, 20, 24]
    for alone, together in zip(one.learning_curve, two.learning_curve, strict=True):
        assert together.training_loss == pytest.approx(alone.training_loss, abs=1e-5)
        assert together.development_loss == pytest.approx(alone.development_loss, abs=1e-4)
        assert together.target_tokens == alone.target_tokens


def test_two_processes_choose_the_learning_rate_of_one(tmp_path: Path) -> None:
    config = write_corpus(tmp_path)
    text = config.read_text(encoding="utf-8").replace("dropout = 0.1", "dropout = 0.0")
    rates = "learning_rates = [0.01, 0.02]\nwhole_runs = [0.005, 0.01]\n"
    config.write_text(re.sub("steps = 12", "steps = 20", text) + rates, encoding="utf-8")
    one, two = (load_card(train(tmp_path, processes=count)) for count in (1, 2))
    assert two.budget == one.budget
    steps = [(trial.learning_rate, trial.steps) for trial in two.learning_rate_trials]
    assert steps == [(0.01, 2), (0.02, 2), (0.005, 20), (0.01, 20)]
    for alone, together in zip(one.learning_rate_trials, two.learning_rate_trials, strict=True):
        assert together.development_loss == pytest.approx(alone.development_loss, abs=1e-4)


def test_shares_are_disjoint_and_make_up_the_batch() -> None:
    batch = make_batch([[5], [6, 7], [8]], [[5, 6], [7], [8]])
    shares = [Workers(rank, 2).share(batch) for rank in range(2)]
    rows = [row for share in shares if share for row in share.source.tolist()]
    assert sorted(rows) == sorted(batch.source.tolist())
    assert sum(share.target_tokens for share in shares if share) == batch.target_tokens


def test_a_worker_without_a_row_has_no_share() -> None:
    assert Workers(1, 2).share(make_batch([[5]], [[6]])) is None


def test_one_process_alone_is_its_own_leader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    workers = Workers.join()
    assert workers.leads
    assert workers.tell(1.5, 2.5) == (1.5, 2.5)
    assert workers.add_up(torch.nn.Linear(2, 2), torch.tensor(0.25)) == 0.25
