"""Input feeding against a decoder written out with torch's own LSTM cell."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from s2s_core.errors import ConfigError
from s2s_core.models.architectures import build_network
from s2s_core.models.input_feeding import InputFeedingNetwork
from tests.models.networks import random_network

IDS = torch.tensor([[300, 301, 302, 303, 2], [304, 305, 2, 0, 0]])
MASK = torch.arange(5) < torch.tensor([5, 3])[:, None]
INPUTS = torch.tensor([[1, 310, 311], [1, 312, 313]])


def test_readouts_equal_luongs_equations_with_torchs_cell() -> None:
    network = random_network("input-feeding-lstm-bidirectional-general")
    assert isinstance(network, InputFeedingNetwork)
    cell = network.decoder
    width = network.config.embedding_size
    oracle = nn.LSTMCell(2 * width, cell.size)
    order = (0, 1, 3, 2)  # torch's gates, from ours
    with torch.inference_mode():
        blocks = torch.cat([cell.input_weights.weight, network.feed_weights.weight], dim=1)
        parts = (
            (oracle.weight_ih, blocks, 4), (oracle.bias_ih, cell.input_weights.bias, 4),
            (oracle.weight_hh, cell.state_weights.weight, 4),
            (oracle.bias_hh, cell.state_weights.bias, 4),
        )  # fmt: skip
        for target, values, count in parts:
            target.copy_(torch.cat([values.chunk(count)[index] for index in order]))
        state = network.start(IDS, MASK)
        hidden, memory = state.hidden.chunk(2, dim=-1)
        fed = torch.zeros(2, width)
        for t, readout in enumerate(network(IDS, MASK, INPUTS).unbind(dim=1)):
            read = torch.cat([network.embedding(INPUTS[:, t]), fed], dim=1)
            hidden, memory = oracle(read, (hidden, memory))
            scores = torch.einsum(
                "nd,de,nse->ns", hidden, network.score.matrix.weight, state.memory
            )
            weights = torch.softmax(scores.masked_fill(~MASK, -torch.inf), dim=1)
            context = torch.einsum("ns,nse->ne", weights, state.memory)
            fed = torch.tanh(network.readout(torch.cat([hidden, context], dim=1)))
            torch.testing.assert_close(readout, fed, rtol=0, atol=1e-5)


@pytest.mark.parametrize("context", ["fixed_once", "fixed_every_step"])
def test_input_feeding_without_attention_is_refused(context: str) -> None:
    with pytest.raises(ConfigError, match="needs an attention score"):
        build_network("input_feeding", {"vocabulary_size": 30, "context": context})
