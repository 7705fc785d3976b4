"""What "decode again" changed."""

from __future__ import annotations

from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.length_penalty import PowerPenalty
from s2s_core.search.pool_change import pool_changes
from s2s_core.search.trace import BeamTrace
from tests.search.fakes import PrefixModel


def search(alpha: float) -> BeamTrace:
    config = SearchConfig(4, 7, PowerPenalty(alpha), "exhaust")
    return beam_search(PrefixModel(seed=4, end=1.0), "x y z", config)


def test_nothing_changes_from_a_search_to_itself() -> None:
    changes = pool_changes(search(0.6), search(0.6))
    assert [(c.before, c.after, c.what) for c in changes] == [(i, i, "same") for i in range(1, 5)]


def test_every_target_of_both_pools_has_its_ranks() -> None:
    before, after = search(0.0), search(2.0)
    changes = pool_changes(before, after)
    old = [h.token_ids for h in before.pool()]
    new = [h.token_ids for h in after.pool()]
    assert {c.hypothesis.token_ids for c in changes} == {*old, *new}
    for change in changes:
        ids = change.hypothesis.token_ids
        assert change.before == (old.index(ids) + 1 if ids in old else None)
        assert change.after == (new.index(ids) + 1 if ids in new else None)
    assert [c.hypothesis.token_ids for c in changes][: len(new)] == new
    assert {c.what for c in changes} >= {"new", "gone"}


def test_a_swap_is_up_and_down() -> None:
    found = set()
    for alpha in (0.2, 0.4, 0.6, 0.8, 1.0, 1.3, 1.6):
        found |= {change.what for change in pool_changes(search(0.0), search(alpha))}
    assert {"up", "down"} <= found
