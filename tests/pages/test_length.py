"""The Length penalty page: links, lists, ranking without a model, decoding again, files."""

from __future__ import annotations

import json
import math

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from s2s_core.models.checkpoint import checkpoint_names
from s2s_core.search.published import PUBLISHED_LISTS
from s2s_core.ui.length.link import FIELDS
from tests.pages.conftest import OpenPage, shown

MODEL = checkpoint_names()[0]
LINK = {"model": MODEL, "source": "Where is the station?", "beam": "3", "max": "9"}
ODD = "a<b & \"c\" <unk> '$1$' *x* :smile: 在哪里？ مرحبا"


def frame(app: AppTest, key: str) -> pd.DataFrame:
    """One of the page's tables."""
    column = {"ranking_table": "arithmetic", "winners_table": "ranks first"}.get(key, "what")
    return next(each.value for each in app.dataframe if column in each.value.columns)


def flips(app: AppTest) -> list[str]:
    return [f"{value:.4f}" for value in frame(app, "winners_table")["from"][1:]]


def test_a_cold_visit_ranks_the_hypotheses_of_a_sentence(open_page: OpenPage) -> None:
    app = open_page("length")
    assert not app.exception and not app.error
    ranked = frame(app, "ranking_table")
    assert list(ranked["rank"]) == list(range(1, len(ranked) + 1))
    assert list(ranked["score"]) == sorted(ranked["score"], reverse=True)


def test_a_deep_link_restores_every_control(open_page: OpenPage) -> None:
    link = LINK | {"penalty": "gnmt", "alpha": "-0.35", "count": "with BOS and EOS"}
    link |= {"stop": "first", "decoded": "1.5", "before": "0"}
    app = open_page("length", link)
    assert not app.exception and not app.error and not app.warning
    assert app.number_input(key="alpha").value == -0.35
    assert app.slider(key="parameter_slider").value == -0.35
    assert app.selectbox(key="penalty").value == "gnmt"
    assert app.selectbox(key="count").value == "with BOS and EOS"
    assert app.selectbox(key="stop").value == "first"
    assert app.number_input(key="max").value == 9
    assert "with alpha 1.5 against the pool with alpha 0" in shown(app)
    assert app.session_state["_written"][1] == link


def test_nonsense_in_every_field_is_named_and_a_ranking_is_shown(open_page: OpenPage) -> None:
    link = {field.name: "non\x00sense <b> *x*" for field in FIELDS if field.name != "source"}
    app = open_page("length", link)
    assert not app.exception and not app.error
    (warning,) = app.warning
    for name in link:
        assert f" {name}: “" in warning.value
    assert len(frame(app, "ranking_table"))


@pytest.mark.parametrize(
    "own",
    ["[[1,2,3]]", '[["a",true,1]]', '[["a",-1]]', "{}", "[" * 9000, '[["a",1e999,1]]', "[[]]"],
)
def test_rows_that_are_none_are_named(open_page: OpenPage, own: str) -> None:
    app = open_page("length", {"list": "own", "own": own})
    assert not app.exception
    assert any(" own: “" in warning.value for warning in app.warning) or app.error


def test_the_exercise_gives_its_stated_scores_and_its_crossing(open_page: OpenPage) -> None:
    stated = {0.0: (-2.5, -4.0), 0.6: (-1.9601, -2.1413), 1.0: (-1.6667, -1.4118)}
    for alpha, (short, long) in stated.items():
        app = open_page(
            "length", {"list": "short-and-long", "penalty": "gnmt", "alpha": str(alpha)}
        )
        ranked = frame(app, "ranking_table").set_index("L")["score"]
        assert (round(ranked[4], 4), round(ranked[12], 4)) == (short, long)
        first = frame(app, "ranking_table")["L"][0]
        assert first == (4 if short > long else 12)
    assert flips(app) == [f"{math.log(4.0 / 2.5) / math.log(17 / 9):.4f}"]


@pytest.mark.parametrize(
    ("penalty", "expected"), [("power", ["0.6963", "0.8500"]), ("gnmt", ["1.5256"])]
)
def test_the_published_list_turns_over_where_it_is_stated(
    open_page: OpenPage, penalty: str, expected: list[str]
) -> None:
    app = open_page("length", {"list": "empty-wins", "penalty": penalty})
    assert flips(app) == expected
    assert frame(app, "winners_table")["ranks first"][0] == "(empty output)"
    if penalty == "power":
        scores = frame(app, "ranking_table")["score"].round(5)
        published = [-1.18324, -1.54547, -1.56907, -1.62094, -1.63705, -1.64626]
        assert list(scores) == published


def test_choosing_a_published_list_takes_its_penalty(open_page: OpenPage) -> None:
    app = open_page("length", {"list": "empty-wins", "penalty": "reward"})
    app.segmented_control(key="list").set_value("short-and-long").run()
    published = PUBLISHED_LISTS["short-and-long"].penalty
    assert app.selectbox(key="penalty").value == published.name
    assert app.number_input(key="alpha").value == published.parameter


def test_ranking_again_calls_no_model(open_page: OpenPage, model_calls: list[int]) -> None:
    app = open_page("length", LINK)
    assert model_calls
    model_calls.clear()
    for value in (-1.0, 0.0, 1.7, 3.0):
        app.slider(key="parameter_slider").set_value(value).run()
        assert not app.exception
        assert f"^{value:g} = ".replace("-", "−") in shown(app)
    for name in ("gnmt", "reward", "none"):
        app.selectbox(key="penalty").set_value(name).run()
        assert not app.exception and len(frame(app, "ranking_table"))
    app.selectbox(key="count").set_value("without EOS").run()
    assert model_calls == []


