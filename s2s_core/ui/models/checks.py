"""The checks, run on the chosen model: a result a line, and the numbers behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from s2s_core.errors import SourceError
from s2s_core.ui import cached, literal, saving, sentence, shell, state
from s2s_core.ui.exercises import progress
from s2s_core.ui.exercises.facts import Checked
from s2s_core.ui.shared_link import SOURCE, check_source

if TYPE_CHECKING:
    from s2s_core.training.checks import CheckResult

_SIGNS = {"passed": "✓", "not passed": "✗", "doesn't apply": "–", "shown": "○"}


def draw(name: str) -> None:
    """Run the checks on a checkpoint and draw what they found.

    Raises:
        CheckpointError: there is none of that name, or it is damaged.
    """
    own = _draw_own()
    try:
        results = cached.checks(name, check_source(own))
    except SourceError as error:
        st.error(literal.code(shell.as_sentence(str(error))), icon=":material/error:")
        own = ""
        results = cached.checks(name, own)
    progress.watch(Checked(results))
    judged = [r for r in results if r.outcome in ("passed", "not passed")]
    passed = sum(r.outcome == "passed" for r in judged)
    literal.show(f"{passed} of {len(judged)} checks passed", look="translation")
    failed = [place for place, r in enumerate(results) if r.outcome == "not passed"]
    literal.table(
        ("result", "check", "why", "numbers"),
        [
            (f"{_SIGNS[r.outcome]}\u00a0{r.outcome}", r.name, r.why, numbers_line(r.numbers))
            for r in results
        ],
        marked=failed,
    )
    from s2s_core.training.checks import TARGET_LIMIT, checked_sources  # loads torch

    st.caption(
        "Run on this model as it is loaded, with these sources and at most the first "
        f"{TARGET_LIMIT} tokens of what it writes for them. What is shown isn't judged."
    )
    sources = checked_sources(cached.model(name).source_language, own)
    literal.show("  ·  ".join(sources), look="small")
    with st.container(horizontal=True):
        st.button(
            "Run again", icon=":material/replay:", on_click=cached.checks.clear, args=(name, own)
        )
        saving.table("Checks", lambda: checks_frame(results))


def _draw_own() -> str:
    """Draw the box for a further source → what stands in it."""
    st.text_input(
        "A further source, of your own",
        key=SOURCE.name,
        placeholder="None: the checks have three of their own",
    )
    sentence.draw_foreign()
    return state.get(SOURCE)


def numbers_line(numbers: Sequence[tuple[str, float]]) -> str:
    """Numbers with their names: `rows 39 · furthest from 1 1.7e-07`."""
    return " · ".join(f"{name}: {value:.4g}" for name, value in numbers)


def checks_frame(results: Sequence[CheckResult]) -> pd.DataFrame:
    """One row a number; a check without numbers has one row."""
    return pd.DataFrame(
        {
            "check": result.name,
            "result": result.outcome,
            "why": result.why,
            "number": name,
            "value": value,
        }
        for result in results
        for name, value in (result.numbers or (("", None),))
    )
