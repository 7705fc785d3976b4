"""What the Training page shows, from its values alone; the numbers of the course among them."""

from __future__ import annotations

import pytest

from s2s_core.errors import EmptyBatchError, PrefixError, SettingError
from s2s_core.models.attention import ATTENTION_SCORES
from s2s_core.text.tasks import held_out_pairs
from s2s_core.training.lessons.free_running import Mistake
from s2s_core.ui.link import LinkValues, read_link, write_link
from s2s_core.ui.shared_link import MODEL, SOURCE
from s2s_core.ui.training import exposure, masks, parallel, results, shift
from s2s_core.ui.training.link import (
    CONTEXTS,
    DIGITS,
    EXPOSED,
    FIELDS,
    LEARNER,
    LENGTH,
    MISTAKE,
    OF,
    OF_SENTENCE,
    POSITION_COUNT,
    TARGET,
    TARGETS,
    TOKENS,
    WITHOUT,
    WRONG_DIGIT,
    P,
)

START = LinkValues({})


def test_the_page_begins_with_the_target_9_4_7_and_5_put_in_at_step_2() -> None:
    story = results.error_story(START)
    assert [row.read for row in story.rows] == ["<s>", "▁9", "▁4", "▁7"]
    assert [row.wanted for row in story.rows] == ["▁9", "▁4", "▁7", "</s>"]
    assert story.disturbed[2].read == "▁5" and story.forced[2].read == "▁4"
    assert shift.headline(story).startswith("Step 3 reads 5, not 4. Of the 2 to come, ")


def test_a_model_that_recovers_is_said_to() -> None:
    story = results.error_story(START.replace(LEARNER, "reverse-additive"))
    assert shift.headline(story) == "Step 3 reads 5, not 4. Of the 2 to come, 2 are right."


@pytest.mark.parametrize(
    ("values", "begins"),
    [
        (START.replace(MISTAKE, 0), "No mistake put in: "),
        (START.replace(WRONG_DIGIT, "4"), "4 is what the target has at step 2"),
        (START.replace(MISTAKE, 3), "Step 4 reads 5, not 7. Of the 1 to come, "),
        (START.replace(MISTAKE, 9), "No mistake put in: "),
    ],
)
def test_the_headline_says_what_was_done(values: LinkValues, begins: str) -> None:
    assert shift.headline(results.error_story(values)).startswith(begins)


def test_digits_may_be_typed_in_any_way_and_their_source_is_the_reversal() -> None:
    request = results.story_request(START.replace(DIGITS, " 94 7"))
    assert request == results.story_request(START)
    assert request.source == "7 4 9"


@pytest.mark.parametrize("text", ["", "9 a", "9" * 41])
def test_other_targets_are_refused(text: str) -> None:
    with pytest.raises(SettingError, match="digit"):
        results.error_story(START.replace(DIGITS, text))


SENTENCE = (
    START.replace(OF, OF_SENTENCE)
    .replace(MODEL, "en-fr-additive-gru")
    .replace(SOURCE, "Where is the station?")
)


def test_a_sentence_is_set_beside_what_the_model_writes_itself() -> None:
    story = results.error_story(SENTENCE)
    assert all(step.right for step in story.free)
    assert story.mistake is not None and story.mistake.step == 2
    second = story.free[1].choices[1].token_id
    assert story.mistake == Mistake(2, second)
    assert story.disturbed[2].read_id == second


def test_a_typed_target_goes_through_the_models_tokenizer() -> None:
    story = results.error_story(SENTENCE.replace(TARGET, "Où est-ce ?"))
    model = results.cached.model("en-fr-additive-gru")
    ids = model.target.ids(model.prepare_target("Où est-ce ?").text)
    assert tuple(row.wanted_id for row in story.rows[:-1]) == ids


def test_the_table_of_steps_has_a_row_a_step_of_each_run() -> None:
    story = results.error_story(START)
    frame = shift.steps_frame(story)
    assert len(frame) == len(story.forced) + len(story.free) + len(story.disturbed)
    assert frame["put in"].sum() == 1


def test_the_scores_of_the_masks_are_those_that_there_are() -> None:
    assert tuple(ATTENTION_SCORES) == CONTEXTS