def test_the_empty_output_has_no_score_where_eos_does_not_count(open_page: OpenPage) -> None:
    app = open_page("length", {"list": "empty-wins", "count": "without EOS"})
    assert not app.exception and not app.error
    assert "Left out: 1 empty output" in shown(app)
    assert "(empty output)" not in set(frame(app, "ranking_table")["hypothesis"])
    assert "isn't counted" in shown(app).replace("&#x27;", "'")


def test_decoding_again_is_off_below_zero_and_says_why(open_page: OpenPage) -> None:
    app = open_page("length", LINK | {"alpha": "-0.5"})
    assert app.button(key="decode_again").disabled
    assert "from 0 to 3" in shown(app)
    app.number_input(key="alpha").set_value(2.0).run()
    app.button(key="decode_again").click().run()
    assert not app.exception and not app.error
    assert "with alpha 2 against the pool with alpha 0.6" in shown(app)
    assert set(frame(app, "changes_table")["what"]) <= {"new", "gone", "same", "up", "down"}
    assert "Ranking again" in shown(app)
    app.number_input(key="alpha").set_value(1.0).run()
    app.button(key="decode_again").click().run()
    assert "with alpha 1 against the pool with alpha 2" in shown(app)


def test_an_exhaustive_search_again_gives_what_ranking_said(open_page: OpenPage) -> None:
    app = open_page("length", LINK | {"stop": "exhaust", "decoded": "3"})
    assert "Ranking again had given this list of 3" in shown(app)


def test_own_candidates_are_ranked_as_they_stand(open_page: OpenPage) -> None:
    own = json.dumps([[ODD, -1.5, 3], ["", -2.0, 1], ["明天见", -6.0, 4]])
    app = open_page("length", {"list": "own", "own": own, "alpha": "0"})
    assert not app.exception and not app.error and not app.warning
    assert list(frame(app, "ranking_table")["hypothesis"]) == [ODD, "(empty output)", "明天见"]


@pytest.mark.parametrize(
    ("row", "message"),
    [(["a", 1.0, 2], "at most 0"), (["a", None, 2], "log P"), (["a", -1, 0.5], "whole number")],
)
def test_a_row_that_cannot_be_ranked_is_named(
    open_page: OpenPage, row: list[object], message: str
) -> None:
    app = open_page("length", {"list": "own", "own": json.dumps([["b", -1, 1], row])})
    assert not app.exception
    (error,) = app.error
    assert "Row 2" in error.value or "row 2" in error.value
    assert message in error.value


def test_a_list_can_be_copied_to_be_edited(open_page: OpenPage) -> None:
    app = open_page("length", {"list": "empty-wins", "alpha": "0"})
    before = list(frame(app, "ranking_table")["log P"])
    app.button(key="copy_list").click().run()
    assert not app.exception and not app.error
    assert app.session_state["list"] == "own"
    assert list(frame(app, "ranking_table")["log P"]) == before


def test_a_screen_is_saved_and_opened(open_page: OpenPage) -> None:
    from s2s_core.ui import page_file
    from s2s_core.ui.length.link import ALPHA, LIST, OWN
    from s2s_core.ui.link import LinkValues

    rows = tuple(("长" * 60 + str(i), -float(i), 3) for i in range(100))
    values = LinkValues({}).replace(LIST, "own").replace(OWN, rows).replace(ALPHA, 1.25)
    saved = page_file.dump("length", values, FIELDS).encode()
    app = open_page("length", {"list": "short-and-long"})
    app.file_uploader(key="page_file").set_value(("a.json", saved, "application/json")).run()
    assert not app.exception and not app.error
    assert len(frame(app, "ranking_table")) == 100
    assert app.number_input(key="alpha").value == 1.25
    assert any("doesn't fit into a link" in info.value for info in app.info)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe", b"[1]", b'{"format": "seq2seq-explorer page", "version": 1, "page": "x"}'],
    ids=range(4),
)
def test_a_file_of_something_else_is_refused_with_a_reason(
    open_page: OpenPage, content: bytes
) -> None:
    app = open_page("length", {"list": "short-and-long"})
    app.file_uploader(key="page_file").set_value(("a.json", content, "application/json")).run()
    assert not app.exception
    (error,) = app.error
    assert "can't be opened" in error.value or "UTF-8" in error.value


def test_the_toolkits_are_listed_with_their_length(open_page: OpenPage) -> None:
    text = shown(open_page("length", {"list": "short-and-long"}))
    for piece in ("OpenNMT-py", "n + 2: BOS and EOS", "Marian", "not said whether EOS counts"):
        assert piece in text


def test_all_crossings_are_listed_where_they_are_asked_for(open_page: OpenPage) -> None:
    link = {"list": "empty-wins", "crossings": "yes"}
    app = open_page("length", link)
    assert not app.exception and not app.error and not app.warning
    found = next(f.value for f in app.dataframe if "rank there, of these" in f.value.columns)
    first = found[found["rank there, of these"] == 1]["alpha"]
    assert [f"{value:.4f}" for value in first] == flips(app) == ["0.6963", "0.8500"]
    assert {name: app.session_state["_written"][1][name] for name in link} == link
