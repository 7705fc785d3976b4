"""What only a process of its own can show: encodings, closed pipes, signals, what was loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

INTERRUPTED = """
import os, signal, sys
from s2s_core.cli import main as cli
from s2s_core.cli.command import Command
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored
run = lambda _: os.kill(os.getpid(), signal.SIGINT) or signal.pause()
cli.COMMANDS = (Command("wait", "waits", "Waits.", lambda _: None, run),)
sys.exit(cli.main(["wait"]))
"""
# A locale that can't say "é", and a Python that is told to believe it.
PLAIN_C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def start(*arguments: object, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "", **environment},
    )


def test_ctrl_c_ends_with_130_and_no_traceback() -> None:
    process = start("-c", INTERRUPTED)
    assert process.communicate() == (b"", b"")
    assert process.returncode == 130


@pytest.mark.parametrize("options", [("--json",), ("--help",)])
def test_a_closed_pipe_ends_quietly(table_file: Path, options: tuple[str, ...]) -> None:
    with start("-m", "s2s_core", "search", "--table", table_file, *options) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # as `head` does, only before anything is written
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line(table_file: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [sys.executable, "-m", "s2s_core", "search", "--table", table_file],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert result.returncode == 2
    assert result.stderr == b"error: output: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("options", [("--help",), ("--version",), ("search", "--help")])
def test_help_on_a_full_disk_is_one_line_too(unbuffered: str, options: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [sys.executable, "-m", "s2s_core", *options],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            check=False,
        )
    assert result.returncode == 2
    assert result.stderr == b"error: output: No space left on device\n"


def test_output_and_errors_are_utf8_in_any_locale(tmp_path: Path) -> None:
    table = tmp_path / "é.json"
    table.write_text(
        '{"start": "<s>", "eos": "</s>", "next": {"": {"明": 1}}, "default": {"</s>": 1}}',
        encoding="utf-8",
    )
    command = ("-m", "s2s_core", "search", "--table")
    out, err = start(*command, table, **PLAIN_C).communicate()
    assert (out.decode("utf-8"), err) == ("1\t0.000000\t明\n", b"")
    _, err = start(*command, tmp_path / "明.json", **PLAIN_C).communicate()
    assert err.startswith(b"error: the table file ")


def test_models_lists_the_folder_that_the_environment_names(checkpoint: Path) -> None:
    folder = {"S2S_CHECKPOINTS": str(checkpoint.parent)}
    out, err = start("-m", "s2s_core", "models", **folder).communicate()
    assert err == b""
    assert out.decode("utf-8").split("\t")[:2] == ["tiny", "Tiny"]
    out, _ = start("-m", "s2s_core", "models", "--json", **folder).communicate()
    (card,) = json.loads(out)
    assert card == json.loads((checkpoint / "card.json").read_text(encoding="utf-8"))
    assert next(iter(card)) == "name"


def test_no_checkpoint_is_an_empty_list_and_a_note(tmp_path: Path) -> None:
    process = start("-m", "s2s_core", "models", "--json", S2S_CHECKPOINTS=str(tmp_path))
    out, err = process.communicate()
    assert json.loads(out) == []
    assert err.decode("utf-8") == f"there is no checkpoint in {tmp_path}\n"


def test_a_damaged_card_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "card.json").write_text("{", encoding="utf-8")
    process = start("-m", "s2s_core", "models", S2S_CHECKPOINTS=str(tmp_path))
    out, err = process.communicate()
    assert (process.returncode, out) == (2, b"")
    assert err.startswith(b"error: broken: card.json isn't JSON")


def test_a_prefix_is_utf8_in_any_locale() -> None:
    code = """
from s2s_core.cli.main import build_parser
print(ascii(build_parser().parse_args().prefix))
"""
    command = ("-c", code, "translate", "--model", "m", "--prefix", "déjà 明")
    out, _ = start(*command, **PLAIN_C).communicate()
    assert out.decode("ascii").strip() == ascii("déjà 明")


@pytest.mark.parametrize("closed", ["0<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_give_no_traceback(table_file: Path, closed: str) -> None:
    command = f'"{sys.executable}" -m s2s_core search --table "{table_file}" {closed}'
    result = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert (result.returncode, result.stderr) == (0, b"")
    assert bool(result.stdout) == (">&- 2" not in closed and closed != ">&-")
