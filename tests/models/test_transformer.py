"""The Transformer: its layers against torch's, positions, causality, the cache, half precision."""

from __future__ import annotations

import dataclasses
import math
import operator
from collections.abc import Iterable
from typing import Any, cast

import pytest
import torch
from torch import Tensor, nn

from s2s_core.errors import ConfigError
from s2s_core.models.architectures import build_network
from s2s_core.models.network import select_rows
from s2s_core.models.transformer import TransformerNetwork
from s2s_core.models.transformer_config import TransformerConfig
from s2s_core.models.transformer_layers import DecoderLayer, EncoderLayer, positions
from s2s_core.models.transformer_step import Source, decoder_layer_step, layer_weights
from tests.models.networks import TRANSFORMERS, random_network

NAME = "transformer-2-layers-4-heads"
WIDTH, HEADS, INNER = 16, 4, 20
IDS = torch.tensor([[300, 301, 302, 303, 2], [304, 305, 2, 0, 0]])
MASK = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
TARGETS = torch.tensor([[1, 310, 311, 312], [1, 313, 314, 315]])


def network_of(name: str = NAME) -> TransformerNetwork:
    network = random_network(name)
    assert isinstance(network, TransformerNetwork)
    return network


# --- layers, against torch's with the same weights -----------------------------------------------


def copy_linear(target: nn.Linear, source: nn.Linear) -> None:
    target.weight.copy_(source.weight)
    target.bias.copy_(source.bias)


def copy_norm(target: nn.LayerNorm, source: nn.LayerNorm) -> None:
    target.weight.copy_(source.weight)
    target.bias.copy_(source.bias)


def copy_attention(target: nn.MultiheadAttention, parts: list[nn.Linear], out: nn.Linear) -> None:
    assert target.in_proj_weight is not None
    target.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
    target.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
    copy_linear(target.out_proj, out)


def settings() -> dict[str, Any]:
    return {
        "d_model": WIDTH, "nhead": HEADS, "dim_feedforward": INNER, "dropout": 0.0,
        "batch_first": True, "norm_first": True,
    }  # fmt: skip


def test_an_encoder_layer_equals_torchs() -> None:
    layer = cast(EncoderLayer, network_of().encoder[0])
    oracle = nn.TransformerEncoderLayer(**settings())
    with torch.no_grad():
        copy_attention(oracle.self_attn, [layer.attention.query_key_value], layer.attention.output)
        copy_norm(oracle.norm1, layer.attention_norm)
        copy_norm(oracle.norm2, layer.feed_forward_norm)
        copy_linear(oracle.linear1, layer.feed_forward.widen)
        copy_linear(oracle.linear2, layer.feed_forward.narrow)
        x = torch.randn(2, 5, WIDTH)
        found = layer(x, MASK[:, None, None, :])
        expected = oracle(x, src_key_padding_mask=~MASK)
    torch.testing.assert_close(found[MASK], expected[MASK], rtol=0, atol=1e-5)


def test_a_decoder_layer_equals_torchs() -> None:
    layer = cast(DecoderLayer, network_of().decoder[1])
    oracle = nn.TransformerDecoderLayer(**settings())
    cross = layer.cross_attention
    with torch.no_grad():
        copy_attention(oracle.self_attn, [layer.attention.query_key_value], layer.attention.output)
        copy_attention(oracle.multihead_attn, [cross.query, cross.key_value], cross.output)
        copy_norm(oracle.norm1, layer.attention_norm)
        copy_norm(oracle.norm2, layer.cross_attention_norm)
        copy_norm(oracle.norm3, layer.feed_forward_norm)
        copy_linear(oracle.linear1, layer.feed_forward.widen)
        copy_linear(oracle.linear2, layer.feed_forward.narrow)
        x, memory = torch.randn(2, 4, WIDTH), torch.randn(2, 5, WIDTH)
        bias = torch.zeros(2, 1, 1, 5).masked_fill(~MASK[:, None, None], -math.inf)
        source = cross.project(memory)
        found = layer(x, source, bias)
        past = x.new_zeros(2, 2, HEADS, 0, WIDTH // HEADS)
        one_by_one, weights_found = [], []
        for position in x.unbind(dim=1):
            after, past, attended = decoder_layer_step(
                position, layer_weights(layer), past=past, source=Source(*source, bias), given=None
            )
            one_by_one.append(after)
            weights_found.append(attended.weights)
        later = nn.Transformer.generate_square_subsequent_mask(4) < 0
        expected = oracle(x, memory, tgt_mask=later, memory_key_padding_mask=~MASK)
        # torch's own weights, by head, for what stands before cross-attention.
        asks = x + oracle._sa_block(oracle.norm1(x), later, None)
        _, weights = oracle.multihead_attn(
            oracle.norm2(asks), memory, memory, ~MASK, average_attn_weights=False
        )
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)
    torch.testing.assert_close(torch.stack(one_by_one, 1), expected, rtol=0, atol=1e-5)
    torch.testing.assert_close(torch.stack(weights_found, 2), weights, rtol=0, atol=1e-5)


