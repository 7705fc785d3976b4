"""The Decode page's link names every search that the page can make."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_core.errors import SourceTooLongError
from s2s_core.search.config import SearchConfig, SearchRequest
from s2s_core.search.length_penalty import (
    GnmtPenalty,
    LengthPenalty,
    NoPenalty,
    PowerPenalty,
    WordReward,
)
from s2s_core.ui.decode.link import (
    ALPHA,
    FIELDS,
    PENALTY,
    RANK_ALPHA,
    SOURCE,
    decoding_penalty,
    from_request,
    ranking_penalty,
    search_request,
)
from s2s_core.ui.link import LinkValues, read_link, write_link

ALPHAS = st.floats(0.0, 3.0)
PENALTIES: st.SearchStrategy[LengthPenalty] = st.one_of(
    st.just(NoPenalty()),
    ALPHAS.map(PowerPenalty),
    ALPHAS.map(GnmtPenalty),
    st.floats(-2.0, 2.0).map(WordReward),
)
REQUESTS = st.builds(
    SearchRequest,
    st.just("some-model"),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
    st.builds(
        SearchConfig,
        st.integers(1, 64),
        st.none() | st.integers(1, 400),
        PENALTIES,
        st.sampled_from(["best", "bound", "exhaust", "first"]),
    ),
    st.lists(st.integers(0, 5999), max_size=30).map(tuple),
)


@given(REQUESTS)
def test_every_request_survives_the_way_through_a_link(request: SearchRequest) -> None:
    parameters = write_link(from_request(request), FIELDS)
    model = parameters.pop("model")  # which models there are is not this test's matter
    values, notices = read_link(parameters, FIELDS)
    assert notices == ()
    assert search_request(LinkValues({**values.by_name, "model": model})) == request


def test_penalties_of_the_same_number_make_different_requests_and_cache_keys() -> None:
    def key(penalty: LengthPenalty) -> str:
        return repr(SearchRequest("m", "s", SearchConfig(length_penalty=penalty)))

    assert len({key(p) for p in (PowerPenalty(0.6), GnmtPenalty(0.6), WordReward(0.6))}) == 3


def test_ranking_follows_the_search_until_another_alpha_is_chosen() -> None:
    values = LinkValues({}).replace(PENALTY, "gnmt").replace(ALPHA, 1.5)
    assert ranking_penalty(values) == decoding_penalty(values) == GnmtPenalty(1.5)
    assert ranking_penalty(values.replace(RANK_ALPHA, -0.5)) == GnmtPenalty(-0.5)


def test_a_search_without_penalty_is_ranked_again_by_a_power_of_the_length() -> None:
    values = LinkValues({}).replace(PENALTY, "none")
    assert ranking_penalty(values) == NoPenalty()
    assert ranking_penalty(values.replace(RANK_ALPHA, 0.8)) == PowerPenalty(0.8)


def test_a_source_of_more_than_1000_characters_is_refused_with_both_numbers() -> None:
    search_request(LinkValues({}).replace(SOURCE, "x" * 1000))
    with pytest.raises(SourceTooLongError, match=r"10,000 characters.*1,000"):
        search_request(LinkValues({}).replace(SOURCE, "x" * 10_000))


def test_links_are_read_without_streamlit_or_torch() -> None:
    script = "import sys, s2s_core.ui.decode.link; print({'streamlit', 'torch'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
