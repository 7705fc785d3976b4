"""The BLEU page in a real browser: literal text, links, clicks on n-grams, width, dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from s2s_core.ui.bleu.fields import PARTS
from tests.browser.conftest import PATIENCE_MS, ROOT, OpenPage, Serve
from tests.browser.test_decode import KNOWS_ITS_SERVER, idle, link, wait_for_link

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

ODD = "a<b & \"c\" <unk> '$1$' *x* :smile: `d` مرحبا"
TEXTS = {"hypothesis": "the cat sat on the the mat", "reference": "the cat sat on the mat"}

Visit = Callable[..., "Page"]


@pytest.fixture
def visit(serve: Serve, open_page: OpenPage) -> Visit:
    """Opens the BLEU page by a link, and waits until it is drawn.

    `open_page` fails on any error and on any request that leaves this machine.
    """
    address = serve(ROOT / "app.py")

    def open_one(*, size: tuple[int, int] = (1366, 768), dark: bool = False, **given: str) -> Page:
        page = open_page(
            f"{address}/BLEU?{urlencode(given)}", size=size, dark=dark, script=KNOWS_ITS_SERVER
        )
        page.locator(".s2s-score-number").wait_for()
        idle(page)
        return page

    return open_one


def test_a_link_restores_the_screen_and_stays_as_it_is(visit: Visit) -> None:
    given = TEXTS | {"reference2": "a cat", "boxes": "2", "tokenizer": "char", "part": "n-grams"}
    page = visit(**given, n="2", at="1")
    wait_for_text(page, "Reference 2", "=== 'a cat'")
    page.get_by_text("tok:char").wait_for()
    page.locator("mark").first.wait_for()
    assert link(page).items() >= (given | {"n": "2", "at": "1"}).items()


def test_typing_scores_at_once_and_goes_into_the_link(visit: Visit) -> None:
    page = visit(**TEXTS)
    box = page.get_by_role("textbox", name="Hypothesis")
    box.fill(TEXTS["reference"])
    box.press("Control+Enter")
    page.locator(".s2s-score-number", has_text="100.00").wait_for()
    wait_for_link(page, "hypothesis", TEXTS["reference"])


def test_a_click_on_an_ngram_shows_it_in_hypothesis_and_reference(visit: Visit) -> None:
    page = visit(**TEXTS, part="n-grams")
    chips = page.locator("button.matched, button.clipped, button.unmatched")
    chips.first.wait_for()
    assert [chip.get_attribute("class") for chip in chips.all()].count("clipped") == 1
    page.locator("button.clipped").click()
    wait_for_link(page, "at", "6")
    page.get_by_text("“the”: 3 in the hypothesis, 2 in reference 1").wait_for()
    page.locator(".references mark").first.wait_for()
    assert page.locator(".hypothesis mark").all_inner_texts() == ["the", "the the"]
    assert page.locator(".references mark").count() == 2
    page.locator("button.clipped").click()
    wait_for_link(page, "at", None)


def test_typed_text_is_literal_in_every_part(visit: Visit) -> None:
    texts = {"hypothesis": ODD, "reference": f"{ODD} z", "baseline": ODD, "pinned": ODD}
    page = visit(**texts, tokenizer="none", part="n-grams")
    page.locator(".references .tokens").first.wait_for()
    assert page.locator(".references .tokens").inner_text() == f"{ODD} z"
    assert page.locator(".hypothesis .tokens").inner_text() == ODD
    for part in PARTS:
        page.get_by_role("tab", name=part).click()
        wait_for_link(page, "part", None if part == PARTS[0] else part)
        idle(page)
        assert page.locator("unk").count() == 0
        if part == "What if":
            page.get_by_text(f"Pinned: {ODD}").wait_for()


def test_a_phone_has_no_overflow_in_any_part(visit: Visit) -> None:
    two = {"hypothesis": "the cat\na b c d e", "reference": "the dog\na b c d f"}
    page = visit(size=(390, 844), **two, baseline="the dog\na b")
    for part in PARTS:
        tab = page.get_by_role("tab", name=part)
        tab.scroll_into_view_if_needed()
        tab.click()
        idle(page)
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, part
        inner = page.locator("[data-testid=stMain]")
        assert inner.evaluate("each => each.scrollWidth - each.clientWidth") <= 0, part


def test_dark_has_light_letters_on_the_marks(visit: Visit) -> None:
    page = visit(dark=True, **TEXTS, part="n-grams", at="1")
    chip = page.locator("button.clipped")
    chip.wait_for()
    assert min(_rgb(chip.evaluate("each => getComputedStyle(each).color"))) > 200
    edges = {
        page.locator(f"button.{fate}").first.evaluate("each => getComputedStyle(each).borderStyle")
        for fate in ("matched", "clipped")
    }
    assert edges == {"solid", "dashed"}  # told apart without colour


def test_decode_leads_here_with_its_translation(visit: Visit) -> None:
    page = visit()
    page.get_by_role("link", name="Decode").click()
    page.get_by_role("link", name="Score this translation").click(timeout=PATIENCE_MS)
    wait_for_link(page, "translated", "yes")
    page.get_by_text("Type or paste a reference").wait_for()
    wait_for_text(page, "Hypothesis", "> ''")
    page.get_by_text("Source: ").wait_for()


def wait_for_text(page: Page, name: str, condition: str) -> None:
    """A box is drawn blank, and filled a moment later."""
    box = page.get_by_role("textbox", name=name).element_handle()
    page.wait_for_function(f"box => box.value {condition}", arg=box)


def _rgb(colour: str) -> list[int]:
    return [int(float(part)) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
