"""The shift table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.errors import PrefixError
from s2s_core.models.checkpoint import checkpoint_folder, load_checkpoint
from s2s_core.training.lessons.shift import shift_table
from s2s_core.training.objective import make_batch
from tests.models.networks import tiny_tokenizer

TARGET = tiny_tokenizer()
IDS = st.lists(st.integers(3, TARGET.size - 1), max_size=12)


def test_the_inputs_for_9_4_7_are_bos_9_4_7_and_the_targets_9_4_7_eos() -> None:
    target = load_checkpoint(checkpoint_folder("reverse-additive")).target
    rows = shift_table(target, target.ids("9 4 7"))
    assert [row.read.strip("▁") for row in rows] == ["<s>", "9", "4", "7"]
    assert [row.wanted.strip("▁") for row in rows] == ["9", "4", "7", "</s>"]
    assert [row.step for row in rows] == [1, 2, 3, 4]


@given(IDS)
def test_the_table_is_what_a_training_batch_holds(ids: list[int]) -> None:
    batch, rows = make_batch([[5]], [ids]), shift_table(TARGET, ids)
    assert [row.read_id for row in rows] == batch.inputs[0].tolist()
    assert [row.wanted_id for row in rows] == batch.targets[0].tolist()


@pytest.mark.parametrize("token_id", [0, 1, 2, TARGET.size])
def test_what_no_target_holds_is_refused(token_id: int) -> None:
    with pytest.raises(PrefixError):
        shift_table(TARGET, [5, token_id])
