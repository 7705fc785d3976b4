"""Train live with two browsers: one trains, the other waits, and the app answers meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from tests.browser.conftest import PATIENCE_MS, ROOT, Serve
from tests.browser.test_decode import KNOWS_ITS_SERVER, wait_for_link

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser

LINK = {"model": "reverse-additive", "source": "4 9 7", "steps": "5000", "limit": "120"}
DRAWN = "About the models and their data"

OpenBrowser = Callable[[], "BrowserContext"]


@pytest.fixture
def open_browser(browser: Browser) -> Iterator[OpenBrowser]:
    """Opens browsers that share nothing, as two people do."""
    opened: list[BrowserContext] = []

    def open_one() -> BrowserContext:
        opened.append(browser.new_context(viewport={"width": 1366, "height": 768}))
        opened[-1].set_default_timeout(PATIENCE_MS)
        return opened[-1]

    yield open_one
    for context in opened:
        context.close()


def visit(context: BrowserContext, serve: Serve, path: str, given: dict[str, str]) -> Page:
    page = context.new_page()
    page.add_init_script(KNOWS_ITS_SERVER)
    page.goto(f"{serve(ROOT / 'app.py')}/{path}?{urlencode(given)}")
    page.get_by_text(DRAWN).wait_for()
    return page


def train(page: Page) -> None:
    page.get_by_role("button", name="Train", exact=True).click()


def test_a_second_browser_waits_while_the_first_trains_and_the_app_answers(
    serve: Serve, open_browser: OpenBrowser
) -> None:
    mine, other = open_browser(), open_browser()
    first = visit(mine, serve, "Training", LINK)
    train(first)
    first.get_by_text("of 5000").wait_for()
    first.locator(".st-key-live-attention .main-svg").first.wait_for()

    second = visit(other, serve, "Training", LINK | {"width": "16"})
    second.get_by_text("One training at a time").wait_for()
    train(second)
    second.get_by_text("Please wait: 1 is before you").wait_for()

    # The page that trains, the one that waits, and another page answer all the same.
    first.get_by_role("slider", name="Digits").press("ArrowRight")
    wait_for_link(first, "training_digits", "8")
    second.get_by_role("slider", name="Digits").press("ArrowLeft")
    wait_for_link(second, "training_digits", "6")
    compare = visit(other, serve, "Compare", {"from": "longer", "length": "5", **LINK})
    compare.get_by_role("slider", name="Digits in the string").press("ArrowRight")
    wait_for_link(compare, "length", "6")

    # The first browser is closed: its training stops, and the second one begins by itself.
    mine.close()
    second.get_by_text("of 5000").wait_for()
    second.get_by_role("button", name="Stop").click()
    second.get_by_text("Continue goes on from here").wait_for()
