"""The card of a checkpoint: what a person should know about it, as `card.json`."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from reprlib import repr as short
from typing import TYPE_CHECKING, TypeVar

from s2s_core.errors import CheckpointError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

FORMAT_VERSION = 2
CARD = "card.json"
ONE_REFERENCE = "column 2"
"""What a score says that was measured against the first reference alone."""

Record = TypeVar("Record", bound="DataclassInstance")
Scalar = int | float | str | bool


@dataclass(frozen=True, slots=True)
class MeasuredScore:
    """One figure of a file of sentence pairs, with its interval, and how it was measured.

    data: a key of the card's `commands`: the command that gives this figure.
    shortest, longest: the sources that were counted, by `word_count`; None is no limit.
    sentences: how many those are.
    references: "column 2" or, for example, "all, 1 to 5 a sentence".
    beam_size: 1 is greedy search, 0 no search: the model read the reference (teacher forcing).
    metric: a key of `METRICS`.
    low, high: the 95 % interval by resampling sentences (percentile bootstrap).
    signature: sacreBLEU's, where it computed the score, else "".
    """

    data: str
    shortest: int
    longest: int | None
    sentences: int
    references: str
    beam_size: int
    metric: str
    score: float
    low: float
    high: float
    signature: str


METRICS: dict[str, str] = {
    "loss": "nats a target token, the end token counted, the true prefix given",
    "teacher-forced token accuracy": "% of target tokens, the end token counted, that the model "
    "finds most probable, the true prefix given",
    "token accuracy": "% of the reference's tokens, the end token counted, that stand at the same "
    "position of the output, which was written freely",
    "exact match": "% of outputs that ended and equal a reference",
    "BLEU": "0 to 100",
    "brevity penalty": "0 to 1, of BLEU",
    "length ratio": "tokens written to tokens of the closest references, of BLEU",
    "chrF": "0 to 100, with sacreBLEU's defaults (chrF2)",
}
"""What is measured, and its unit."""


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """One evaluation during training. Losses are in nats a target token, EOS counted."""

    step: int
    target_tokens: int
    training_loss: float
    development_loss: float
    development_bleu: float


@dataclass(frozen=True, slots=True)
class RateTrial:
    """A run with one learning rate, short or whole, and what it reached on the development set."""

    learning_rate: float
    steps: int
    target_tokens: int
    development_loss: float
    development_bleu: float

    @property
    def merit(self) -> tuple[float, float]:
        """Greater is better: the BLEU, and where that is alike the lower loss."""
        return self.development_bleu, -self.development_loss


@dataclass(frozen=True, slots=True)
class CheckpointCard:
    """What a person should know about a checkpoint; every figure was measured.

    development_loss: of the stored weights; the command `development` gives it, too.
    commands: what was measured on -> the command that gives the figures; in it DATA stands for the
        folder of the data. The keys are those that `scores` name as `data`, and `development`.
    learning_curve: as it was during the run, with the weights of that time.
    """

    name: str
    title: str
    architecture: str
    source_language: str
    target_language: str
    sizes: dict[str, Scalar]
    parameters: int
    data: str
    training_pairs: int
    licence: str
    attribution: str
    seed: int
    budget: dict[str, Scalar]
    development_loss: float
    commands: dict[str, Scalar]
    scores: tuple[MeasuredScore, ...] = ()
    learning_curve: tuple[LearningPoint, ...] = ()
    learning_rate_trials: tuple[RateTrial, ...] = ()
    format_version: int = FORMAT_VERSION

    def to_json(self) -> str:
        """The card as the text of `card.json`, a score and a learning point a line."""
        data = dataclasses.asdict(self)
        lines = [f" {_dump(name)}: {_lines(value)}" for name, value in data.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    def named(self, name: str) -> CheckpointCard:
        """The same card for a checkpoint that is called so, its commands too."""
        old, new = (f"--model {each} " for each in (self.name, name))
        commands = {
            key: command.replace(old, new) if isinstance(command, str) else command
            for key, command in self.commands.items()
        }
        return dataclasses.replace(self, name=name, commands=commands)

    def score(
        self, metric: str, *, beam_size: int, all_references: bool = False, data: str = "test"
    ) -> MeasuredScore | None:
        """The first figure of a kind: over the whole data set, or a toy task's training lengths."""
        return find_score(
            [score for score in self.scores if score.data == data],
            metric,
            beam_size=beam_size,
            all_references=all_references,
        )

    @classmethod
    def from_json(cls, text: str, *, folder: str) -> CheckpointCard:
        """Read the text of a `card.json`.

        Raises:
            CheckpointError: it isn't a card, or one of another version; the message names the
                folder and what is wrong.
        """
        where = f"{folder}: {CARD}"
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise CheckpointError(f"{where} isn't JSON: {error}") from error
        if not isinstance(data, dict) or "format_version" not in data:
            raise CheckpointError(f"{where} isn't a checkpoint's card: it has no format_version")
        version = data["format_version"]
        if isinstance(version, bool) or version != FORMAT_VERSION:
            raise CheckpointError(
                f"{where} has format version {short(version)}, but this program reads "
                f"{FORMAT_VERSION}; train the checkpoint again or take the matching program"
            )
        lists = {
            "scores": _records(MeasuredScore, data.get("scores"), f"{where}, scores"),
            "learning_curve": _records(
                LearningPoint, data.get("learning_curve"), f"{where}, learning_curve"
            ),
            "learning_rate_trials": _records(
                RateTrial, data.get("learning_rate_trials"), f"{where}, learning_rate_trials"
            ),
        }
        return _record(cls, {**data, **lists}, where)


