"""No n-gram twice: against a filter over all strings."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.search.beam import beam_search
from s2s_core.search.candidates import repeating_ids
from s2s_core.search.config import SearchConfig
from s2s_core.search.trace import BeamTrace
from tests.search.decoder_checks import check_no_repeat, repeats
from tests.search.fakes import PrefixModel
from tests.search.naive import Ids


@given(st.lists(st.integers(0, 2), max_size=9).map(tuple), st.integers(1, 4))
def test_an_id_is_blocked_exactly_where_it_would_repeat(prefix: Ids, size: int) -> None:
    fresh = [i for i in range(3) if _adds_repeat(prefix, i, size)]
    assert sorted(set(repeating_ids(prefix, size))) == fresh


def _adds_repeat(prefix: Ids, token_id: int, size: int) -> bool:
    last = (*prefix, token_id)[-size:]
    earlier = [prefix[i : i + size] for i in range(len(prefix) - size + 1)]
    return len(last) == size and last in earlier


def test_zero_blocks_nothing() -> None:
    assert repeating_ids((1, 1, 1), 0) == []


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_wide_beam_and_exact_search_find_the_best_string_without_repeats(size: int) -> None:
    assert check_no_repeat(seed=70 + size, count=120, size=size) > 0


def test_a_forced_prefix_may_repeat() -> None:
    model = PrefixModel(seed=2)
    config = SearchConfig(2, 6, no_repeat=1)
    trace = beam_search(model, "x y z", config, forced_ids=(3, 3))
    assert trace.best.token_ids[:2] == (3, 3)
    assert not repeats(trace.best.token_ids[1:], 1)


def test_a_saved_search_keeps_the_setting_and_an_older_file_has_none() -> None:
    trace = beam_search(PrefixModel(), "x y z", SearchConfig(2, 4, no_repeat=2))
    assert BeamTrace.from_json(trace.to_json()).request.config.no_repeat == 2
    data = json.loads(trace.to_json())
    del data["request"]["config"]["no_repeat"]
    assert BeamTrace.from_json(json.dumps(data)).request.config.no_repeat == 0
