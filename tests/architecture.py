"""Reads the project's imports from its source text, without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "s2s_core"


@dataclass(frozen=True)
class Import:
    """One import: who, whom, and when.

    importer, imported: full module names.
    typing_only: it stands under `if TYPE_CHECKING`.
    deferred: it stands in a function, and runs when that is called.
    """

    importer: str
    imported: str
    typing_only: bool
    deferred: bool


@cache
def sources() -> dict[str, Path]:
    """Every Python file of the product by module name: `s2s_core.…`, `pages.…` and `app`."""
    files = [*(ROOT / PACKAGE).rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    return {module_name(path): path for path in sorted([*files, *ROOT.glob("app.py")])}


def module_name(path: Path) -> str:
    """The dotted name of a file below the root."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree(module: str) -> ast.Module:
    """The parsed file of a module."""
    return ast.parse(sources()[module].read_text(encoding="utf-8"))


@cache
def imports() -> tuple[Import, ...]:
    """All imports of the product."""
    return tuple(found for module in sources() for found in imports_of(tree(module), module))


def imports_of(node: ast.AST, module: str) -> Iterator[Import]:
    """The imports in one parsed module."""
    yield from _walk(node, module, typing_only=False, deferred=False)


def _walk(node: ast.AST, module: str, *, typing_only: bool, deferred: bool) -> Iterator[Import]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        for name in _names(node):
            yield Import(module, name, typing_only, deferred)
    deferred |= isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    guarded = _typing_only_part(node)
    for child in ast.iter_child_nodes(node):
        inside = typing_only or child in guarded
        yield from _walk(child, module, typing_only=inside, deferred=deferred)


def _typing_only_part(node: ast.AST) -> list[ast.stmt]:
    """The statements under `if TYPE_CHECKING`; [] for any other node."""
    guards = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    return node.body if isinstance(node, ast.If) and guards else []


def _names(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Full names of what is imported; `from package import module` names the module."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    if node.level:
        raise AssertionError("imports in this project are absolute")
    for alias in node.names:
        deeper = f"{node.module}.{alias.name}"
        yield deeper if deeper in sources() else str(node.module)


def cycle(edges: dict[str, set[str]]) -> list[str]:
    """The first cycle found, as the modules along it; [] if there is none."""
    done: set[str] = set()

    def visit(module: str, path: list[str]) -> list[str]:
        if module in path:
            return [*path[path.index(module) :], module]
        if module in done:
            return []
        for following in sorted(edges.get(module, ())):
            found = visit(following, [*path, module])
            if found:
                return found
        done.add(module)
        return []

    return next((found for module in sorted(edges) if (found := visit(module, []))), [])
