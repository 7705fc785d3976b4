"""The command line run inside the test, on tiny models and a table."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from s2s_core.cli.main import main
from tests.cli.running import Result, Run
from tests.cli.tiny import write_checkpoint


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("translate", "--model", ..., stdin=b"...")`."""

    def call(*arguments: object, stdin: bytes = b"") -> Result:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="ascii"))
        status = main([str(argument) for argument in arguments])
        return Result(status, *capfd.readouterr())

    return call


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model with attention."""
    return write_checkpoint(tmp_path_factory.mktemp("checkpoints") / "tiny", context="additive")


@pytest.fixture(scope="session")
def fixed_vector(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model without attention."""
    return write_checkpoint(tmp_path_factory.mktemp("checkpoints") / "fixed", context="fixed_once")


@pytest.fixture
def table_file(tmp_path: Path) -> Path:
    """The exercise in which greedy search falls into a trap."""
    path = tmp_path / "trap.json"
    table = {
        "start": "BOS",
        "eos": "EOS",
        "next": {
            "": {"A": 0.6, "B": 0.4},
            "A": {"x": 0.5, "y": 0.5},
            "B": {"x": 0.95, "y": 0.05},
        },
        "default": {"EOS": 1.0},
    }
    path.write_text(json.dumps(table), encoding="utf-8")
    return path