@pytest.mark.parametrize("hidden", [False, True])
def test_a_source_that_all_rows_share_gives_what_each_rows_own_gives(hidden: bool) -> None:
    network = network_of().eval()
    source, mask = torch.tensor([[5, 6, 7, 8]]), torch.ones(1, 4, dtype=torch.bool)
    with torch.inference_mode():
        alone, twice = (network.start(source.expand(n, -1), mask.expand(n, -1)) for n in (1, 2))
        assert alone.shared and not twice.shared
        if hidden:
            at = torch.tensor([[False, True, False, False]])
            alone, twice = network.hide_source(alone, at), network.hide_source(twice, at)
        for ids in ([1, 1], [4, 9], [3, 5]):
            rows = torch.tensor(ids)
            if len(alone.past[0]) == 1:
                alone = select_rows(alone, torch.tensor([0, 0]))
            seen, expected = network.inspect(alone, rows, None), network.inspect(twice, rows, None)
            for name in ("scores", "query", "context", "decoder_state"):
                torch.testing.assert_close(
                    getattr(seen, name), getattr(expected, name), rtol=0, atol=1e-5
                )
            torch.testing.assert_close(seen.step.logits, expected.step.logits, rtol=0, atol=1e-4)
            alone, twice = seen.step.state, expected.step.state


def test_a_source_too_long_to_pay_is_not_multiplied_in() -> None:
    network = network_of().eval()
    most = 2 * WIDTH // HEADS
    for length in (most, most + 1):
        source = torch.full((1, length), 5)
        state = network.start(source, torch.ones_like(source, dtype=torch.bool))
        assert bool(state.shared) == (length == most)


