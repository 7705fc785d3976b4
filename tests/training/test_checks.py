"""The checks pass on sound networks and fail on networks that do wrong on purpose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from s2s_core.errors import SourceError
from s2s_core.models.architectures import build_network
from s2s_core.models.checkpoint import checkpoint_names, load_model
from s2s_core.models.interface import StepOutput
from s2s_core.models.recurrent import RecurrentNetwork, RecurrentState
from s2s_core.models.transformer import TransformerNetwork
from s2s_core.models.translation import TrainedModel
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.training import checks
from s2s_core.training.checks import CHECKS, CheckResult, run_checks
from tests.models.networks import (
    NETWORKS,
    TRANSFORMERS,
    WITHOUT_ATTENTION,
    random_model,
    random_network,
    tiny_tokenizer,
)

ADDITIVE, TRANSFORMER = "gru-bidirectional-additive", "transformer-1-layer-1-head"
ATTENTION_ONLY = {
    "Padding gets no attention",
    "Weights sum to 1 over the source",
    "Attention on the first position",
}


def by_name(model: TrainedModel[Any]) -> dict[str, CheckResult]:
    return {result.name: result for result in run_checks(model)}


def failed(model: TrainedModel[Any]) -> set[str]:
    return {name for name, result in by_name(model).items() if result.outcome == "not passed"}


def sound(results: dict[str, CheckResult]) -> bool:
    return all(r.outcome != "not passed" for r in results.values())


@pytest.mark.parametrize("name", checkpoint_names())
def test_every_shipped_checkpoint_passes(name: str) -> None:
    results = by_name(load_model(name))
    assert sound(results), results
    assert results.keys() == CHECKS.keys()


@pytest.mark.parametrize(
    "name", [ADDITIVE, "lstm-reversed-fixed_once", "input-feeding-lstm-reversed-dot", *TRANSFORMERS]
)
def test_sound_networks_pass_whatever_their_weights(name: str) -> None:
    results = by_name(random_model(name))
    assert sound(results), results
    skipped = {n for n, r in results.items() if r.outcome == "doesn't apply"}
    assert skipped == (ATTENTION_ONLY if name in WITHOUT_ATTENTION else set())


def test_numbers_stand_behind_every_result() -> None:
    for result in run_checks(random_model(ADDITIVE)):
        assert result.why.endswith(".")
        assert result.numbers
        assert all(np.isfinite(value) for _, value in result.numbers)


@pytest.mark.parametrize("name", ["reverse-dot", "reverse-fixed-once", "reverse-transformer"])
@pytest.mark.parametrize("own", ["7", "0 1 2 3 4 5 6 7 8 9 " * 4])
def test_a_further_source_is_checked_with_the_others(name: str, own: str) -> None:
    results = {result.name: result for result in run_checks(load_model(name), own=own)}
    assert sound(results), results
    assert dict(results["A beam of one is greedy search"].numbers)["sources"] == 4


def test_a_further_source_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(SourceError, match="digits only"):
        run_checks(load_model("reverse-dot"), own="four")


def test_nothing_is_judged_about_the_first_position() -> None:
    assert by_name(random_model(ADDITIVE))["Attention on the first position"].outcome == "shown"


# --- models that do wrong ------------------------------------------------------------------------


class Changed(TrainedModel[Any]):
    """Changes what a sound model gives at each step."""

    def change(self, output: StepOutput[Any]) -> StepOutput[Any]:
        raise NotImplementedError

    def step(self, state: Any, last_ids: NDArray[np.integer]) -> StepOutput[Any]:
        return self.change(super().step(state, last_ids))


class HalfWeights(Changed):
    def change(self, output: StepOutput[Any]) -> StepOutput[Any]:
        assert output.cross_attention is not None
        return replace(output, cross_attention=output.cross_attention * 0.5)


class Noisy(Changed):
    """Its steps aren't what teacher forcing gives."""

    def change(self, output: StepOutput[Any]) -> StepOutput[Any]:
        tilt = np.linspace(0, -0.01, output.log_probs.shape[1], dtype=np.float32)
        tilted = output.log_probs + tilt
        return replace(output, log_probs=tilted - np.log(np.exp(tilted).sum(axis=1, keepdims=True)))


class Moody(Changed):
    """Every other step turns the distribution round: the same question, another answer."""

    steps = 0

    def change(self, output: StepOutput[Any]) -> StepOutput[Any]:
        self.steps += 1
        if self.steps % 3:
            return output
        return replace(output, log_probs=np.ascontiguousarray(output.log_probs[:, ::-1]))


