"""What all commands share: exit statuses, one line for an error, help, lines that stay lines."""

from __future__ import annotations

import argparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core import __version__, errors
from s2s_core.cli import main as main_module
from s2s_core.cli.command import Command
from s2s_core.cli.main import COMMANDS, build_parser, main
from s2s_core.cli.options import search_config
from s2s_core.cli.streams import write_line
from s2s_core.errors import ExplorerError
from s2s_core.search.config import DEFAULT_CONFIG
from tests.cli.running import Run

ERRORS = sorted(
    (e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, ExplorerError)),
    key=lambda error: error.__name__,
)


def failing(error: BaseException) -> Command:
    """A command that fails."""

    def run(_: argparse.Namespace) -> None:
        raise error

    return Command("fail", "fails", "Fails.", lambda _: None, run)


@pytest.mark.parametrize("error", ERRORS)
def test_every_error_of_the_tree_is_one_line_and_status_2(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: type[ExplorerError]
) -> None:
    monkeypatch.setattr(main_module, "COMMANDS", (failing(error("it\n\tcan't be")),))
    assert run("fail").error == "it can't be"


def test_ctrl_c_is_status_130_and_says_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main_module, "COMMANDS", (failing(KeyboardInterrupt()),))
    result = run("fail")
    assert (result.status, result.out, result.err) == (130, "", "")


def test_a_file_that_may_not_be_written_is_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = PermissionError(13, "Permission denied", "out/card.json")
    monkeypatch.setattr(main_module, "COMMANDS", (failing(error),))
    assert run("fail").error == "out/card.json: Permission denied"


def test_a_mistake_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main_module, "COMMANDS", (failing(ZeroDivisionError("ours")),))
    with pytest.raises(ZeroDivisionError, match="ours"):
        main(["fail"])


def test_no_command_or_an_unknown_one_says_where_help_is(run: Run) -> None:
    assert "required: COMMAND; see `python -m s2s_core --help`" in run().error
    assert "invalid choice: 'trnslate'" in run("trnslate").error


def test_there_is_a_command_for_each_promise() -> None:
    names = {
        "models",
        "translate",
        "score",
        "search",
        "sweep",
        "bleu",
        "compare",
        "train",
        "evaluate",
        "reversal",
    }
    assert {command.name for command in COMMANDS} == names


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_help(command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main([command.name, "--help"])
    assert leaving.value.code == 0
    assert command.description.splitlines()[0] in capsys.readouterr().out


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["--version"])
    assert (leaving.value.code, capsys.readouterr().out) == (0, f"{__version__}\n")


@pytest.mark.parametrize("command", [("translate", "--model", "m"), ("search", "--table", "t")])
def test_default_options_are_the_default_config(command: tuple[str, ...]) -> None:
    assert search_config(build_parser().parse_args(command)) == DEFAULT_CONFIG


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_line_stays_a_line_whatever_its_text(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        written: list[str] = []
        patch.setattr("builtins.print", lambda line, **_: written.append(line))
        write_line("first", text)
    (line,) = written
    assert len(line.splitlines()) == 1
    assert len(line.split("\t")) == 2
    assert line.split("\t")[1].split() == text.split()
