"""Diverse beam search against a naive one, and against plain beams where nothing costs."""

from __future__ import annotations

import pytest

from s2s_core.errors import SettingError
from s2s_core.search.beam import beam_search
from s2s_core.search.config import STOP_RULES, SearchConfig, StopRule
from s2s_core.search.diverse import Diversity, diverse_beam
from tests.search.decoder_checks import check_diverse
from tests.search.fakes import PrefixModel


def test_groups_keep_what_the_naive_search_keeps() -> None:
    assert check_diverse(seed=101, count=200) > 20


@pytest.mark.parametrize("rule", STOP_RULES)
def test_without_strength_every_group_is_a_plain_beam(rule: StopRule) -> None:
    model = PrefixModel(seed=6)
    config = SearchConfig(6, 6, stop_rule=rule)
    result = diverse_beam(model, "x y z", config, Diversity(3, 0.0))
    plain = beam_search(model, "x y z", SearchConfig(2, 6, stop_rule=rule))
    assert [trace.steps for trace in result.groups] == [plain.steps] * 3
    assert [trace.stop_reason for trace in result.groups] == [plain.stop_reason] * 3


def test_the_first_group_never_pays_and_the_others_choose_other_tokens() -> None:
    model = PrefixModel(seed=6)
    result = diverse_beam(model, "x y z", SearchConfig(3, 6, stop_rule="exhaust"), Diversity(3, 10))
    plain = beam_search(model, "x y z", SearchConfig(1, 6, stop_rule="exhaust"))
    assert result.groups[0].steps == plain.steps
    for step in range(1, 7):
        tokens = [trace.live(step)[0].token_ids[-1] for trace in result.groups]
        assert len(set(tokens)) == 3
    assert result.best.score == max(trace.best.score for trace in result.groups)


def test_scores_are_the_models_own() -> None:
    model = PrefixModel(seed=6)
    result = diverse_beam(model, "x y z", SearchConfig(4, 6), Diversity(2, 5.0))
    for trace in result.groups:
        assert trace.best.log_prob == pytest.approx(sum(trace.best.token_log_probs))
        assert trace.best.score == trace.best.log_prob / trace.best.length**0.6


def test_groups_that_do_not_divide_the_beam_are_refused() -> None:
    with pytest.raises(SettingError, match="multiple of 3"):
        diverse_beam(PrefixModel(), "x y z", SearchConfig(5))
    with pytest.raises(SettingError, match="groups must be between"):
        Diversity(0)
