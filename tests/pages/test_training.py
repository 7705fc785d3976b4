"""The Training page: every tab by its link, what is on screen, and what can't be read."""

from __future__ import annotations

import pytest

from s2s_core.ui import cached
from s2s_core.ui.training.link import ERRORS, FIELDS, TABS
from s2s_core.ui.training.panels import PANELS
from tests.pages.conftest import OpenPage, shown, translation

LINK = {"model": "reverse-additive", "source": ""}


def test_every_tab_has_its_panel_in_the_same_order() -> None:
    assert tuple(PANELS) == TABS


@pytest.mark.parametrize("tab", TABS)
def test_every_tab_opens_by_its_link_and_stays_in_it(open_page: OpenPage, tab: str) -> None:
    link = LINK | {"tab": tab}
    app = open_page("training", link)
    assert not app.exception and not app.error and not app.warning
    kept = app.session_state["_written"][1]
    assert kept == {name: value for name, value in link.items() if value != TABS[0]}
    assert translation(app)
    charts = app.get("plotly_chart")
    assert charts and all(chart.proto.alt for chart in charts)


def test_the_first_screen_has_the_shift_and_what_a_mistake_does(open_page: OpenPage) -> None:
    app = open_page("training", LINK | {"tab": ERRORS})
    assert "Step 3 reads 5, not 4." in translation(app)
    text = shown(app)
    assert "is asked for" in text and "9 [5] 6 7 &lt;/s&gt;" in text
    app.selectbox(key="learner").select("reverse-additive").run()
    assert "Of the 2 to come, 2 are right." in translation(app) and not app.exception
    assert app.session_state["_written"][1]["learner"] == "reverse-additive"


def test_a_shorter_target_takes_the_mistake_along(open_page: OpenPage) -> None:
    app = open_page("training", LINK | {"tab": ERRORS, "mistake": "3"})
    app.text_input(key="digits").set_value("8").run()
    assert not app.exception and not app.error
    assert app.slider(key="mistake").value == 1
    app.text_input(key="digits").set_value("8 x").run()
    (error,) = app.error
    assert "isn't a digit" in error.value


def test_a_sentence_has_a_choice_of_tokens_to_put_in(open_page: OpenPage) -> None:
    link = {"model": "en-fr-additive-gru", "source": "Where is the station?"}
    app = open_page("training", link | {"tab": ERRORS, "of": "a sentence"})
    assert not app.exception and not app.error and not app.warning
    first, tokens = translation(app), app.selectbox(key="token").options
    target = cached.model(link["model"]).target
    third = next(i for i in range(target.size) if target.token(i) == tokens[1])
    app.selectbox(key="token").set_value(third).run()
    assert translation(app) != first and not app.exception
    assert app.session_state["_written"][1]["token"] == str(third)
    app.slider(key="mistake").set_value(0).run()
    assert "No mistake put in" in translation(app) and not app.exception


def test_leaving_a_mask_out_is_said_in_large(open_page: OpenPage) -> None:
    app = open_page("training", LINK | {"tab": "Masks", "without": "ignore"})
    assert translation(app).startswith('<div class="s2s-translation') and "ignore" in shown(app)
    assert "Without ignore: loss" in translation(app)
    app.text_input(key="targets").set_value("PAD / PAD").run()
    (error,) = app.error
    assert "no valid target token" in error.value and not app.exception


def test_a_translation_model_shows_what_was_measured(open_page: OpenPage) -> None:
    app = open_page("training", LINK | {"tab": "Exposure bias", "exposed": "zh-en-additive-gru"})
    assert not app.exception and not app.error
    text = shown(app)
    assert "sentences of the test set" in text and "0.95^20 = 0.3585" in text
    assert "not a measurement" in text


def test_nonsense_in_the_link_is_named(open_page: OpenPage) -> None:
    free = ("source", "digits", "target", "sources", "targets")
    link = {field.name: "<b>*x*" for field in FIELDS if field.name not in free}
    app = open_page("training", link)
    (warning,) = app.warning
    assert all(f" {name}: “" in warning.value for name in link)
    assert not app.exception and not app.error
