"""The Decode page: links, controls, bad input, forcing, ranking, and files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from s2s_core.models.checkpoint import checkpoint_folder, checkpoint_names, load_checkpoint
from s2s_core.search.beam import beam_search
from s2s_core.search.config import SearchConfig
from s2s_core.search.length_penalty import PowerPenalty
from s2s_core.search.table import ProbabilityTable
from s2s_core.ui.decode.link import FIELDS
from tests.pages.conftest import PAGES, ROOT, OpenPage, shown, translation

MODEL = checkpoint_names()[0]
SENTENCE = "Where is the station?"
LINK = {"model": MODEL, "source": SENTENCE}


def test_a_cold_visit_shows_a_translation(open_page: OpenPage) -> None:
    app = open_page("decode")
    assert not app.exception and not app.error
    assert translation(app)
    assert app.text_input(key="source").value


def test_a_deep_link_restores_every_control(open_page: OpenPage) -> None:
    link = LINK | {
        "beam": "3",
        "penalty": "gnmt",
        "alpha": "1.5",
        "stop": "bound",
        "max": "12",
        "follow": "best prefix",
        "words": "yes",
        "numbers": "yes",
        "pruned": "none",
        "rank": "-0.5",
    }
    app = open_page("decode", link)
    assert not app.exception and not app.error and not app.warning
    assert app.text_input(key="source").value == SENTENCE
    assert app.number_input(key="beam").value == 3
    assert app.selectbox(key="penalty").value == "gnmt"
    assert app.number_input(key="alpha").value == 1.5
    assert app.selectbox(key="stop").value == "bound"
    assert app.number_input(key="max").value == 12
    assert app.selectbox(key="follow").value == "best prefix"
    assert app.toggle(key="words").value
    assert app.toggle(key="numbers").value
    assert app.selectbox(key="pruned").value == "none"
    assert app.slider(key="ranking").value == -0.5
    kept = app.session_state["_written"][1]
    assert kept == link


def test_nonsense_in_every_field_is_named_and_a_translation_is_shown(open_page: OpenPage) -> None:
    link = {field.name: "non\x00sense <b> *x*" for field in FIELDS if field.name != "source"}
    app = open_page("decode", link | {"beem": "3"})
    assert not app.exception and not app.error
    (warning,) = app.warning
    for name in (*link, "beem"):
        assert f" {name}: “" in warning.value
    assert translation(app)
    app.button(key="close_notices").click().run()
    assert not app.warning


@pytest.mark.parametrize(
    ("name", "given", "allowed"),
    [
        ("step", "300", "1 to"),
        ("node", "999999", "1 to"),
        ("layer", "9", "1 to"),
        ("head", "9", "1 to"),
    ],
)
def test_a_place_that_the_result_lacks_is_named(
    open_page: OpenPage, name: str, given: str, allowed: str
) -> None:
    app = open_page("decode", LINK | {name: given})
    (warning,) = app.warning
    assert f"{name}: “{given}”" in warning.value
    assert allowed in warning.value
    assert not app.exception and translation(app)


@pytest.mark.parametrize("forced", ["99999999", "2", "0.1.2"])
def test_forced_ids_that_the_model_cannot_force_are_named(open_page: OpenPage, forced: str) -> None:
    app = open_page("decode", LINK | {"forced": forced})
    (warning,) = app.warning
    assert f"forced: “{forced}”" in warning.value
    assert not app.exception and translation(app)


BAD_SOURCES = [
    "",
    "   ",
    "x" * 10_000,
    "🙂🙃 👩‍👩‍👧",
    "أين المحطة؟",
    "tab\tbell\x07null\x00",
    "a<b & \"c\" <unk> '$1$' *x* :smile: `code` -> [x](y)",
    "</s>",
    "<script>alert(1)</script>",
    "Где вокзал?",
    "車站在哪裡",
    "!" * 900,
]


@pytest.mark.parametrize("source", BAD_SOURCES, ids=range(len(BAD_SOURCES)))
def test_any_text_gives_a_result_or_a_message_and_stays_in_the_box(
    open_page: OpenPage, source: str
) -> None:
    app = open_page("decode", LINK | {"max": "20"})
    app.text_input(key="source").set_value(source)
    app = _press(app, "Translate")
    assert not app.exception
    assert app.text_input(key="source").value == source
    assert bool(translation(app)) != bool(app.error)


def test_limits_are_said_before_the_run(open_page: OpenPage) -> None:
    assert "1,000 characters" in open_page("decode").text_input(key="source").label


def test_a_changed_text_is_told_with_what_was_changed(open_page: OpenPage) -> None:
    app = open_page("decode", LINK | {"source": "He said “yes” – twice"})
    assert escape('The model reads: He said "yes" - twice.') in shown(app)
    assert "curly quotes made straight" in shown(app)


def test_moving_the_ranking_slider_calls_no_model(
    open_page: OpenPage, model_calls: list[int]
) -> None:
    app = open_page("decode", LINK)
    assert model_calls
    model_calls.clear()
    for value in (-1.0, 0.0, 1.7, 3.0):
        app.slider(key="ranking").set_value(value).run()
        assert not app.exception
        assert f"^{value:g} = ".replace("-", "−") in shown(app)
    assert model_calls == []


def test_decoding_again_is_refused_below_zero_and_says_why(open_page: OpenPage) -> None:
    app = open_page("decode", LINK)
    app.slider(key="ranking").set_value(-0.5).run()
    button = next(b for b in app.button if b.label.startswith("Decode again"))
    assert button.disabled
    assert "from 0 to 3" in shown(app)
    app.slider(key="ranking").set_value(1.25).run()
    app = _press(app, "Decode again with alpha 1.25")
    assert app.number_input(key="alpha").value == 1.25


def test_a_forced_token_stands_beside_the_run_before_and_can_be_undone(
    open_page: OpenPage,
) -> None:
    app = open_page("decode", LINK | {"tab": "Selected node", "step": "1"})
    free = translation(app)
    app.selectbox(key="force_choice").select_index(1)
    app = _press(app, "Force it")
    assert not app.exception and not app.error
    assert "The forced run beside the one before" in shown(app)
    assert app.session_state["forced"]
    app.button(key="undo").click().run()
    assert translation(app) == free
    assert not app.session_state["forced"]


@pytest.mark.parametrize("typed", ["   ", "Привет", "</s>", "🙂"])
def test_a_typed_beginning_is_forced_or_refused_with_a_message(
    open_page: OpenPage, typed: str
) -> None:
    app = open_page("decode", LINK | {"tab": "Selected node"})
    app.text_input(key="force_typed").set_value(typed)
    app = _press(app, "Force it")
    assert not app.exception
    assert bool(app.error) != bool(app.session_state["forced"])


def test_a_new_sentence_forgets_what_was_forced(open_page: OpenPage) -> None:
    app = open_page("decode", LINK | {"forced": "400"})
    app.text_input(key="source").set_value("I like tea.")
    app = _press(app, "Translate")
    assert app.session_state["forced"] == ()


def test_switching_the_model_keeps_what_was_typed(open_page: OpenPage) -> None:
    app = open_page("decode", LINK | {"source": "My own words here."})
    app.selectbox(key="model").set_value(checkpoint_names()[-1]).run()
    assert app.text_input(key="source").value == "My own words here."


def _press(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if button.label == label).click().run()


def test_what_is_too_long_for_a_link_is_said_and_left_out(open_page: OpenPage) -> None:
    app = open_page("decode", LINK | {"source": "我" * 900})
    assert any("doesn't fit into a link" in info.value for info in app.info)
    assert app.session_state["_written"][1] == {}
    assert app.text_input(key="source").value == "我" * 900


def saved(**settings: object) -> bytes:
    """A saved search of a model that isn't here."""
    table = ProbabilityTable({"": {"A": 0.6, "B": 0.4}}, default={"EOS": 1.0})
    trace = beam_search(table, "elsewhere", SearchConfig(**settings), checkpoint="not-here")  # type: ignore[arg-type]
    return trace.to_json().encode()


