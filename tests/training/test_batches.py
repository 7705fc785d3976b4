"""Batches: every pair once, little padding, the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.training.batches import EncodedPairs, batches
from s2s_core.training.objective import Batch

sides = st.lists(st.integers(3, 50), min_size=0, max_size=12)


def rows(batch: Batch) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The pairs of a batch, without padding, EOS and BOS."""
    result = []
    for i in range(len(batch.source)):
        source = batch.source[i][batch.source_mask[i]].tolist()[:-1]
        target = batch.targets[i][batch.target_mask[i]].tolist()[:-1]
        result.append((tuple(source), tuple(target)))
    return result


@given(st.lists(st.tuples(sides, sides), min_size=1, max_size=40), st.integers(1, 60))
def test_each_pair_comes_once_and_batches_keep_to_the_budget(
    pairs: list[tuple[list[int], list[int]]], batch_tokens: int
) -> None:
    encoded = EncodedPairs(tuple(tuple(s) for s, _ in pairs), tuple(tuple(t) for _, t in pairs))
    made = list(batches(encoded, batch_tokens=batch_tokens, generator=np.random.default_rng(0)))
    assert sorted(row for batch in made for row in rows(batch)) == sorted(
        (tuple(s), tuple(t)) for s, t in pairs
    )
    for batch in made:
        assert batch.targets.numel() <= batch_tokens or len(batch.targets) == 1


def test_the_order_depends_on_the_generator_alone() -> None:
    encoded = EncodedPairs(tuple((3 + i,) for i in range(30)), tuple((3 + i,) for i in range(30)))

    def order(seed: int) -> list[object]:
        made = batches(encoded, batch_tokens=8, generator=np.random.default_rng(seed))
        return [rows(batch) for batch in made]

    assert order(1) == order(1)
    assert order(1) != order(2)


def test_pairs_of_like_length_share_a_batch() -> None:
    lengths = np.random.default_rng(0).integers(1, 30, 500)
    encoded = EncodedPairs(tuple((3,) * n for n in lengths), tuple((3,) * n for n in lengths))
    made = list(batches(encoded, batch_tokens=400, generator=np.random.default_rng(1)))
    tokens = sum(batch.target_tokens for batch in made)
    assert tokens / sum(batch.targets.numel() for batch in made) == pytest.approx(1, abs=0.05)
