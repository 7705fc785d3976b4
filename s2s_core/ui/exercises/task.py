"""What an exercise is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Fact = TypeVar("Fact")


@dataclass(frozen=True)
class Exercise(Generic[Fact]):
    """A task on one page.

    name: the key in `EXERCISES`, and in links.
    title, task, hint, answer: for a person; our own words, as Markdown.
    page: the page's name in `shell.PAGES`.
    start: the page's link to begin with; the task isn't done there.
    solution: the page's link with the task done, but for what `press` says.
    press: what is still to be pressed there, as the button says it; "" for nothing.
    fact: the kind of fact that the page tells, and done: whether such a fact is a solution.
    """

    name: str
    title: str
    task: str
    hint: str
    answer: str
    page: str
    start: Mapping[str, str]
    solution: Mapping[str, str]
    fact: type[Fact]
    done: Callable[[Fact], bool]
    press: str = ""

    def is_done(self, fact: object) -> bool:
        """Whether what a page shows is a solution; other facts say nothing about it."""
        return isinstance(fact, self.fact) and self.done(fact)


AnyExercise = Exercise[Any]


def unbroken(text: str) -> str:
    """The text with a number and its %, and log and its P, kept on one line."""
    return text.replace(" %", "\u00a0%").replace("log P", "log\u00a0P")