def test_a_saved_result_opens_without_its_model(open_page: OpenPage) -> None:
    app = open_page("decode", LINK | {"tab": "Save and open", "words": "yes"})
    app.file_uploader(key="saved_file").set_value(
        ("a.json", saved(beam_size=2), "application/json")
    )
    app.run()
    assert not app.exception and not app.error
    assert ">A</div>" in translation(app)
    assert app.number_input(key="beam").value == 2
    assert "needs a model that is here" in shown(app)
    assert app.session_state["tab"] == "Save and open"  # where it was opened
    app.number_input(key="beam").set_value(3).run()
    (error,) = app.error
    assert "not-here" in error.value


def test_a_saved_result_with_settings_that_the_page_lacks_is_opened_with_a_word(
    open_page: OpenPage,
) -> None:
    app = open_page("decode", LINK | {"tab": "Save and open"})
    content = saved(beam_size=2, min_length=2, recorded_candidates=7)
    app.file_uploader(key="saved_file").set_value(("a.json", content, "application/json")).run()
    assert not app.exception and not app.error
    (info,) = app.info
    assert "a minimum length of 2 and 7 recorded candidates" in info.value


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "isn't valid JSON"),
        (b"\xff\xfe", "isn't text in UTF-8"),
        (b"[1]", "must be an object"),
        (b'{"format": "<b>*x*"}', "isn't a saved search"),
        (b'{"format": NaN}', "NaN"),
        (saved(length_penalty=PowerPenalty(7.0)), "its alpha is 7"),
    ],
    ids=range(6),
)
def test_a_file_that_cannot_be_shown_is_refused_with_a_reason(
    open_page: OpenPage, content: bytes, message: str
) -> None:
    app = open_page("decode", LINK | {"tab": "Save and open"})
    before = translation(app)
    app.file_uploader(key="saved_file").set_value(("a.json", content, "application/json")).run()
    assert not app.exception
    (error,) = app.error
    assert message in error.value
    assert translation(app) == before


