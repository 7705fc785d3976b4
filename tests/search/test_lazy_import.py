"""What an import of the package loads, asked of a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys

import pytest

import s2s_core.search

HEAVY = ("torch", "pandas", "streamlit", "plotly", "transformers")

SEARCH = """
from s2s_core.search import ProbabilityTable, beam_search, build_tree, exact_search
table = ProbabilityTable({"": {"a": 1.0}}, default={"EOS": 1.0})
trace = beam_search(table, "")
build_tree(trace)
exact_search(table, "")
type(trace).from_json(trace.to_json())
"""


def loaded(code: str) -> set[str]:
    report = f"{code}\nimport sys\nprint(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", report], capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in result.stdout.split()}


def test_importing_the_package_loads_no_array_library() -> None:
    assert not loaded("import s2s_core.search") & {"numpy", *HEAVY}


def test_a_search_on_a_table_loads_numpy_only() -> None:
    names = loaded(SEARCH)
    assert "numpy" in names
    assert not names & set(HEAVY)


@pytest.mark.parametrize("name", s2s_core.search.__all__)
def test_every_promised_name_is_there(name: str) -> None:
    assert getattr(s2s_core.search, name) is not None
    assert name in dir(s2s_core.search)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'beam_serach'"):
        s2s_core.search.beam_serach  # noqa: B018
