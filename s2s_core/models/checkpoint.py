"""Checkpoint folders: `card.json`, `weights.safetensors`, `tokenizer.json`.

A folder is a checkpoint. Weights are stored as float16 and used as float32. Reading one never runs
code from it: JSON and safetensors are plain data.
"""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s_core.errors import CheckpointError, ConfigError

if TYPE_CHECKING:
    from s2s_core.models.network import Network
    from s2s_core.models.translation import TrainedModel
    from s2s_core.text.tokenizer import SubwordTokenizer

FORMAT_VERSION = 1
CARD, WEIGHTS, TOKENIZER = "card.json", "weights.safetensors", "tokenizer.json"
CHECKPOINTS = Path(os.environ.get("S2S_CHECKPOINTS", Path(__file__).parents[2] / "checkpoints"))
"""Where checkpoints are looked up by name; the environment variable S2S_CHECKPOINTS moves it."""


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
class CheckpointCard:
    """What a person should know about a checkpoint; every figure was measured."""

    name: str
    title: str
    architecture: str
    source_language: str
    target_language: str
    sizes: dict[str, int | float | str | bool]
    parameters: int
    data: str
    training_pairs: int
    licence: str
    attribution: str
    seed: int
    budget: dict[str, int | float | str | bool]
    development_loss: float
    scores: tuple[MeasuredScore, ...] = ()
    learning_curve: tuple[LearningPoint, ...] = ()
    format_version: int = FORMAT_VERSION

    def to_json(self) -> str:
        """The card as the text of `card.json`."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, *, folder: str) -> CheckpointCard:
        """Read the text of a `card.json`.

        Raises:
            CheckpointError: it isn't a card, or one of another version.
        """
        try:
            data = json.loads(text)
        except ValueError as error:
            raise CheckpointError(f"{folder}: {CARD} isn't JSON: {error}") from error
        if not isinstance(data, dict):
            raise CheckpointError(f"{folder}: {CARD} must hold one object")
        version = data.get("format_version")
        if version != FORMAT_VERSION:
            raise CheckpointError(
                f"{folder}: {CARD} has format version {version!r}, but this program reads "
                f"{FORMAT_VERSION}; train the checkpoint again or take the matching program"
            )
        try:
            scores = tuple(MeasuredScore(**score) for score in data.pop("scores"))
            curve = tuple(LearningPoint(**point) for point in data.pop("learning_curve"))
            return cls(**data, scores=scores, learning_curve=curve)
        except (TypeError, KeyError, AttributeError) as error:
            raise CheckpointError(f"{folder}: {CARD} isn't a complete card: {error}") from error


def checkpoint_folder(name: str, root: Path = CHECKPOINTS) -> Path:
    """The folder of a checkpoint, by name or by path.

    Raises:
        CheckpointError: there is none of that name; the message lists those there are.
    """
    for folder in (root / name, Path(name)):
        if name and (folder / CARD).is_file():
            return folder
    names = ", ".join(checkpoint_names(root)) or "none"
    raise CheckpointError(f"there is no checkpoint {name!r}; there are: {names}")


def checkpoint_names(root: Path = CHECKPOINTS) -> tuple[str, ...]:
    """The names of the checkpoints that lie in a folder, sorted."""
    return tuple(sorted(card.parent.name for card in root.glob(f"*/{CARD}")))


def load_card(folder: Path) -> CheckpointCard:
    """Read a checkpoint's card; needs no torch.

    Raises:
        CheckpointError: the card is missing or damaged.
    """
    return CheckpointCard.from_json(_read_text(folder / CARD), folder=folder.name)


def load_checkpoint(folder: Path) -> TrainedModel[Any]:
    """Read a checkpoint, ready to decode.

    Raises:
        CheckpointError: a file is missing or damaged, or the weights don't fit the sizes.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    from s2s_core.models.architectures import build_network
    from s2s_core.models.translation import TrainedModel
    from s2s_core.text.tokenizer import SubwordTokenizer

    card = load_card(folder)
    tokenizer = SubwordTokenizer.load(folder / TOKENIZER)
    try:
        network = build_network(card.architecture, card.sizes)
    except ConfigError as error:
        raise CheckpointError(f"{folder.name}: the sizes on the card: {error}") from error
    try:
        weights = load_file(folder / WEIGHTS)
        network.load_state_dict({name: tensor.float() for name, tensor in weights.items()})
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"{folder.name}: {WEIGHTS} can't be read: {error}") from error
    except RuntimeError as error:
        raise CheckpointError(
            f"{folder.name}: {WEIGHTS} doesn't fit the sizes on the card: {error}"
        ) from error
    if tokenizer.size != card.sizes.get("vocabulary_size"):
        raise CheckpointError(
            f"{folder.name}: {TOKENIZER} has {tokenizer.size} tokens, but the card says "
            f"{card.sizes.get('vocabulary_size')}"
        )
    return TrainedModel(
        network,
        tokenizer,
        source_language=card.source_language,
        target_language=card.target_language,
    )


def load_model(name: str) -> TrainedModel[Any]:
    """The checkpoint of that name (or at that path), ready to decode.

    Raises:
        CheckpointError: there is none of that name, or it is damaged.
    """
    return load_checkpoint(checkpoint_folder(name))


def save_checkpoint(
    folder: Path, card: CheckpointCard, network: Network[Any], tokenizer: SubwordTokenizer
) -> None:
    """Write a complete checkpoint folder; the card comes last, so half a folder isn't one."""
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: tensor.half().contiguous() for name, tensor in network.state_dict().items()}
    save_file(weights, folder / WEIGHTS)
    tokenizer.save(folder / TOKENIZER)
    (folder / CARD).write_text(card.to_json(), encoding="utf-8")


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CheckpointError(f"{path.parent.name}: {path.name} can't be read: {error}") from error
