"""Who may import whom, what is never loaded by accident, and what is never done at all."""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from pathlib import Path

import pytest

import s2s_core
from tests.architecture import PACKAGE, Import, cycle, imports, imports_of, sources, tree
from tests.cli.tiny import write_checkpoint
from tests.search.test_lazy_import import loaded

HEAVY = {"torch", "pandas", "streamlit", "plotly", "transformers"}

BASE = {"errors", "options", "lazy"}
RESULTS = {*BASE, "search", "metrics", "models.checkpoint"}
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "lazy": set(),
    "options": {"errors"},
    "text": BASE,
    "metrics": BASE,
    "models": {*BASE, "text"},
    "search": {*BASE, "models.interface"},
    "training": {*BASE, "search", "models", "text", "metrics"},
    "figures": RESULTS,
    "ui": {*RESULTS, "figures"},
    "pages": {*RESULTS, "figures", "ui"},
    "cli": {*BASE, "search", "metrics", "models", "training", "front door"},
    "front door": {*RESULTS, "figures", "text"},
}
"""The picture: the parts of the project, and the parts that each may import."""

ADDED = {
    "cli": {"text"},  # `evaluate` reads a corpus
    # The note that says what normalisation changed, and the type that `load_checkpoint` gives.
    # The pages that compare models, and the checks, which run training and search on a model.
    "ui": {
        *{"text", "models.card", "models.translation", "models.families", "models.cost"},
        "training.checks",
        # Live training and the lessons of the Training page; both load torch when they need it.
        *{"training.live", "training.lessons", "training.schedules"},
        # The Attention page: attention on typed numbers, and a model opened up.
        *{"models.hand_case", "models.hand_presets", "models.attention_by_hand"},
        *{"models.inspection", "models.along_target", "models.occlusion", "models.replacement"},
    },
    "figures": {
        *{"models.card", "models.families", "models.cost"},
        *{f"training.lessons.{name}" for name in ("free_running", "exposure", "dependencies")},
    },
}
"""What the picture doesn't show. Text lies at the bottom, below the models that read it."""

HOMES = {
    "streamlit": ("ui", "pages"),
    "plotly": ("figures",),
    "torch": ("models", "training"),
    "safetensors.torch": ("models", "training"),
}
"""Libraries that only some parts may know."""

TORCH_FREE = {"s2s_core.models.interface", "s2s_core.models.card"}
"""Modules of `models` that every part may load at no cost."""


def part(module: str) -> str:
    """The part of the project that a module belongs to."""
    if module == "app" or module.startswith("pages."):
        return "pages"
    if module == PACKAGE:
        return "front door"
    name = module.removeprefix(f"{PACKAGE}.").partition(".")[0]
    return "cli" if name == "__main__" else name


def may_import(importer: str, imported: str) -> bool:
    """Whether one module may import another, both of this project."""
    here, there = part(importer), part(imported)
    allowed = ALLOWED[here] | ADDED.get(here, set())
    inside = imported.removeprefix(f"{PACKAGE}.")
    within = (inside == each or inside.startswith(f"{each}.") for each in allowed)
    return here == there or there in allowed or any(within)


def wrong_directions(found: tuple[Import, ...]) -> list[str]:
    """The imports within the project that go against the picture."""
    return sorted(
        f"{each.importer} → {each.imported}"
        for each in found
        if each.imported.partition(".")[0] == PACKAGE
        and not may_import(each.importer, each.imported)
    )


def strangers(found: tuple[Import, ...]) -> list[str]:
    """The imports of a library by a part that may not know it."""
    return sorted(
        f"{each.importer} → {each.imported}"
        for each in found
        for library, homes in HOMES.items()
        if each.imported == library or each.imported.startswith(f"{library}.")
        if part(each.importer) not in homes or (library == "torch" and each.importer in TORCH_FREE)
    )


def test_imports_follow_the_picture() -> None:
    assert wrong_directions(imports()) == []


def test_only_some_parts_know_a_library() -> None:
    assert strangers(imports()) == []


def test_transformers_has_one_adapter() -> None:
    assert len({i.importer for i in imports() if i.imported.startswith("transformers")}) <= 1


def test_there_are_no_import_cycles() -> None:
    edges: dict[str, set[str]] = defaultdict(set)
    for each in imports():
        if not each.typing_only and each.imported in sources():
            edges[each.importer].add(each.imported)
    assert cycle(edges) == []


@pytest.mark.parametrize(
    ("importer", "line"),
    [
        ("s2s_core.search.beam", "import s2s_core.models.recurrent"),
        ("s2s_core.search.beam", "from s2s_core.models import translation"),
        ("s2s_core.text.corpus", "from s2s_core.models.interface import State"),
        ("s2s_core.ui.cached", "if TYPE_CHECKING:\n    import s2s_core.training.trainer"),
        ("s2s_core.figures.theme", "def f():\n    from s2s_core.ui import shell"),
        ("pages.1_Decode", "from s2s_core.models.translation import TrainedModel"),
    ],
)
def test_a_wrong_direction_is_seen(importer: str, line: str) -> None:
    assert wrong_directions(tuple(imports_of(ast.parse(line), importer)))


