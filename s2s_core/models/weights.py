"""Weights as a safetensors file: plain data, read without running code from it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from s2s_core.errors import CheckpointError

FLOAT_TYPES = ("F16", "BF16", "F32", "F64")


def read_weights(path: Path, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Tensor]:
    """The tensors of a file, as float32.

    Names, shapes and types are compared before anything large is read.

    Raises:
        CheckpointError: the file is missing or damaged, its tensors aren't those of the shapes, or
            hold NaN or infinite numbers.
    """
    where = f"{path.parent.name}: {path.name}"
    try:
        with safe_open(path, framework="pt") as stored:
            found = {name: stored.get_slice(name) for name in stored.keys()}  # noqa: SIM118
            for name in sorted(shapes.keys() | found.keys()):
                if name not in found:
                    raise CheckpointError(f"{where} lacks {name}, which the sizes on the card need")
                if name not in shapes:
                    raise CheckpointError(f"{where} has {name}, for which the card has no use")
                shape, kind = tuple(found[name].get_shape()), found[name].get_dtype()
                if shape != shapes[name] or kind not in FLOAT_TYPES:
                    raise CheckpointError(
                        f"{where}: {name} is {kind} of shape {shape}, but the sizes on the card "
                        f"need floating-point numbers of shape {shapes[name]}"
                    )
            weights = {name: stored.get_tensor(name).float() for name in shapes}
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"{where} can't be read: {error}") from error
    for name, tensor in weights.items():
        if not bool(torch.isfinite(tensor).all()):
            raise CheckpointError(f"{where}: {name} holds NaN or infinite numbers")
    return weights


def write_weights(path: Path, network: nn.Module) -> None:
    """Write a network's weights as float16.

    Raises:
        CheckpointError: a weight is NaN or too large for float16, or the file can't be written.
    """
    weights = {name: tensor.half().contiguous() for name, tensor in network.state_dict().items()}
    for name, tensor in weights.items():
        if not bool(torch.isfinite(tensor).all()):
            raise CheckpointError(f"{name} holds numbers that float16 can't: did training diverge?")
    try:
        save_file(weights, path)
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"{path} can't be written: {error}") from error
