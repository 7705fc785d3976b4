"""The Attention page: by hand, on a model, and what the weights explain; links and odd input."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from s2s_core.models.hand_presets import PRESETS
from s2s_core.ui.attention.link import FIELDS, TABS
from tests.pages.conftest import OpenPage, shown

MODEL = {"model": "reverse-additive", "source": "4 9 7 1 2"}
STEP = MODEL | {"tab": TABS[1]}
EXPLAIN = MODEL | {"tab": TABS[2]}


def alts(app: AppTest) -> str:
    return " | ".join(chart.proto.alt for chart in app.get("plotly_chart"))


# --- by hand -------------------------------------------------------------------------------------


def test_a_cold_visit_shows_a_context(open_page: OpenPage) -> None:
    app = open_page("attention")
    assert not app.exception and not app.error and not app.warning
    assert "context (" in shown(app)
    assert "The weights of each query sum to 1." in shown(app)
    assert "query to (1.00, 2.00)" in alts(app)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_shows_its_lesson_and_a_result_or_its_error(
    open_page: OpenPage, name: str
) -> None:
    app = open_page("attention")
    app.pills(key="hand_preset").set_value(name).run()
    assert not app.exception and not app.warning
    assert bool(app.error) == (name == "nothing left")
    assert app.pills(key="hand_preset").value == name
    assert PRESETS[name].lesson.replace("'", "&#x27;") in shown(app)


def test_scores_0_and_ln_3_are_shown_with_their_weights_and_context(open_page: OpenPage) -> None:
    app = open_page("attention")
    app.pills(key="hand_preset").set_value("log 3").run()
    assert "context 5" in shown(app)
    assert "weight: position 1 0.25, position 2 0.75" in alts(app)


def test_three_states_mix_to_both_contexts(open_page: OpenPage) -> None:
    app = open_page("attention")
    app.pills(key="hand_preset").set_value("states").run()
    assert "context (0.3, 0.9)" in shown(app)
    app.segmented_control(key="query").set_value(2).run()
    assert "context (0.9, 0.4)" in shown(app)
    assert app.session_state["_written"][1]["query"] == "2"


def test_masking_everything_is_refused_by_name(open_page: OpenPage) -> None:
    app = open_page("attention", {"mask": "000"})
    (error,) = app.error
    assert "all are masked" in error.value and not app.exception


def test_a_late_mask_loses_weight_and_says_how_much(open_page: OpenPage) -> None:
    app = open_page("attention")
    app.pills(key="hand_preset").set_value("mask after").run()
    assert "sum to 0.3348 instead of 1" in shown(app) and "67 %" in shown(app)
    app.selectbox(key="mistake").set_value("mask after, rescale").run()
    assert "the division mends" in shown(app)
    app.selectbox(key="mistake").set_value("none").run()
    assert "The weights of each query sum to 1." in shown(app)


def test_the_batch_has_the_sizes_and_the_exact_zeros(open_page: OpenPage) -> None:
    app = open_page("attention", {"start": "batch", "score": "additive"})
    text = shown(app)
    assert not app.exception and not app.error
    assert "The rows sum to 1 and 1." in text
    assert "Of the 3 padding positions 3 have a weight of exactly 0." in text
    assert "2 × 512" in text and "2 × 9 × 512" in text and "2 × 256" in text


def test_the_batch_is_among_the_presets_and_takes_a_score_that_it_can_use(
    open_page: OpenPage,
) -> None:
    app = open_page("attention")
    app.pills(key="hand_preset").set_value("batch").run()
    assert not app.exception and not app.error
    assert app.selectbox(key="score").value == "additive"
    app.pills(key="hand_preset").set_value("plane").run()
    assert not app.error and app.selectbox(key="start").value == "vectors"


@pytest.mark.parametrize("field", ["q", "k", "v"])
def test_a_table_that_is_missing_can_be_written_anew(open_page: OpenPage, field: str) -> None:
    app = open_page("attention", {field: ""})
    assert not app.exception
    assert app.session_state[field] != ()


def test_the_dot_score_refuses_the_batchs_widths(open_page: OpenPage) -> None:
    app = open_page("attention", {"start": "batch", "score": "dot"})
    (error,) = app.error
    assert "256" in error.value and "512" in error.value


@pytest.mark.parametrize(("start", "field"), [("scores", "e"), ("weights", "a")])
def test_another_start_goes_on_from_what_was_computed(
    open_page: OpenPage, start: str, field: str
) -> None:
    app = open_page("attention")
    app.selectbox(key="start").set_value(start).run()
    assert not app.exception and not app.error
    link = app.session_state["_written"][1]
    assert link["start"] == start and link[field].count(",") == 2
    app.selectbox(key="start").set_value("vectors").run()
    assert not app.exception and not app.error


def test_a_size_fills_with_zeros_and_a_width_that_does_not_fit_is_named(
    open_page: OpenPage,
) -> None:
    app = open_page("attention", {"score": "additive"})
    app.number_input(key="hand_size_Width of queries").set_value(3).run()
    assert app.session_state["q"] == ((1.0, 2.0, 0.0),) and not app.error
    app.selectbox(key="score").set_value("dot").run()
    (error,) = app.error
    assert "equal widths" in error.value


def test_matrices_are_read_and_bad_ones_named(open_page: OpenPage) -> None:
    app = open_page("attention", {"score": "general"})
    app.text_input(key="hand_text_wk").set_value("0,1; 1,0").run()
    assert app.session_state["wk"] == ((0.0, 1.0), (1.0, 0.0)) and not app.error
    app.text_input(key="hand_text_wk").set_value("0,x").run()
    assert len(app.error) == 1 and app.session_state["wk"] == ((0.0, 1.0), (1.0, 0.0))


# --- on the model --------------------------------------------------------------------------------


def test_a_step_is_opened_up_to_the_next_token(open_page: OpenPage) -> None:
    app = open_page("attention", STEP | {"step": "2"})
    assert not app.exception and not app.error and not app.warning
    text = alts(app)
    assert "score:" in text and "weight:" in text and "probability: ▁1" in text
    assert "query, 64 numbers" in text and "context, 64 numbers" in text
    assert "differ from the model&#x27;s context by at most" in shown(app)
    app.slider(key="step").set_value(3).run()
    assert "log P(▁7)" in shown(app)
    assert app.session_state["_written"][1]["step"] == "3"


def test_a_transformer_has_a_choice_of_layer_and_head(open_page: OpenPage) -> None:
    link = STEP | {"model": "reverse-transformer", "layer": "1", "head": "2"}
    app = open_page("attention", link)
    assert not app.exception and not app.error and not app.warning
    assert app.selectbox(key="layer").value == 1 and app.selectbox(key="head").value == 2
    assert "context of head 2" in alts(app)
    assert "matrix makes of the encoder" in "".join(c.value for c in app.caption)


def test_a_typed_target_is_looked_at_instead_of_the_models_own(open_page: OpenPage) -> None:
    app = open_page("attention", STEP | {"target": "2 2 2"})
    assert not app.exception and not app.error
    assert app.slider(key="step").max == 4
    app.slider(key="step").set_value(2).run()
    assert "log P(▁2)" in shown(app)


@pytest.mark.parametrize("tab", TABS[1:])
@pytest.mark.parametrize("model", ["reverse-fixed-once", "reverse-fixed-every-step"])
def test_a_fixed_vector_is_said_to_have_nothing_to_look_at(
    open_page: OpenPage, tab: str, model: str
) -> None:
    app = open_page("attention", MODEL | {"model": model, "tab": tab})
    (error,) = app.error
    assert "This model has no attention" in error.value and "choose a model" in error.value
    assert not app.exception


# --- is it an explanation? -----------------------------------------------------------------------


def test_maps_correlation_and_replaced_weights_are_there(open_page: OpenPage) -> None:
    app = open_page("attention", EXPLAIN | {"step": "2"})
    assert not app.exception and not app.error and not app.warning
    scales = [
        (axis["cmin"], axis["cmax"])
        for chart in app.get("plotly_chart")
        if (axis := json.loads(chart.proto.spec)["layout"].get("coloraxis"))
    ]
    assert scales == [(0, 1)] * 2
    text = shown(app)
    assert "ρ = " in text and "over 6 source tokens" in text
    assert "uniform" in text and "shuffled" in text and "the model&#x27;s own" in text
    assert "the most probable token stays ▁1 for 1 of 6 positions: on ▁1" in text
    assert "lost when removed" in alts(app) and "lost with all weight here" in alts(app)


def test_the_way_changes_the_map_and_its_words(open_page: OpenPage) -> None:
    app = open_page("attention", EXPLAIN)
    masked = alts(app)
    app.segmented_control(key="way").set_value("removed").run()
    assert alts(app) != masked and not app.exception
    assert "another sentence" in "".join(c.value for c in app.caption)


def test_weights_set_by_hand_are_used_and_come_back_from_the_link(open_page: OpenPage) -> None:
    app = open_page("attention", EXPLAIN | {"step": "2", "yours": "0,0,0,0,2,0"})
    assert not app.exception and not app.error and not app.warning
    (table,) = [e.proto.body for e in app.get("html") if "most probable now" in e.proto.body]
    yours = table.split("<tr>")[-1]
    assert "yours" in yours and "▁2 97 %" in yours
    assert app.session_state["_written"][1]["yours"] == "0,0,0,0,2,0"
    app.button(key="yours_back").click().run()
    assert "yours" not in app.session_state["_written"][1]


@pytest.mark.parametrize("yours", ["1,2", "-1,1,1,1,1,1"])
def test_weights_that_do_not_fit_the_source_are_refused(open_page: OpenPage, yours: str) -> None:
    app = open_page("attention", EXPLAIN | {"yours": yours})
    (warning,) = app.warning
    assert "yours: “" in warning.value and not app.exception and not app.error


def test_weights_of_zero_are_named_and_not_used(open_page: OpenPage) -> None:
    app = open_page("attention", EXPLAIN | {"yours": "0,0,0,0,0,0"})
    assert "All weights are 0" in "".join(w.value for w in app.warning)
    assert not app.exception and not app.error


def test_single_positions_and_padding_can_be_looked_at(open_page: OpenPage) -> None:
    app = open_page("attention", EXPLAIN | {"step": "2", "singles": "yes", "padding": "yes"})
    assert not app.exception and not app.error and not app.warning
    text = shown(app)
    (table,) = [e.proto.body for e in app.get("html") if ">all weight on<" in e.proto.body]
    assert table.count("<tr") == 1 + 6 and table.count("s2s-marked") == 1
    assert "this source gets 5 positions of padding" in text
    assert "changed by at most 0." in text
    assert app.session_state["_written"][1]["singles"] == "yes"


# --- links ---------------------------------------------------------------------------------------


def test_a_deep_link_restores_every_control(open_page: OpenPage) -> None:
    link = MODEL | {
        "tab": TABS[2],
        "q": "1,0;0,1",
        "k": "1,0;0,1",
        "v": "3;4",
        "mask": "10",
        "score": "general",
        "temperature": "2",
        "wk": "2,0;0,2",
        "query": "2",
        "step": "3",
        "way": "removed",
        "everywhere": "no",
        "seed": "5",
        "yours": "0,1,0,0,0,0",
        "target": "2 1 7",
    }
    app = open_page("attention", link)
    assert not app.exception and not app.error and not app.warning
    assert app.session_state["_written"][1] == link
    app.session_state["tab"] = TABS[0]
    app.run()
    assert app.segmented_control(key="query").value == 2
    assert app.selectbox(key="score").value == "general"
    assert app.slider(key="temperature").value == 2.0


def test_nonsense_in_every_field_is_named_and_a_result_is_shown(open_page: OpenPage) -> None:
    link = {
        field.name: "non\x00sense <b> *x*"
        for field in FIELDS
        if field.name not in ("source", "target")
    }
    app = open_page("attention", link)
    assert not app.exception and not app.error
    (warning,) = app.warning
    for name in link:
        assert f" {name}: “" in warning.value
    assert "context (" in shown(app)


@pytest.mark.parametrize("field", ["q", "k", "v", "e", "a"])
@pytest.mark.parametrize("text", ["1e9", "nan", "1;1,2", ",".join(["1"] * 30), ";".join("1" * 30)])
def test_tables_beyond_the_limits_are_named(open_page: OpenPage, field: str, text: str) -> None:
    app = open_page("attention", {field: text})
    (warning,) = app.warning
    assert f"{field}: “" in warning.value and not app.exception


@pytest.mark.parametrize("tab", TABS[1:])
@pytest.mark.parametrize("source", ["", "x" * 5000, "<b>*x*</b> $1$ :smile:", "</s>"])
def test_any_text_gives_a_step_or_a_message(open_page: OpenPage, tab: str, source: str) -> None:
    app = open_page("attention", {"model": "zh-en-additive-gru", "tab": tab, "source": source})
    assert not app.exception
    assert bool(app.get("plotly_chart")) != bool(app.error)


def test_a_tab_on_the_model_has_a_sentence_after_a_visit_by_hand(open_page: OpenPage) -> None:
    app = open_page("attention")
    assert app.session_state["_written"][1]["source"]
    link = app.session_state["_written"][1] | {"tab": "On the model"}
    assert not open_page("attention", link).error