def test_a_damaged_checkpoint_is_a_message_and_the_others_still_work(tmp_path: Path) -> None:
    good, bad = checkpoint_folder(MODEL), tmp_path / "broken"
    shutil.copytree(good, tmp_path / MODEL)
    shutil.copytree(good, bad)
    (bad / "weights.safetensors").write_bytes(b"not weights")
    script = (
        "from streamlit.testing.v1 import AppTest\n"
        f"app = AppTest.from_file({str(PAGES['decode'])!r}, default_timeout=120)\n"
        "app.query_params.update({'model': 'broken', 'source': 'I like tea.'})\n"
        "app.run()\n"
        "print(len(app.exception), *(e.value for e in app.error))\n"
        "print(app.text_input(key='source').value)\n"
        f"app.selectbox(key='model').set_value({MODEL!r}).run()\n"
        "print(len(app.exception), len(app.error))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=os.environ | {"S2S_CHECKPOINTS": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    message, typed, after = done.stdout.splitlines()
    assert message.startswith("0 ") and "weights.safetensors can't be read" in message
    assert typed == "I like tea."
    assert after == "0 0"


@pytest.mark.parametrize(
    ("source", "letters"),
    [("明天见", "Chinese characters"), ("Где вокзал?", "Cyrillic letters"), ("Où est-il ?", "")],
)
def test_a_sentence_in_letters_that_the_model_does_not_read_is_translated_with_a_note(
    open_page: OpenPage, source: str, letters: str
) -> None:
    app = open_page("decode", LINK | {"source": source})
    assert translation(app) and not app.error
    notes = [info.value for info in app.info]
    assert bool(notes) == bool(letters)
    assert all("reads English" in note and letters in note for note in notes)


def test_the_box_says_which_language_the_model_reads(open_page: OpenPage) -> None:
    app = open_page("decode")
    assert "in English" in app.text_input(key="source").label
    app.selectbox(key="model").set_value(checkpoint_names()[-1]).run()
    assert "in Chinese" in app.text_input(key="source").label


@pytest.mark.parametrize("typed", ["Je ", " Je", "Je"])
def test_spaces_around_a_typed_beginning_do_not_count(open_page: OpenPage, typed: str) -> None:
    app = open_page("decode", LINK | {"tab": "Selected node"})
    app.text_input(key="force_typed").set_value(typed)
    app = _press(app, "Force it")
    assert not app.error
    model = load_checkpoint(checkpoint_folder(MODEL))
    assert app.session_state["forced"] == tuple(model.target.ids("Je"))


def test_a_typed_beginning_is_forced_as_the_model_writes_it_and_the_change_is_told(
    open_page: OpenPage,
) -> None:
    app = open_page("decode", LINK | {"tab": "Selected node"})
    app.text_input(key="force_typed").set_value("Qu’est-ce qu’il y a?")
    app = _press(app, "Force it")
    assert not app.error
    model = load_checkpoint(checkpoint_folder(MODEL))
    assert app.session_state["forced"] == tuple(model.target.ids("Qu'est-ce qu'il y a ?"))
    assert escape("Forced as the model writes it: Qu'est-ce qu'il y a ? (") in shown(app)
    app.toggle(key="numbers").set_value(True).run()
    assert "Forced as the model writes it" not in shown(app)


def test_the_end_token_goes_from_the_heatmap_and_stays_in_what_is_saved(
    open_page: OpenPage,
) -> None:
    whole, bare = (open_page("decode", LINK | more) for more in ({}, {"endtokens": "no"}))
    first, second = (_labels(app) for app in (whole, bare))
    assert first[0][-1] == first[1][-1] == "&lt;/s&gt;"
    assert second == (first[0][:-1], first[1][:-1])


def _labels(app: AppTest) -> tuple[list[str], list[str]]:
    """The columns and the rows of the first heatmap."""
    for chart in app.get("plotly_chart"):
        figure = json.loads(chart.proto.spec)
        if figure["data"][0]["type"] == "heatmap":
            layout = figure["layout"]
            return layout["xaxis"]["ticktext"], layout["yaxis"]["ticktext"]
    raise AssertionError("there is no heatmap")


def test_numbers_in_tables_have_minus_signs(open_page: OpenPage) -> None:
    app = open_page("decode", LINK)
    styled = app.dataframe[0].proto.arrow_data.styler.display_values
    assert "−0.78 / 6^0.6 = −0.27".encode() in styled
    assert b"-0." not in styled
