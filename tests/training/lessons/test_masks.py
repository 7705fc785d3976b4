"""The three masks: the anchor batch, what each omission does, and what can't be read."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_core.errors import EmptyBatchError, EmptySourceError, ModelInputError
from s2s_core.training.lessons.mask_batch import case_batch
from s2s_core.training.lessons.mask_case import (
    IGNORE,
    PACKING,
    WEIGHTS,
    MaskCase,
    Row,
    names,
    parse_case,
)
from s2s_core.training.lessons.masks import (
    LEARNING_RATE,
    MaskSettings,
    build,
    gradients,
    run,
    teach_masks,
)
from s2s_core.training.objective import teacher_forced_loss

ANCHOR = parse_case("3 4 5 / 4 5 PAD", "4 3 EOS / 5 EOS PAD")
CONTEXTS = ("additive", "dot", "general", "scaled_dot")
ROWS = st.lists(st.integers(3, 8), min_size=1, max_size=4).map(tuple)
CASES = st.lists(st.tuples(ROWS, ROWS), min_size=1, max_size=3).map(
    lambda pairs: MaskCase(tuple(s for s, _ in pairs), tuple((*t, 2) for _, t in pairs))
)


@pytest.mark.parametrize("context", CONTEXTS)
def test_the_anchor_has_logits_2_3_6_five_valid_tokens_and_finite_gradients(context: str) -> None:
    lesson = teach_masks(MaskSettings(ANCHOR, context))
    assert lesson.source == ((3, 4, 5), (4, 5, 0))
    assert lesson.inputs == ((1, 4, 3), (1, 5, 0))
    assert lesson.targets == ((4, 3, 2), (5, 2, 0))
    assert lesson.logits_shape == (2, 3, 6) and lesson.valid == 5
    assert lesson.states_shape == (2, 3, 16)
    names_ = {name for name, _ in build(MaskSettings(ANCHOR, context)).named_parameters()}
    assert {step.name for step in lesson.steps} == names_
    assert all(step.finite and step.gradient_norm > 0 for step in lesson.steps)
    assert lesson.loss_after < lesson.effect("").loss


def test_the_training_step_goes_down_the_gradient_of_torchs_own_optimiser() -> None:
    network, batch = build(MaskSettings(ANCHOR)), case_batch(ANCHOR)
    optimiser = torch.optim.SGD(network.parameters(), lr=LEARNING_RATE)
    teacher_forced_loss(network, batch).backward()  # type: ignore[no-untyped-call]
    norms = {n: float(p.grad.norm()) for n, p in network.named_parameters() if p.grad is not None}
    optimiser.step()
    lesson = teach_masks(MaskSettings(ANCHOR))
    assert lesson.loss_after == pytest.approx(run(network, batch).loss.item(), abs=1e-5)
    for step in lesson.steps:
        assert step.gradient_norm == pytest.approx(norms[step.name], abs=1e-6)


@pytest.mark.parametrize("order", ["forward", "reversed", "bidirectional"])
@settings(max_examples=8, deadline=None)
@given(case=CASES)
def test_with_all_masks_the_batch_has_the_loss_of_its_sentences_one_by_one(
    order: str, case: MaskCase
) -> None:
    lesson = teach_masks(MaskSettings(case, "additive", order))
    assert lesson.effect("").loss == pytest.approx(lesson.alone, abs=1e-5)
    assert lesson.effect("").padding_weight == 0.0
    assert lesson.valid == sum(map(len, case.targets))


@pytest.mark.parametrize("context", CONTEXTS)
def test_with_all_masks_it_is_the_loss_that_training_uses(context: str) -> None:
    setting = MaskSettings(ANCHOR, context)
    network, batch = build(setting), case_batch(ANCHOR)
    expected = teacher_forced_loss(network, batch)
    found = run(network, batch).loss
    assert float(found.detach()) == pytest.approx(float(expected.detach()), abs=1e-6)
    for name, gradient in gradients(network, expected).items():
        torch.testing.assert_close(gradients(network, found)[name], gradient)


def test_each_omission_changes_what_it_is_about() -> None:
    lesson = teach_masks(MaskSettings(ANCHOR))
    right, packing = lesson.effect(""), lesson.effect(PACKING)
    weights, ignore = lesson.effect(WEIGHTS), lesson.effect(IGNORE)
    assert packing.state_change > 1e-3 and packing.padding_weight == 0 and packing.counted == 5
    assert weights.padding_weight > 0.2 and weights.state_change == 0 and weights.counted == 5
    assert ignore.counted == 6 and ignore.state_change == 0 and ignore.padding_weight == 0
    for effect in (packing, weights, ignore):
        assert abs(effect.loss - right.loss) > 1e-5
        assert effect.gradient_change > 1e-3
    assert right.gradient_change == 0


def test_without_ignore_the_loss_is_the_mean_over_all_six_positions() -> None:
    network, batch = build(MaskSettings(ANCHOR)), case_batch(ANCHOR)
    each = run(network, batch, IGNORE)
    log_probs = torch.log_softmax(each.logits, dim=-1)
    by_hand = -log_probs.gather(2, batch.targets.unsqueeze(-1)).mean()
    assert float(each.loss.detach()) == pytest.approx(float(by_hand.detach()), abs=1e-6)


@settings(max_examples=8, deadline=None)
@given(row=ROWS, target=ROWS)
def test_a_batch_without_padding_needs_no_mask(row: Row, target: Row) -> None:
    case = MaskCase((row, row), ((*target, 2), (*target, 2)))
    lesson = teach_masks(MaskSettings(case))
    assert len({round(effect.loss, 5) for effect in lesson.effects}) == 1
    assert max(effect.gradient_change for effect in lesson.effects) < 1e-4


def test_the_same_settings_give_the_same_numbers() -> None:
    assert teach_masks(MaskSettings(ANCHOR, seed=4)) == teach_masks(MaskSettings(ANCHOR, seed=4))
    assert teach_masks(MaskSettings(ANCHOR)) != teach_masks(MaskSettings(ANCHOR, seed=4))


def test_a_batch_without_a_valid_target_is_the_named_error() -> None:
    with pytest.raises(EmptyBatchError, match="no valid target token"):
        teach_masks(MaskSettings(parse_case("3 4 / 5 PAD", "PAD PAD / PAD PAD")))


def test_a_target_of_padding_alone_beside_others_counts_nothing() -> None:
    lesson = teach_masks(MaskSettings(parse_case("3 4 / 5", "4 / PAD")))
    assert lesson.valid == 2
    assert math.isfinite(lesson.effect("").loss)
    assert lesson.effect("").loss == pytest.approx(lesson.alone, abs=1e-6)


def test_a_source_of_padding_alone_is_the_named_error() -> None:
    with pytest.raises(EmptySourceError, match="source 2"):
        teach_masks(MaskSettings(parse_case("3 4 / PAD", "4 / 5")))


def test_rows_can_be_typed_in_several_ways() -> None:
    assert MaskCase(((3, 4, 5), (4, 5)), ((4, 3, 2), (5, 2))) == ANCHOR
    assert parse_case("3, 4,5\n4 5", "4 3\n5 eos") == ANCHOR
    assert ANCHOR.vocabulary == 6 and parse_case("3", "9").vocabulary == 10
    assert names((0, 1, 2, 3)) == ("PAD", "BOS", "EOS", "3")


@pytest.mark.parametrize(
    ("sources", "targets", "message"),
    [
        ("3 4", "4 / 5", "1 sources but 2 targets"),
        ("3 PAD 4", "4", "only at the end"),
        ("3", "4 EOS 5", "EOS stands only"),
        ("3 x", "4", "'x' can't stand in a source"),
        ("3", "BOS", "'BOS' can't stand in a target"),
        ("3", "100", "3 to 99"),
        ("", "", "empty"),
        ("3 " * 21, "4", "at most 20"),
        (" / ".join("3" * 9), " / ".join("3" * 9), "at most 8 rows"),
    ],
)
def test_what_can_not_be_read_is_named(sources: str, targets: str, message: str) -> None:
    with pytest.raises(ModelInputError, match=message):
        parse_case(sources, targets)
