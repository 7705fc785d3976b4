"""Searches that the figure tests draw."""

from __future__ import annotations

import pytest

from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.greedy import greedy_search
from s2s_core.search.trace import BeamTrace
from tests.browser.apps.demo_model import DemoModel

SENTENCE = "the cat saw the dog ."


@pytest.fixture(scope="session")
def trace() -> BeamTrace:
    """A beam of four over nine steps; its best path isn't the greedy one."""
    return beam_search(DemoModel(), SENTENCE, SearchConfig(beam_size=4, recorded_candidates=2))


@pytest.fixture(scope="session")
def greedy() -> BeamTrace:
    return greedy_search(DemoModel(), SENTENCE)
