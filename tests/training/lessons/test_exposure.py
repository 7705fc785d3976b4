"""Right tokens by position, their intervals, and the arithmetic of independent tokens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_core.errors import EmptyBatchError, ModelInputError
from s2s_core.models.checkpoint import CHECKPOINTS, checkpoint_folder, load_card, load_checkpoint
from s2s_core.search.greedy import greedy_search
from s2s_core.search.table import ProbabilityTable
from s2s_core.text.tasks import held_out_pairs
from s2s_core.training.lessons.exposure import (
    Exposure,
    PositionCount,
    all_right,
    measure_exposure,
    wilson_interval,
)
from s2s_core.training.lessons.exposure_file import MeasuredExposure, from_json, measured, to_json
from s2s_core.training.lessons.free_running import tell_error
from tests.models.networks import random_model

NAMES = ("gru-bidirectional-additive", "lstm-forward-fixed_once", "transformer-2-layers-4-heads")
SOURCES = ("Where is the cat?", "the dog", "She bought 12 red apples.")


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=5, deadline=None)
@given(
    targets=st.tuples(*[st.lists(st.integers(3, 400), max_size=5)] * 3),
    own=st.booleans(),
)
def test_a_batch_counts_what_single_runs_show(
    name: str, targets: tuple[list[int], ...], own: bool
) -> None:
    model = random_model(name)
    wanted = [list(target) for target in targets]
    if own:  # else hardly a token of a random network would be right
        wanted[0] = list(greedy_search(model, SOURCES[0]).best.token_ids[:4])
        wanted[0] = [i for i in wanted[0] if i != model.target.eos_id]
    found = measure_exposure(model, SOURCES, wanted)
    counts: dict[int, list[int]] = {}
    whole = later = later_forced = later_free = 0
    for source, target in zip(SOURCES, wanted, strict=True):
        story = tell_error(model, source, target)
        forced = [step.right for step in story.forced]
        free = [step.right for step in story.free][: len(forced)]
        free += [False] * (len(forced) - len(free))
        for place, (a, b) in enumerate(zip(forced, free, strict=True), start=1):
            row = counts.setdefault(place, [0, 0, 0])
            counts[place] = [row[0] + 1, row[1] + a, row[2] + b]
        whole += all(free)
        if not all(free):
            first = free.index(False) + 1
            later += len(free) - first
            later_forced += sum(forced[first:])
            later_free += sum(free[first:])
    rows = tuple(PositionCount(place, *counts[place]) for place in sorted(counts))
    assert found == Exposure(3, whole, rows, later, later_forced, later_free)


def test_after_an_end_token_nothing_is_right() -> None:
    # The end is always the likeliest, so on its own the model writes nothing else.
    model = ProbabilityTable({}, default={"EOS": 0.6, "A": 0.4})
    found = measure_exposure(model, ["", ""], [model.target.ids("A"), ()])
    assert found.positions == (PositionCount(1, 2, 1, 1), PositionCount(2, 1, 1, 0))
    assert (found.whole, found.later, found.later_forced, found.later_free) == (1, 1, 1, 0)


@pytest.mark.parametrize("name", ["reverse-fixed-once", "reverse-fixed-every-step"])
def test_a_fixed_vector_does_better_after_the_true_prefix(name: str) -> None:
    model = load_checkpoint(checkpoint_folder(name))
    pairs = held_out_pairs("reverse", "test", shortest=10, longest=10, per_length=40)
    found = measure_exposure(
        model, [pair.source for pair in pairs], [model.target.ids(pair.target) for pair in pairs]
    )
    assert found.targets == 40 and found.tokens == 40 * 11
    assert found.forced_share > found.free_share + 0.1
    assert found.later_forced > found.later_free
    first = found.positions[0]
    assert first.forced == first.free  # both have read BOS alone


def test_nothing_and_halves_are_refused() -> None:
    model = random_model(NAMES[0])
    with pytest.raises(EmptyBatchError):
        measure_exposure(model, [], [])
    with pytest.raises(ModelInputError, match="1 sources but 2"):
        measure_exposure(model, ["a"], [[5], [6]])


@pytest.mark.parametrize(("p", "expected"), [(0.99, 0.8179), (0.95, 0.3585), (0.90, 0.1216)])
def test_twenty_independent_tokens(p: float, expected: float) -> None:
    assert round(all_right(p, 20), 4) == expected


def test_wilson_intervals_are_those_of_the_textbook() -> None:
    # Wilson's interval for 8 of 10 at 95 %, as any statistics text has it: 0.490 to 0.943.
    assert wilson_interval(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson_interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    with pytest.raises(EmptyBatchError):
        wilson_interval(0, 0)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_share_lies_in_its_interval_within_0_and_1(count: tuple[int, int]) -> None:
    low, high = wilson_interval(*count)
    assert 0 <= low <= count[0] / count[1] <= high <= 1


def test_the_file_comes_back_unchanged() -> None:
    exposure = Exposure(2, 1, (PositionCount(1, 2, 2, 1), PositionCount(2, 1, 1, 0)), 1, 1, 0)
    figures = (MeasuredExposure("a", "b “c”", exposure),)
    assert from_json(to_json(figures)) == figures


def test_the_figures_that_come_with_the_program_hang_together() -> None:
    assert {each.name for each in measured()} >= {"en-fr-additive-gru", "zh-en-additive-gru"}
    for each in measured():
        found = each.exposure
        assert load_card(CHECKPOINTS / each.name).name == each.name
        assert found.positions[0].count == found.targets
        assert found.positions[0].forced == found.positions[0].free
        assert found.later >= max(found.later_forced, found.later_free)
        counts = [p.count for p in found.positions]
        assert counts == sorted(counts, reverse=True)
