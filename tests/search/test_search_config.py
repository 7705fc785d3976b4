"""Settings are checked once, and errors say what was given and what is allowed."""

from __future__ import annotations

import pytest

from s2s_core.errors import EmptySourceError, PrefixError, SettingError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig, SearchRequest, default_max_length
from s2s_core.search.exact import exact_search
from s2s_core.search.greedy import greedy_search
from s2s_core.search.length_penalty import GnmtPenalty, PowerPenalty
from tests.search.fakes import Letters, PrefixModel


def test_the_defaults_are_those_of_the_command_line() -> None:
    config = SearchConfig()
    assert (config.beam_size, config.max_length, config.stop_rule) == (5, None, "best")
    assert config.length_penalty == PowerPenalty(0.6)
    assert config.recorded_candidates == 5


def test_the_default_maximum_length_follows_the_source() -> None:
    assert default_max_length(("a",) * 6) == 22
    assert default_max_length(()) == 20
    assert default_max_length(("a",) * 300) == 400
    trace = beam_search(PrefixModel(), "x y z", SearchConfig(stop_rule="exhaust"))
    assert trace.max_length == len(trace.steps) == 16


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"beam_size": 0}, "beam size must be between 1 and 64, not 0"),
        ({"beam_size": 2.5}, "whole number"),
        ({"max_length": 0}, "maximum length must be between 1 and 400, not 0"),
        ({"min_length": -1}, "minimum length"),
        ({"recorded_candidates": -1}, "recorded candidates"),
        ({"stop_rule": "later"}, "one of best, bound, exhaust, first, not 'later'"),
        ({"length_penalty": 0.6}, "LengthPenalty"),
    ],
)
def test_a_bad_setting_is_a_named_error(setting: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        SearchConfig(**setting)  # type: ignore[arg-type]


@pytest.mark.parametrize("search", [beam_search, greedy_search, exact_search])
def test_decoding_with_a_negative_alpha_is_refused(search: object) -> None:
    config = SearchConfig(length_penalty=GnmtPenalty(-0.5))
    with pytest.raises(SettingError, match=r"at least 0, not -0\.5"):
        search(PrefixModel(), "x y z", config)  # type: ignore[operator]


def test_a_minimum_above_the_maximum_is_refused() -> None:
    with pytest.raises(SettingError, match="at most the maximum length 3, not 4"):
        beam_search(PrefixModel(), "x y z", SearchConfig(max_length=3, min_length=4))


@pytest.mark.parametrize("search", [beam_search, greedy_search, exact_search])
def test_a_start_token_that_is_the_end_token_is_refused(search: object) -> None:
    model = PrefixModel(target=Letters(bos_id=2))
    with pytest.raises(SettingError, match="start token and the end token are both 'EOS'"):
        search(model, "x y z")  # type: ignore[operator]


def test_what_the_model_says_about_a_source_is_passed_on() -> None:
    class Strict(PrefixModel):
        def encode(self, sources):  # type: ignore[no-untyped-def]
            raise EmptySourceError("the source has no tokens: type a sentence")

    with pytest.raises(EmptySourceError):
        beam_search(Strict(), "", SearchConfig())


@pytest.mark.parametrize("forced", [(-1,), (1.5,), (True,), ("a",)])
def test_a_request_holds_ids_and_not_text(forced: tuple[int, ...]) -> None:
    with pytest.raises(PrefixError, match="whole numbers from 0"):
        SearchRequest("model", "text", SearchConfig(), forced)


def test_a_request_is_a_key_that_tells_penalties_apart() -> None:
    power, gnmt = (SearchConfig(length_penalty=p(0.6)) for p in (PowerPenalty, GnmtPenalty))
    requests = {SearchRequest("m", "x", power), SearchRequest("m", "x", gnmt)}
    assert len(requests) == len({repr(r) for r in requests}) == 2
    assert repr(PowerPenalty(1)) == repr(PowerPenalty(1.0))
