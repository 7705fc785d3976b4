"""The Search playground: presets, one's own table, verdicts, links and files."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from s2s_core.search.presets import PRESETS
from s2s_core.ui.playground.link import FIELDS
from tests.pages.conftest import OpenPage, shown

ODD = "<b>*x*$1$</s>:smile:"


def results(app: AppTest) -> str:
    """The table of the three searches."""
    (table,) = [e.proto.body for e in app.get("html") if "prefixes continued" in e.proto.body]
    return str(table)


def type_table(app: AppTest, text: str) -> AppTest:
    return app.text_area(key="table_text").set_value(text).run()


def test_the_greedy_trap_is_there_at_once_with_its_figures(open_page: OpenPage) -> None:
    app = open_page("playground")
    assert not app.exception and not app.error
    for piece in ("A x", "−1.2040", "B x", "−0.9676", "proved"):
        assert piece in results(app)
    text = shown(app)
    assert "Greedy search: search error" in text
    assert "Beam search: neither" in text
    assert "68 % in strings that ended" in text


@pytest.mark.parametrize("name", PRESETS)
def test_choosing_a_preset_takes_its_settings(open_page: OpenPage, name: str) -> None:
    app = open_page("playground", {"beam": "7", "max": "6"})
    app.segmented_control(key="table").set_value(name).run()
    assert not app.exception and not app.error
    config = PRESETS[name].config
    assert app.number_input(key="beam").value == config.beam_size or name == "greedy-trap"
    assert app.text_area(key="table_text").value == PRESETS[name].text
    assert "A valid table" in shown(app)


@pytest.mark.parametrize(
    ("link", "verdict"),
    [
        ({"table": "beam-two-is-worse", "beam": "1"}, "Beam search: neither"),
        ({"table": "beam-two-is-worse", "beam": "2"}, "Beam search: search error"),
        ({"table": "beam-two-is-worse", "beam": "3"}, "Beam search: neither"),
        ({"table": "empty-on-top", "right": "the tea EOS"}, "Beam search: model error"),
        ({"table": "greedy-trap", "right": "B x EOS"}, "Beam search: neither"),
        (
            {"table": "first-misses", "penalty": "power", "stop": "first"},
            "Beam search: search error",
        ),
        (
            {"table": "first-misses", "penalty": "power", "stop": "exhaust"},
            "Beam search: neither",
        ),
    ],
)
def test_the_verdict_in_words(open_page: OpenPage, link: dict[str, str], verdict: str) -> None:
    app = open_page("playground", link)
    assert not app.exception and not app.error and not app.warning
    assert f"**{verdict}**" in shown(app)


def test_a_deep_link_restores_every_control(open_page: OpenPage) -> None:
    own = json.dumps({"start": "S", "eos": "E", "next": {}, "default": {"a": 0.5, "E": 0.5}})
    link = {"table": "own", "own": own, "beam": "3", "penalty": "gnmt", "alpha": "1.5"}
    link |= {"stop": "bound", "max": "6", "right": "a a E"}
    app = open_page("playground", link)
    assert not app.exception and not app.error and not app.warning
    assert app.text_area(key="table_text").value == own
    assert app.number_input(key="alpha").value == 1.5
    assert app.selectbox(key="stop").value == "bound"
    assert app.selectbox(key="right").value == "a a E"
    kept = app.session_state["_written"][1]
    assert {name: kept[name] for name in link} == link


def test_nonsense_in_every_field_is_named_and_a_search_is_shown(open_page: OpenPage) -> None:
    link = {f.name: "non\x00sense <b>" for f in FIELDS if f.name not in ("source", "own", "right")}
    app = open_page("playground", link)
    assert not app.exception and not app.error
    (warning,) = app.warning
    for name in link:
        assert f" {name}: “" in warning.value
    assert results(app)


def test_a_right_output_that_the_table_lacks_is_named(open_page: OpenPage) -> None:
    app = open_page("playground", {"right": "C EOS"})
    (warning,) = app.warning
    assert "right: “C EOS”" in warning.value
    assert results(app)


def test_what_is_typed_becomes_ones_own_table_and_is_checked(open_page: OpenPage) -> None:
    app = open_page("playground")
    app = type_table(app, PRESETS["greedy-trap"].text.replace("0.95", "0.9"))
    assert not app.exception
    assert app.session_state["table"] == "own"
    text = shown(app)
    assert "sum to 1, but sum to 0.95" in text
    assert '<tr class="s2s-marked"><td dir="auto">✗</td><td dir="auto">B</td>' in text
    (error,) = app.error
    assert "row 'B'" in error.value.lower() or "Row 'B'" in error.value
    app = type_table(
        app, PRESETS["greedy-trap"].text.replace("0.95", "0.65").replace("0.05", "0.35")
    )
    assert not app.error
    assert "Beam search: neither" in shown(app)
    assert "−1.2040" in results(app)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"start": "S", "eos": "E", "next": {}}',
        '{"start": "S", "eos": "E", "next": {"": {"a": 1.0}}}',
        '{"start": "S", "eos": "E", "next": {"": {"a": NaN}}}',
        '{"start": "S", "eos": "E", "next": {}, "default": {"a": 1.0}}',
        '{"start": "S", "eos": "E", "next": {"": {"a": 1e400}}}',
        "[" * 5000,
    ],
    ids=range(10),
)
def test_any_text_gives_a_search_or_a_message(open_page: OpenPage, text: str) -> None:
    app = type_table(open_page("playground"), text)
    assert not app.exception
    assert app.text_area(key="table_text").value == text
    assert app.error or results(app)


def test_tokens_show_as_typed(open_page: OpenPage) -> None:
    table = {"start": "S", "eos": "E", "next": {"": {ODD: 0.7, "路": 0.3}}, "default": {"E": 1.0}}
    app = open_page("playground", {"table": "own", "own": json.dumps(table), "max": "3"})
    assert not app.exception and not app.error
    assert "&lt;b&gt;*x*$1$&lt;/s&gt;:smile:" in results(app)


def test_a_tree_that_is_too_large_is_drawn_in_part_and_says_so(open_page: OpenPage) -> None:
    row = {**{f"t{i}": 0.09 for i in range(10)}, "E": 0.1}
    table = {"start": "S", "eos": "E", "next": {}, "default": row}
    app = open_page("playground", {"table": "own", "own": json.dumps(table), "max": "8"})
    assert not app.exception and not app.error
    assert any("too many nodes to draw" in c.value for c in app.caption)
    assert "proved" in results(app)


def test_a_table_that_never_ends_has_nothing_to_judge(open_page: OpenPage) -> None:
    table = {"start": "S", "eos": "E", "next": {}, "default": {"a": 1.0}}
    app = open_page("playground", {"table": "own", "own": json.dumps(table)})
    assert not app.exception and not app.error
    assert "nothing to judge by" in shown(app)
    assert "not ended" in results(app)


@pytest.mark.parametrize(
    ("content", "expected"),
    [(PRESETS["empty-on-top"].text.encode(), "(empty output)"), (b"\xff\xfe", "UTF-8")],
    ids=("table", "bytes"),
)
def test_a_table_file_is_opened_or_refused(
    open_page: OpenPage, content: bytes, expected: str
) -> None:
    app = open_page("playground")
    app.file_uploader(key="table_file").set_value(("t.json", content, "application/json")).run()
    assert not app.exception
    assert expected in shown(app)
