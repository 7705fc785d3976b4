"""Exact search on the English-French model with the whole budget; run with `-m benchmark -s`."""

from __future__ import annotations

import pytest

from s2s_core.models.checkpoint import load_model
from s2s_core.models.threads import use_one_thread
from s2s_core.search.config import SearchConfig
from s2s_core.search.exact import exact_search
from s2s_core.search.length_penalty import PowerPenalty
from tests.test_exact_on_a_model import ENGLISH_FRENCH, TEN

BUDGET = 2_000_000


@pytest.mark.benchmark
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("alpha", [0.0, 0.6])
def test_how_many_of_ten_sentences_are_proved(alpha: float) -> None:
    use_one_thread()
    model = load_model(ENGLISH_FRENCH)
    config = SearchConfig(length_penalty=PowerPenalty(alpha))
    proved = 0
    for source in TEN:
        result = exact_search(model, source, config, node_budget=BUDGET)
        proved += result.proved
        print(f"{result.outcome:10} {result.expanded:8} {result.best.score:.4f}", end=" ")
        print(f"(at most {result.ceiling:.4f}) {result.best.text!r} <- {source}")
    print(f"alpha {alpha:g}: {proved} of {len(TEN)} proved")
    assert proved >= 7
