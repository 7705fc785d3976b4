"""Checkpoint folders: `card.json`, `weights.safetensors`, `tokenizer.json`.

A folder is a checkpoint. Weights are stored as float16 and used as float32. Reading one never runs
code from it: JSON and safetensors are plain data.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from s2s_core.errors import CheckpointError, ConfigError
from s2s_core.models.card import (
    CARD,
    FORMAT_VERSION,
    CheckpointCard,
    LearningPoint,
    MeasuredScore,
    RateTrial,
)

if TYPE_CHECKING:
    from s2s_core.models.network import Network
    from s2s_core.models.translation import TrainedModel
    from s2s_core.text.tokenizer import SubwordTokenizer

__all__ = [
    "CARD",
    "CHECKPOINTS",
    "FORMAT_VERSION",
    "TOKENIZER",
    "WEIGHTS",
    "CheckpointCard",
    "LearningPoint",
    "MeasuredScore",
    "RateTrial",
    "checkpoint_folder",
    "checkpoint_names",
    "load_card",
    "load_checkpoint",
    "load_model",
    "save_checkpoint",
]

WEIGHTS, TOKENIZER = "weights.safetensors", "tokenizer.json"
MAXIMUM_CARD_BYTES = 10_000_000
CHECKPOINTS = Path(os.environ.get("S2S_CHECKPOINTS", Path(__file__).parents[2] / "checkpoints"))
"""Where checkpoints are looked up by name; the environment variable S2S_CHECKPOINTS moves it."""


def checkpoint_folder(name: str, root: Path = CHECKPOINTS, *, by_path: bool = True) -> Path:
    """The folder of a checkpoint, by name or by path.

    by_path: False refuses paths, for names that come from a link or a file.

    Raises:
        CheckpointError: there is none of that name; the message lists those there are.
    """
    names = checkpoint_names(root)
    if name in names:
        return root / name
    # A folder without a card isn't listed, but whoever asks for it hears what it lacks.
    if by_path and name:
        for folder in (root / name, Path(name)):
            if _is_folder(folder):
                return folder
    names = names or ("none",)
    raise CheckpointError(f"there is no checkpoint {name[:100]!r}; there are: {', '.join(names)}")


def checkpoint_names(root: Path = CHECKPOINTS) -> tuple[str, ...]:
    """The names of the checkpoints that lie in a folder, sorted."""
    return tuple(sorted(card.parent.name for card in root.glob(f"*/{CARD}")))


def load_card(folder: Path) -> CheckpointCard:
    """Read a checkpoint's card; needs no torch. Its name is the folder's, whatever it says itself.

    Raises:
        CheckpointError: the card is missing or damaged.
    """
    path = folder / CARD
    try:
        if path.stat().st_size > MAXIMUM_CARD_BYTES:
            raise CheckpointError(
                f"{folder.name}: {CARD} is larger than {MAXIMUM_CARD_BYTES:,} bytes"
            )
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise CheckpointError(f"{folder.name}: {CARD} can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CheckpointError(f"{folder.name}: {CARD} isn't UTF-8 text: {error}") from error
    return CheckpointCard.from_json(text, folder=folder.name).named(folder.name)


def load_checkpoint(folder: Path) -> TrainedModel[Any]:
    """Read a checkpoint, ready to decode.

    Raises:
        CheckpointError: a file is missing or damaged, or the three don't fit together.
    """
    from s2s_core.models.translation import TrainedModel
    from s2s_core.text.normalise import LANGUAGES
    from s2s_core.text.tokenizer import SubwordTokenizer

    card = load_card(folder)
    for language in (card.source_language, card.target_language):
        if language not in LANGUAGES:
            raise CheckpointError(
                f"{folder.name}: {CARD} names the language {language[:20]!r}, but this program "
                f"knows {', '.join(LANGUAGES)}"
            )
    tokenizer = SubwordTokenizer.load(folder / TOKENIZER)
    if tokenizer.size != card.sizes.get("vocabulary_size"):
        raise CheckpointError(
            f"{folder.name}: {TOKENIZER} has {tokenizer.size} tokens, but by the card it has "
            f"{card.sizes.get('vocabulary_size')}"
        )
    return TrainedModel(
        _load_network(folder, card),
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
    """Write a complete checkpoint folder; the card comes last, so half a folder isn't one.

    Raises:
        CheckpointError: a file can't be written, or the weights don't fit into float16.
    """
    from s2s_core.models.weights import write_weights

    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_weights(folder / WEIGHTS, network)
        tokenizer.save(folder / TOKENIZER)
        (folder / CARD).write_text(card.to_json(), encoding="utf-8")
    except OSError as error:
        raise CheckpointError(f"{folder} can't be written: {error}") from error


def _load_network(folder: Path, card: CheckpointCard) -> Network[Any]:
    import torch

    from s2s_core.models.architectures import build_network
    from s2s_core.models.weights import read_weights

    try:
        # Built without memory, so that absurd sizes cost nothing, and random weights no time.
        with torch.device("meta"):
            network = build_network(card.architecture, card.sizes)
    except (ConfigError, RuntimeError) as error:
        raise CheckpointError(f"{folder.name}: {CARD}, sizes: {error}") from error
    shapes = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    network.load_state_dict(read_weights(folder / WEIGHTS, shapes), assign=True)
    network.prepare_decoding()
    return network


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name too long for the file system, for example
        return False
