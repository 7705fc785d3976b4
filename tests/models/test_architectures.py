"""Building networks by name."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from s2s_core.errors import ConfigError
from s2s_core.models.architectures import ARCHITECTURES, build_network
from tests.models.networks import NETWORKS, random_network


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_each_architecture_builds_with_its_default_sizes(name: str) -> None:
    network = build_network(name, {"vocabulary_size": 30})
    assert type(network) is ARCHITECTURES[name][1]


@pytest.mark.parametrize("name", NETWORKS)
def test_the_seed_decides_the_weights(name: str) -> None:
    first, again, other = (random_network(name, seed) for seed in (5, 5, 6))
    assert all(map(torch.equal, first.parameters(), again.parameters()))
    assert not any(map(torch.equal, first.parameters(), other.parameters()))


@pytest.mark.parametrize(
    ("architecture", "sizes", "message"),
    [
        ("rnn", {}, "architecture 'rnn' isn't known; there are: recurrent, input_feeding, t"),
        ("recurrent", {}, "settings of recurrent don't fit.*vocabulary_size"),
        ("transformer", {"vocabulary_size": 9, "cell": "gru"}, "'cell' isn't a setting of transf"),
        ("recurrent", {"vocabulary_size": "9"}, "vocabulary_size must be a whole number"),
    ],
)
def test_what_cant_be_built_is_named(
    architecture: str, sizes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        build_network(architecture, sizes)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_without_memory_has_the_names_and_shapes_of_the_real_one(name: str) -> None:
    network = random_network(name)
    with torch.device("meta"):
        outline = type(network)(network.config)
    found = {name: tuple(p.shape) for name, p in outline.named_parameters() if p.is_meta}
    assert found == {name: tuple(p.shape) for name, p in network.named_parameters()}
