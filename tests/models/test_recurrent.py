"""The recurrent networks: encoders against torch, fixed vectors, settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from s2s_core.errors import ConfigError
from s2s_core.models.architectures import build_network
from s2s_core.models.cells import RecurrentCell
from s2s_core.models.network import parameter_count
from s2s_core.models.recurrent import RecurrentNetwork, RecurrentState
from s2s_core.models.recurrent_config import RecurrentConfig
from tests.models.networks import RECURRENT, random_network

IDS = torch.tensor([[300, 301, 302, 303, 2], [304, 305, 2, 0, 0], [306, 2, 0, 0, 0]])
LENGTHS = torch.tensor([5, 3, 2])
MASK = torch.arange(5) < LENGTHS[:, None]


def network_of(name: str) -> RecurrentNetwork:
    network = random_network(name)
    assert isinstance(network, RecurrentNetwork)
    return network


def start(network: RecurrentNetwork, ids: Tensor = IDS, mask: Tensor = MASK) -> RecurrentState:
    with torch.inference_mode():
        return network.start(ids, mask)


def torch_encoder(network: RecurrentNetwork) -> nn.GRU | nn.LSTM:
    """torch's encoder with the network's weights; both directions, one of them may be unused."""
    config = network.config
    lstm = config.cell == "lstm"
    kind: Any = nn.LSTM if lstm else nn.GRU
    oracle = kind(config.embedding_size, config.encoder_size, batch_first=True, bidirectional=True)
    order = (0, 1, 3, 2) if lstm else (0, 1, 2)  # torch's gates, from ours
    with torch.no_grad():
        for suffix, name in (("", "encoder_forward"), ("_reverse", "encoder_backward")):
            cell = getattr(network, name, None)
            if cell is None:
                continue
            assert isinstance(cell, RecurrentCell)
            for kind_of, linear in (("ih", cell.input_weights), ("hh", cell.state_weights)):
                for what, values in (("weight", linear.weight), ("bias", linear.bias)):
                    blocks = values.chunk(len(order))
                    target = getattr(oracle, f"{what}_{kind_of}_l0{suffix}")
                    target.copy_(torch.cat([blocks[index] for index in order]))
    return oracle  # type: ignore[no-any-return]


def oracle_states(network: RecurrentNetwork) -> tuple[Tensor, Tensor]:
    """torch's (N, S, 2, H) states and (N, 2, parts, H) final states, by direction."""
    packed = nn.utils.rnn.pack_padded_sequence(
        network.embedding(IDS), LENGTHS, batch_first=True, enforce_sorted=True
    )
    outputs, finals = torch_encoder(network)(packed)
    states, _ = nn.utils.rnn.pad_packed_sequence(outputs, batch_first=True)
    parts = finals if isinstance(finals, tuple) else (finals,)
    return torch.stack(states.chunk(2, dim=-1), dim=2), torch.stack(
        [p.transpose(0, 1) for p in parts], dim=2
    )


DIRECTIONS = {"forward": [0], "reversed": [1], "bidirectional": [0, 1]}


@pytest.mark.parametrize("cell", ["gru", "lstm"])
@pytest.mark.parametrize("order", DIRECTIONS)
def test_source_states_equal_torchs_packed_encoder(cell: str, order: str) -> None:
    network = network_of(f"{cell}-{order}-general")
    state = start(network)
    with torch.inference_mode():
        states, finals = oracle_states(network)
    expected = states[:, :, DIRECTIONS[order]].flatten(2)
    torch.testing.assert_close(state.memory[MASK], expected[MASK], rtol=0, atol=1e-5)
    final = finals[:, DIRECTIONS[order]].flatten(1)
    with torch.inference_mode():
        torch.testing.assert_close(
            state.hidden, torch.tanh(network.bridge(final)), rtol=0, atol=1e-5
        )


@pytest.mark.parametrize("cell", ["gru", "lstm"])
@pytest.mark.parametrize("order", DIRECTIONS)
@pytest.mark.parametrize("context", ["fixed_once", "fixed_every_step"])
def test_the_fixed_vector_is_where_the_encoder_ends(cell: str, order: str, context: str) -> None:
    network = network_of(f"{cell}-{order}-{context}")
    with torch.inference_mode():
        _, finals = oracle_states(network)
    expected = finals[:, DIRECTIONS[order], 0].flatten(1)  # hidden states; no cell states
    torch.testing.assert_close(start(network).memory[:, 0], expected, rtol=0, atol=1e-5)


def test_a_reversed_encoder_ends_at_the_first_token_and_keeps_positions_in_place() -> None:
    network = network_of("gru-reversed-general")
    last_changed = IDS.clone()
    last_changed[0, 4] = 310
    first_changed = IDS.clone()
    first_changed[0, 0] = 310
    before = start(network).memory
    after_last = start(network, last_changed).memory
    after_first = start(network, first_changed).memory
    # It reads from right to left: the last token reaches every state, the first only its own.
    assert all(not torch.equal(after_last[0, s], before[0, s]) for s in range(5))
    assert [torch.equal(after_first[0, s], before[0, s]) for s in range(5)] == [False] + [True] * 4


