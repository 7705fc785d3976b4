"""Checkpoints grouped by what can be compared, from their cards alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from s2s_core.models.card import CheckpointCard, MeasuredScore
from s2s_core.models.families import (
    ATTENTION,
    FIXED,
    TRANSFORMER,
    contrast,
    families,
    kind_of,
    measured_beams,
    scores_by_length,
    short_titles,
    task_of,
    trained_to,
)
from tests.models.checkpoints import make_card

ADDITIVE = make_card("gru-bidirectional-additive")


def named(name: str, network: str, source: str = "en") -> CheckpointCard:
    return replace(make_card(network), name=name, source_language=source)


CARDS = (
    named("a", "gru-bidirectional-additive"),
    named("b", "lstm-reversed-fixed_once"),
    named("c", "transformer-1-layer-1-head"),
    named("d", "gru-forward-fixed_every_step"),
    named("e", "input-feeding-lstm-bidirectional-general", source="zh"),
)


def test_a_card_tells_what_the_decoder_gets() -> None:
    kinds = [kind_of(card) for card in CARDS]
    assert kinds == [ATTENTION, FIXED, TRANSFORMER, FIXED, ATTENTION]


def test_families_have_one_pair_of_languages_and_begin_with_fixed_vectors() -> None:
    english, chinese = families(CARDS)
    assert english.names == ("b", "d", "a", "c")
    assert (chinese.source_language, chinese.names) == ("zh", ("e",))
    assert families([]) == ()


def test_a_contrast_has_one_of_each_kind_and_the_one_asked_for() -> None:
    english, chinese = families(CARDS)
    assert contrast(english, "a") == ("b", "a", "c")
    assert contrast(english, "d") == ("d", "a", "c")
    assert contrast(chinese, "e") == ("e",)


def score(shortest: int, longest: int | None, value: float, **more: object) -> MeasuredScore:
    base = MeasuredScore(
        "test", shortest, longest, 9, "column 2", 5, "BLEU", value, value - 1, value + 1, ""
    )
    return replace(base, **more)  # type: ignore[arg-type]


def test_only_the_finest_groups_stand_against_length() -> None:
    scores = (
        score(1, None, 30),
        score(11, None, 10),
        score(1, 10, 20),
        score(1, 5, 40),
        score(6, 10, 35),
        score(6, 10, 99, references="all, 1 to 2 a sentence"),
        score(6, 10, 98, beam_size=1),
        score(6, 10, 97, data="development"),
        score(6, 10, 96, metric="chrF"),
    )
    found = scores_by_length(replace(ADDITIVE, scores=scores), "BLEU", beam_size=5)
    assert [(s.shortest, s.longest, s.score) for s in found] == [
        (1, 5, 40),
        (6, 10, 35),
        (11, None, 10),
    ]


def test_a_card_without_groups_has_nothing_by_length() -> None:
    for scores in ((), (score(1, None, 30),)):
        assert scores_by_length(replace(ADDITIVE, scores=scores), "BLEU", beam_size=5) == ()


def test_titles_lose_what_all_have_in_common() -> None:
    assert short_titles(["A → B, dot", "A → B, Transformer"]) == ("dot", "Transformer")
    assert short_titles(["A → B, dot", "C, dot"]) == ("A → B, dot", "C, dot")
    assert short_titles(["A", "A"]) == ("A", "A")
    assert short_titles([]) == ()


def test_measured_beams_are_those_of_any_card() -> None:
    cards = [replace(ADDITIVE, scores=(score(1, None, 1, beam_size=b),)) for b in (5, 1)]
    assert measured_beams(cards, "BLEU") == (1, 5)
    assert measured_beams(cards, "chrF") == ()


@pytest.mark.parametrize(
    ("command", "task"),
    [("evaluate --model x --task reverse --lengths 1-4", "reverse"), ("evaluate --data f", None)],
)
def test_the_task_is_read_from_the_command(command: str, task: str | None) -> None:
    assert task_of(replace(ADDITIVE, commands={"test": command})) == task
    assert task_of(replace(ADDITIVE, commands={})) is None


def test_training_lengths_end_where_the_first_group_does() -> None:
    loss = score(1, 20, 1, metric="loss", beam_size=0)
    assert trained_to(replace(ADDITIVE, scores=(loss, replace(loss, longest=5)))) == 20
    assert trained_to(replace(ADDITIVE, scores=())) is None
