"""Teacher forcing, free running, and a mistake on the way."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_core.errors import PrefixError, SettingError
from s2s_core.models.checkpoint import checkpoint_folder, load_checkpoint
from s2s_core.search.greedy import greedy_search
from s2s_core.search.score import score_target
from s2s_core.training.lessons.free_running import Mistake, tell_error
from tests.models.networks import random_model

NAMES = ("gru-bidirectional-additive", "lstm-forward-fixed_once", "transformer-2-layers-4-heads")
SOURCE = "Where is the cat?"


@pytest.mark.parametrize("name", ["reverse-additive", "reverse-fixed-every-step"])
def test_after_5_at_step_2_step_3_reads_5_and_not_4(name: str) -> None:
    model = load_checkpoint(checkpoint_folder(name))
    ids = model.target.ids("9 4 7")
    (five,) = model.target.ids("5")
    story = tell_error(model, "7 4 9", ids, Mistake(2, five))
    assert [row.read for row in story.rows] == ["<s>", "▁9", "▁4", "▁7"]
    assert [step.read for step in story.forced] == ["<s>", "▁9", "▁4", "▁7"]
    assert [step.read for step in story.disturbed[:3]] == ["<s>", "▁9", "▁5"]
    assert story.disturbed[1].put_in and not story.disturbed[1].right
    assert story.free[2].read == "▁4"


def test_attention_recovers_from_the_mistake_and_a_fixed_vector_does_not() -> None:
    told = {}
    for name in ("reverse-additive", "reverse-fixed-every-step"):
        model = load_checkpoint(checkpoint_folder(name))
        mistake = Mistake(2, model.target.ids("5")[0])
        told[name] = tell_error(model, "7 4 9", model.target.ids("9 4 7"), mistake)
    assert told["reverse-additive"].recovered
    assert told["reverse-additive"].after_mistake == (2, 2)
    assert not told["reverse-fixed-every-step"].recovered


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15, deadline=None)
@given(ids=st.lists(st.integers(3, 400), min_size=1, max_size=8))
def test_teacher_forcing_gives_the_models_own_probabilities(name: str, ids: list[int]) -> None:
    model = random_model(name)
    scored = score_target(model, SOURCE, (*ids, model.target.eos_id))
    for step, log_prob in zip(tell_error(model, SOURCE, ids).forced, scored.token_log_probs,
                              strict=True):  # fmt: skip
        found = {c.token_id: c.probability for c in step.choices}
        if step.wanted_id in found:
            assert found[step.wanted_id] == pytest.approx(math.exp(log_prob), abs=1e-6)
        else:
            assert math.exp(log_prob) <= min(found.values()) + 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_free_running_is_greedy_search(name: str) -> None:
    model = random_model(name)
    best = greedy_search(model, SOURCE).best
    story = tell_error(model, SOURCE, (5, 6))
    assert tuple(step.written_id for step in story.free) == best.token_ids
    assert not story.disturbed and story.after_mistake == (0, 0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("step", [1, 2])
def test_a_mistake_goes_on_as_greedy_search_does_with_that_prefix_forced(
    name: str, step: int
) -> None:
    model = random_model(name)
    story = tell_error(model, SOURCE, (5, 6, 7), Mistake(step, 9))
    prefix = (*(s.written_id for s in story.free[: step - 1]), 9)
    best = greedy_search(model, SOURCE, forced_ids=prefix).best
    assert tuple(s.written_id for s in story.disturbed) == best.token_ids
    reads = [s.read_id for s in story.disturbed]
    assert reads[1:] == [s.written_id for s in story.disturbed[:-1]]


def test_a_mistake_that_is_none_changes_nothing() -> None:
    model = random_model(NAMES[0])
    free = tell_error(model, SOURCE, (5, 6)).free
    story = tell_error(model, SOURCE, (5, 6), Mistake(1, free[0].written_id))
    assert [s.written_id for s in story.disturbed] == [s.written_id for s in free]


@pytest.mark.parametrize("step", [0, 4])
def test_a_step_that_the_target_lacks_is_refused(step: int) -> None:
    with pytest.raises(SettingError, match="1 to 3"):
        tell_error(random_model(NAMES[0]), SOURCE, (5, 6), Mistake(step, 9))


def test_padding_can_not_be_put_in() -> None:
    with pytest.raises(PrefixError):
        tell_error(random_model(NAMES[0]), SOURCE, (5, 6), Mistake(1, 0))