def test_the_masks_begin_with_the_batch_of_the_course() -> None:
    lesson = results.mask_lesson(START)
    assert lesson.source == ((3, 4, 5), (4, 5, 0)) and lesson.targets == ((4, 3, 2), (5, 2, 0))
    assert lesson.logits_shape == (2, 3, 6) and lesson.valid == 5
    assert all(step.finite for step in lesson.steps)
    loss = f"{lesson.effect('').loss:.4f}"
    assert masks.headline(lesson, "").count(loss) == 2  # the batch, and the sentences one by one
    assert len(masks.effects_frame(lesson)) == 4
    assert len(masks.gradients_frame(lesson)) == len(lesson.steps)


def test_padding_leaks_into_what_the_omission_is_about() -> None:
    lesson = results.mask_lesson(START)
    leaks = {
        name: [grid.leaks for grid in masks.batch_grids(lesson, name)]
        for name in ("", "packing", "source weights", "ignore")
    }
    assert leaks == {
        "": [False, False, False],
        "packing": [True, False, False],
        "source weights": [True, False, False],
        "ignore": [False, False, True],
    }
    assert results.left_out(START.replace(WITHOUT, "ignore")) == "ignore"
    assert "gradient off by" in masks.headline(lesson, "ignore")


def test_targets_of_padding_alone_are_the_named_error() -> None:
    with pytest.raises(EmptyBatchError, match="no valid target token"):
        results.mask_lesson(START.replace(TARGETS, "PAD / PAD"))


@pytest.mark.parametrize(("p", "expected"), [(0.99, 0.8179), (0.95, 0.3585), (0.90, 0.1216)])
def test_the_arithmetic_of_twenty_tokens(p: float, expected: float) -> None:
    values = START.replace(P, p).replace(TOKENS, 20)
    assert round(results.arithmetic(values), 4) == expected


def test_reversal_is_measured_on_strings_that_no_model_was_trained_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(results, "PER_LENGTH", 30)
    results.reversal_exposure.clear()
    values = START.replace(EXPOSED, "reverse-fixed-once").replace(LENGTH, 6)
    found = results.exposure(values)
    results.reversal_exposure.clear()
    assert found is not None
    measured, data = found
    assert data == "30 held-out strings of 6 digits"
    assert [each.position for each in measured.positions] == [1, 2, 3, 4, 5, 6, 7]
    assert len(held_out_pairs("reverse", "test", shortest=6, longest=6, per_length=30)) == 30
    assert exposure.headline(measured).startswith("Right tokens: ")
    assert len(exposure.exposure_frame(measured)) == 7
    assert "Right as a whole, in both ways: " in exposure.later_line(measured)


def test_translation_models_have_the_figures_that_were_measured() -> None:
    found = results.exposure(START.replace(EXPOSED, "en-fr-additive-gru"))
    assert found is not None and "test set" in found[1]
    assert found[0].forced_share > found[0].free_share
    assert "en-fr-additive-gru" in results.exposed_names()


def test_only_the_transformers_training_does_not_grow_with_the_target() -> None:
    short, long = (
        [graph.longest for graph in results.graphs(START.replace(POSITION_COUNT, count))]
        for count in (4, 12)
    )
    assert [a < b for a, b in zip(short, long, strict=True)] == [True, False, True, True]
    frame = parallel.chains_frame(results.graphs(START))
    assert list(frame["longest chain"]) == [6, 2, 14, 14]
    assert "6 operations recurrent, 2 in the Transformer" in parallel.headline(
        results.graphs(START)
    )


def test_every_field_has_its_own_name_and_comes_back_from_the_link() -> None:
    assert len({field.name for field in FIELDS}) == len(FIELDS)
    values = START.replace(DIGITS, "1 2").replace(MISTAKE, 1).replace(P, 0.9)
    read, notices = read_link(write_link(values, FIELDS), FIELDS)
    assert not notices
    assert all(read.get(field) == values.get(field) for field in FIELDS)


def test_a_mistake_needs_a_token_of_the_vocabulary() -> None:
    from s2s_core.ui.training.link import WRONG_TOKEN

    with pytest.raises(PrefixError):
        results.error_story(SENTENCE.replace(WRONG_TOKEN, 999_999))
