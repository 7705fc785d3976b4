"""Text: normalisation, and the names of the modules beside it, loaded at first use.

A name is exported by one line in `_MODULES`, and one in the block for type checkers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

# Not lazy: the module has the function's name, and importing a module puts it into its package, so
# a lazy `normalise` would be the function or the module, depending on who came first. It is light.
from s2s_core.text.normalise import normalise

if TYPE_CHECKING:
    from s2s_core.text.normalise import LANGUAGES, Change, Normalised

_MODULES = {
    "LANGUAGES": "s2s_core.text.normalise",
    "Change": "s2s_core.text.normalise",
    "Normalised": "s2s_core.text.normalise",
}

__all__ = ["LANGUAGES", "Change", "Normalised", "normalise"]


def __getattr__(name: str) -> object:
    """Import the module of an exported name (PEP 562).

    Raises:
        AttributeError: the name isn't exported.
    """
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the exported names, loaded or not."""
    return sorted(set(globals()) | set(__all__))
