"""Finds the command, runs it, and turns whatever happens into an exit status."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from s2s_core import __version__
from s2s_core.cli import (
    bleu,
    compare,
    evaluate,
    models,
    reversal,
    score,
    search,
    sweep,
    train,
    translate,
)
from s2s_core.cli.command import Parser
from s2s_core.errors import ExplorerError

COMMANDS = (
    models.COMMAND,
    translate.COMMAND,
    score.COMMAND,
    search.COMMAND,
    sweep.COMMAND,
    bleu.COMMAND,
    compare.COMMAND,
    train.COMMAND,
    evaluate.COMMAND,
    reversal.COMMAND,
)

LONGEST_WORD = 100  # characters; a path or a name of a checkpoint, mostly
LONGEST_MESSAGE = 1000

ERROR = 2
INTERRUPTED = 130  # 128 + SIGINT, as a shell reports it
CLOSED_PIPE = 141  # 128 + SIGPIPE

_DESCRIPTION = """\
Seq2Seq Explorer: look inside small translation models.

Data goes to standard output, progress to standard error. An error is one line on standard error and
exit status 2. All text is UTF-8. The environment variable S2S_CHECKPOINTS names another folder of
checkpoints."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    arguments: without the program's name; None takes those of the process.

    Returns:
        the exit status: 0, or 2 after an error, 130 after Ctrl-C, 141 if nobody reads the output.
    """
    _replace_closed_streams()
    _write_utf8()
    try:
        args = build_parser().parse_args(arguments)
        args.run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return CLOSED_PIPE
    except ExplorerError as error:
        return _fail(str(error))
    except OSError as error:  # a full disk, a folder that may not be written
        if error.filename is None:
            _drop_output()
        return _fail(f"{error.filename or 'output'}: {error.strerror or error}")
    return 0


def build_parser() -> Parser:
    """The parser of all commands."""
    parser = Parser(prog="python -m s2s_core", description=_DESCRIPTION)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True, title="commands")
    for command in COMMANDS:
        own = commands.add_parser(
            command.name, help=command.summary, description=command.description
        )
        command.add_options(own)
        own.set_defaults(run=command.run)
    return parser


def _fail(message: str) -> int:
    """Print a message as one line; what was given may be long, and is cut in its middle then."""
    words = (_cut(word, LONGEST_WORD) for word in message.split())
    print("error:", _cut(" ".join(words), LONGEST_MESSAGE), file=sys.stderr)
    return ERROR


def _cut(text: str, width: int) -> str:
    half = width // 2
    return text if len(text) <= width else f"{text[:half]}…{text[-half:]}"


def _replace_closed_streams() -> None:
    """A stream that the caller closed (`2>&-`) reads as empty, and swallows what is written."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115


def _write_utf8() -> None:
    """Write UTF-8 whatever the locale; half characters (from file names) become `\\udc..`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _drop_output() -> None:
    """Send what is left in the buffer nowhere, or Python tries again at the end and complains."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
