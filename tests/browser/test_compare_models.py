"""Compare and Models in a real browser: controls reach the link, and all fits on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from s2s_core.text.tasks import random_source
from tests.browser.conftest import ROOT, OpenPage, Serve
from tests.browser.test_decode import KNOWS_ITS_SERVER, idle, link, wait_for_link

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

TOY = {"model": "reverse-additive", "source": "4 9 7", "models": "reverse-fixed-once,reverse-dot"}
PHONE = (390, 844)


def visit(
    serve: Serve, open_page: OpenPage, path: str, given: dict[str, str], *, phone: bool = False
) -> Page:
    address = f"{serve(ROOT / 'app.py')}/{path}?{urlencode(given)}"
    size = PHONE if phone else (1366, 768)
    page = open_page(address, size=size, dark=phone, script=KNOWS_ITS_SERVER)
    page.get_by_text("About the models and their data").wait_for()
    idle(page)
    return page


def test_the_length_of_the_string_goes_into_the_link_and_the_outputs_follow(
    serve: Serve, open_page: OpenPage
) -> None:
    page = visit(serve, open_page, "Compare", TOY | {"from": "longer", "length": "5", "seed": "2"})
    page.get_by_text(random_source(5, 2)).wait_for()
    page.get_by_role("slider", name="Digits in the string").press("ArrowRight")
    wait_for_link(page, "length", "6")
    page.get_by_text(random_source(6, 2)).wait_for()
    page.get_by_role("tab", name="Next tokens").click()
    wait_for_link(page, "tab", "Next tokens")
    page.locator(".st-key-next-reverse-dot .main-svg").first.wait_for()
    page.get_by_role("slider", name="Step").press("ArrowRight")
    wait_for_link(page, "step", "2")
    assert link(page)["models"] == TOY["models"]


def test_a_typed_sentence_is_read_by_every_model(serve: Serve, open_page: OpenPage) -> None:
    page = visit(serve, open_page, "Compare", TOY)
    box = page.get_by_role("textbox", name="Sentence to translate")
    box.fill("1 2 <b>*x*")
    box.press("Enter")
    page.get_by_text("This model reads digits only").first.wait_for()
    box.fill("31")
    box.press("Enter")
    page.get_by_text("The right answer: 1 3").wait_for()
    wait_for_link(page, "source", "31")


def test_the_checks_of_a_model_run_when_their_tab_is_opened(
    serve: Serve, open_page: OpenPage
) -> None:
    page = visit(serve, open_page, "Models", {"model": "reverse-dot", "source": "4 9 7"})
    page.locator(".st-key-architecture .main-svg").first.wait_for()
    page.get_by_role("tab", name="Checks").click()
    page.get_by_text("8 of 8 checks passed").wait_for()
    wait_for_link(page, "tab", "Checks")


@pytest.mark.parametrize(
    ("path", "tab"), [("Compare", "Quality and length"), ("Compare", "Cost"), ("Models", "Checks")]
)
def test_nothing_is_wider_than_a_phone(
    serve: Serve, open_page: OpenPage, path: str, tab: str
) -> None:
    given = {name: TOY[name] for name in ("model", "source")} | {"tab": tab}
    page = visit(serve, open_page, path, given, phone=True)
    wide = "document.querySelector('[data-testid=stMain]').scrollWidth"
    assert page.evaluate(wide) == PHONE[0]
