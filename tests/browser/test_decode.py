"""First screen and Decode page in a real browser: links, ranking, forcing, literal text, files."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from s2s_core.models.checkpoint import checkpoint_names
from s2s_core.ui.examples import SHOWS
from tests.browser.conftest import PATIENCE_MS, ROOT, OpenPage, Serve

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SENTENCE = "Where is the station?"
ODD = "a<b & \"c\" <unk> '$1$' *x* :smile: -> `d` مرحبا"
# Streamlit looks for its server below the page's own path first, and each miss is an error on the
# console. Told where the server is, it doesn't look.
KNOWS_ITS_SERVER = "window.__streamlit = {BACKEND_BASE_URL: location.origin + '/'}"

Visit = Callable[..., "Page"]


@pytest.fixture
def visit(serve: Serve, open_page: OpenPage) -> Visit:
    """Opens a page of the app by its link, and waits until it is drawn."""
    address = serve(ROOT / "app.py")

    def open_one(
        path: str, *, size: tuple[int, int] = (1366, 768), dark: bool = False, **link: str
    ) -> Page:
        page = open_page(
            f"{address}/{path}?{urlencode(link)}", size=size, dark=dark, script=KNOWS_ITS_SERVER
        )
        page.locator(".s2s-translation").wait_for()
        idle(page)
        return page

    return open_one


def idle(page: Page) -> None:
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def link(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def wait_for_link(page: Page, name: str, value: str | None) -> None:
    page.wait_for_function(
        "([name, value]) => new URL(location).searchParams.get(name) === value",
        arg=[name, value],
        timeout=PATIENCE_MS,
    )


def decode(visit: Visit, **more: str) -> Page:
    page = visit("Decode", **({"model": checkpoint_names()[0], "source": SENTENCE} | more))
    page.locator(".st-key-pictures [class*='-tree'] .main-svg").first.wait_for()
    return page


# Two timelines that both draw the same charts would undo each other for ever.
COUNT_UPDATES = """() => {
  const update = window.Plotly.update;
  window.updates = window.seen = window.quietFrames = 0;
  window.Plotly.update = (...given) => { window.updates += 1; return update(...given); };
}"""
CAME_TO_REST = """() => {
  window.quietFrames = window.updates === window.seen ? window.quietFrames + 1 : 0;
  window.seen = window.updates;
  return window.quietFrames > 30;
}"""


def test_a_link_restores_the_screen_and_stays_as_it_is(visit: Visit) -> None:
    given = {"beam": "3", "alpha": "1", "stop": "bound", "step": "2", "node": "2", "numbers": "yes"}
    page = decode(visit, **given)
    page.locator(".counter", has_text=re.compile(r"^2 / \d+$")).wait_for()
    assert page.get_by_role("spinbutton", name="Beam size").input_value() == "3"
    assert page.get_by_role("spinbutton", name="alpha").input_value() == "1.00"
    assert page.get_by_role("textbox", name="Sentence to translate").input_value() == SENTENCE
    assert page.get_by_text("Live prefixes after step 2").is_visible()
    assert link(page).items() >= given.items()


def test_the_step_of_the_timeline_goes_into_the_link(visit: Visit) -> None:
    page = decode(visit)
    page.get_by_role("button", name="First step").click()
    wait_for_link(page, "step", "1")
    page.get_by_text("Live prefixes after step 1:").wait_for()
    page.keyboard.press("ArrowRight")
    wait_for_link(page, "step", "2")


def test_the_alpha_slider_ranks_again_at_once(visit: Visit) -> None:
    page = decode(visit)
    slider = page.get_by_role("slider", name="Rank with alpha")
    slider.press("Home")
    wait_for_link(page, "rank", "-1")
    page.get_by_text(re.compile(r"score −[\d.]+ / \d+\^−1 = ")).wait_for()
    again = page.get_by_role("button", name="Decode again with alpha")
    assert again.is_disabled()
    slider.press("End")
    wait_for_link(page, "rank", "3")
    page.get_by_role("button", name="Decode again with alpha 3").click()
    wait_for_link(page, "alpha", "3")
    wait_for_link(page, "rank", None)


def test_a_forced_token_stands_beside_the_run_before_until_it_is_undone(visit: Visit) -> None:
    page = decode(visit, node="2")  # the second candidate of the first step
    free = page.locator(".s2s-translation").inner_text()
    page.get_by_role("button", name="Force this").click()
    page.locator(".st-key-forced").wait_for()
    assert f"before: {free}" in page.locator(".st-key-forced").inner_text()
    page.get_by_text("The forced run beside the one before").wait_for()
    page.evaluate(COUNT_UPDATES)
    page.wait_for_function(CAME_TO_REST, timeout=30_000)
    assert "forced" in link(page)
    page.get_by_role("button", name="Undo").click()
    wait_for_link(page, "forced", None)
    page.locator(".s2s-translation", has_text=free).wait_for()


def test_typed_text_is_shown_exactly_as_typed(visit: Visit) -> None:
    page = decode(visit, source=ODD, beam="*x* :smile: $1$ -> <b>`")
    assert page.get_by_role("textbox", name="Sentence to translate").input_value() == ODD
    notice = page.get_by_test_id("stAlertContainer").inner_text()
    assert "“*x* :smile: $1$ -> <b>`”" in notice
    reads = page.get_by_text("The model reads:")
    if reads.count():
        assert "*x* :smile: -> `d` مرحبا" in reads.inner_text()
    assert page.locator("unk").count() == 0


def test_a_tree_that_does_not_fit_comes_to_rest(visit: Visit) -> None:
    # Fifty steps, of which the tree shows a window. An axis of steps with `automargin` can swing
    # for ever: its labels change its length, its length the window, and the window its labels.
    page = decode(visit, source=ODD)
    page.evaluate(COUNT_UPDATES)
    page.wait_for_function(CAME_TO_REST, timeout=30_000)


def test_a_sentence_goes_from_the_first_screen_to_decode_and_back(visit: Visit) -> None:
    page = visit("")
    first = page.locator(".s2s-translation").inner_text()
    box = page.get_by_role("textbox", name="Sentence to translate")
    box.fill("I like tea.")
    box.press("Enter")
    wait_for_link(page, "source", "I like tea.")
    page.get_by_role("link", name="Decode").first.click()
    page.locator(".st-key-pictures").wait_for()
    assert page.get_by_role("textbox", name="Sentence to translate").input_value() == "I like tea."
    page.go_back()
    page.go_back()
    page.locator(".s2s-translation", has_text=re.compile(f"^{re.escape(first)}$")).wait_for()


def test_an_example_brings_its_model_and_sentence(visit: Visit) -> None:
    page = visit("")
    page.get_by_role("button", name="Examples").click()
    page.get_by_text(SHOWS["long"]).last.click()
    wait_for_link(page, "model", "zh-en-additive-gru")


def test_a_saved_result_opens_again(visit: Visit, tmp_path: Path) -> None:
    page = decode(visit, beam="2", tab="Save and open")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Result (JSON)").click()
    file = tmp_path / "search.json"
    saving.value.save_as(file)
    other = decode(visit, source="I like tea.", tab="Save and open")
    other.locator("input[type=file]").set_input_files(file)
    wait_for_link(other, "source", SENTENCE)
    wait_for_link(other, "beam", "2")


def test_a_file_that_is_not_ours_is_refused_and_the_screen_stays(visit: Visit) -> None:
    page = decode(visit, tab="Save and open")
    bad = {"name": "bad.json", "mimeType": "application/json", "buffer": b'{"format": "<b>"}'}
    page.locator("input[type=file]").set_input_files(bad)
    page.get_by_text("The file can't be opened").wait_for()
    assert link(page)["source"] == SENTENCE
    assert page.locator(".s2s-translation").is_visible()


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_chart_is_saved_by_the_browser(visit: Visit, kind: str) -> None:
    page = decode(visit, picture=kind)
    with page.expect_download() as saving:
        page.locator(".st-key-ranking_chart .modebar-btn").click(force=True)
    assert saving.value.suggested_filename == f"ranking_chart.{kind}"


@pytest.mark.parametrize("dark", [False, True])
def test_page_and_charts_follow_light_and_dark(visit: Visit, dark: bool) -> None:
    page = visit("", dark=dark)
    paper = "getComputedStyle(document.querySelector('.main-svg')).backgroundColor"
    ground = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
    page.locator(".main-svg").first.wait_for()
    expected = "rgb(14, 17, 23)" if dark else "rgb(255, 255, 255)"
    assert page.evaluate(ground) == expected
    page.wait_for_function(f"{paper} === '{expected}'", timeout=PATIENCE_MS)


@pytest.mark.parametrize("path", ["", "Decode"])
def test_nothing_sticks_out_on_a_phone(visit: Visit, path: str) -> None:
    page = visit(path, size=(390, 844))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    wide = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= 390


def test_the_hidden_view_controls_hold_what_the_link_says(visit: Visit) -> None:
    page = decode(visit, numbers="yes")
    page.get_by_role("button", name="View").click()
    assert page.get_by_label("Numbers on the cells").is_checked()
    assert not page.get_by_label("End tokens that never reached the pool").is_checked()
    page.get_by_text("End tokens that never reached the pool").click()
    wait_for_link(page, "ends", "yes")
    assert page.get_by_label("End tokens that never reached the pool").is_checked()
    assert page.get_by_label("Numbers on the cells").is_checked()


LONG = (
    "When I was young, I used to walk along the river with my grandfather every Sunday morning "
    "before breakfast."
)


@pytest.mark.parametrize("source", [SENTENCE, LONG])
def test_heatmap_bars_and_tree_are_in_view_on_a_small_projector(visit: Visit, source: str) -> None:
    page = decode(visit, source=source)
    for role in ("attention", "next", "tree"):
        box = page.locator(f".st-key-pictures [class*='-{role}'] .main-svg").first.bounding_box()
        assert box is not None
        assert box["y"] < 480  # the picture begins in the upper part of the screen
        if source == SENTENCE or role != "attention":
            assert box["y"] + box["height"] <= 768 + 34  # but for the numbers of the steps


def test_on_a_phone_the_result_comes_before_the_settings(visit: Visit) -> None:
    page = decode(visit, size=(390, 844))
    tops = {
        name: page.locator(place).first.bounding_box()
        for name, place in (
            ("translation", ".s2s-translation"),
            ("tree", ".st-key-pictures [class*='-tree'] .main-svg"),
            ("settings", ".st-key-settings"),
        )
    }
    heights = [box["y"] for box in tops.values() if box is not None]
    assert heights == sorted(heights) and len(heights) == 3


def on_screen(page: Page) -> None:
    page.wait_for_function(
        "() => { const box = document.querySelector('.s2s-translation').getBoundingClientRect();"
        "return box.top >= 0 && box.bottom <= innerHeight }",
        timeout=PATIENCE_MS,
    )


def test_after_forcing_further_down_the_page_shows_the_result(visit: Visit) -> None:
    page = decode(visit, tab="Selected node", step="1")
    box = page.get_by_role("textbox", name="Or type how the translation begins")
    box.scroll_into_view_if_needed()
    box.fill("Dans ")
    page.get_by_role("button", name="Force it").click()
    page.locator(".s2s-translation", has_text=re.compile("^Dans")).wait_for()
    on_screen(page)


def test_after_opening_a_file_the_page_shows_the_result_and_keeps_the_tab(
    visit: Visit, tmp_path: Path
) -> None:
    page = decode(visit, source="I like tea.", tab="Save and open")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Result (JSON)").click()
    file = tmp_path / "search.json"
    saving.value.save_as(file)
    other = decode(visit, tab="Save and open")
    other.locator("input[type=file]").scroll_into_view_if_needed()
    other.locator("input[type=file]").set_input_files(file)
    wait_for_link(other, "source", "I like tea.")
    on_screen(other)
    assert link(other)["tab"] == "Save and open"
