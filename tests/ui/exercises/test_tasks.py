"""What the exercises say is true, and their links are links of their pages."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from s2s_core.metrics.report import bleu_report
from s2s_core.metrics.settings import BleuSettings
from s2s_core.search.length_penalty import GnmtPenalty
from s2s_core.search.presets import PRESETS
from s2s_core.search.published import PUBLISHED_LISTS
from s2s_core.training.live.config import LiveConfig
from s2s_core.training.live.result import Example, LiveReport, Measured, RunSoFar
from s2s_core.ui import shell
from s2s_core.ui.exercises import bleu_tasks, model_tasks, progress, search_tasks
from s2s_core.ui.exercises.facts import Trained
from s2s_core.ui.exercises.tasks import EXERCISES
from s2s_core.ui.playground.searches import Searches, search_table


def searched(preset: str, beam_size: int) -> Searches:
    given = PRESETS[preset]
    return search_table(given.load(), replace(given.config, beam_size=beam_size))


def minus(number: float) -> str:
    return f"{number:.4f}".replace("-", "−")


def test_names_are_the_keys_and_every_page_is_one() -> None:
    assert all(name == exercise.name for name, exercise in EXERCISES.items())
    assert {exercise.page for exercise in EXERCISES.values()} <= set(shell.PAGES)


def test_the_greedy_trap_has_the_figures_that_its_answer_gives() -> None:
    one, two = searched("greedy-trap", 1), searched("greedy-trap", 2)
    exercise = search_tasks.GREEDY_TRAP
    assert one.greedy.best.text == "A x"
    assert minus(one.greedy.best.log_prob) == "−1.2040" and "−1.2040" in exercise.task
    assert two.beam.best.text == "B x"
    assert minus(two.beam.best.log_prob) == "−0.9676" and "−0.9676" in exercise.answer


def test_rank_one_changes_where_its_answer_says() -> None:
    short, long = PUBLISHED_LISTS["short-and-long"].entries
    for alpha, wanted in ((0.6, ("−1.9601", "−2.1413")), (1.0, ("−1.6667", "−1.4118"))):
        penalty = GnmtPenalty(alpha)
        scores = tuple(minus(penalty.score(e.log_prob, e.length)) for e in (short, long))
        assert scores == wanted
        assert all(score in search_tasks.RANK_ONE.answer for score in wanted)
    at = math.log(4 / 2.5) / math.log(17 / 9)
    assert f"{at:.4f}" in search_tasks.RANK_ONE.answer


def test_the_empty_output_is_overtaken_where_its_answer_says() -> None:
    empty, other = PUBLISHED_LISTS["empty-wins"].entries[:2]
    at = math.log(other.log_prob / empty.log_prob) / math.log(16)
    assert f"{at:.4f}" == "0.6963" and "0.6963" in search_tasks.EMPTY_WINS.answer
    assert f"{16**at:.1f}" == "6.9" and "6.9 times" in search_tasks.EMPTY_WINS.answer


def test_only_a_beam_that_loses_to_a_narrower_one_counts() -> None:
    results = [
        search_tasks.WIDER_LOSES.is_done(searched("beam-two-is-worse", beam))
        for beam in (1, 2, 3, 4)
    ]
    assert results == [False, True, False, False]
    assert not search_tasks.WIDER_LOSES.is_done(searched("greedy-trap", 2))


@pytest.mark.parametrize(("words", "counts"), [(5, False), (6, True), (7, False)])
def test_six_words_of_ten_halve_the_score(words: int, counts: bool) -> None:
    reference = bleu_tasks.BREVITY.start["reference"]
    text = " ".join(reference.split()[:words])
    report = bleu_report([text], [[reference]])
    assert bleu_tasks.BREVITY.is_done(report) == counts
    assert f"{math.exp(1 - 10 / words):.4f}" in bleu_tasks.BREVITY.answer


@pytest.mark.parametrize(
    ("hypothesis", "counts"),
    [
        ("the the cat", False),
        ("the the the the", True),  # 1/4
        ("dog dog dog dog", False),  # not in the reference
        ("the the the the dog", False),
        ("", False),
    ],
)
def test_clipping_counts_with_words_of_the_reference_only(hypothesis: str, counts: bool) -> None:
    assert bleu_tasks.CLIPPING.is_done(bleu_report([hypothesis], [["the cat"]])) == counts


def test_zero_needs_every_word_and_no_smoothing() -> None:
    solution = bleu_tasks.ZERO.solution
    texts = [solution["hypothesis"]], [[solution["reference"]]]
    assert bleu_tasks.ZERO.is_done(bleu_report(*texts, BleuSettings(smooth="none")))
    assert not bleu_tasks.ZERO.is_done(bleu_report(*texts))  # smoothed: not 0
    shorter = [" ".join(texts[0][0].split()[:5])], texts[1]
    assert not bleu_tasks.ZERO.is_done(bleu_report(*shorter, BleuSettings(smooth="none")))


def outcome(config: LiveConfig, steps: int, exact: float) -> RunSoFar:
    measured = Measured(0.1, 99.0, 98.0, exact, Example(("1",), ("1",), ("1",), None))
    return RunSoFar(config, (LiveReport(steps, 9.0, 9.0, 0.1, 1.0, measured),))


def trained(*runs: tuple[str, int, float]) -> Trained:
    return Trained(tuple(outcome(LiveConfig(model=m), steps, exact) for m, steps, exact in runs))


@pytest.mark.parametrize(
    ("runs", "counts"),
    [
        ([("additive", 400, 97.0), ("fixed-once", 400, 2.0)], True),
        ([("fixed-every-step", 400, 94.9), ("dot", 400, 95.0)], True),
        ([("additive", 400, 97.0)], False),
        ([("additive", 400, 94.0), ("fixed-once", 400, 2.0)], False),
        ([("additive", 400, 97.0), ("fixed-once", 200, 2.0)], False),  # it had fewer steps
        ([("additive", 230, 97.0), ("fixed-once", 400, 2.0)], True),
        ([("additive", 400, 97.0), ("fixed-once", 400, 96.0)], False),
    ],
)
def test_training_counts_with_both_networks_on_one_budget(
    runs: list[tuple[str, int, float]], counts: bool
) -> None:
    assert model_tasks.TRAIN.is_done(trained(*runs)) == counts


def test_strings_of_other_lengths_do_not_count() -> None:
    pairs = (("additive", 97.0), ("fixed-once", 2.0))
    for config in ({"length": 6}, {"mixed": True}, {"task": "copy"}):
        runs = tuple(outcome(LiveConfig(model=m, **config), 400, exact) for m, exact in pairs)
        assert not model_tasks.TRAIN.is_done(Trained(runs))


def test_a_fact_of_another_page_says_nothing() -> None:
    assert not search_tasks.RANK_ONE.is_done(searched("greedy-trap", 2))
    assert not search_tasks.RANK_ONE.is_done("nonsense")


def test_done_survives_the_link() -> None:
    names = tuple(EXERCISES)[1:4]
    assert progress.DONE.parse(progress.DONE.show(names)) == names
    assert progress.DONE.parse("") == ()


def test_the_next_exercise_is_the_next_that_is_not_done(monkeypatch: pytest.MonkeyPatch) -> None:
    names = list(EXERCISES)
    monkeypatch.setattr(progress.state, "get", lambda field: (names[0], names[2]))
    assert progress.following(EXERCISES[names[0]]) is EXERCISES[names[1]]
    assert progress.following(EXERCISES[names[-1]]) is EXERCISES[names[1]]
    monkeypatch.setattr(progress.state, "get", lambda field: tuple(names))
    assert progress.following(EXERCISES[names[0]]) is None
