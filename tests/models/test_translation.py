"""Trained models: what they read, what they refuse, and that they are read-only."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from s2s_core.errors import EmptySourceError, SourceTooLongError
from s2s_core.models.translation import MAXIMUM_SOURCE_TOKENS, TrainedModel, pad
from s2s_core.text.tokenizer import EOS_ID
from tests.models.networks import NETWORKS, random_model, random_network, tiny_tokenizer

NAME = "gru-bidirectional-additive"


def test_source_tokens_end_with_the_end_token_and_are_the_columns() -> None:
    model = random_model(NAME)
    (tokens,), state = model.encode(["The cat saw the dog."])
    assert tokens[-1] == "</s>"
    assert tokens == tuple(map(model.tokenizer.token, model.source_ids("The cat saw the dog.")))
    weights = model.step(state, np.array([1])).cross_attention
    assert weights is not None
    assert weights.shape[-1] == len(tokens)


def test_a_typed_end_token_does_not_end_the_source() -> None:
    ids = random_model(NAME).source_ids("The </s> cat.")
    assert ids.count(EOS_ID) == 1
    assert ids[-1] == EOS_ID


def test_the_text_that_is_read_is_the_normalised_one() -> None:
    model = random_model(NAME)
    prepared = model.prepare("  The   cat  ")
    assert prepared.changed
    assert model.source_ids("  The   cat  ") == [*model.tokenizer.encode(prepared.text), EOS_ID]


def test_the_longest_source_is_accepted_and_one_token_more_is_not() -> None:
    model = random_model(NAME)
    digits = MAXIMUM_SOURCE_TOKENS - len(model.source_ids("1")) + 1  # a digit is a token
    assert len(model.source_ids("1" * digits)) == MAXIMUM_SOURCE_TOKENS
    with pytest.raises(SourceTooLongError, match="401 tokens, but at most 400"):
        model.source_ids("1" * (digits + 1))
    with pytest.raises(SourceTooLongError):
        model.encode(["The cat.", "1" * (digits + 1)])


def test_a_blank_source_says_what_to_do() -> None:
    with pytest.raises(EmptySourceError, match="type a sentence"):
        random_model(NAME).source_ids(" \t ")


def test_a_model_is_switched_to_evaluation() -> None:
    network = random_network(NAME).train()
    TrainedModel(network, tiny_tokenizer(), source_language="en", target_language="fr")
    assert not any(module.training for module in network.modules())


def test_decoding_records_no_gradients() -> None:
    model = random_model(NAME)
    _, state = model.encode(["The cat."])
    assert not state.memory.requires_grad
    assert not model.step(state, np.array([1])).state.hidden.requires_grad


def test_padding_stands_on_the_right_and_is_masked() -> None:
    ids, mask = pad([[5, 6, 7], [8]])
    assert ids.tolist() == [[5, 6, 7], [8, 0, 0]]
    assert mask.tolist() == [[True, True, True], [True, False, False]]


@pytest.mark.parametrize("name", NETWORKS)
def test_preparing_to_decode_changes_no_value(name: str) -> None:
    network, prepared = random_network(name), random_network(name)
    prepared.prepare_decoding()
    for before, after in zip(network.parameters(), prepared.parameters(), strict=True):
        assert torch.equal(before, after)
        assert after.ndim != 2 or after.t().is_contiguous()
    ids, mask = pad([[300, 301, 302, 2], [303, 2]])
    with torch.inference_mode():
        found, expected = (
            one.step(one.start(ids, mask), torch.tensor([1, 1])).logits
            for one in (prepared, network)
        )
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)
