"""Results that are kept: each made once, and bounded."""

from __future__ import annotations

import pytest

from s2s_core.ui.bleu.store import Store


def test_a_value_is_made_once() -> None:
    store: Store[int] = Store(entries=2, weight=100)
    assert store.get("a", lambda: 1, weight=1) == 1
    assert store.get("a", lambda: 2, weight=1) == 1


def test_what_was_used_longest_ago_goes_first() -> None:
    store: Store[int] = Store(entries=2, weight=100)
    for key in ("a", "b", "a", "c"):
        store.get(key, lambda: 1, weight=1)
    assert store.get("a", lambda: 2, weight=1) == 1
    assert store.get("b", lambda: 2, weight=1) == 2


def test_heavy_values_push_others_out_but_the_newest_stays() -> None:
    store: Store[int] = Store(entries=9, weight=10)
    store.get("a", lambda: 1, weight=6)
    store.get("b", lambda: 1, weight=6)
    assert len(store) == 1
    store.get("c", lambda: 3, weight=50)
    assert len(store) == 1 and store.get("c", lambda: 4, weight=50) == 3


def test_a_failure_is_not_kept() -> None:
    store: Store[float] = Store(entries=2, weight=10)
    with pytest.raises(ZeroDivisionError):
        store.get("a", lambda: 1 / 0, weight=1)
    assert store.get("a", lambda: 2.0, weight=1) == 2.0