# --- positions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("position", [0, 1, 7, 511, 512, 1023, 1024, 5000])
def test_positions_are_the_sinusoids_of_the_paper_without_a_last_one(position: int) -> None:
    expected = []
    for i in range(WIDTH // 2):
        angle = position / 10000 ** (2 * i / WIDTH)
        expected += [math.sin(angle), math.cos(angle)]
    found = positions(position, 1, WIDTH)
    assert found.shape == (1, WIDTH)
    torch.testing.assert_close(found[0], torch.tensor(expected), rtol=0, atol=1e-3)


def test_a_stretch_of_positions_is_the_single_ones_in_order() -> None:
    stretch = positions(510, 5, WIDTH)
    single = torch.cat([positions(position, 1, WIDTH) for position in range(510, 515)])
    assert torch.equal(stretch, single)


def test_positions_first_met_while_decoding_can_be_trained_with() -> None:
    network = build_network(
        "transformer", {"vocabulary_size": 20, **TRANSFORMERS[NAME], "width": 24}
    )
    ids, mask = torch.tensor([[5, 6, 7]]), torch.ones(1, 3, dtype=torch.bool)
    with torch.inference_mode():
        network.start(ids, mask)
    network.logits(network(ids, mask, ids)).sum().backward()  # type: ignore[no-untyped-call]


def test_long_sources_and_targets_work_beyond_the_first_table_of_positions() -> None:
    network = network_of("transformer-1-layer-1-head")
    ids = torch.randint(259, 420, (1, 600), generator=torch.Generator().manual_seed(0))
    mask = torch.ones(1, 600, dtype=torch.bool)
    with torch.inference_mode():
        assert bool(torch.isfinite(network(ids, mask, ids)).all())


def test_the_order_of_the_source_matters() -> None:
    network = network_of()
    swapped = IDS[:1, [1, 0, 2, 3, 4]]
    with torch.inference_mode():
        straight = network(IDS[:1], MASK[:1], TARGETS[:1])
        assert not torch.allclose(network(swapped, MASK[:1], TARGETS[:1]), straight, atol=1e-3)


# --- masks and causality -------------------------------------------------------------------------


@pytest.mark.parametrize("changed", [1, 2, 3])
def test_a_target_position_is_seen_by_itself_and_later_ones_only(changed: int) -> None:
    network = network_of()
    other = TARGETS.clone()
    other[:, changed] = 350
    with torch.inference_mode():
        before, after = network(IDS, MASK, TARGETS), network(IDS, MASK, other)
    for position in range(4):
        same = torch.equal(before[:, position], after[:, position])
        assert same == (position < changed)


@pytest.mark.parametrize("name", TRANSFORMERS)
def test_what_stands_in_the_padding_changes_nothing(name: str) -> None:
    network = network_of(name)
    other = IDS.clone()
    other[1, 3:] = 333
    with torch.inference_mode():
        assert torch.equal(network(IDS, MASK, TARGETS), network(other, MASK, TARGETS))


# --- the cache -----------------------------------------------------------------------------------


def test_source_keys_are_computed_once_and_target_keys_grow_by_one_without_changing() -> None:
    network = network_of()
    with torch.inference_mode():
        state = network.start(IDS, MASK)
        for position in range(3):
            after = network.step(state, TARGETS[:, position]).state
            assert after.source_keys is state.source_keys
            assert after.source_values is state.source_values
            for old, new in zip(state.past, after.past, strict=True):
                assert new.shape == (2, 2, HEADS, position + 1, WIDTH // HEADS)
                assert torch.equal(new[..., :position, :], old)
                assert position == 0 or new.data_ptr() != old.data_ptr()
            state = after


def test_selecting_rows_selects_them_in_every_tensor_of_the_state() -> None:
    network = network_of()
    with torch.inference_mode():
        state = network.step(network.start(IDS, MASK), TARGETS[:, 0]).state
        chosen = select_rows(state, torch.tensor([1, 1, 0]))
    for name in ("source_keys", "source_values", "past"):
        for old, new in zip(getattr(state, name), getattr(chosen, name), strict=True):
            assert torch.equal(new, old[[1, 1, 0]])
    assert torch.equal(chosen.memory, state.memory[[1, 1, 0]])
    assert torch.equal(chosen.bias, state.bias[[1, 1, 0]])


def test_rows_of_one_source_share_what_was_read_of_it() -> None:
    network = network_of()
    with torch.inference_mode():
        alone = network.start(IDS[:1], MASK[:1])
        rows = select_rows(alone, torch.tensor([0, 0, 0]))
        assert all(map(operator.is_, rows.source_keys, alone.source_keys))
        assert rows.memory is alone.memory
        assert len(rows.past[0]) == 3
        # Copied by hand instead of shared, the rows give the same.
        copied = dataclasses.replace(
            rows,
            memory=rows.memory.repeat(3, 1, 1),
            bias=rows.bias.repeat(3, 1, 1, 1),
            source_keys=tuple(keys.repeat(3, 1, 1, 1) for keys in rows.source_keys),
            source_values=tuple(values.repeat(3, 1, 1, 1) for values in rows.source_values),
        )
        ids = torch.tensor([1, 5, 6])
        shared, apart = network.step(rows, ids), network.step(copied, ids)
    torch.testing.assert_close(shared.logits, apart.logits, rtol=0, atol=1e-5)
    assert shared.attention is not None and apart.attention is not None
    torch.testing.assert_close(shared.attention, apart.attention, rtol=0, atol=1e-6)


# --- training ------------------------------------------------------------------------------------


@pytest.mark.parametrize("half", [False, True])
def test_a_training_step_gives_every_parameter_a_finite_gradient(half: bool) -> None:
    torch.manual_seed(0)
    network = build_network("transformer", {"vocabulary_size": 420, **TRANSFORMERS[NAME]})
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=half):
        logits = network.logits(network(IDS, MASK, TARGETS))
        assert logits.dtype == (torch.bfloat16 if half else torch.float32)
        logits.float().logsumexp(-1).sum().backward()  # type: ignore[no-untyped-call]
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name
        assert bool(torch.isfinite(parameter.grad).all()), name
        assert bool(parameter.grad.any()), name


def test_only_the_table_of_embeddings_has_the_size_of_the_vocabulary() -> None:
    network = network_of()
    size = network.config.vocabulary_size
    assert [n for n, p in network.named_parameters() if size in p.shape] == ["embedding.weight"]


# --- settings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"heads": 3}, r"width must be even and a multiple of heads \(3\), not 256"),
        ({"width": 15, "heads": 5}, "width must be even"),
        ({"layers": 0}, "layers must be a whole number from 1 to 48"),
        ({"layers": 10**9}, "layers must be a whole number from 1 to 48"),
        ({"feed_forward_size": [4]}, "feed_forward_size must be a whole number"),
        ({"dropout": "0.1"}, "dropout must be a number"),
    ],
)
def test_impossible_settings_are_named(sizes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        TransformerConfig(**{"vocabulary_size": 100, **sizes})


def parameter_sum(tensors: Iterable[Tensor]) -> int:
    return sum(tensor.numel() for tensor in tensors)


def test_parameter_count_by_hand() -> None:
    network = build_network("transformer", {"vocabulary_size": 100, **TRANSFORMERS[NAME]})
    norm, attention = 2 * WIDTH, 4 * (WIDTH * WIDTH + WIDTH)
    inner = WIDTH * INNER + INNER + INNER * WIDTH + WIDTH
    encoder, decoder = attention + inner + 2 * norm, 2 * attention + inner + 3 * norm
    expected = 100 * WIDTH + 2 * (encoder + decoder) + 2 * norm
    assert parameter_sum(network.parameters()) == expected
