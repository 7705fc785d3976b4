"""Figures over a corpus, against sums done here and sacreBLEU called another way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sacrebleu

from s2s_core.errors import EmptyBatchError, SettingError
from s2s_core.models.checkpoint import load_checkpoint
from s2s_core.models.translation import TrainedModel
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.greedy import greedy_search
from s2s_core.search.score import score_target
from s2s_core.text.corpus import SentencePair
from s2s_core.training.evaluation import Evaluation, evaluate, greedy_bleu, mean_loss
from tests.cli.tiny import write_checkpoint

SOURCES = ("The cat sat.", "A dog ran in the park.", "On the mat.")
CONFIG = SearchConfig(beam_size=3)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TrainedModel[Any]:
    folder = tmp_path_factory.mktemp("checkpoints") / "tiny"
    return load_checkpoint(write_checkpoint(folder, context="additive"))


@pytest.fixture(scope="module")
def pairs(model: TrainedModel[Any]) -> tuple[SentencePair, ...]:
    """References that the model half agrees with: one, two and three of them."""
    greedy = [greedy_search(model, source, CONFIG).best.text for source in SOURCES]
    beam = [beam_search(model, source, CONFIG).best.text for source in SOURCES]
    references = (
        (f"Un parc {greedy[0]}", f"{beam[0]} chat"),
        (f"{greedy[1]} .",),
        ("Le chat", f"Le {greedy[2]}", f"{beam[2]} dort"),
    )
    return tuple(map(SentencePair, SOURCES, references))


@pytest.fixture(scope="module")
def measured(model: TrainedModel[Any], pairs: tuple[SentencePair, ...]) -> Evaluation:
    return evaluate(model, pairs, beam_size=3)


def test_the_loss_is_the_mean_over_all_target_tokens_with_their_ends(
    model: TrainedModel[Any], pairs: tuple[SentencePair, ...], measured: Evaluation
) -> None:
    end = model.target.eos_id
    log_probs = [
        log_prob
        for pair in pairs
        for log_prob in score_target(
            model, pair.source, (*model.target.encode(pair.target), end)
        ).token_log_probs
    ]
    assert measured.loss == pytest.approx(-np.mean(log_probs), abs=1e-5)


@pytest.mark.parametrize("search", ["greedy", "beam"])
def test_bleu_is_sacrebleus_with_the_first_reference_filling_the_gaps(
    model: TrainedModel[Any], pairs: tuple[SentencePair, ...], measured: Evaluation, search: str
) -> None:
    first = [pair.target for pair in pairs]
    # A reference given twice changes neither the clipped counts nor the closest length.
    filled = [[(*pair.references, pair.target, pair.target)[i] for pair in pairs] for i in range(3)]
    find, figures = (
        (greedy_search, measured.greedy) if search == "greedy" else (beam_search, measured.beam)
    )
    texts = [find(model, source, CONFIG).best.text for source in SOURCES]
    for found, references in ((figures.single, [first]), (figures.multiple, filled)):
        expected = sacrebleu.corpus_bleu(texts, references)
        assert found.score == pytest.approx(expected.score, abs=1e-12)
        assert found.brevity_penalty == pytest.approx(expected.bp, abs=1e-12)
        assert found.length_ratio == pytest.approx(expected.ratio, abs=1e-12)
    assert figures.single != figures.multiple
    assert 0 < measured.greedy.single.score < measured.greedy.multiple.score


def test_the_signature_says_how_many_references_there_were(measured: Evaluation) -> None:
    assert (measured.fewest_references, measured.most_references) == (1, 3)
    for figures in (measured.greedy, measured.beam):
        assert figures.single.signature.startswith("nrefs:1|")
        assert figures.multiple.signature.startswith("nrefs:var|")


def test_the_beam_size_is_that_of_the_search(measured: Evaluation) -> None:
    assert (measured.greedy.beam_size, measured.beam.beam_size) == (1, 3)
    assert (measured.sentences, measured.beam.search) == (3, "beam")


def test_the_trainers_quick_bleu_is_the_greedy_single_reference_one(
    model: TrainedModel[Any], pairs: tuple[SentencePair, ...], measured: Evaluation
) -> None:
    assert greedy_bleu(model, pairs) == pytest.approx(measured.greedy.single.score, abs=1e-9)


def test_what_can_not_be_measured_is_a_named_error(model: TrainedModel[Any]) -> None:
    with pytest.raises(EmptyBatchError, match="none of 0 pairs"):
        evaluate(model, ())
    long = SentencePair("The cat sat.", ("chat " * 200,))
    with pytest.raises(EmptyBatchError, match="none of 1 pairs has at most 100 tokens"):
        mean_loss(model.network, (long,), model.tokenizer)
    with pytest.raises(SettingError, match="beam size must be between 1 and 64"):
        evaluate(model, (long,), beam_size=0)
