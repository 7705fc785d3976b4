"""The card of a checkpoint: round trip, and every way in which it can be wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_core.errors import CheckpointError
from s2s_core.models.card import CheckpointCard
from tests.models.checkpoints import card_data, json_values, make_card


def read(data: object) -> CheckpointCard:
    return CheckpointCard.from_json(json.dumps(data), folder="tiny")


def refuse(data: object, message: str) -> None:
    with pytest.raises(CheckpointError, match=message) as caught:
        read(data)
    assert str(caught.value).startswith("tiny: card.json")
    assert "\n" not in str(caught.value)


def test_a_card_survives_its_text() -> None:
    card = make_card()
    assert CheckpointCard.from_json(card.to_json(), folder="tiny") == card
    assert "“model”" in card.to_json()  # readable, not escaped


@pytest.mark.parametrize("text", ["", "{", "[1", "nonsense", "[" * 100_000, "1" * 10_000])
def test_what_is_not_json_is_named(text: str) -> None:
    with pytest.raises(CheckpointError, match=r"tiny: card\.json isn't JSON"):
        CheckpointCard.from_json(text, folder="tiny")


@pytest.mark.parametrize("data", [[], 1, None, "card", {}, {"model_type": "marian"}])
def test_json_of_another_kind_is_named(data: object) -> None:
    refuse(data, r"isn't a checkpoint's card: it has no format_version")


@pytest.mark.parametrize("version", [0, 1, "2", None, True, [1], 1.5])
def test_another_version_is_named(version: object) -> None:
    refuse({**card_data(), "format_version": version}, r"has format version .* reads 2")


@pytest.mark.parametrize("key", card_data())
def test_each_missing_key_is_named(key: str) -> None:
    data = card_data()
    del data[key]
    refuse(data, key)


def test_an_unknown_key_is_named() -> None:
    refuse({**card_data(), "colour": "blue"}, "'colour' isn't known")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("name", 5, "name must be a text, not 5"),
        ("title", "\ud800", "title must be a text"),
        ("parameters", 1.5, "parameters must be a whole number, not 1.5"),
        ("parameters", True, "parameters must be a whole number, not True"),
        ("seed", 10**30, "seed must be a whole number"),
        ("development_loss", float("nan"), "development_loss must be a finite number, not nan"),
        ("development_loss", "2.5", "development_loss must be a finite number, not '2.5'"),
        ("sizes", [1, 2], r"sizes must be an object of numbers and texts, not \[1, 2\]"),
        ("sizes", {"width": [1]}, "sizes must be an object of numbers and texts"),
        ("budget", None, "budget must be an object of numbers and texts, not None"),
        ("scores", {}, r"scores: must be a list"),
        ("scores", [[]], r"scores\[0\]: must be an object"),
        ("commands", "evaluate", "commands must be an object of numbers and texts"),
        ("learning_curve", [{"step": 1}], r"learning_curve\[0\]: target_tokens is missing"),
    ],
)
def test_a_value_of_the_wrong_type_is_named(key: str, value: object, message: str) -> None:
    refuse({**card_data(), key: value}, message)


@pytest.mark.parametrize("longest", [1.5, "9", True])
def test_a_limit_of_lengths_is_a_whole_number_or_null(longest: object) -> None:
    data = card_data()
    assert data["scores"][0]["longest"] is None
    data["scores"][0]["longest"] = longest
    refuse(data, r"scores\[0\]: longest must be a whole number or null, not")


def test_each_score_is_one_line_of_the_file() -> None:
    lines = make_card().to_json().splitlines()
    assert [json.loads(line.rstrip(","))["score"] for line in lines if '"metric"' in line] == [
        31.25, 30, 35,
    ]  # fmt: skip


def test_the_score_of_the_whole_set_is_found_by_what_it_is() -> None:
    card = make_card()
    assert card.score("BLEU", beam_size=5) == card.scores[0]
    assert card.score("BLEU", beam_size=1) == card.scores[1]
    assert card.score("BLEU", beam_size=5, all_references=True) == card.scores[2]
    assert card.score("BLEU", beam_size=1, all_references=True) is None
    assert card.score("chrF", beam_size=5) is None
    assert card.score("BLEU", beam_size=5, data="other") is None


def test_a_huge_value_does_not_flood_the_message() -> None:
    with pytest.raises(CheckpointError) as caught:
        read({**card_data(), "name": list(range(100_000))})
    assert len(str(caught.value)) < 300


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_spoiled_card_is_a_card_or_a_named_error(data: st.DataObject) -> None:
    card: Any = card_data()
    for _ in range(data.draw(st.integers(1, 3))):
        node = card
        while isinstance(node, (dict, list)) and node:
            keys = sorted(node) if isinstance(node, dict) else range(len(node))
            key = data.draw(st.sampled_from(list(keys)))
            if not isinstance(node[key], (dict, list)) or data.draw(st.booleans()):
                node[key] = data.draw(json_values)
                break
            node = node[key]
    try:
        read(card)
    except CheckpointError as error:
        assert str(error).startswith("tiny: card.json")


@settings(max_examples=200, deadline=None)
@given(value=json_values)
def test_any_json_is_a_named_error(value: object) -> None:
    with pytest.raises(CheckpointError):
        read(value)