@pytest.mark.parametrize(
    ("importer", "line"),
    [
        ("s2s_core.search.beam", "import torch.nn as nn"),
        ("s2s_core.models.interface", "import torch"),
        ("s2s_core.ui.charts", "from plotly import graph_objects"),
        ("s2s_core.figures.theme", "import streamlit as st"),
        ("s2s_core.cli.main", "def f():\n    import torch"),
    ],
)
def test_a_stranger_is_seen(importer: str, line: str) -> None:
    assert strangers(tuple(imports_of(ast.parse(line), importer)))


def test_a_cycle_is_seen() -> None:
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert cycle({"a": {"b", "c"}, "b": {"c"}}) == []


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not loaded("import s2s_core") & {"numpy", *HEAVY}


def test_reading_a_card_loads_nothing_heavy(tmp_path: Path) -> None:
    folder = write_checkpoint(tmp_path / "tiny", context="additive")
    code = f"""
from pathlib import Path
from s2s_core.models.checkpoint import load_card
load_card(Path({str(folder)!r}))
"""
    assert not loaded(code) & {"numpy", *HEAVY}


def command(*arguments: str) -> str:
    """Code that runs a command as `python -m s2s_core` does, with its output sent away."""
    return f"""
import contextlib, io, runpy, sys
sys.argv = ["s2s_core", *{json.dumps(arguments)}]
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()) as out:
    runpy.run_module("s2s_core", run_name="__main__")
assert out.getvalue()
"""


def test_search_on_a_table_loads_numpy_and_nothing_heavier(tmp_path: Path) -> None:
    table = tmp_path / "table.json"
    table.write_text('{"start": "B", "eos": "E", "next": {}, "default": {"E": 1}}')
    names = loaded(command("search", "--table", str(table), "--json"))
    assert "numpy" in names
    assert not names & HEAVY


@pytest.mark.parametrize("name", ["bleu", "compare"])
def test_scoring_texts_loads_nothing_heavy(tmp_path: Path, name: str) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("a b c d e\n")
    systems = {"bleu": ["--hypotheses"], "compare": ["--system", str(lines), "--baseline"]}
    options = (*systems[name], str(lines), "--references", str(lines), "--json")
    names = loaded(command(name, *options))
    assert "sacrebleu" in names
    assert not names & HEAVY


def test_other_commands_do_not_load_what_bleu_needs() -> None:
    assert "sacrebleu" not in loaded(command("models", "--json"))


def test_models_loads_nothing_heavy() -> None:
    assert not loaded(command("models", "--json")) & HEAVY


@pytest.mark.parametrize("name", s2s_core.__all__)
def test_every_name_of_the_front_door_is_there(name: str) -> None:
    assert getattr(s2s_core, name) is not None
    assert name in dir(s2s_core)


def test_the_front_door_tells_type_checkers_what_it_loads() -> None:
    guarded = {
        f"{node.module}.{alias.name}"
        for guard in tree(PACKAGE).body
        if isinstance(guard, ast.If)
        for node in guard.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    home_of = {name: home for home, names in s2s_core._HOMES.items() for name in names}
    assert guarded == {f"{PACKAGE}.{home}.{name}" for name, home in home_of.items()}
    assert {*home_of, "__version__"} == set(s2s_core.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'load_modle'"):
        s2s_core.load_modle  # noqa: B018


@pytest.mark.parametrize("module", [m for m in sources() if part(m) == "pages"])
def test_a_page_is_thin(module: str) -> None:
    assert len(sources()[module].read_text(encoding="utf-8").splitlines()) <= 140


def dangers(node: ast.AST) -> list[str]:
    """What runs code from data, or lets typed text become markup."""
    found = []
    for each in ast.walk(node):
        match each:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                modules = {alias.name for alias in names} | {getattr(each, "module", None)}
                found += sorted({"pickle", "marshal", "shelve", "dill", "joblib"} & modules)
            case ast.Call(func=ast.Name(id="eval" | "exec" as name)):
                found.append(name)
            case ast.Attribute(value=ast.Name(id="torch"), attr="load"):
                found.append("torch.load")
            case ast.keyword(arg="unsafe_allow_html"):
                found.append("unsafe_allow_html")
    return found


def test_nothing_runs_code_from_data_or_trusts_typed_markup() -> None:
    assert {module: dangers(tree(module)) for module in sources() if dangers(tree(module))} == {}


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "from pickle import loads",
        "eval(text)",
        "torch.load(path)",
        "st.markdown(text, unsafe_allow_html=True)",
    ],
)
def test_a_danger_is_seen(line: str) -> None:
    assert dangers(ast.parse(line))
