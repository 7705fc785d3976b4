"""What a command is, and an argument parser that fails with one line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from s2s_core.errors import ExplorerError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class UsageError(ExplorerError):
    """The command line can't be understood; the message says where help is."""


class Parser(argparse.ArgumentParser):
    """Options are never abbreviated, and a mistake raises instead of printing the whole usage."""

    def __init__(self, *, prog: str | None = None, description: str = "") -> None:
        """Make a parser; the description keeps its line breaks."""
        super().__init__(
            prog=prog,
            description=description,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def error(self, message: str) -> NoReturn:
        """Refuse the command line.

        Raises:
            UsageError: always.
        """
        raise UsageError(f"{message}; see `{self.prog} --help`")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Write help or version; argparse itself would pass over a full disk in silence."""
        if message:
            (sys.stdout if file is None else file).write(message)

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Leave after `--help` or `--version`; a closed pipe shows here, not at the very end."""
        sys.stdout.flush()
        super().exit(status, message)


@dataclass(frozen=True, slots=True)
class Command:
    """One command.

    summary: a line for the list of commands.
    description: the head of its own help: what it reads, what it prints.
    add_options: declares its options.
    run: does it. Errors are raised, never printed.
    """

    name: str
    summary: str
    description: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], None]
