"""Search error, model error, both or neither, and where the probability went."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from s2s_core.errors import NoHypothesisError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.exact import exact_search
from s2s_core.search.length_penalty import NoPenalty
from s2s_core.search.score import score_target
from s2s_core.search.table import ProbabilityTable
from s2s_core.search.verdict import Verdict, judge, mass_covered
from tests.search.fakes import PrefixModel
from tests.search.naive import all_strings, next_log_probs
from tests.search.tables import BEST_OF_TWO, random_table

RAW = NoPenalty()


def verdict(beam_size: int, reference: str | None, *, budget: int = 100) -> Verdict:
    config = SearchConfig(beam_size, 4, RAW)
    found = beam_search(BEST_OF_TWO, "", config).best
    exact = exact_search(BEST_OF_TWO, "", config, node_budget=budget)
    target = BEST_OF_TWO.target
    given = (
        None
        if reference is None
        else score_target(BEST_OF_TWO, "", (*target.ids(reference), target.eos_id), penalty=RAW)
    )
    return judge(found, exact, given)


def test_a_better_one_that_was_missed_is_a_search_error() -> None:
    result = verdict(1, None)
    assert (result.label, result.search_error, result.model_error) == ("search error", True, None)
    assert "“B x” scores -0.9676, more than the -1.2040" in result.text


def test_a_reference_that_scores_lower_is_a_model_error() -> None:
    result = verdict(4, "A y")
    assert (result.label, result.search_error, result.model_error) == ("model error", False, True)
    assert "gives the reference -1.2040, less than the -0.9676 of “B x”" in result.text
    assert verdict(1, "A y").label == "search error and model error"


def test_the_best_one_as_reference_is_neither() -> None:
    result = verdict(4, "B x")
    assert (result.label, result.search_error, result.model_error) == ("neither", False, False)
    assert "No search error" in result.text and "No model error" in result.text


def test_an_unfinished_proof_is_said_to_be_one() -> None:
    model = PrefixModel(seed=1)
    config = SearchConfig(2, 12, RAW)
    exact = exact_search(model, "x y z", config, node_budget=1)
    result = judge(exact.best, exact)
    assert not exact.proved
    assert (result.label, result.search_error) == ("unknown", None)
    assert f"up to {exact.ceiling:.4f}" in result.text


def test_a_reference_above_everything_found_shows_a_search_error() -> None:
    config = SearchConfig(1, 4, RAW)
    found = beam_search(BEST_OF_TWO, "", config).best
    stopped = exact_search(BEST_OF_TWO, "", config, watch=lambda progress: False)
    target = BEST_OF_TWO.target
    reference = score_target(BEST_OF_TWO, "", (*target.ids("B x"), target.eos_id), penalty=RAW)
    assert stopped.best.text == "A x"
    assert judge(found, stopped, reference).label == "search error"


def test_the_mass_adds_up_and_a_wide_beam_on_a_table_covers_all() -> None:
    rng = np.random.default_rng(64)
    for _ in range(40):
        table = random_table(rng)
        try:
            narrow = mass_covered(beam_search(table, "", SearchConfig(1, 4, RAW, "exhaust")))
            wide = mass_covered(beam_search(table, "", SearchConfig(64, 4, RAW, "exhaust")))
        except NoHypothesisError:
            continue
        for mass in (*narrow, *wide):
            assert mass.finished + mass.alive + mass.lost == pytest.approx(1.0)
        strings = all_strings(next_log_probs(table), table.target.eos_id, 4)
        assert wide[-1].finished == pytest.approx(math.fsum(math.exp(p) for _, p in strings))
        assert wide[-1].lost == pytest.approx(0.0, abs=1e-9)
        lost = [mass.lost for mass in narrow]
        assert all(a <= b + 1e-12 for a, b in pairwise(lost))


def test_the_mass_of_the_trap_is_what_the_table_says() -> None:
    trace = beam_search(BEST_OF_TWO, "", SearchConfig(1, 3, RAW, "exhaust"))
    masses = [
        (round(m.finished, 9), round(m.alive, 9), round(m.lost, 9)) for m in mass_covered(trace)
    ]
    assert masses == [(0.0, 0.6, 0.4), (0.0, 0.3, 0.7), (0.3, 0.0, 0.7)]


def test_what_did_not_finish_at_all_is_a_search_error() -> None:
    table = ProbabilityTable(
        {"": {"a": 0.6, "b": 0.4}, "a": {"a": 1.0}, "b": {"EOS": 1.0}}, default={"a": 1.0}
    )
    exact = exact_search(table, "", SearchConfig(1, 4, RAW))
    assert exact.beam is not None
    assert "nothing that ends" in judge(exact.beam.best, exact).text
