"""The Compare page: links, models without attention, families, longer sources, odd text."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from s2s_core.models.checkpoint import CHECKPOINTS, checkpoint_names
from s2s_core.text.clauses import join_clauses
from s2s_core.text.tasks import random_source
from s2s_core.ui import cached, state
from s2s_core.ui.compare import next_tokens
from s2s_core.ui.compare.link import FIELDS, TABS
from s2s_core.ui.compare.run import ModelRun
from tests.pages.conftest import PAGES, ROOT, OpenPage, shown

TOY = ("reverse-fixed-once", "reverse-additive")
LINK = {"model": "reverse-additive", "source": "4 9 7 1 2", "models": ",".join(TOY)}
LONGER = LINK | {"from": "longer", "length": "9", "seed": "3"}


def outputs(app: AppTest) -> list[str]:
    """What the models wrote, as HTML."""
    bodies = [element.proto.body for element in app.get("html")]
    return [body for body in bodies if 's2s-pieces" dir=' in body]


def test_a_cold_visit_shows_an_output(open_page: OpenPage) -> None:
    app = open_page("compare")
    assert not app.exception and not app.error and not app.warning
    assert outputs(app)
    assert app.text_input(key="source").value


def test_a_deep_link_restores_every_control(open_page: OpenPage) -> None:
    link = LONGER | {"beam": "3", "tab": "Quality and length", "metric": "chrF", "measured": "1"}
    app = open_page("compare", link)
    assert not app.exception and not app.error and not app.warning
    assert tuple(app.multiselect(key="models").value) == TOY
    assert app.slider(key="length").value == 9
    assert app.number_input(key="seed").value == 3
    assert app.number_input(key="beam").value == 3
    assert app.selectbox(key="metric").value == "chrF"
    assert app.selectbox(key="measured").value == 1
    assert app.session_state["_written"][1] == link


def test_nonsense_in_every_field_is_named_and_an_output_is_shown(open_page: OpenPage) -> None:
    texts = ("source", "prefix")  # anything may stand in these
    link = {f.name: "non\x00sense <b> *x*" for f in FIELDS if f.name not in texts}
    app = open_page("compare", link)
    assert not app.exception and not app.error
    (warning,) = app.warning
    for name in link:
        assert f" {name}: “" in warning.value
    assert outputs(app)


def test_models_of_other_languages_are_refused_with_those_that_fit(open_page: OpenPage) -> None:
    app = open_page("compare", LINK | {"models": "en-fr-additive-gru,reverse-dot"})
    (warning,) = app.warning
    assert "Digits → Digits" in warning.value and "reverse-additive" in warning.value
    assert outputs(app)


def test_digits_are_right_or_wrong_at_their_place(open_page: OpenPage) -> None:
    app = open_page("compare", LINK)
    text = shown(app)
    assert "The right answer: 2 1 7 9 4" in text
    assert "exactly right, 5 of 5 positions" in text
    assert "<ins>" in text and "not right" in text  # the fixed vector, at length 5
    assert "wrong at its place" in "".join(c.value for c in app.caption)


def test_a_random_string_is_the_one_of_length_and_seed(open_page: OpenPage) -> None:
    app = open_page("compare", LONGER)
    assert random_source(9, 3) in shown(app)
    app.slider(key="length").set_value(30).run()
    assert random_source(30, 3) in shown(app)
    assert app.session_state["_written"][1]["length"] == "30"
    assert not app.exception and not app.error


def test_a_model_without_attention_says_that_there_is_none_to_show(open_page: OpenPage) -> None:
    app = open_page("compare", LINK)
    assert "No attention to show: fixed vector once" in shown(app)
    assert len(app.get("plotly_chart")) == 1


def test_attention_is_on_one_scale(open_page: OpenPage) -> None:
    names = "reverse-additive,reverse-dot,reverse-transformer"
    charts = open_page("compare", LINK | {"models": names}).get("plotly_chart")
    scales = [json.loads(c.proto.spec)["layout"]["coloraxis"] for c in charts]
    assert [(scale["cmin"], scale["cmax"]) for scale in scales] == [(0, 1)] * 3


def test_next_tokens_follow_the_step_and_a_step_too_far_is_named(open_page: OpenPage) -> None:
    link = LINK | {"tab": "Next tokens"}
    app = open_page("compare", link | {"step": "2"})
    assert not app.warning and len(app.get("plotly_chart")) == 2
    assert "after: 2" in shown(app)
    app = open_page("compare", link | {"step": "300"})
    (warning,) = app.warning
    assert "step: “300”" in warning.value and not app.exception


def test_acts_in_a_quick_row_are_not_undone_by_links_on_the_way(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state, "_ON_THE_WAY", 1000.0)
    app = open_page("compare", LINK | {"tab": "Next tokens"})
    first = dict(app.query_params)
    for step in (2, 3):
        app.slider(key="step").set_value(step).run()
    app.query_params.clear()
    app.query_params.update(first)  # the browser hasn't heard of the links since
    app.slider(key="step").set_value(4).run()
    assert app.slider(key="step").value == 4 and app.query_params["step"] == "4"


def test_next_tokens_follow_one_target_for_all(open_page: OpenPage) -> None:
    app = open_page("compare", LINK | {"tab": "Next tokens"})
    app.text_input(key="prefix").set_value("2 1 7").run()
    assert not app.exception and not app.error
    assert app.slider(key="step").value == 4  # what comes after it
    text = shown(app)
    assert text.count("after: 2 1 7") == text.count("log P of the 3 given tokens: ") == 2
    assert text.count("; with the end token: ") == 2 and app.slider(key="step").max == 4
    assert not any("taken" in chart.proto.spec for chart in app.get("plotly_chart"))
    app.slider(key="step").set_value(2).run()
    assert shown(app).count("after: 2<") == 2
    for chart in app.get("plotly_chart"):
        assert "given" in chart.proto.spec and "pruned" not in chart.proto.spec
    assert app.session_state["_written"][1]["prefix"] == "2 1 7"
    app.text_input(key="prefix").set_value("").run()
    assert "given tokens" not in shown(app) and app.slider(key="step").value == 1


def test_a_step_stays_when_the_range_changes(open_page: OpenPage) -> None:
    app = open_page("compare", LINK | {"tab": "Next tokens"})
    app.slider(key="step").set_value(3).run()
    translate = next(button for button in app.button if button.label == "Translate")
    app.text_input(key="source").set_value("4 9 7 1 2 3 4 5")
    translate.click().run()
    assert app.slider(key="step").max > 6 and app.slider(key="step").value == 3
    app.slider(key="step").set_value(9).run()
    app.text_input(key="source").set_value("4 9 7")
    next(button for button in app.button if button.label == "Translate").click().run()
    assert app.slider(key="step").value == app.slider(key="step").max < 9


def test_a_target_cut_in_other_tokens_is_told(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = next_tokens.along

    def shorter(run: ModelRun, prefix: str) -> next_tokens.Followed:
        return real(run, prefix if run.card.name == TOY[0] else prefix[:1])

    link = LINK | {"tab": "Next tokens", "prefix": "2 1 7"}
    assert "cut the target into different tokens" not in shown(open_page("compare", link))
    monkeypatch.setattr(next_tokens, "along", shorter)
    app = open_page("compare", link | {"step": "4"})
    assert "cut the target into different tokens" in shown(app)
    assert "The target ends with step 1" in shown(app) and "the given token:" in shown(app)


@pytest.mark.parametrize(
    "prefix", ["9 " * 40, "9 " * 450, "x" * 5000, "<b>*x*</b> $1$", "مرحبا", "</s>", "\x00"]
)
def test_any_target_is_followed_or_refused(open_page: OpenPage, prefix: str) -> None:
    app = open_page("compare", LINK | {"tab": "Next tokens", "prefix": prefix})
    assert not app.exception and not app.warning
    assert app.text_input(key="prefix").value == prefix
    assert bool(app.get("plotly_chart")) != bool([*app.error])
    assert "<b>*x*" not in shown(app)


def test_the_whole_family_stands_against_length(open_page: OpenPage) -> None:
    app = open_page("compare", LINK | {"tab": "Quality and length"})
    (chart,) = app.get("plotly_chart")
    names = [trace["name"] for trace in json.loads(chart.proto.spec)["data"]]
    assert len(names) == sum(name.startswith("reverse-") for name in checkpoint_names())
    assert "doesn't prove" in "".join(c.value for c in app.caption)


@pytest.mark.parametrize("tab", TABS)
def test_every_tab_opens_by_its_link(open_page: OpenPage, tab: str) -> None:
    app = open_page("compare", LONGER | {"tab": tab})
    assert not app.exception and not app.error and app.get("plotly_chart")
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))


def test_joined_clauses_are_set_against_each_alone(open_page: OpenPage) -> None:
    app = open_page("compare", {"model": "zh-en-additive-gru", "from": "longer", "clauses": "3"})
    assert join_clauses("zh", 3) in shown(app)
    assert "Each clause translated alone" in shown(app) and "test sentences" in shown(app)
    app.slider(key="clauses").set_value(1).run()
    assert join_clauses("zh", 1) in shown(app) and not app.exception


def test_another_family_brings_its_models_and_a_sentence_of_its_language(
    open_page: OpenPage,
) -> None:
    app = open_page("compare", {"model": "zh-en-additive-gru"})
    app.selectbox(key="family").select("Digits → Digits").run()
    assert not app.exception and not app.error
    assert app.text_input(key="source").value == "4 9 7 1 2"
    assert len(app.multiselect(key="models").value) == 3  # one of each kind
    app.multiselect(key="models").set_value([]).run()
    assert len(app.multiselect(key="models").value) == 3


@pytest.mark.parametrize(
    "source", ["", "   ", "x" * 5000, "<b>*x*</b> $1$ :smile:", "مرحبا", "</s>", "🙂", "1 2 a"]
)
@pytest.mark.parametrize("model", ["zh-en-additive-gru", "reverse-dot"])
def test_any_text_gives_outputs_or_a_message(open_page: OpenPage, model: str, source: str) -> None:
    app = open_page("compare", {"model": model, "source": source})
    assert not app.exception
    assert app.text_input(key="source").value == source
    assert bool(outputs(app)) != bool(app.error)


def test_a_lone_model_offers_the_largest_family(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    lone = "zh-en-additive-gru"
    cards = {name: card for name, card in cached.cards().items() if name in (lone, *TOY)}
    monkeypatch.setattr(cached, "cards", lambda: cards)
    app = open_page("compare", {"model": lone})
    (offer,) = [button for button in app.button if button.label.startswith("Compare ")]
    assert offer.label == "Compare 2 models of Digits → Digits"
    offer.click().run()
    assert len(outputs(app)) == 2
    assert not app.exception


def test_differences_are_from_the_best_card_or_from_the_chosen_output(open_page: OpenPage) -> None:
    link = {"model": "zh-en-additive-gru", "source": "图书馆什么时候关门，你知道吗？"}
    app = open_page("compare", link)
    plain = [body for body in outputs(app) if "<ins>" not in body and "<del>" not in body]
    assert "highest BLEU: Transformer" in app.selectbox(key="against").options[0]
    assert outputs(app)[1] in plain  # the Transformer stands last
    app.selectbox(key="against").select("zh-en-additive-gru").run()
    assert "<ins>" not in outputs(app)[0] and not app.exception
    assert app.session_state["_written"][1]["against"] == "zh-en-additive-gru"
    app.selectbox(key="against").select("nothing").run()
    assert not any("<ins>" in body or "<del>" in body for body in outputs(app))
    app.selectbox(key="against").select("zh-en-additive-gru").run()
    assert "All of them saw 7.74 million target tokens" in shown(app)


def test_an_output_that_is_not_there_is_not_set_against(open_page: OpenPage) -> None:
    app = open_page("compare", {"model": "zh-en-additive-gru", "against": "en-fr-transformer"})
    assert not app.exception and app.selectbox(key="against").value == "automatic"


def test_an_output_is_literal(open_page: OpenPage) -> None:
    app = open_page("compare", {"model": "zh-en-additive-gru", "source": "<b>*x*</b>。"})
    assert outputs(app) and all("<b>" not in body for body in outputs(app))


def test_one_model_alone_and_one_without_scores(tmp_path: Path) -> None:
    """Whatever lies in the folder is what there is: here a single model with a bare card."""
    folder = tmp_path / "mine"
    shutil.copytree(CHECKPOINTS / "reverse-dot", folder)
    card = json.loads((folder / "card.json").read_text())
    card |= {"name": "mine", "scores": [], "learning_curve": [], "learning_rate_trials": []}
    (folder / "card.json").write_text(json.dumps(card))
    script = (
        "import sys; from streamlit.testing.v1 import AppTest\n"
        f"for page, tab in (({str(PAGES['compare'])!r}, 'Quality and length'), "
        f"({str(PAGES['models'])!r}, 'Training'), ({str(PAGES['models'])!r}, 'Measured')):\n"
        "    app = AppTest.from_file(page, default_timeout=120)\n"
        "    app.query_params['tab'] = tab\n"
        "    app.run()\n"
        "    text = [e.proto.body for e in app.get('html')] + [i.value for i in app.info]\n"
        "    counts = [len(found) for found in (app.exception, app.error)]\n"
        "    print(*counts, len(app.get('plotly_chart')), *' '.join(text).split())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=os.environ | {"S2S_CHECKPOINTS": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    compare, training, measured = done.stdout.splitlines()
    assert compare.startswith("0 0 0 ") and "Of these languages only one model is here" in compare
    assert "lack exact match by length: Reversal of digits, dot attention (GRU)" in compare
    assert training.startswith("0 0 0 ") and "no learning curve" in training
    assert measured.startswith("0 0 0 ") and "no measured figures" in measured
