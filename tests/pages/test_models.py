"""The Models page: every card can be read, and the checks run on the chosen model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from s2s_core.errors import CheckpointError
from s2s_core.models.checkpoint import CHECKPOINTS, RateTrial, checkpoint_names, load_card
from s2s_core.text.clauses import join_clauses
from s2s_core.training.checks import CHECKS
from s2s_core.ui.models import checks
from s2s_core.ui.models.card import overruled, scores_frame
from s2s_core.ui.models.checks import checks_frame, numbers_line
from s2s_core.ui.models.link import FIELDS, TABS
from tests.pages.conftest import OpenPage, shown

LINK = {"model": "reverse-fixed-once", "source": ""}


@pytest.mark.parametrize("name", checkpoint_names())
def test_every_card_is_shown(open_page: OpenPage, name: str) -> None:
    app = open_page("models", {"model": name})
    card = load_card(CHECKPOINTS / name)
    assert not app.exception and not app.error and not app.warning
    text = shown(app)
    assert f"{card.parameters:,}" in text and card.licence in text
    (chart,) = app.get("plotly_chart")
    assert "from the source to the next token" in chart.proto.alt
    assert any(b.proto.label == "Card (JSON)" for b in app.get("download_button"))


@pytest.mark.parametrize("tab", TABS)
def test_every_tab_opens_by_its_link_and_stays_in_it(open_page: OpenPage, tab: str) -> None:
    link = LINK | {"tab": tab}
    app = open_page("models", link)
    assert not app.exception and not app.error and not app.warning
    kept = app.session_state["_written"][1]
    assert kept == {name: value for name, value in link.items() if value != TABS[0]}


def test_the_checks_run_with_their_numbers(open_page: OpenPage) -> None:
    app = open_page("models", LINK | {"tab": "Checks"})
    text = shown(app)
    assert "6 of 6 checks passed" in text
    for result in ("passed", "doesn&#x27;t apply"):
        assert result in text
    assert "positions: " in text and "largest difference: " in text
    app.selectbox(key="model").select("reverse-transformer").run()
    assert "8 of 8 checks passed" in shown(app) and not app.exception


def test_a_source_of_ones_own_is_checked_or_refused(open_page: OpenPage) -> None:
    app = open_page("models", {"model": "reverse-dot", "source": "9 8 7", "tab": "Checks"})
    assert "sources: 4 " in shown(app) and "8 of 8 checks passed" in shown(app)
    assert join_clauses("digits", 2) in shown(app) and "  ·  9 8 7<" in shown(app)
    for text in ("four", "1 " * 600):
        app.text_input(key="source").set_value(text).run()
        assert app.error and "sources: 3 " in shown(app) and not app.exception
        assert app.text_input(key="source").value == text
    app.text_input(key="source").set_value(" ").run()
    assert not app.error and "sources: 3 " in shown(app)


def test_the_measured_figures_have_intervals_commands_and_signatures(open_page: OpenPage) -> None:
    app = open_page("models", LINK | {"tab": "Measured"})
    card = load_card(CHECKPOINTS / LINK["model"])
    assert [block.value for block in app.code] == list(card.commands.values())
    frame = scores_frame(card)
    assert len(frame) == len(card.scores)
    assert {"low", "high", "signature"} <= {*frame.columns}
    assert (frame["low"] <= frame["score"] + 1e-9).all()


def test_trials_of_learning_rates_are_shown(open_page: OpenPage) -> None:
    app = open_page("models", LINK | {"tab": "Training"})
    assert "target tokens seen" in shown(app)
    assert len(app.get("plotly_chart")) == 2


def test_a_rate_that_the_trials_do_not_name_is_told() -> None:
    card = load_card(CHECKPOINTS / "reverse-dot")
    rate = card.budget["learning_rate"]
    assert isinstance(rate, float) and not overruled(card)
    short = RateTrial(rate, 10, 100, 3.0, 5.0), RateTrial(rate * 2, 10, 100, 2.0, 6.0)
    assert overruled(replace(card, learning_rate_trials=short))
    whole = RateTrial(rate, 100, 1000, 1.0, 30.0), RateTrial(rate * 2, 100, 1000, 1.1, 29.0)
    assert not overruled(replace(card, learning_rate_trials=(*short, *whole)))


def test_nonsense_in_the_link_is_named(open_page: OpenPage) -> None:
    link = {field.name: "<b>*x*" for field in FIELDS if field.name != "source"}
    app = open_page("models", link)
    (warning,) = app.warning
    assert all(f" {name}: “" in warning.value for name in link)
    assert not app.exception and not app.error


def test_numbers_of_checks_are_rows_of_the_table_that_is_saved() -> None:
    from s2s_core.training.checks import CheckResult

    results = [CheckResult("a", "passed", "why.", (("x", 1.0), ("y", 0.5))),
               CheckResult("b", "doesn't apply", "no.")]  # fmt: skip
    frame = checks_frame(results)
    assert list(frame["check"]) == ["a", "a", "b"] and list(frame["value"][:2]) == [1.0, 0.5]
    assert numbers_line(results[0].numbers) == "x: 1 · y: 0.5"
    assert len(CHECKS) == 9


def test_an_error_in_a_tab_leaves_the_rest_of_the_page(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(name: str) -> None:
        raise CheckpointError("its weights are lost")

    monkeypatch.setattr(checks, "draw", failing)
    app = open_page("models", {"model": "reverse-dot", "source": "", "tab": "Checks"})
    (error,) = app.error
    assert "Its weights are lost." in error.value and not app.exception
    assert "picture" in [each.key for each in app.get("button_group")]  # drawn below the tabs
