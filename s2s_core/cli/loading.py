"""A checkpoint for decoding, and errors that name the line they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s_core.cli.streams import note
from s2s_core.errors import ExplorerError
from s2s_core.models.checkpoint import load_checkpoint

if TYPE_CHECKING:
    from s2s_core.models.translation import TrainedModel


def load_for_decoding(folder: Path) -> TrainedModel[Any]:
    """The checkpoint in a folder, on one thread: models this small are fastest so.

    Raises:
        CheckpointError: it is damaged.
    """
    from s2s_core.models.threads import use_one_thread

    use_one_thread()
    return load_checkpoint(folder)


@contextmanager
def naming_line(number: int) -> Iterator[None]:
    """Put the line's number before the message of whatever error comes up.

    Raises:
        ExplorerError: of the same class.
    """
    try:
        yield
    except ExplorerError as error:
        raise type(error)(f"line {number}: {error}") from error


def check_sources(model: TrainedModel[Any], sources: Sequence[str]) -> None:
    """Refuse a source that the model can't read before anything is decoded.

    Raises:
        SourceError: one is blank or too long; the message names the line.
    """
    for number, source in enumerate(sources, start=1):
        with naming_line(number):
            model.source_ids(source)


def target_ids(model: TrainedModel[Any], text: str, *, name: str) -> tuple[int, ...]:
    """The ids of a given target or its beginning, in the form of the corpora.

    What was changed is told on standard error, where the text is called `name`.

    Raises:
        PrefixError: the text is blank, or can't be written with the vocabulary.
    """
    prepared = model.prepare_target(text)
    if prepared.text != text.strip():
        note(f"{name} is read as: {prepared.text} ({prepared.told})")
    return tuple(model.target.ids(prepared.text))
