"""What the trained models of the reversal family in `checkpoints/` promise."""

from __future__ import annotations

import pytest

from s2s_core.errors import SourceError
from s2s_core.models.checkpoint import CHECKPOINTS, checkpoint_names, load_card, load_checkpoint
from s2s_core.search.batch import greedy_translations
from s2s_core.search.beam import beam_search
from s2s_core.text.tasks import held_out_pairs
from s2s_core.training.config import load_config

FAMILY = (
    "reverse-additive",
    "reverse-dot",
    "reverse-fixed-every-step",
    "reverse-fixed-once",
    "reverse-general",
    "reverse-transformer",
)


def test_the_family_is_there_and_each_is_small() -> None:
    assert tuple(name for name in checkpoint_names() if name.startswith("reverse-")) == FAMILY
    for name in FAMILY:
        assert sum(path.stat().st_size for path in (CHECKPOINTS / name).iterdir()) < 1_000_000


def test_the_family_has_one_budget_and_one_kind_of_data() -> None:
    configs = [load_config(CHECKPOINTS / name / "config.toml") for name in FAMILY]
    assert len({config.data for config in configs}) == 1
    assert len({(c.optimiser.steps, c.optimiser.batch_tokens) for c in configs}) == 1
    cards = [load_card(CHECKPOINTS / name) for name in FAMILY]
    assert len({card.budget["target_tokens_seen"] for card in cards}) == 1
    assert {card.budget["learning_rate"] for card in cards} <= {0.002, 0.004, 0.008}


def test_additive_attention_reverses_what_it_never_saw() -> None:
    score = load_card(CHECKPOINTS / "reverse-additive").score("exact match", beam_size=1)
    assert score is not None
    assert (score.shortest, score.longest) == (1, 20)
    assert score.score >= 99


@pytest.mark.parametrize("name", FAMILY)
def test_a_shipped_model_does_what_its_card_says(name: str) -> None:
    card, model = load_card(CHECKPOINTS / name), load_checkpoint(CHECKPOINTS / name)
    pairs = held_out_pairs("reverse", "test", shortest=1, longest=5, per_length=50)
    texts = greedy_translations(model, [pair.source for pair in pairs])
    right = [text == pair.target for text, pair in zip(texts, pairs, strict=True)]
    (score,) = (
        s
        for s in card.scores
        if (s.metric, s.beam_size, s.shortest, s.longest) == ("exact match", 1, 1, 5)
    )
    assert score.score == pytest.approx(100 * sum(right) / len(right))


def test_digits_are_typed_with_or_without_spaces_and_nothing_else_is_read() -> None:
    model = load_checkpoint(CHECKPOINTS / "reverse-additive")
    assert beam_search(model, "49712").best.text == "2 1 7 9 4"
    assert beam_search(model, "4 9 7 1 2").best.text == "2 1 7 9 4"
    with pytest.raises(SourceError, match="reads digits only"):
        beam_search(model, "Where is the station?")
