"""What the decoder reads in training: the schedules' formulas, and the mixture itself."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.errors import ConfigError, SettingError
from s2s_core.training.config import load_config
from s2s_core.training.objective import Batch, make_batch, teacher_forced_loss
from s2s_core.training.scheduled_sampling import mixed_inputs, training_loss
from s2s_core.training.schedules import FALLING, ObjectiveConfig
from s2s_core.training.trainer import Trainer
from tests.training.corpora import write_corpus
from tests.training.test_objective import BOS, EOS, every_network, network_of

VOCABULARY = 13
every_schedule = pytest.mark.parametrize("name", FALLING)


def batch() -> Batch:
    sources = [[3, 4, 5, 6], [7, 8], [9, 10, 11]]
    return make_batch(sources, [row[::-1] for row in sources])


# --- schedules -----------------------------------------------------------------------------------


@every_schedule
@given(half=st.integers(1, 100_000))
def test_a_falling_schedule_is_at_one_half_at_half(name: str, half: int) -> None:
    assert math.isclose(FALLING[name](half, half), 0.5, abs_tol=1e-6)


@every_schedule
@given(half=st.integers(10, 10_000), step=st.integers(0, 10**7))
def test_a_schedule_stays_a_share_and_never_rises(name: str, half: int, step: int) -> None:
    now, later = (FALLING[name](each, half) for each in (step, step + 1))
    assert 0 <= later <= now <= 1


def test_the_schedules_are_those_of_the_paper() -> None:
    half = 200
    c, k = 1 / (2 * half), 2 ** (-1 / half)
    sigmoid = next(k for k in (n / 1000 for n in range(2000, 10**6)) if k * math.log(k) >= half)
    for step in (0, 1, 77, 200, 350, 399, 401, 1000):
        assert math.isclose(FALLING["linear"](step, half), max(0, 1 - c * step), abs_tol=1e-9)
        assert math.isclose(FALLING["exponential"](step, half), k**step)
        expected = sigmoid / (sigmoid + math.exp(step / sigmoid))
        assert math.isclose(FALLING["inverse_sigmoid"](step, half), expected, abs_tol=1e-4)


def test_the_least_share_holds_to_the_end() -> None:
    objective = ObjectiveConfig(schedule="linear", half=10, least=0.25)
    assert [objective.share_at(step) for step in (0, 10, 15, 10**6)] == [1.0, 0.5, 0.25, 0.25]


@pytest.mark.parametrize(
    ("settings", "teacher_forcing"),
    [
        ({}, True),
        ({"share": 0.99}, False),
        ({"schedule": "exponential"}, False),
        ({"schedule": "linear", "least": 1.0}, True),
    ],
)
def test_what_counts_as_teacher_forcing(settings: dict[str, object], teacher_forcing: bool) -> None:
    assert ObjectiveConfig(**settings).teacher_forcing is teacher_forcing  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"schedule": "cosine"}, "constant, linear"),
        ({"prediction": "beam"}, "argmax, sample"),
        ({"share": 1.01}, "share must be from 0 to 1"),
        ({"least": -0.1}, "least must be from 0 to 1"),
        ({"share": math.nan}, "share must be from 0 to 1"),
        ({"half": 0}, "half must be at least 1"),
    ],
)
def test_a_wrong_objective_is_named(settings: dict[str, object], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        ObjectiveConfig(**settings)  # type: ignore[arg-type]


# --- the mixture ---------------------------------------------------------------------------------


@every_network
def test_share_1_is_teacher_forcing_exactly_and_draws_nothing(name: str) -> None:
    network, given = network_of(name, VOCABULARY), batch()
    before = torch.get_rng_state()
    assert torch.equal(mixed_inputs(network, given, share=1.0), given.inputs)
    loss = training_loss(network, given, ObjectiveConfig(), step=3, label_smoothing=0.1)
    assert torch.equal(loss, teacher_forced_loss(network, given, label_smoothing=0.1))
    assert torch.equal(torch.get_rng_state(), before)


@every_network
def test_share_0_reads_what_the_network_writes_when_it_runs_free(name: str) -> None:
    network, given = network_of(name, VOCABULARY), batch()
    written = [given.inputs[:, 0]]
    with torch.no_grad():  # each position anew from the whole prefix: no state is carried along
        for _ in range(given.inputs.shape[1] - 1):
            prefix = torch.stack(written, dim=1)
            logits = network.logits(network(given.source, given.source_mask, prefix))[:, -1]
            logits[:, [0, BOS]] = -torch.inf
            written.append(logits.argmax(dim=1))
    assert torch.equal(mixed_inputs(network, given, share=0.0), torch.stack(written, dim=1))


@every_network
def test_every_input_is_the_true_token_or_what_follows_from_the_mixture(name: str) -> None:
    network, given = network_of(name, VOCABULARY), batch()
    mixed = mixed_inputs(network, given, share=0.5, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        logits = network.logits(network(given.source, given.source_mask, mixed))
    logits[..., [0, BOS]] = -torch.inf
    own = logits.argmax(dim=-1)[:, :-1]
    assert bool(((mixed[:, 1:] == given.inputs[:, 1:]) | (mixed[:, 1:] == own)).all())
    assert not torch.equal(mixed, given.inputs)


def test_the_share_is_the_share() -> None:
    network, given = (
        network_of("additive GRU", VOCABULARY),
        make_batch([[3]] * 400, [[12] * 20] * 400),
    )
    with torch.no_grad():
        network.output_bias[5] = 1000  # type: ignore[index, operator]  # it only ever writes 5
    mixed = mixed_inputs(network, given, share=0.3, generator=torch.Generator().manual_seed(2))
    inputs = mixed[:, 1:]
    assert {*inputs.flatten().tolist()} == {5, 12} and bool((mixed[:, 0] == BOS).all())
    assert math.isclose(float((inputs == 12).float().mean()), 0.3, abs_tol=0.02)


def test_drawn_tokens_follow_the_networks_distribution() -> None:
    network, given = network_of("additive GRU", VOCABULARY), make_batch([[3]] * 4000, [[12]] * 4000)
    with torch.no_grad():
        first = network(given.source[:1], given.source_mask[:1], given.inputs[:1, :1])
        logits = network.logits(first)[0, 0]
    logits[[0, BOS]] = -torch.inf
    generator = torch.Generator().manual_seed(3)
    drawn = mixed_inputs(network, given, share=0.0, sample=True, generator=generator)[:, 1]
    found = torch.bincount(drawn, minlength=VOCABULARY) / len(drawn)
    assert torch.allclose(found, logits.softmax(dim=0), atol=0.03)
    assert len({*drawn.tolist()}) > 2


@every_network
def test_no_gradient_flows_through_the_choice(name: str) -> None:
    network, given = network_of(name, VOCABULARY), batch()
    objective = ObjectiveConfig(share=0.0)
    training_loss(network, given, objective, step=0).backward()  # type: ignore[no-untyped-call]
    found = [p.grad.clone() for p in network.parameters() if p.grad is not None]
    network.zero_grad()
    fixed = dataclasses.replace(given, inputs=mixed_inputs(network, given, share=0.0))
    teacher_forced_loss(network, fixed).backward()  # type: ignore[no-untyped-call]
    expected = [p.grad for p in network.parameters() if p.grad is not None]
    assert len(found) == len([*network.parameters()])
    assert all(torch.equal(a, b) for a, b in zip(found, expected, strict=True))


def test_targets_stay_what_they_are() -> None:
    given = batch()
    assert given.targets[0].tolist() == [6, 5, 4, 3, EOS]
    mixed_inputs(network_of("additive GRU", VOCABULARY), given, share=0.0)
    assert given.inputs[0].tolist() == [BOS, 6, 5, 4, 3]


def test_an_impossible_share_is_named() -> None:
    with pytest.raises(SettingError, match="from 0 to 1"):
        mixed_inputs(network_of("additive GRU", VOCABULARY), batch(), share=1.5)


# --- in a training configuration -----------------------------------------------------------------


def test_a_configuration_may_have_an_objective(tmp_path: Path) -> None:
    path = write_corpus(tmp_path)
    assert load_config(path).objective == ObjectiveConfig()
    path.write_text(path.read_text() + '\n[objective]\nschedule = "linear"\nhalf = 20\n')
    assert load_config(path).objective == ObjectiveConfig(schedule="linear", half=20)
    path.write_text(path.read_text().replace("half = 20", "half = 0"))
    with pytest.raises(ConfigError, match="half must be at least 1"):
        load_config(path)


def test_the_objective_changes_what_a_run_learns_and_marks_its_state(tmp_path: Path) -> None:
    config = load_config(write_corpus(tmp_path))
    free = dataclasses.replace(config, objective=ObjectiveConfig(share=0.0))
    for each, folder in ((config, "a"), (free, "b")):
        Trainer(each, data=tmp_path, folder=tmp_path / folder).train()
    first, second = (
        Trainer(each, data=tmp_path, folder=tmp_path / folder).network.state_dict()
        for each, folder in ((config, "a"), (free, "b"))
    )
    assert any(not torch.equal(first[name], second[name]) for name in first)
    with pytest.raises(Exception, match="another run"):
        Trainer(config, data=tmp_path, folder=tmp_path / "b")
