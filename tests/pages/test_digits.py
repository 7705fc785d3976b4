"""Models that read digits: a sample to start with, and a clear word about anything else."""

from __future__ import annotations

import pytest

from s2s_core.text.normalise import LANGUAGES
from tests.pages.conftest import OpenPage, shown, translation

MODEL = "reverse-additive"
EVERY_PAGE = pytest.mark.parametrize("page", ["start", "decode"])


@EVERY_PAGE
def test_a_model_without_examples_starts_with_a_sample(open_page: OpenPage, page: str) -> None:
    app = open_page(page, {"model": MODEL})
    assert app.text_input(key="source").value == LANGUAGES["digits"].sample
    assert "2 1 7 9 4" in translation(app)
    assert not app.error


@EVERY_PAGE
def test_what_is_no_digit_is_refused_in_words(open_page: OpenPage, page: str) -> None:
    app = open_page(page, {"model": MODEL, "source": "Where is the station?"})
    assert "This model reads digits only, such as 4 9 7 1 2" in shown(app)
    assert translation(app) == ""


def test_the_page_says_how_typed_digits_are_read(open_page: OpenPage) -> None:
    app = open_page("decode", {"model": MODEL, "source": "497"})
    assert "The model reads: 4 9 7" in shown(app)
    assert "7 9 4" in translation(app)


def test_an_untouched_sentence_gives_way_to_one_of_the_new_language(open_page: OpenPage) -> None:
    app = open_page("decode", {"model": "en-fr-additive-gru"})
    app.selectbox(key="model").select(MODEL).run()
    assert app.text_input(key="source").value == LANGUAGES["digits"].sample
    app.selectbox(key="model").select("zh-en-additive-gru").run()
    assert app.text_input(key="source").value == "车站在哪里？"
    assert not app.error
