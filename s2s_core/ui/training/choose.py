"""A field that names a checkpoint, brought to one of those that a tab can show."""

from __future__ import annotations

from collections.abc import Sequence

from s2s_core.ui import state
from s2s_core.ui.link import LinkField


def settle(field: LinkField[str], names: Sequence[str]) -> None:
    """Keep the field's value if it is one of the names (at least one); before its control."""
    if state.get(field) in names:
        return
    if field.default in names:
        state.refuse(field, f"one of {', '.join(names)}")
    state.put(field, names[0])