class Unmasked(RecurrentNetwork):
    """Attends to padding."""

    def start(self, source: Tensor, mask: Tensor) -> RecurrentState:
        return replace(super().start(source, mask), mask=torch.ones_like(mask))


class TakesAnything(RecurrentNetwork):
    """Reads a source that is masked from end to end."""

    def start(self, source: Tensor, mask: Tensor) -> RecurrentState:
        return super().start(source, torch.ones_like(mask) if not mask.any() else mask)


class LooksAhead(TransformerNetwork):
    """Predicts each token from that token and the later ones."""

    def forward(self, source: Tensor, mask: Tensor, target_inputs: Tensor) -> Tensor:
        return super().forward(source, mask, target_inputs.roll(-1, dims=1))


class ReadsNothing(TransformerNetwork):
    """Doesn't read the target at all."""

    def forward(self, source: Tensor, mask: Tensor, target_inputs: Tensor) -> Tensor:
        return super().forward(source, mask, torch.ones_like(target_inputs))


class CountsPadding(TransformerNetwork):
    """What a sentence gets depends on how long the others of its batch are."""

    def forward(self, source: Tensor, mask: Tensor, target_inputs: Tensor) -> Tensor:
        return super().forward(source, mask, target_inputs) * (1 + 0.05 * target_inputs.shape[1])


def model_with(network_class: type[Any]) -> TrainedModel[Any]:
    torch.manual_seed(0)
    transformer = issubclass(network_class, TransformerNetwork)
    name = TRANSFORMER if transformer else ADDITIVE
    sizes = {"vocabulary_size": tiny_tokenizer().size, **NETWORKS[name]}
    plain = build_network("transformer" if transformer else "recurrent", sizes)
    network = network_class(plain.config)
    network.load_state_dict(random_network(name).state_dict())
    return TrainedModel(network, tiny_tokenizer(), source_language="en", target_language="fr")


def changed(kind: type[Changed]) -> TrainedModel[Any]:
    return kind(
        random_network(ADDITIVE), tiny_tokenizer(), source_language="en", target_language="fr"
    )


def test_attention_on_padding_is_seen() -> None:
    model = model_with(Unmasked)
    assert {"Padding gets no attention", "Padding doesn't count in the loss"} <= failed(model)
    numbers = dict(by_name(model)["Padding gets no attention"].numbers)
    assert numbers["largest weight on padding"] > 0


def test_a_loss_that_depends_on_padding_is_seen() -> None:
    assert "Padding doesn't count in the loss" in failed(model_with(CountsPadding))


def test_weights_that_sum_to_less_are_seen() -> None:
    assert failed(changed(HalfWeights)) == {"Weights sum to 1 over the source"}


@pytest.mark.parametrize("network", [LooksAhead, ReadsNothing])
def test_a_target_that_is_not_shifted_by_one_is_seen(network: type[Any]) -> None:
    assert "The decoder reads the target shifted by one" in failed(model_with(network))


def test_steps_unlike_teacher_forcing_are_seen() -> None:
    assert failed(changed(Noisy)) == {"Step by step equals all at once"}


def test_a_model_that_takes_an_all_masked_source_is_seen() -> None:
    model = model_with(TakesAnything)
    assert failed(model) == {"Empty batches and all-masked sources are refused"}
    assert "all masked" in by_name(model)["Empty batches and all-masked sources are refused"].why


def test_a_model_that_answers_differently_each_time_is_seen() -> None:
    assert "A beam of one is greedy search" in failed(changed(Moody))


def test_a_search_that_passes_the_limit_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def generous(model: Any, source: str, config: SearchConfig) -> Any:
        assert config.max_length is not None
        more = replace(config, max_length=config.max_length + 1)
        return beam_search(model, source, more)

    monkeypatch.setattr(checks, "beam_search", generous)
    assert "Generation stops at the limit" in failed(random_model(ADDITIVE))


def test_an_error_is_a_check_that_is_not_passed() -> None:
    class NotANumber(Changed):
        def change(self, output: StepOutput[Any]) -> StepOutput[Any]:
            return replace(output, log_probs=np.full_like(output.log_probs, np.nan))

    results = by_name(changed(NotANumber))
    assert {result.outcome for result in results.values()} == {"not passed"}
    assert all("log-probability of nan" in result.why for result in results.values())
