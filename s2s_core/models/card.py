"""The card of a checkpoint: what a person should know about it, as `card.json`."""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass
from reprlib import repr as short
from typing import TypeVar

from s2s_core.errors import CheckpointError

FORMAT_VERSION = 1
CARD = "card.json"

Record = TypeVar("Record")
Scalar = int | float | str | bool


@dataclass(frozen=True, slots=True)
class MeasuredScore:
    """A corpus score and how it was measured."""

    data: str  # "test", "development"
    sentences: int
    references: str  # "column 2" or "all, 1 to 5 a sentence"
    beam_size: int
    metric: str
    score: float
    signature: str


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
    """A short run with one learning rate, and what it reached on the development set."""

    learning_rate: float
    steps: int
    target_tokens: int
    development_loss: float
    development_bleu: float


@dataclass(frozen=True, slots=True)
class CheckpointCard:
    """What a person should know about a checkpoint; every figure was measured."""

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
    scores: tuple[MeasuredScore, ...] = ()
    learning_curve: tuple[LearningPoint, ...] = ()
    learning_rate_trials: tuple[RateTrial, ...] = ()
    format_version: int = FORMAT_VERSION

    def to_json(self) -> str:
        """The card as the text of `card.json`."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False, indent=1) + "\n"

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


def _records(kind: type[Record], items: object, where: str) -> tuple[Record, ...]:
    if not isinstance(items, list):
        raise CheckpointError(f"{where}: must be a list, not {short(items)}")
    return tuple(_record(kind, item, f"{where}[{index}]") for index, item in enumerate(items))


def _record(kind: type[Record], data: object, where: str) -> Record:
    """A dataclass from an object of JSON, every field there and of its type."""
    if not isinstance(data, dict):
        raise CheckpointError(f"{where}: must be an object, not {short(data)}")
    types = {field.name: str(field.type) for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
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


_MEANINGS = {"str": "a text", "int": "a whole number", "float": "a finite number"}


def _fits(value: object, wanted: str) -> bool:
    """Whether a value has the type that a field's annotation names."""
    if wanted == "str":
        # A lone surrogate can stand in JSON, but not on a screen or in a file.
        return isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value)
    if wanted in ("int", "float"):
        if isinstance(value, bool) or not isinstance(
            value, int if wanted == "int" else (int, float)
        ):
            return False
        return abs(value) < 2**63 and math.isfinite(value)
    if wanted.startswith("dict"):
        return isinstance(value, dict) and all(
            isinstance(item, bool) or any(_fits(item, kind) for kind in _MEANINGS)
            for item in value.values()
        )
    return True  # the lists, which were read before
