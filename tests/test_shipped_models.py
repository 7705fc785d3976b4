"""What the trained translation models in `checkpoints/` promise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2s_core.models.checkpoint import (
    CHECKPOINTS,
    checkpoint_names,
    load_card,
    load_checkpoint,
)
from s2s_core.models.families import ATTENTION, FIXED, TRANSFORMER, kind_of
from s2s_core.models.translation import TrainedModel
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.greedy import greedy_search
from s2s_core.search.score import score_target
from s2s_core.text.tokenizer import SubwordTokenizer
from s2s_core.training.config import load_config
from tests.everyday import EVERYDAY

ENGLISH_FRENCH, CHINESE_ENGLISH = "en-fr-additive-gru", "zh-en-additive-gru"
CHINESE = ("明天见", "我喜欢喝茶。", "图书馆在哪里？", "他每天走路去学校。", "外面在下雨吗")


@pytest.fixture(scope="module")
def english_french() -> TrainedModel[Any]:
    return load_checkpoint(CHECKPOINTS / ENGLISH_FRENCH)


@pytest.fixture(scope="module")
def chinese_english() -> TrainedModel[Any]:
    return load_checkpoint(CHECKPOINTS / CHINESE_ENGLISH)


@pytest.mark.parametrize(
    "name", [name for name in checkpoint_names() if not name.startswith("reverse-")]
)
def test_checkpoint_is_complete_and_small(name: str) -> None:
    folder: Path = CHECKPOINTS / name
    assert name in checkpoint_names()
    card = load_card(folder)
    assert card.name == name
    assert "tatoeba.org" in card.attribution
    assert "CC BY 2.0" in card.licence
    size = sum((folder / file).stat().st_size for file in ("weights.safetensors", "tokenizer.json"))
    assert size <= 15_000_000


@pytest.mark.parametrize(("name", "least"), [(ENGLISH_FRENCH, 42.0), (CHINESE_ENGLISH, 28.0)])
def test_bleu_on_the_card_reaches_what_is_promised(name: str, least: float) -> None:
    score = load_card(CHECKPOINTS / name).score("BLEU", beam_size=5)
    assert score is not None
    assert score.score >= least
    assert "tok:13a" in score.signature


FAMILY = {
    FIXED: ("en-fr-fixed-gru", "en-fr-fixed-lstm"),
    ATTENTION: (ENGLISH_FRENCH, "en-fr-general-lstm"),
    TRANSFORMER: ("en-fr-transformer",),
}


def test_the_english_french_family_is_whole_and_had_one_budget() -> None:
    cards = [(kind, load_card(CHECKPOINTS / name)) for kind in FAMILY for name in FAMILY[kind]]
    assert all(kind_of(card) == kind for kind, card in cards)
    assert len({(card.budget["target_tokens_seen"], card.data) for _, card in cards}) == 1
    vocabularies = set()
    for _, card in cards:
        tokenizer = SubwordTokenizer.load(CHECKPOINTS / card.name / "tokenizer.json")
        vocabularies.add(tuple(map(tokenizer.token, range(tokenizer.size))))
    assert len(vocabularies) == 1


CHOSEN_BY_TRIALS = tuple(
    name
    for name in checkpoint_names()
    if load_config(CHECKPOINTS / name / "config.toml").optimiser.learning_rates
)


@pytest.mark.parametrize("name", CHOSEN_BY_TRIALS)
def test_a_learning_rate_is_the_best_of_the_longest_runs(name: str) -> None:
    card, settings = load_card(CHECKPOINTS / name), load_config(CHECKPOINTS / name / "config.toml")
    rates, whole = settings.optimiser.learning_rates, settings.optimiser.whole_runs
    steps = settings.optimiser.steps
    assert [(trial.learning_rate, trial.steps) for trial in card.learning_rate_trials] == [
        *((rate, steps // 10) for rate in rates),
        *((rate, steps) for rate in whole),
    ]
    best = max(card.learning_rate_trials, key=lambda t: (t.steps, t.development_bleu))
    assert card.budget["learning_rate"] == best.learning_rate


def test_every_attention_model_is_above_every_fixed_vector_on_the_cards() -> None:
    def bleu(name: str) -> float:
        score = load_card(CHECKPOINTS / name).score("BLEU", beam_size=5)
        assert score is not None
        return score.score

    attending = [bleu(name) for name in (*FAMILY[ATTENTION], *FAMILY[TRANSFORMER])]
    assert min(attending) > max(bleu(name) for name in FAMILY[FIXED])
    assert max(attending) >= 45


def test_everyday_greetings(
    english_french: TrainedModel[Any], chinese_english: TrainedModel[Any]
) -> None:
    assert beam_search(english_french, "I love you.").best.text in ("Je t'aime.", "Je vous aime.")
    assert beam_search(chinese_english, "明天见").best.text == "See you tomorrow."


def test_a_missing_final_mark_changes_nothing(
    english_french: TrainedModel[Any], chinese_english: TrainedModel[Any]
) -> None:
    for model, source in (
        (english_french, "We missed the last train."),
        (english_french, "Where is the station?"),
        (chinese_english, "明天见。"),
        (chinese_english, "图书馆在哪里？"),
    ):
        bare = beam_search(model, source[:-1]).best
        assert bare.token_ids == beam_search(model, source).best.token_ids


def test_traditional_characters_translate_like_simplified_ones(
    chinese_english: TrainedModel[Any],
) -> None:
    assert (
        beam_search(chinese_english, "圖書館在哪裡？").best.token_ids
        == beam_search(chinese_english, "图书馆在哪里？").best.token_ids
    )


def check_hypotheses(model: TrainedModel[Any], source: str) -> None:
    """Each hypothesis of the pool is what the model says of its tokens."""
    trace = beam_search(model, source)
    for hypothesis in trace.pool():
        scored = score_target(model, source, hypothesis.token_ids)
        np.testing.assert_allclose(
            hypothesis.token_log_probs, scored.token_log_probs, rtol=0, atol=1e-4
        )
        assert hypothesis.attention is not None
        assert scored.attention is not None
        weights = hypothesis.attention.weights
        np.testing.assert_allclose(weights, scored.attention.weights, rtol=0, atol=1e-4)
        np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=0, atol=1e-5)


@pytest.mark.parametrize("part", range(4))
def test_hypotheses_of_everyday_sentences_equal_their_own_scoring(
    english_french: TrainedModel[Any], part: int
) -> None:
    for source in EVERYDAY[part::4]:
        check_hypotheses(english_french, source)


def test_hypotheses_of_chinese_sentences_equal_their_own_scoring(
    chinese_english: TrainedModel[Any],
) -> None:
    for source in CHINESE:
        check_hypotheses(chinese_english, source)


def check_stop_rules(model: TrainedModel[Any], source: str) -> None:
    """Rank 1 under `best` and `bound` is rank 1 under `exhaust`."""
    config = SearchConfig(stop_rule="exhaust", recorded_candidates=0)
    winner = beam_search(model, source, config).best
    for rule in ("best", "bound"):
        found = beam_search(model, source, replace(config, stop_rule=rule)).best
        assert found.token_ids == winner.token_ids, (source, rule)


@pytest.mark.parametrize("part", range(4))
def test_stop_rules_agree_on_rank_1_of_everyday_sentences(
    english_french: TrainedModel[Any], part: int
) -> None:
    for source in EVERYDAY[part::4]:
        check_stop_rules(english_french, source)


def test_stop_rules_agree_on_rank_1_of_chinese_sentences(
    chinese_english: TrainedModel[Any],
) -> None:
    for source in CHINESE:
        check_stop_rules(chinese_english, source)


def test_beam_of_one_under_first_is_greedy(english_french: TrainedModel[Any]) -> None:
    config = SearchConfig(beam_size=1, stop_rule="first")
    for source in EVERYDAY[:25]:
        narrow = beam_search(english_french, source, config).best
        assert narrow.token_ids == greedy_search(english_french, source).best.token_ids
