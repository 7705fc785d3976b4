"""The first screen: never empty, and nothing typed is lost on the way to the next."""

from __future__ import annotations

import subprocess
import sys
from html import escape

import pytest

from s2s_core.models.checkpoint import checkpoint_names
from s2s_core.ui.examples import first_source
from tests.pages.conftest import ROOT, OpenPage, shown, translation

MODEL = checkpoint_names()[0]


def test_the_first_screen_shows_a_translation_and_a_picture(open_page: OpenPage) -> None:
    app = open_page("start")
    assert not app.exception and not app.error
    assert translation(app)
    assert app.text_input(key="source").value == first_source(MODEL)
    assert len(app.get("plotly_chart")) == 1
    assert "don't show what caused it" in "".join(c.value for c in app.caption)


def test_the_first_screen_needs_no_model() -> None:
    script = (
        "import sys; from streamlit.testing.v1 import AppTest; "
        f"app = AppTest.from_file({str(ROOT / 'app.py')!r}, default_timeout=120).run(); "
        "print(bool(app.error), 'torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]


def test_links_to_other_pages_carry_model_and_sentence(open_page: OpenPage) -> None:
    app = open_page("start", {"model": MODEL, "source": "I like tea & <b>."})
    links = [element.proto for element in app.get("page_link")]
    decode = [link for link in links if "Decode" in link.label]
    assert len(decode) == 2  # in the navigation and beside the picture
    for link in decode:
        assert "source=I+like+tea+%26+%3Cb%3E." in link.query_string


@pytest.mark.parametrize("source", ["", " ", "x" * 5000, "<b>*x*</b>", "مرحبا", "</s>"])
def test_any_text_gives_a_result_or_a_message(open_page: OpenPage, source: str) -> None:
    app = open_page("start", {"model": MODEL, "source": source})
    assert not app.exception
    assert app.text_input(key="source").value == source
    assert bool(translation(app)) != bool(app.error)


def test_a_bad_model_in_the_link_is_named(open_page: OpenPage) -> None:
    app = open_page("start", {"model": "no/../such", "source": "Hello."})
    (warning,) = app.warning
    assert "model: “no/../such”" in warning.value and MODEL in warning.value
    assert translation(app)


def test_the_licence_of_every_model_is_on_the_page(open_page: OpenPage) -> None:
    text = shown(open_page("start"))
    assert "Licence: CC BY 2.0 FR" in text
    assert escape("No endorsement by the contributors is implied.") in text
