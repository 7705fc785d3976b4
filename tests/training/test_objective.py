"""Teacher forcing: the shift by one, what counts, and the loss by hand."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
import torch

from s2s_core.errors import EmptyBatchError, ModelInputError
from s2s_core.models.architectures import build_network
from s2s_core.models.network import Network
from s2s_core.training.objective import Batch, make_batch, teacher_forced_loss

PAD, BOS, EOS = 0, 1, 2
NETWORKS: dict[str, tuple[str, dict[str, Any]]] = {
    "additive GRU": ("recurrent", {"embedding_size": 8, "encoder_size": 8, "decoder_size": 8}),
    "fixed LSTM": (
        "recurrent",
        {"cell": "lstm", "source_order": "reversed", "context": "fixed_once", "encoder_size": 8},
    ),
    "Transformer": ("transformer", {"layers": 2, "width": 8, "heads": 2, "feed_forward_size": 8}),
}
every_network = pytest.mark.parametrize("name", NETWORKS)


def network_of(name: str, vocabulary: int = 6) -> Network[Any]:
    torch.manual_seed(0)
    architecture, sizes = NETWORKS[name]
    return build_network(architecture, {"vocabulary_size": vocabulary, "dropout": 0.0, **sizes})


def small_batch() -> Batch:
    """Sources [[3, 4, 5], [4, 5]] as they stand, without an end token, and targets [4, 3], [5]."""
    return Batch(
        source=torch.tensor([[3, 4, 5], [4, 5, PAD]]),
        source_mask=torch.tensor([[True, True, True], [True, True, False]]),
        inputs=torch.tensor([[BOS, 4, 3], [BOS, 5, PAD]]),
        targets=torch.tensor([[4, 3, EOS], [5, EOS, PAD]]),
        target_mask=torch.tensor([[True, True, True], [True, True, False]]),
    )


# --- batches -------------------------------------------------------------------------------------


def test_the_decoder_input_is_the_target_shifted_by_one() -> None:
    batch = make_batch([[8]], [[9, 4, 7]])
    assert batch.inputs.tolist() == [[BOS, 9, 4, 7]]
    assert batch.targets.tolist() == [[9, 4, 7, EOS]]


def test_targets_and_masks_of_the_small_batch() -> None:
    made, expected = make_batch([[3, 4], [4]], [[4, 3], [5]]), small_batch()
    assert torch.equal(made.inputs, expected.inputs)
    assert torch.equal(made.targets, expected.targets)
    assert torch.equal(made.target_mask, expected.target_mask)
    assert made.target_tokens == 5  # both end tokens count, the padding doesn't
    assert made.source.tolist() == [[3, 4, EOS], [4, EOS, PAD]]
    assert made.source_mask.tolist() == [[True, True, True], [True, True, False]]


def test_an_empty_target_still_counts_its_end_token() -> None:
    batch = make_batch([[3]], [[]])
    assert batch.inputs.tolist() == [[BOS]]
    assert batch.targets.tolist() == [[EOS]]
    assert batch.target_tokens == 1


def test_a_batch_without_pairs_is_refused() -> None:
    with pytest.raises(EmptyBatchError, match="at least one"):
        make_batch([], [])


def test_sides_that_dont_pair_are_refused() -> None:
    with pytest.raises(ModelInputError, match="2 sources but 1 targets"):
        make_batch([[3], [4]], [[5]])


# --- the loss ------------------------------------------------------------------------------------


@every_network
def test_the_small_batch_has_logits_2_3_6_and_finite_gradients_everywhere(name: str) -> None:
    network, batch = network_of(name), small_batch()
    logits = network.logits(network(batch.source, batch.source_mask, batch.inputs))
    assert logits.shape == (2, 3, 6)
    assert batch.target_tokens == 5
    optimiser = torch.optim.SGD(network.parameters(), lr=0.1)
    loss = teacher_forced_loss(network, batch)
    loss.backward()  # type: ignore[no-untyped-call]
    for parameter_name, parameter in network.named_parameters():
        assert parameter.grad is not None, parameter_name
        assert bool(torch.isfinite(parameter.grad).all()), parameter_name
    optimiser.step()
    with torch.no_grad():
        assert float(teacher_forced_loss(network, batch)) < float(loss.detach())


@every_network
def test_the_loss_is_the_mean_of_minus_log_p_over_the_tokens_that_count(name: str) -> None:
    network, batch = network_of(name), small_batch()
    with torch.no_grad():
        found = float(teacher_forced_loss(network, batch, label_smoothing=0.0))
        log_p = network.logits(network(batch.source, batch.source_mask, batch.inputs)).log_softmax(
            -1
        )
    counted = [(0, 0, 4), (0, 1, 3), (0, 2, EOS), (1, 0, 5), (1, 1, EOS)]
    expected = -sum(float(log_p[row, position, token]) for row, position, token in counted) / 5
    assert math.isclose(found, expected, rel_tol=1e-5)


@every_network
def test_label_smoothing_mixes_in_the_mean_over_the_vocabulary(name: str) -> None:
    network, batch = network_of(name), small_batch()
    with torch.no_grad():
        plain = float(teacher_forced_loss(network, batch))
        found = float(teacher_forced_loss(network, batch, label_smoothing=0.3))
        log_p = network.logits(network(batch.source, batch.source_mask, batch.inputs)).log_softmax(
            -1
        )
    uniform = -float(log_p[batch.target_mask].mean())
    assert math.isclose(found, 0.7 * plain + 0.3 * uniform, rel_tol=1e-5)


@every_network
def test_the_mean_is_over_tokens_and_not_over_sentences(name: str) -> None:
    network = network_of(name, vocabulary=12)
    long, short = make_batch([[3, 4]], [[5, 6, 7, 8]]), make_batch([[9]], [[]])
    both = make_batch([[3, 4], [9]], [[5, 6, 7, 8], []])
    with torch.no_grad():
        sums = [float(teacher_forced_loss(network, b)) * b.target_tokens for b in (long, short)]
        assert math.isclose(float(teacher_forced_loss(network, both)), sum(sums) / 6, rel_tol=1e-4)


def loss_and_gradients(network: Network[Any], batch: Batch) -> tuple[float, list[torch.Tensor]]:
    network.zero_grad()
    loss = teacher_forced_loss(network, batch)
    loss.backward()  # type: ignore[no-untyped-call]
    gradients = [p.grad.clone() for p in network.parameters() if p.grad is not None]
    return float(loss.detach()), gradients


@every_network
def test_what_stands_in_the_padding_changes_neither_loss_nor_gradient(name: str) -> None:
    network, batch = network_of(name), small_batch()
    other = dataclasses.replace(
        batch,
        source=batch.source.masked_fill(~batch.source_mask, 4),
        inputs=batch.inputs.masked_fill(~batch.target_mask, 3),
        targets=batch.targets.masked_fill(~batch.target_mask, 5),
    )
    loss, gradients = loss_and_gradients(network, batch)
    other_loss, other_gradients = loss_and_gradients(network, other)
    assert math.isclose(loss, other_loss, rel_tol=1e-6)
    for gradient, other_gradient in zip(gradients, other_gradients, strict=True):
        torch.testing.assert_close(gradient, other_gradient, rtol=0, atol=1e-6)


@every_network
def test_more_padding_changes_nothing(name: str) -> None:
    network = network_of(name)
    batch = small_batch()
    longer = Batch(
        *(
            torch.cat([tensor, torch.zeros(2, 3, dtype=tensor.dtype)], dim=1)
            for tensor in (
                batch.source, batch.source_mask, batch.inputs, batch.targets, batch.target_mask,
            )
        )
    )  # fmt: skip
    loss, gradients = loss_and_gradients(network, batch)
    longer_loss, longer_gradients = loss_and_gradients(network, longer)
    assert math.isclose(loss, longer_loss, rel_tol=1e-5)
    for gradient, longer_gradient in zip(gradients, longer_gradients, strict=True):
        torch.testing.assert_close(gradient, longer_gradient, rtol=0, atol=1e-5)


def test_a_batch_without_a_valid_target_token_is_refused() -> None:
    batch = dataclasses.replace(small_batch(), target_mask=torch.zeros(2, 3, dtype=torch.bool))
    with pytest.raises(EmptyBatchError, match="no valid target token"):
        teacher_forced_loss(network_of("additive GRU"), batch)


@every_network
def test_training_in_bfloat16_gives_a_float32_loss_near_the_exact_one(name: str) -> None:
    network, batch = network_of(name), small_batch()
    exact, _ = loss_and_gradients(network, batch)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = teacher_forced_loss(network, batch)
    assert loss.dtype == torch.float32
    assert abs(float(loss.detach()) - exact) < 0.05
    loss.backward()  # type: ignore[no-untyped-call]
    assert all(
        bool(torch.isfinite(p.grad).all()) for p in network.parameters() if p.grad is not None
    )
