"""Decoding of a whole file, on one core or several."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from tqdm import tqdm

from s2s_core.models.checkpoint import load_checkpoint
from s2s_core.models.threads import use_one_thread
from s2s_core.models.translation import TrainedModel
from s2s_core.search.batch import Output, decode, decode_batch, plan_batches
from s2s_core.search.config import SearchConfig


class Decoder:
    """Decodes with a model, here or in other processes that load the same checkpoint.

    Which it is changes the time and nothing else. With processes, use it in a `with` statement.

    workers: how many processes decode at the same time.
    """

    def __init__(
        self, model: TrainedModel[Any], *, folder: Path | None = None, workers: int = 1
    ) -> None:
        """Start `workers` processes, if more than one and the checkpoint's folder is given."""
        self._model = model
        self._processes: ProcessPoolExecutor | None = None
        self.workers = 1 if folder is None else workers
        if self.workers > 1 and folder is not None:
            self._processes = ProcessPoolExecutor(
                workers,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_start,
                initargs=(folder.resolve(),),
            )

    def __enter__(self) -> Decoder:
        return self

    def __exit__(self, *_: object) -> None:
        if self._processes is not None:
            self._processes.shutdown(cancel_futures=True)

    def decode(
        self, sources: Sequence[str], config: SearchConfig, *, bar: str | None = None
    ) -> tuple[Output, ...]:
        """The best hypothesis of each source, in order.

        bar: what the progress bar on standard error is called; None draws none.

        Raises:
            The same errors as `beam_search`.
        """
        found: dict[int, Output] = {}
        with tqdm(total=len(sources), desc=bar, unit="sentence", disable=bar is None) as progress:
            for index, output in self._each(sources, config):
                found[index] = output
                progress.update()
        return tuple(found[index] for index in range(len(sources)))

    def _each(self, sources: Sequence[str], config: SearchConfig) -> Iterator[tuple[int, Output]]:
        if self._processes is None:
            yield from decode(self._model, sources, config)
            return
        batches = plan_batches(sources, beam_size=config.beam_size)
        # The long ones first, so that no process is left alone with them at the end.
        tasks = {
            self._processes.submit(_decode, [sources[i] for i in batch], config): batch
            for batch in reversed(batches)
        }
        for task in as_completed(tasks):
            yield from zip(tasks[task], task.result(), strict=True)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_loaded: list[TrainedModel[Any]] = []  # in a process of a `Decoder`: its model


def _start(folder: Path) -> None:
    use_one_thread()
    _loaded.append(load_checkpoint(folder))


def _decode(sources: Sequence[str], config: SearchConfig) -> tuple[Output, ...]:
    return decode_batch(_loaded[0], sources, config)