def second_step(network: RecurrentNetwork, state: RecurrentState) -> Tensor:
    with torch.inference_mode():
        first = network.step(state, torch.tensor([1, 1, 1])).state
        return network.step(first, torch.tensor([300, 300, 300])).logits


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_fixed_once_reads_the_vector_only_in_its_first_state(cell: str) -> None:
    network = network_of(f"{cell}-bidirectional-fixed_once")
    state = start(network)
    noise = torch.randn_like(state.memory)
    changed = replace(state, memory=state.memory + noise)
    assert state.shares is None
    assert torch.equal(second_step(network, changed), second_step(network, state))
    other_start = replace(state, hidden=state.hidden + 1)
    assert not torch.equal(second_step(network, other_start), second_step(network, state))


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_fixed_every_step_reads_the_vector_at_each_step(cell: str) -> None:
    network = network_of(f"{cell}-bidirectional-fixed_every_step")
    source, changed = start(network), start(network, IDS.flip(0), MASK.flip(0))
    # The same decoder state, another vector: it is read besides.
    mixed = replace(changed, hidden=source.hidden, mask=source.mask)
    assert not torch.allclose(second_step(network, mixed), second_step(network, source))


def test_an_lstm_decoder_starts_with_a_hidden_and_a_cell_state_from_the_bridge() -> None:
    network = network_of("lstm-bidirectional-fixed_once")
    assert network.bridge.in_features == 2 * 2 * network.config.encoder_size
    hidden = start(network).hidden
    assert hidden.shape == (3, 2 * network.config.decoder_size)
    hidden_part, cell_part = hidden.chunk(2, dim=1)
    assert not torch.allclose(hidden_part, cell_part)


@pytest.mark.parametrize("name", RECURRENT)
def test_every_parameter_is_trained(name: str) -> None:
    network = random_network(name)
    readouts = network(IDS, MASK, torch.tensor([[1, 300], [1, 301], [1, 302]]))
    network.logits(readouts).logsumexp(-1).sum().backward()  # type: ignore[no-untyped-call]
    idle = [
        name
        for name, parameter in network.named_parameters()
        if parameter.grad is None or not bool(parameter.grad.any())
    ]
    assert idle == []


def test_training_mode_drops_and_evaluation_does_not() -> None:
    network = network_of("gru-bidirectional-additive")
    inputs = torch.tensor([[1, 300], [1, 301], [1, 302]])
    with torch.no_grad():
        calm = network(IDS, MASK, inputs)
        assert torch.equal(network(IDS, MASK, inputs), calm)
        network.train()
        assert not torch.equal(network(IDS, MASK, inputs), calm)


def test_token_dropout_hides_whole_tokens_while_training() -> None:
    sizes = {"vocabulary_size": 20, "embedding_size": 4, "dropout": 0.0, "token_dropout": 0.5}
    network = build_network("recurrent", sizes)
    assert isinstance(network, RecurrentNetwork)
    torch.manual_seed(0)
    embedded = network._embed(torch.full((50, 8), 5)).detach()
    whole, hidden = embedded[0].abs().max(0).values, torch.zeros(4)
    kinds = {tuple(row) for row in embedded.flatten(0, 1).abs().tolist()}
    assert kinds == {tuple(whole.tolist()), tuple(hidden.tolist())}


def test_source_and_target_share_one_table_with_the_output() -> None:
    network = network_of("gru-bidirectional-additive")
    size = network.config.vocabulary_size
    tables = {name: p.shape for name, p in network.named_parameters() if p.shape[0] == size}
    assert tables == {"embedding.weight": (size, 10), "output_bias": (size,)}


def test_parameter_count_of_a_small_network_by_hand() -> None:
    network = build_network(
        "recurrent",
        {
            "vocabulary_size": 10, "cell": "gru", "source_order": "forward",
            "context": "fixed_once", "embedding_size": 2, "encoder_size": 3, "decoder_size": 4,
        },
    )  # fmt: skip
    embedding, encoder = 10 * 2, 9 * 2 + 9 + 9 * 3 + 9
    decoder, bridge = 12 * 2 + 12 + 12 * 4 + 12, 3 * 4 + 4
    readout, bias = (4 + 2) * 2 + 2, 10
    assert parameter_count(network) == embedding + encoder + decoder + bridge + readout + bias


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"cell": "rnn"}, "cell must be one of gru, lstm"),
        ({"source_order": "backward"}, "source_order must be one of forward, reversed, bidir"),
        (
            {"context": ["additive"]},
            "context must be one of fixed_once, fixed_every_step, additive",
        ),
        ({"encoder_size": 0}, "encoder_size must be a whole number from 1"),
        ({"decoder_size": 12.5}, "decoder_size must be a whole number"),
        ({"attention_size": True}, "attention_size must be a whole number"),
        ({"embedding_size": "256"}, "embedding_size must be a whole number"),
        ({"vocabulary_size": 10**30}, "vocabulary_size must be a whole number from 1 to 1000000"),
        ({"dropout": 1.0}, "dropout must be a number from 0 to below 1"),
        ({"token_dropout": float("nan")}, "token_dropout must be a number"),
        ({"context": "dot"}, "equal width, not 256 and 512"),
    ],
)
def test_impossible_settings_are_named(sizes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        RecurrentConfig(**{"vocabulary_size": 100, **sizes})
