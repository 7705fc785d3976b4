"""Figures over a corpus, against sums done here and sacreBLEU called another way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sacrebleu

from s2s_core.errors import EmptyBatchError, SettingError
from s2s_core.models.card import METRICS
from s2s_core.models.checkpoint import load_checkpoint
from s2s_core.models.translation import TrainedModel
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.greedy import greedy_search
from s2s_core.search.score import score_target
from s2s_core.search.trace import Hypothesis
from s2s_core.text.corpus import SentencePair
from s2s_core.text.words import SourceLengths
from s2s_core.training.evaluation import Evaluation, evaluate, greedy_bleu, mean_loss
from tests.cli.tiny import write_checkpoint

SOURCES = ("The cat sat.", "A dog ran in the park.", "On the mat.")
CONFIG = SearchConfig(beam_size=3)
GROUPS = (SourceLengths(1), SourceLengths(1, 4), SourceLengths(5, 7), SourceLengths(8))
each_search = pytest.mark.parametrize("beam_size", [1, 3])


def hypotheses(model: TrainedModel[Any], beam_size: int) -> list[Hypothesis]:
    find = greedy_search if beam_size == 1 else beam_search
    return [find(model, source, CONFIG).best for source in SOURCES]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TrainedModel[Any]:
    folder = tmp_path_factory.mktemp("checkpoints") / "tiny"
    return load_checkpoint(write_checkpoint(folder, context="additive"))


@pytest.fixture(scope="module")
def pairs(model: TrainedModel[Any]) -> tuple[SentencePair, ...]:
    """References that the model half agrees with: one, two and three of them."""
    greedy, beam = ([h.text for h in hypotheses(model, size)] for size in (1, 3))
    references = (
        (f"Un parc {greedy[0]}", f"{beam[0]} chat"),
        (f"{greedy[1]} .",),
        ("Le chat", f"Le {greedy[2]}", f"{beam[2]}"),
    )
    return tuple(map(SentencePair, SOURCES, references))


@pytest.fixture(scope="module")
def measured(model: TrainedModel[Any], pairs: tuple[SentencePair, ...]) -> Evaluation:
    return evaluate(model, pairs, beam_size=3, groups=GROUPS)


def test_loss_and_accuracy_are_over_all_target_tokens_with_their_ends(
    model: TrainedModel[Any], pairs: tuple[SentencePair, ...], measured: Evaluation
) -> None:
    log_probs, hits = [], []
    for pair in pairs:
        ids = (*model.target.encode(pair.target), model.target.eos_id)
        log_probs += score_target(model, pair.source, ids).token_log_probs
        _, state = model.encode([pair.source])
        for last_id, token_id in zip((model.target.bos_id, *ids), ids, strict=False):
            output = model.step(state, np.array([last_id]))
            state = output.state
            hits.append(int(output.log_probs[0].argmax()) == token_id)
    assert measured.score("loss").score == pytest.approx(-np.mean(log_probs), abs=1e-5)
    accuracy = measured.score("teacher-forced token accuracy").score
    assert accuracy == pytest.approx(100 * np.mean(hits), abs=1e-9)
    assert 0 < accuracy < 100


@each_search
def test_bleu_and_chrf_are_sacrebleus_with_the_first_reference_filling_the_gaps(
    model: TrainedModel[Any],
    pairs: tuple[SentencePair, ...],
    measured: Evaluation,
    beam_size: int,
) -> None:
    first = [pair.target for pair in pairs]
    # A reference given twice changes neither the clipped counts nor the closest length.
    filled = [[(*pair.references, pair.target, pair.target)[i] for pair in pairs] for i in range(3)]
    texts = [hypothesis.text for hypothesis in hypotheses(model, beam_size)]
    for every, references in ((False, [first]), (True, filled)):
        bleu = sacrebleu.corpus_bleu(texts, references)
        expected = {
            "BLEU": bleu.score,
            "brevity penalty": bleu.bp,
            "length ratio": bleu.ratio,
            "chrF": sacrebleu.corpus_chrf(texts, references).score,
        }
        for metric, value in expected.items():
            found = measured.score(metric, beam_size=beam_size, all_references=every)
            assert found.score == pytest.approx(value, abs=1e-9), metric
            assert found.signature.startswith("nrefs:var|" if every else "nrefs:1|")
    one, many = (measured.score("BLEU", beam_size=1, all_references=e).score for e in (False, True))
    assert 0 < one < many


@each_search
def test_free_running_accuracy_counts_positions_of_the_reference(
    model: TrainedModel[Any],
    pairs: tuple[SentencePair, ...],
    measured: Evaluation,
    beam_size: int,
) -> None:
    right = total = 0
    for hypothesis, pair in zip(hypotheses(model, beam_size), pairs, strict=True):
        reference = [*model.target.encode(pair.target), model.target.eos_id]
        written = [*hypothesis.token_ids, *[-1] * len(reference)]
        right += sum(written[i] == token for i, token in enumerate(reference))
        total += len(reference)
    found = measured.score("token accuracy", beam_size=beam_size).score
    assert found == pytest.approx(100 * right / total, abs=1e-9)


def test_exact_match_takes_any_reference_or_the_first_alone(measured: Evaluation) -> None:
    one = measured.score("exact match", beam_size=3)
    every = measured.score("exact match", beam_size=3, all_references=True)
    assert (one.score, every.score) == (0, pytest.approx(100 / 3))
    assert (one.references, every.references) == ("column 2", "all, 1 to 3 a sentence")


def test_parts_by_source_length_are_the_figures_of_those_sentences_alone(
    model: TrainedModel[Any], pairs: tuple[SentencePair, ...], measured: Evaluation
) -> None:
    for group, chosen in ((GROUPS[1], (pairs[0], pairs[2])), (GROUPS[2], (pairs[1],))):
        alone = evaluate(model, chosen, beam_size=3, groups=(SourceLengths(),))
        part = [s for s in measured.scores if s.longest == group.longest]
        assert {s.sentences for s in part} == {len(chosen)}
        wanted = {(s.metric, s.beam_size, s.references == "column 2"): s for s in alone.scores}
        for score in part:
            key = (score.metric, score.beam_size, score.references == "column 2")
            if key in wanted:
                assert score.score == pytest.approx(wanted[key].score, abs=1e-6)
                assert score.low == pytest.approx(wanted[key].low, abs=1e-6)
    assert {(s.shortest, s.longest) for s in measured.scores} == {(1, None), (1, 4), (5, 7)}


def test_every_metric_is_measured_and_lies_in_its_interval(measured: Evaluation) -> None:
    assert {score.metric for score in measured.scores} == set(METRICS)
    for score in measured.scores:
        assert score.low <= score.score + 1e-9, score
        assert score.score <= score.high + 1e-9, score
    assert any(score.low < score.high for score in measured.scores)


def test_one_reference_a_sentence_is_measured_once(
    model: TrainedModel[Any], pairs: tuple[SentencePair, ...]
) -> None:
    single = tuple(SentencePair(pair.source, pair.references[:1]) for pair in pairs)
    result = evaluate(model, single, beam_size=2)
    assert {score.references for score in result.scores} == {"column 2"}
    assert result.score("BLEU", beam_size=2, all_references=True).references == "column 2"


def test_times_are_of_both_searches(measured: Evaluation) -> None:
    assert [time.beam_size for time in measured.times] == [1, 3]
    assert all(time.alone > 0 and time.in_batches > 0 for time in measured.times)
    groups = dict.fromkeys((s.shortest, s.longest, s.sentences) for s in measured.scores)
    for time in measured.times:  # few sentences: all of them were timed
        assert [(t.shortest, t.longest, t.sentences) for t in time.by_length] == [*groups]
        assert time.alone == time.by_length[0].mean


def test_the_trainers_quick_bleu_is_the_greedy_single_reference_one(
    model: TrainedModel[Any], pairs: tuple[SentencePair, ...], measured: Evaluation
) -> None:
    expected = measured.score("BLEU", beam_size=1).score
    assert greedy_bleu(model, pairs) == pytest.approx(expected, abs=1e-9)


def test_what_can_not_be_measured_is_a_named_error(model: TrainedModel[Any]) -> None:
    with pytest.raises(EmptyBatchError, match="none of 0 pairs"):
        evaluate(model, ())
    long = SentencePair("The cat sat.", ("chat " * 200,))
    with pytest.raises(EmptyBatchError, match="none of 1 pairs has a source of such a length"):
        evaluate(model, (long,), groups=(SourceLengths(90, 99),))
    with pytest.raises(EmptyBatchError, match="none of 1 pairs has at most 100 tokens"):
        mean_loss(model.network, (long,), model.tokenizer)
    with pytest.raises(SettingError, match="beam size must be between 1 and 64"):
        evaluate(model, (long,), beam_size=0)