def find_score(
    scores: Iterable[MeasuredScore], metric: str, *, beam_size: int, all_references: bool = False
) -> MeasuredScore | None:
    """The first of the scores that is of the metric and the search, or None.

    all_references: of those measured against all references; else against the first alone.
    """
    for score in scores:
        against_all = score.references != ONE_REFERENCE
        if (score.metric, score.beam_size, against_all) == (metric, beam_size, all_references):
            return score
    return None


def _lines(value: object) -> str:
    """A value as JSON; objects of a list stand on a line each."""
    if isinstance(value, tuple):
        return "[" + ",".join(f"\n  {_dump(item)}" for item in value) + ("\n ]" if value else "]")
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, indent=1).replace("\n", "\n ")
    return _dump(value)


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _records(kind: type[Record], items: object, where: str) -> tuple[Record, ...]:
    if not isinstance(items, list):
        raise CheckpointError(f"{where}: must be a list, not {short(items)}")
    return tuple(_record(kind, item, f"{where}[{index}]") for index, item in enumerate(items))


def _record(kind: type[Record], data: object, where: str) -> Record:
    """A dataclass from an object of JSON, every field there and of its type."""
    if not isinstance(data, dict):
        raise CheckpointError(f"{where}: must be an object, not {short(data)}")
    types = {field.name: str(field.type) for field in dataclasses.fields(kind)}
    for name in types:
        if name not in data:
            raise CheckpointError(f"{where}: {name} is missing")
    for name, value in data.items():
        if name not in types:
            raise CheckpointError(f"{where}: {short(name)} isn't known")
        if not _fits(value, types[name]):
            wanted = _MEANINGS.get(types[name], "an object of numbers and texts")
            raise CheckpointError(f"{where}: {name} must be {wanted}, not {short(value)}")
    return kind(**data)


_MEANINGS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a finite number",
    "int | None": "a whole number or null",
}


def _fits(value: object, wanted: str) -> bool:
    """Whether a value has the type that a field's annotation names."""
    if wanted == "str":
        # A lone surrogate can stand in JSON, but not on a screen or in a file.
        return isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value)
    if wanted == "int | None":
        return value is None or _fits(value, "int")
    if wanted in ("int", "float"):
        if isinstance(value, bool) or not isinstance(
            value, int if wanted == "int" else (int, float)
        ):
            return False
        return abs(value) < 2**63 and math.isfinite(value)
    if wanted.startswith("dict"):
        return isinstance(value, dict) and all(
            isinstance(item, bool) or any(_fits(item, kind) for kind in ("str", "int", "float"))
            for item in value.values()
        )
    return True  # the lists, which were read before
