"""The Search lab: exact search, beam widths, other decoders, word by word."""

from __future__ import annotations

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from s2s_core.models.checkpoint import checkpoint_names
from s2s_core.search import width_sweep
from s2s_core.search.exact import ExactProgress, Watch
from s2s_core.ui.lab import exact, widths
from s2s_core.ui.lab.link import DECODER_NAMES, FIELDS, TABS
from tests.pages.conftest import OpenPage, shown

LINK = {"model": checkpoint_names()[0], "source": "I like tea.", "beam": "2", "max": "8"}


def table(app: AppTest, column: str) -> pd.DataFrame:
    return next(each.value for each in app.dataframe if column in each.value.columns)


def test_exact_search_says_what_it_proved(open_page: OpenPage) -> None:
    app = open_page("lab", LINK)
    assert not app.exception and not app.error
    assert "outcome" not in shown(app)
    app.button(key="exact_start").click().run()
    assert not app.exception and not app.error
    text = shown(app)
    assert "Proved: the best of all" in text or "Budget hit" in text
    assert "Beam search: " in text and "prefixes continued" in text
    app.number_input(key="min").set_value(3).run()
    app.button(key="exact_start").click().run()
    assert not app.exception and not app.error
    assert shown(app).count("<tr>") == 1 + 2  # the head, and both searches


def test_a_budget_that_is_hit_is_said(open_page: OpenPage) -> None:
    app = open_page("lab", LINK | {"source": "Where is the station?", "max": "20", "budget": "100"})
    app.button(key="exact_start").click().run()
    assert not app.exception and not app.error
    assert "Budget hit: the best so far" in shown(app) or "Proved" in shown(app)


def test_a_cancelled_search_keeps_what_it_had(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stuck(
        model: object, source: str, config: object, *, node_budget: int, watch: Watch
    ) -> None:
        watch(ExactProgress(64, node_budget, -1.25, (5, 2)))
        st.stop()

    monkeypatch.setattr(exact, "exact_search", stuck)
    app = open_page("lab", LINK)
    app.button(key="exact_start").click().run()
    assert app.button(key="exact_start").disabled
    app.button(key="exact_cancel").click().run()
    assert not app.exception and not app.error
    text = shown(app)
    assert "Cancelled" in text and "−1.2500" in text and ">64<" in text
    assert not app.button(key="exact_start").disabled


def test_a_reference_gives_a_verdict_on_the_model(open_page: OpenPage) -> None:
    app = open_page("lab", LINK | {"reference": "J'aime le café chaud."})
    app.button(key="exact_start").click().run()
    assert not app.exception and not app.error
    assert "the reference" in shown(app)


def test_every_beam_size_is_searched_and_measured(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(width_sweep, "WIDTHS", (1, 2))
    monkeypatch.setattr(widths, "WIDTHS", (1, 2))
    monkeypatch.setattr(
        width_sweep.sweep_widths, "__kwdefaults__", {"beam_sizes": (1, 2), "forced_ids": ()}
    )
    app = open_page("lab", LINK | {"tab": TABS[1], "reference": "J'aime le thé."})
    app.button(key="widths_start").click().run()
    assert not app.exception and not app.error
    found = table(app, "prefixes continued")
    assert list(found["B"]) == [1, 2]
    assert found["chrF"].between(0, 100).all()
    assert found["sentence BLEU"].between(0, 100.0001).all()


@pytest.mark.parametrize("name", DECODER_NAMES)
def test_every_decoder_gives_a_table_or_a_message(open_page: OpenPage, name: str) -> None:
    link = LINK | {"tab": TABS[3], "decoder": name, "samples": "4", "groups": "2", "words": "thé"}
    app = open_page("lab", link)
    assert not app.exception and not app.warning and not app.error
    assert len(table(app, "place"))


def test_the_same_seed_draws_the_same(open_page: OpenPage) -> None:
    link = LINK | {"tab": TABS[3], "samples": "4", "seed": "3"}
    first, second = (table(open_page("lab", link), "place") for _ in range(2))
    assert first.equals(second)
    other = table(open_page("lab", link | {"seed": "4"}), "place")
    assert not first.equals(other)


def test_groups_that_do_not_divide_the_beam_are_a_message(open_page: OpenPage) -> None:
    app = open_page("lab", LINK | {"tab": TABS[3], "decoder": "diverse", "groups": "3"})
    assert not app.exception
    assert app.error


def test_a_hypothesis_word_by_word(open_page: OpenPage) -> None:
    app = open_page("lab", LINK | {"tab": TABS[4], "rank": "2"})
    assert not app.exception and not app.error and not app.warning
    assert app.selectbox(key="rank").value == 2
    app = open_page("lab", LINK | {"tab": TABS[4], "rank": "9"})
    (warning,) = app.warning
    assert "rank: “9”" in warning.value


def test_nonsense_in_every_field_is_named(open_page: OpenPage) -> None:
    free = ("source", "reference", "words", "beams", "values")
    link = {field.name: "non\x00sense <b>" for field in FIELDS if field.name not in free}
    app = open_page("lab", link)
    assert not app.exception and not app.error
    (warning,) = app.warning
    for name in link:
        assert f" {name}: “" in warning.value


PAIRS = b"I like tea.\tJ'aime le th\xc3\xa9.\nHe sleeps.\tIl dort.\tIl est en train de dormir.\n"


def test_a_grid_over_a_file_is_measured_and_its_best_cell_named(open_page: OpenPage) -> None:
    link = LINK | {"tab": TABS[2], "beams": "1,2", "values": "0,1", "shown": "length ratio"}
    app = open_page("lab", link)
    assert not app.exception and not app.error
    app.file_uploader(key="grid_file").set_value(("dev.tsv", PAIRS, "text/plain")).run()
    app.button(key="grid_start").click().run()
    assert not app.exception and not app.error
    assert "Best BLEU on this file" in shown(app)
    outputs = app.session_state["_grid_outputs"][1]
    assert [(o.beam_size, o.line) for o in outputs] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert app.button(key="grid_start").disabled
    app.session_state["_grid_outputs"] = (app.session_state["_grid_outputs"][0], outputs[:3])
    app.run()
    assert "3 of 4 searches are done" in shown(app)
    app.button(key="grid_start").click().run()
    again = app.session_state["_grid_outputs"][1]
    assert again[:3] == outputs[:3] and len(again) == 4


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"one column", "a source and at least one reference"),
        (b"", "empty"),
        (b"a\tb\n" * 201, "1 to 200"),
        (b"\xff", "UTF-8"),
    ],
)
def test_a_file_without_references_is_refused(
    open_page: OpenPage, content: bytes, message: str
) -> None:
    app = open_page("lab", LINK | {"tab": TABS[2]})
    app.file_uploader(key="grid_file").set_value(("dev.tsv", content, "text/plain")).run()
    assert not app.exception
    (error,) = app.error
    assert message in error.value


@pytest.mark.parametrize(
    "link", [{"beams": "1,x"}, {"beams": "0"}, {"beams": "2,2"}, {"values": "-1"}, {"values": ""}]
)
def test_a_grid_that_cannot_be_is_a_message(open_page: OpenPage, link: dict[str, str]) -> None:
    app = open_page("lab", LINK | {"tab": TABS[2]} | link)
    app.file_uploader(key="grid_file").set_value(("dev.tsv", PAIRS, "text/plain")).run()
    assert not app.exception
    assert app.error
