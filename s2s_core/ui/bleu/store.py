"""Results kept between runs and shared between visitors, bounded in number and in size.

The key is the whole request, compared value by value, so that no two can be taken for one another.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class Store(Generic[V]):
    """Keeps what was used last; safe to use from several threads."""

    def __init__(self, *, entries: int, weight: int) -> None:
        """Make an empty one.

        entries: the most that are kept.
        weight: the most that they may weigh together, in whatever unit `get` is told.
        """
        self._entries, self._weight = entries, weight
        self._kept: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], V], *, weight: int) -> V:
        """The value of a key; it is made if it isn't kept. A failure isn't kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
        value = make()  # unlocked, so that nobody waits for somebody else's text
        with self._lock:
            self._kept[key] = (value, weight)
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and self._is_full():
                self._kept.popitem(last=False)
        return value

    def _is_full(self) -> bool:
        weighed = sum(weight for _, weight in self._kept.values())
        return len(self._kept) > self._entries or weighed > self._weight

    def __len__(self) -> int:
        return len(self._kept)
