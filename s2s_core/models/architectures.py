"""The architectures by name: a configuration class and a network class each."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from s2s_core.errors import ConfigError
from s2s_core.models.input_feeding import InputFeedingNetwork
from s2s_core.models.network import Network
from s2s_core.models.recurrent import RecurrentNetwork
from s2s_core.models.recurrent_config import RecurrentConfig
from s2s_core.models.transformer import TransformerNetwork
from s2s_core.models.transformer_config import TransformerConfig

ARCHITECTURES: dict[str, tuple[type, type[Network[Any]]]] = {
    "recurrent": (RecurrentConfig, RecurrentNetwork),
    "input_feeding": (RecurrentConfig, InputFeedingNetwork),
    "transformer": (TransformerConfig, TransformerNetwork),
}


Sizes = Mapping[str, int | float | str | bool]


def build_network(architecture: str, sizes: Sizes) -> Network[Any]:
    """A network with random weights.

    Raises:
        ConfigError: the architecture isn't known, or a size is missing, unknown or impossible.
    """
    config = _config(architecture, sizes)
    return ARCHITECTURES[architecture][1](config)


def full_sizes(architecture: str, sizes: Sizes) -> dict[str, int | float | str | bool]:
    """All sizes of an architecture: the given ones, and the defaults of the others.

    Raises:
        ConfigError: the architecture isn't known, or a size is missing, unknown or impossible.
    """
    return dataclasses.asdict(_config(architecture, sizes))


def _config(architecture: str, sizes: Sizes) -> Any:
    if architecture not in ARCHITECTURES:
        known = ", ".join(ARCHITECTURES)
        raise ConfigError(f"architecture {architecture!r} isn't known; there are: {known}")
    config_class, _ = ARCHITECTURES[architecture]
    fields = {field.name: field for field in dataclasses.fields(config_class)}
    unknown = [name for name in sizes if name not in fields]
    if unknown:
        raise ConfigError(
            f"{unknown[0]!r} isn't a setting of {architecture}; there are: {', '.join(fields)}"
        )
    try:
        return config_class(**sizes)
    except TypeError as error:
        raise ConfigError(f"the settings of {architecture} don't fit: {error}") from error
