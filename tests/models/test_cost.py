"""Counts from sizes, and the file of measured times."""

from __future__ import annotations

import itertools
import re

import pytest

from s2s_core.models.cost import (
    TIMES,
    Pairs,
    cost_times,
    parameter_bytes,
    scored_pairs,
    source_numbers,
)
from tests.models.checkpoints import make_card
from tests.models.networks import random_model

SOURCE, TARGET = "Where is the station?", 7


def test_pairs_by_hand() -> None:
    assert scored_pairs(make_card("gru-bidirectional-additive"), 5, 7) == Pairs(35, 0, 0)
    assert scored_pairs(make_card("gru-forward-fixed_once"), 5, 7).total == 0
    deep = scored_pairs(make_card("transformer-2-layers-4-heads"), 5, 7)
    assert deep == Pairs(8 * 35, 8 * 25, 8 * 28)
    assert deep.total == 8 * 88


def test_both_lengths_doubled_are_four_times_the_pairs_and_one_is_twice() -> None:
    card = make_card("gru-bidirectional-additive")
    assert scored_pairs(card, 20, 14).cross == 4 * scored_pairs(card, 10, 7).cross
    assert scored_pairs(card, 20, 7).cross == 2 * scored_pairs(card, 10, 7).cross


@pytest.mark.parametrize(
    "name",
    [
        "gru-bidirectional-additive",
        "lstm-reversed-dot",
        "gru-forward-fixed_once",
        "lstm-bidirectional-fixed_every_step",
    ],
)
def test_numbers_from_the_source_are_those_of_the_state(name: str) -> None:
    model = random_model(name)
    (tokens,), state = model.encode([SOURCE])
    assert source_numbers(make_card(name), len(tokens)) == state.memory.numel()


def test_a_transformer_keeps_keys_and_values_in_each_layer() -> None:
    (tokens,), state = random_model("transformer-2-layers-4-heads").encode([SOURCE])
    kept = sum(t.numel() for t in (*state.source_keys, *state.source_values))
    assert source_numbers(make_card("transformer-2-layers-4-heads"), len(tokens)) == kept


def test_a_weight_takes_four_bytes() -> None:
    card = make_card()
    assert parameter_bytes(card) == 4 * card.parameters


def test_the_measured_file_is_complete_and_has_no_date() -> None:
    times = cost_times()
    assert times.to_json() == TIMES.read_text(encoding="utf-8")
    assert not re.search(r"20\d\d-|20\d\d/", times.machine)
    assert len(times.networks) >= 5
    for each in times.networks:
        assert len(each.lengths) == len(each.training) == len(each.decoding) > 2
        for spread in (*each.training, *each.decoding):
            assert 0 < spread.low <= spread.median <= spread.high
        assert each.decoding[-1].median > each.decoding[0].median
    memory = {each.name: each.memory for each in times.networks}
    fixed, attention = memory["en-fr-fixed-gru"], memory["en-fr-additive-gru"]
    assert fixed[-1] - fixed[0] < 200  # one vector, however long the source; a mask of bytes
    assert all(a < b for a, b in itertools.pairwise(attention))
