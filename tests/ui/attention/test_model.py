"""The tabs on a model, from the link to the result: steps, maps, correlation, replaced weights."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_core.errors import ExplorerError, SourceTooLongError, UnsupportedModelError
from s2s_core.models.occlusion import share_lost
from s2s_core.ui.attention.effects import (
    correlation_story,
    effects_frame,
    share_told,
    step_effects,
)
from s2s_core.ui.attention.explanation import maps
from s2s_core.ui.attention.link import EVERYWHERE, SEED, STEP, TARGET, WAY, YOURS
from s2s_core.ui.attention.model_run import (
    ExplanationScreen,
    explanation_screen,
    step_screen,
)
from s2s_core.ui.attention.replaced import positions_story, swaps_frame
from s2s_core.ui.attention.step import mixes_states, step_frame, step_panels, vectors, vectors_frame
from s2s_core.ui.decode.link import HEAD, LAYER
from s2s_core.ui.link import LinkValues
from s2s_core.ui.shared_link import MODEL, SOURCE

GRU = LinkValues({}).replace(MODEL, "reverse-additive").replace(SOURCE, "4 9 7 1 2")
TRANSFORMER = GRU.replace(MODEL, "reverse-transformer")


@pytest.fixture(scope="module")
def screen() -> ExplanationScreen:
    return explanation_screen(GRU.replace(STEP, 2))


# --- one step ------------------------------------------------------------------------------------


def test_the_step_that_is_asked_for_is_opened() -> None:
    found = step_screen(GRU.replace(STEP, 3))
    assert found.opened.step == 3 and found.steps == 6
    assert found.opened.prediction.token == "▁7" and found.opened.prefix.split() == ["2", "1"]
    scores, weights = step_panels(found)
    assert sum(weights.values) == pytest.approx(1, abs=1e-5)
    powers = np.exp(np.array(scores.values) - max(scores.values))
    np.testing.assert_allclose(weights.values, powers / powers.sum(), rtol=0, atol=1e-5)


def test_a_recurrent_context_is_shown_as_the_mix_of_the_states_and_a_transformers_is_not() -> None:
    gru, transformer = step_screen(GRU), step_screen(TRANSFORMER)
    assert mixes_states(gru) and not mixes_states(transformer)
    assert len(vectors(gru)) == 6 + 3 and len(vectors(transformer)) == 3


def test_one_head_shows_its_own_part_of_the_context() -> None:
    mean = step_screen(TRANSFORMER)
    one = step_screen(TRANSFORMER.replace(LAYER, 1).replace(HEAD, 2))
    assert (one.layer, one.head) == (0, 1)
    np.testing.assert_array_equal(one.weights, one.opened.weights[0, 1].astype(float))
    np.testing.assert_allclose(mean.weights, mean.opened.weights[-1].mean(axis=0), atol=1e-6)
    whole, part = vectors(mean)[1].vector, vectors(one)[1].vector
    assert len(part) * one.opened.heads == len(whole)
    np.testing.assert_array_equal(part, one.opened.context[0, len(part) : 2 * len(part)])


def test_a_typed_target_ends_with_the_end_token() -> None:
    found = step_screen(GRU.replace(TARGET, "3 3").replace(STEP, 3))
    assert found.steps == 3 and found.opened.prediction.token == "</s>"


def test_tables_of_a_step_hold_what_the_pictures_show() -> None:
    found = step_screen(GRU)
    assert list(step_frame(found)["weight"]) == found.weights.tolist()
    assert vectors_frame(found).shape == (9, 1 + 64)


@pytest.mark.parametrize("run", [step_screen, explanation_screen])
def test_a_fixed_vector_and_a_source_too_long_are_named(run) -> None:
    with pytest.raises(UnsupportedModelError, match="one fixed vector"):
        run(GRU.replace(MODEL, "reverse-fixed-once"))
    with pytest.raises(SourceTooLongError):
        run(GRU.replace(SOURCE, "1 " * 600))
    with pytest.raises(ExplorerError):
        run(GRU.replace(SOURCE, ""))


# --- all steps -----------------------------------------------------------------------------------


def test_both_maps_have_the_same_tokens_and_the_same_scale(screen: ExplanationScreen) -> None:
    attention, lost = maps(screen)
    assert attention.rows == lost.rows and attention.columns == lost.columns
    np.testing.assert_array_equal(lost.shares, share_lost(screen.occlusion.masked))
    assert attention.shares.min() >= 0 and lost.shares.max() <= 1


def test_the_way_chooses_map_and_correlation(screen: ExplanationScreen) -> None:
    other = explanation_screen(GRU.replace(STEP, 2).replace(WAY, "removed"))
    np.testing.assert_array_equal(other.lost, share_lost(other.occlusion.removed))
    assert other.correlations == other.occlusion.correlations("removed")
    assert screen.correlations == screen.occlusion.correlations("masked")


def test_the_words_say_the_correlation_of_the_step_and_the_mean(screen: ExplanationScreen) -> None:
    here = screen.correlations[1]
    assert here is not None
    story = correlation_story(screen)
    assert f"ρ = {here:.2f} over 6 source tokens".replace("= -", "= −") in story
    defined = [each for each in screen.correlations if each is not None]
    assert f"Mean of {len(defined)} steps: {np.mean(defined):.2f}".replace(": -", ": −") in story


def test_numbers_of_a_step_are_its_row_of_the_maps(screen: ExplanationScreen) -> None:
    effects = step_effects(screen)
    assert effects.weights == tuple(screen.attention[1].tolist())
    assert effects.masked == tuple(screen.lost[1].tolist())
    assert len(effects.alone) == 6
    frame = effects_frame(screen)
    row = frame[(frame["step"] == 2) & (frame["source position"] == 3)].iloc[0]
    assert row["drop when masked (nats)"] == screen.occlusion.masked[1, 3]
    assert len(frame) == 36


def test_a_gain_is_told_as_a_factor() -> None:
    assert share_told([0.25, -0.001, -1.0, 1.0]) == ("25 %", "0 %", "× 2", "100 %")


# --- replaced weights ----------------------------------------------------------------------------


def test_weights_equal_to_the_models_own_give_exactly_its_prediction() -> None:
    own = step_screen(GRU.replace(STEP, 2))
    yours = tuple(own.opened.weights[0, 0].tolist())
    found = explanation_screen(GRU.replace(STEP, 2).replace(YOURS, yours)).swaps
    assert found.yours is not None
    assert found.yours.prediction == found.own.prediction == own.opened.prediction
    assert found.yours.drop == 0 and found.yours.distance == 0


def test_replaced_everywhere_or_in_the_shown_head_only() -> None:
    one = TRANSFORMER.replace(LAYER, 1).replace(HEAD, 1).replace(STEP, 2)
    everywhere = explanation_screen(one).swaps
    there = explanation_screen(one.replace(EVERYWHERE, False)).swaps
    assert there.uniform.distance != everywhere.uniform.distance
    own = step_screen(one)
    yours = one.replace(EVERYWHERE, False).replace(YOURS, tuple(own.weights.tolist()))
    found = explanation_screen(yours).swaps.yours
    assert found is not None and found.prediction == own.opened.prediction


def test_all_weight_on_the_right_digit_keeps_the_prediction(screen: ExplanationScreen) -> None:
    assert positions_story(screen.swaps).endswith("▁1 for 1 of 6 positions: on ▁1.")
    frame = swaps_frame(screen.swaps)
    assert list(frame["weights"])[:3] == ["own", "uniform", "shuffled"] and len(frame) == 9
    assert frame["probability"][0] == pytest.approx(np.exp(frame["log-probability"][0]))


def test_another_seed_shuffles_otherwise(screen: ExplanationScreen) -> None:
    others = [
        explanation_screen(GRU.replace(STEP, 2).replace(SEED, seed)).swaps.shuffled.weights
        for seed in (1, 2, 3)
    ]
    assert len({*others}) > 1
