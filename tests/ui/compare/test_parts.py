"""The Compare page without a browser: its link of names, its tables, the right answer."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from s2s_core.errors import LinkError
from s2s_core.models.checkpoint import CHECKPOINTS, checkpoint_names, load_card, load_model
from s2s_core.models.cost import cost_times
from s2s_core.training.objective import make_batch
from s2s_core.ui.compare.link import FIELDS, MODELS, MOST_MODELS
from s2s_core.ui.compare.next_tokens import along, own_output
from s2s_core.ui.compare.outputs import budgets_told
from s2s_core.ui.compare.quality import quality_frame
from s2s_core.ui.compare.run import run_models
from s2s_core.ui.link import read_link, write_link
from s2s_core.ui.models.cost import cost_frame, times_frame

TOY = [load_card(CHECKPOINTS / f"reverse-{name}") for name in ("fixed-once", "additive")]


def test_chosen_models_come_back_from_the_link_in_their_order() -> None:
    names = checkpoint_names()[:MOST_MODELS][::-1]
    values, notices = read_link({"models": ",".join(names)}, FIELDS)
    assert not notices and values.get(MODELS) == names
    assert write_link(values, FIELDS)["models"] == ",".join(names)


@pytest.mark.parametrize(
    "text", ["no-such", ",", "../x", " ", ",".join(checkpoint_names()[: MOST_MODELS + 1])]
)
def test_names_that_are_not_here_or_too_many_are_refused(text: str) -> None:
    with pytest.raises(LinkError, match="up to 4 names"):
        MODELS.parse(text)


def test_a_name_counts_once() -> None:
    name = checkpoint_names()[0]
    assert MODELS.parse(f"{name},{name}") == (name,)
    assert MODELS.parse("") == ()


def test_every_model_reads_the_same_source_and_is_held_to_the_answer() -> None:
    fixed, additive = run_models(TOY, "4 9 7 1 2", beam_size=2)
    assert (fixed.title, additive.title) == ("fixed vector once (GRU)", "additive attention (GRU)")
    assert additive.places is not None and additive.places.answer == "2 1 7 9 4"
    assert additive.places.exact and additive.seconds > 0
    assert fixed.places is not None and fixed.places.answer == additive.places.answer


def test_a_given_target_is_followed_with_the_probabilities_of_teacher_forcing() -> None:
    for run in run_models(TOY, "4 9 7 1 2", beam_size=2):
        followed = along(run, "2 1 0")
        model = load_model(run.card.name)
        given = model.target.ids("2 1 0")
        assert (followed.given, followed.steps) == (3, 4)
        assert tuple(c.token_id for c in followed.path[:3]) == given
        batch = make_batch([model.source_ids("4 9 7 1 2")[:-1]], [list(given)])
        with torch.inference_mode():
            hidden = model.network(batch.source, batch.source_mask, batch.inputs)
            rows = torch.log_softmax(model.network.logits(hidden), dim=-1)[0]
        expected = [float(row[token_id]) for row, token_id in zip(rows, given, strict=False)]
        assert [c.token_log_prob for c in followed.path[:3]] == pytest.approx(expected, abs=1e-4)
        assert "".join(c.token for c in own_output(run).path) != "".join(
            c.token for c in followed.path
        )


def test_budgets_that_differ_are_named() -> None:
    assert budgets_told(TOY) == "All of them saw 2.39 million target tokens in training."
    less = dataclasses.replace(TOY[1], budget=TOY[1].budget | {"target_tokens_seen": 1000})
    assert "additive attention (GRU): 1,000." in budgets_told([TOY[0], less])
    assert budgets_told(TOY[:1]) == ""
    assert budgets_told([TOY[0], dataclasses.replace(less, budget={})]) == ""


def test_what_a_model_cannot_read_is_its_problem_alone() -> None:
    english = load_card(CHECKPOINTS / "en-fr-additive-gru")
    toy, other = run_models([TOY[0], english], "I like tea.", beam_size=2)
    assert toy.trace is None and "reads digits only" in toy.problem
    assert other.best is not None and not other.problem and other.places is None


def test_tables_hold_what_the_pictures_show() -> None:
    frame = cost_frame([(TOY[0], (5, 6)), (TOY[1], (5, 6))])
    assert list(frame["scored pairs, cross"]) == [0, 30]
    assert list(frame["parameters"]) == [card.parameters for card in TOY]
    quality = quality_frame(TOY, "exact match", beam_size=1)
    assert {*quality["model"]} == {card.name for card in TOY}
    assert len(times_frame()) == sum(len(each.lengths) for each in cost_times().networks)
