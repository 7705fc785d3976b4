"""Where a run's sentence pairs come from: files of a corpus, or a toy task.

Both kinds of a configuration's `[data]` section answer the same questions, so that neither training
nor the card asks which kind it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from s2s_core.errors import ConfigError, CorpusError, SettingError, SourceError
from s2s_core.text.corpus import SentencePair, read_pairs, read_references
from s2s_core.text.normalise import DIGITS, LANGUAGES, normalise
from s2s_core.text.tasks import check_task, held_out_pairs, training_pairs
from s2s_core.text.words import SENTENCE_LENGTHS, SourceLengths, in_fives

PER_LENGTH = 50
"""How many held-out strings of each length a task has, where there are so many."""

Pairs = tuple[SentencePair, ...]


class DataSource(Protocol):
    """What a run asks of its data. Paths are relative to `folder`."""

    @property
    def source_language(self) -> str:
        """A key of `LANGUAGES`."""

    @property
    def target_language(self) -> str:
        """A key of `LANGUAGES`."""

    @property
    def description(self) -> str:
        """What it is, for the card."""

    @property
    def licence(self) -> str:
        """Under which it may be used."""

    @property
    def attribution(self) -> str:
        """Whom to name."""

    @property
    def identity(self) -> str:
        """The training pairs, in short: they must be the same when a run goes on."""

    @property
    def development_options(self) -> str:
        """The options of `evaluate` that name the development set; DATA is the data's folder."""

    @property
    def test_options(self) -> str:
        """The options of `evaluate` that name the test set and its parts; DATA as above."""

    @property
    def groups(self) -> tuple[SourceLengths, ...]:
        """The parts of the test set that are measured, the most telling one first."""

    def read_training(self, folder: Path) -> Pairs:
        """The pairs to learn from."""

    def read_development(self, folder: Path) -> Pairs:
        """The pairs that are measured during the run."""

    def read_test(self, folder: Path) -> Pairs:
        """The pairs on which the finished model is measured."""


@dataclass(frozen=True, slots=True)
class DataConfig:
    """A corpus. Paths are relative to the data folder (by default, the file's own folder)."""

    train: str
    development: str
    test: str
    source_language: str
    target_language: str
    description: str
    licence: str
    attribution: str

    def __post_init__(self) -> None:
        """Check the languages.

        Raises:
            ConfigError: a language isn't known.
        """
        for name in ("source_language", "target_language"):
            language = getattr(self, name)
            if language not in LANGUAGES:
                raise ConfigError(
                    f"data: {name} must be one of {', '.join(LANGUAGES)}, not {language!r}"
                )

    @property
    def identity(self) -> str:
        """See `DataSource`."""
        return self.train

    @property
    def development_options(self) -> str:
        """See `DataSource`."""
        return f"--data DATA/{self.development}"

    @property
    def test_options(self) -> str:
        """See `DataSource`."""
        return f"--data DATA/{self.test}"

    @property
    def groups(self) -> tuple[SourceLengths, ...]:
        """See `DataSource`."""
        return SENTENCE_LENGTHS

    def read_training(self, folder: Path) -> Pairs:
        """See `DataSource`.

        Raises:
            CorpusError: the file is damaged.
        """
        return read_pairs(folder / self.train)

    def read_development(self, folder: Path) -> Pairs:
        """See `DataSource`.

        Raises:
            CorpusError: the file is damaged.
        """
        return read_references(folder / self.development)

    def read_test(self, folder: Path) -> Pairs:
        """See `DataSource`.

        Raises:
            CorpusError: the file is damaged.
        """
        return read_references(folder / self.test)


@dataclass(frozen=True, slots=True)
class TaskConfig:
    """A toy task on random digit strings; needs no file.

    task: a key of `TASKS`.
    shortest, longest: digits of the strings to train on; the test set goes on to twice `longest`.
    pairs: how many there are to train on.
    seed: of their drawing. Development and test strings are the same for every seed.
    """

    task: str
    shortest: int = 1
    longest: int = 20
    pairs: int = 100_000
    seed: int = 1

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            ConfigError: the task isn't known, or a number is out of bounds.
        """
        try:
            check_task(self.task, self.shortest, 2 * self.longest)
            check_task(self.task, self.shortest, self.longest)
        except SettingError as error:
            raise ConfigError(f"data: {error}; tests go on to twice the longest") from error
        if self.pairs < 1 or self.seed < 0:
            raise ConfigError(
                f"data: pairs must be at least 1 and seed at least 0, not {self.pairs} and "
                f"{self.seed}"
            )

    @property
    def source_language(self) -> str:
        """See `DataSource`."""
        return DIGITS

    @property
    def target_language(self) -> str:
        """See `DataSource`."""
        return DIGITS

    @property
    def description(self) -> str:
        """See `DataSource`."""
        return (
            f"Random strings of {self.shortest} to {self.longest} digits, made by this program "
            f"(task {self.task}, seed {self.seed}); no string of the test is among those trained on"
        )

    @property
    def licence(self) -> str:
        """See `DataSource`."""
        return "MIT, as the program"

    @property
    def attribution(self) -> str:
        """See `DataSource`."""
        return "Nobody's text: random digits."

    @property
    def identity(self) -> str:
        """See `DataSource`."""
        return f"{self.task} {self.shortest}-{self.longest} {self.pairs} {self.seed}"

    @property
    def development_options(self) -> str:
        """See `DataSource`."""
        return f"--task {self.task} --lengths {self.shortest}-{self.longest} --split development"

    @property
    def test_options(self) -> str:
        """See `DataSource`."""
        parts = ",".join(map(str, self.groups))
        lengths = f"{self.shortest}-{2 * self.longest}"
        return f"--task {self.task} --lengths {lengths} --by-length {parts}"

    @property
    def groups(self) -> tuple[SourceLengths, ...]:
        """See `DataSource`: the lengths of the training, those beyond, and both in fives."""
        return (
            SourceLengths(self.shortest, self.longest),
            SourceLengths(self.longest + 1, 2 * self.longest),
            *in_fives(self.shortest, self.longest),
            *in_fives(self.longest + 1, 2 * self.longest),
        )

    def read_training(self, folder: Path) -> Pairs:
        """See `DataSource`."""
        lengths = {"shortest": self.shortest, "longest": self.longest}
        return training_pairs(self.task, **lengths, count=self.pairs, seed=self.seed)

    def read_development(self, folder: Path) -> Pairs:
        """See `DataSource`."""
        return held_out_pairs(
            self.task,
            "development",
            shortest=self.shortest,
            longest=self.longest,
            per_length=PER_LENGTH,
        )

    def read_test(self, folder: Path) -> Pairs:
        """See `DataSource`."""
        return held_out_pairs(
            self.task,
            "test",
            shortest=self.shortest,
            longest=2 * self.longest,
            per_length=PER_LENGTH,
        )


def check_data(data: DataSource, folder: Path) -> None:
    """Read what a run measures on, so that a fault in it is found before anything is trained.

    Raises:
        CorpusError: a file is missing or damaged, or a source can't be read in its language.
    """
    parts = {"development": data.read_development(folder), "test": data.read_test(folder)}
    for name, pairs in parts.items():
        for number, pair in enumerate(pairs, start=1):
            try:
                text = normalise(pair.source, language=data.source_language).text
            except SourceError as error:
                raise CorpusError(f"{name} set, line {number}: {error}") from error
            if not text:
                raise CorpusError(f"{name} set, line {number}: the source is blank")
