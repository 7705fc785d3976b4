"""What only a browser shows of the search pages: typing, dragging, cancelling, width, text."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from s2s_core.models.checkpoint import checkpoint_names
from tests.browser.conftest import PATIENCE_MS, ROOT, OpenPage, Serve
from tests.browser.test_decode import KNOWS_ITS_SERVER, idle, wait_for_link

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

MODEL = checkpoint_names()[0]
ODD = "a<b & \"c\" <unk> '$1$' *x* :smile:"
OWN = json.dumps([[ODD, -1.0, 2], ["", -2.0, 1], ["明天见", -3.0, 4]])

Visit = Callable[..., "Page"]


@pytest.fixture
def visit(serve: Serve, open_page: OpenPage) -> Visit:
    """Opens a page of the app by its link, and waits until it is drawn."""
    address = serve(ROOT / "app.py")

    def open_one(
        path: str, *, size: tuple[int, int] = (1366, 768), dark: bool = False, **link: str
    ) -> Page:
        url = f"{address}/{path}?{urlencode(link)}"
        page = open_page(url, size=size, dark=dark, script=KNOWS_ITS_SERVER)
        page.locator(".s2s-body, .s2s-small").first.wait_for()
        idle(page)
        return page

    return open_one


def link(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_a_table_is_checked_while_it_is_typed(visit: Visit) -> None:
    page = visit("Search_playground")
    area = page.locator(".st-key-table_text textarea")
    area.evaluate("area => area.focus()")
    before = area.input_value()
    area.evaluate("(area, at) => area.setSelectionRange(at, at)", before.index("0.95") + 3)
    page.keyboard.press("Backspace")
    page.keyboard.type("8")
    page.get_by_text("sum to 1, but sum to 0.9").first.wait_for(timeout=PATIENCE_MS)
    assert area.evaluate("area => area === document.activeElement")
    page.keyboard.press("Backspace")
    page.keyboard.type("9")
    page.get_by_text("A valid table.").wait_for(timeout=PATIENCE_MS)
    assert area.input_value() == before
    wait_for_link(page, "table", "own")
    page.reload()
    page.get_by_text("A valid table.").wait_for(timeout=PATIENCE_MS)
    page.wait_for_function(
        "before => document.querySelector('.st-key-table_text textarea')?.value === before",
        arg=before,
        timeout=PATIENCE_MS,
    )


def test_alpha_by_the_arrow_keys_stands_in_the_link_and_survives_a_reload(visit: Visit) -> None:
    page = visit("Length_penalty", list="empty-wins", alpha="0.65")
    page.get_by_role("slider").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    wait_for_link(page, "alpha", "0.85")
    page.get_by_text("Rank 1: (hypothesis").wait_for(timeout=PATIENCE_MS)
    page.reload()
    page.get_by_text("Rank 1: (hypothesis").wait_for(timeout=PATIENCE_MS)
    assert link(page)["alpha"] == "0.85"


def test_a_cell_of_ones_own_candidates_can_be_changed(visit: Visit) -> None:
    page = visit("Length_penalty", list="own", own=OWN, alpha="0")
    page.get_by_text("Rank 1: a<b").wait_for()
    grid = page.locator("[data-testid=stDataFrame]").first
    grid.locator("canvas").first.wait_for()
    box = grid.bounding_box()
    assert box
    page.mouse.dblclick(box["x"] + 60, box["y"] + 35 + 17)  # the first text
    editor = page.locator("#portal textarea, #portal input")
    editor.wait_for()
    editor.fill("another")
    editor.press("Enter")
    page.get_by_text("Rank 1: another").wait_for(timeout=PATIENCE_MS)
    idle(page)
    assert json.loads(link(page)["own"])[0][0] == "another"


def test_an_exact_search_can_be_cancelled(visit: Visit) -> None:
    page = visit(
        "Search_lab",
        model=MODEL,
        source="I have never seen the old house near the river again.",
        penalty="power",
        alpha="3",
        budget="200000",
    )
    page.get_by_role("button", name="Search exactly").click()
    page.get_by_text("prefixes continued, best score").wait_for(timeout=PATIENCE_MS)
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Cancelled: what it found").wait_for(timeout=PATIENCE_MS)
    idle(page)
    assert page.get_by_role("button", name="Search exactly").is_enabled()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("path", ["Length_penalty", "Search_playground", "Search_lab"])
def test_a_page_fits_a_phone_and_shows_text_as_it_is(visit: Visit, path: str, dark: bool) -> None:
    own = {"list": "own", "own": OWN, "alpha": "0"} if path == "Length_penalty" else {}
    page = visit(path, size=(390, 800), dark=dark, model=MODEL, source="I like tea.", **own)
    wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wider) <= 0
    if own:
        assert page.get_by_text(f"Rank 1: {ODD}", exact=True).is_visible()
        legend = page.locator(".st-key-ranking_chart .legendtext")
        legend.first.wait_for()
        assert ODD in "\n".join(legend.all_text_contents())
