"""The timeline in a real browser: one owner of the step, and clicks, keys and text that hold."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest

from s2s_core.figures.theme import DARK, LIGHT
from tests.browser.apps.demo_model import ODD, ODD_SOURCE
from tests.browser.conftest import PATIENCE_MS, OpenPage, Serve

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

APP = Path(__file__).parent / "apps" / "timeline_app.py"
CAT_STEPS = 9
CHART = "document.querySelector('.st-key-demo-{role} .js-plotly-plot')"


@pytest.fixture(scope="session")
def app(serve: Serve) -> str:
    return serve(APP)


def at_rest(page: Page, text: str) -> None:
    """Wait until Python says where the timeline is."""
    page.get_by_text(f"rests at {text}", exact=True).wait_for()


def counter(page: Page, text: str) -> None:
    page.locator(".counter", has_text=re.compile(f"^{text}$")).wait_for()


def chart(page: Page, role: str, expression: str) -> Any:
    """Evaluate an expression about `c`, the chart."""
    return page.evaluate(f"() => {{ const c = {CHART.format(role=role)}; return {expression}; }}")


def wait_for_chart(page: Page, role: str, condition: str) -> None:
    page.wait_for_function(
        f"() => {{ const c = {CHART.format(role=role)}; return c !== null && ({condition}); }}",
        timeout=PATIENCE_MS,
        polling=100,
    )


def covered_from(page: Page, step: int) -> None:
    """Wait until tree and heatmap show the steps up to this one and cover the rest."""
    wait_for_chart(
        page,
        "tree",
        f"c?._fullLayout?.shapes?.length === 2 && Math.floor(c.layout.shapes[0].x0) === {step}",
    )


def visit(open_page: OpenPage, address: str, step: int, **options: Any) -> Page:
    page = open_page(address, **options)
    covered_from(page, step)
    return page


def spot(page: Page, role: str, x: float, y: float) -> tuple[float, float]:
    """Where a place of a chart is on the screen, once it is scrolled to the middle."""
    place = f"""(() => {{
        const box = c.querySelector('.nsewdrag').getBoundingClientRect();
        const axes = c._fullLayout;
        return [box.left + axes.xaxis.l2p({x}), box.top + axes.yaxis.l2p({y})];
    }})()"""
    _, top = chart(page, role, place)
    page.evaluate(
        "top => document.querySelector('[data-testid=stMain]').scrollBy(0, top - innerHeight / 2)",
        top,
    )
    left, top = chart(page, role, place)
    return left, top


def node_at(page: Page, step: int) -> tuple[int, float]:
    """The id and the height of the node that the winner's path has at a step."""
    found = chart(
        page,
        "tree",
        "c.data.filter(t => t.meta === 'nodes').flatMap(t => t.x.map((x, i) => "
        f"[x, t.y[i], t.customdata[i][0]])).filter(n => n[0] === {step} && n[1] === 0)[0]",
    )
    return found[2], found[1]


def test_play_runs_to_the_end_and_then_says_so(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, f"{app}/?step=1", 1)
    page.locator(".speed select").select_option("2")
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").wait_for()
    counter(page, f"{CAT_STEPS} / {CAT_STEPS}")
    page.get_by_role("button", name="Play").wait_for()
    at_rest(page, f"step={CAT_STEPS} node=None cell=None")
    covered_from(page, CAT_STEPS)


def test_play_at_the_end_starts_over(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, app, CAT_STEPS)
    space = "new KeyboardEvent('keydown', {key: ' ', bubbles: true})"
    page.evaluate(f"() => {{ for (const _ of [1, 2]) document.body.dispatchEvent({space}) }}")
    at_rest(page, "step=1 node=None cell=None")


def test_the_place_survives_scrubbing_arrows_a_click_and_a_reload(
    app: str, open_page: OpenPage
) -> None:
    page = visit(open_page, app, CAT_STEPS)
    page.get_by_role("slider", name="Step").fill("6")
    counter(page, f"6 / {CAT_STEPS}")
    at_rest(page, "step=6 node=None cell=None")
    page.keyboard.press("ArrowLeft")
    counter(page, f"5 / {CAT_STEPS}")
    node, y = node_at(page, 4)
    page.mouse.click(*spot(page, "tree", 4, y))
    at_rest(page, f"step=5 node={node} cell=None")
    query = parse_qs(urlsplit(page.url).query)
    assert (query["step"], query["node"]) == (["5"], [str(node)])
    page.reload()
    covered_from(page, 5)
    counter(page, f"5 / {CAT_STEPS}")
    at_rest(page, f"step=5 node={node} cell=None")
    assert chart(page, "tree", "c.data.find(t => t.meta === 'selection').x.at(-1)") == 4


def test_a_second_click_takes_the_selection_away(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, app, CAT_STEPS)
    node, y = node_at(page, 2)
    page.mouse.click(*spot(page, "tree", 2, y))
    at_rest(page, f"step={CAT_STEPS} node={node} cell=None")
    page.mouse.click(*spot(page, "tree", 2, y))
    at_rest(page, f"step={CAT_STEPS} node=None cell=None")


def test_a_heatmap_cell_is_reported_after_scrubbing(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, app, CAT_STEPS)
    page.get_by_role("slider", name="Step").fill("4")
    covered_from(page, 4)
    page.mouse.click(*spot(page, "attention", 3, 2))
    at_rest(page, "step=4 node=None cell=(2, 3)")


def test_a_covered_cell_and_a_covered_node_answer_no_click(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, f"{app}/?step=3", 3)
    page.mouse.click(*spot(page, "attention", 1, 6))
    page.mouse.click(*spot(page, "tree", 5, 0))
    page.mouse.click(*spot(page, "attention", 1, 2))
    at_rest(page, "step=3 node=None cell=(2, 1)")


def test_what_is_covered_answers_no_hover(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, f"{app}/?step=3", 3)
    for role, seen, covered in (
        ("attention", (2, 1), (2, 6)),
        ("tree", (2, 0), (6, 0)),
    ):
        page.mouse.move(*spot(page, role, *seen))
        wait_for_chart(page, role, "c.querySelectorAll('.hoverlayer .hovertext').length === 1")
        page.mouse.move(*spot(page, role, *covered), steps=3)
        wait_for_chart(page, role, "c.querySelectorAll('.hoverlayer .hovertext').length === 0")


def test_each_key_moves_the_step(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, app, CAT_STEPS)
    moves = (
        ("Home", 1),
        ("ArrowRight", 2),
        ("PageDown", 3),
        ("PageDown", 4),
        ("PageUp", 3),
        ("ArrowLeft", 2),
        ("End", CAT_STEPS),
        ("ArrowRight", CAT_STEPS),
    )
    for key, step in moves:
        page.keyboard.press(key)
        counter(page, f"{step} / {CAT_STEPS}")
    at_rest(page, f"step={CAT_STEPS} node=None cell=None")


def test_typing_doesnt_move_the_step(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, f"{app}/?step=5", 5)
    box = page.get_by_role("textbox", name="Source")
    box.click()
    for key in ("End", "ArrowLeft", "Home", " ", "PageDown", "PageUp", "ArrowRight"):
        page.keyboard.press(key)
    assert box.input_value() == " the cat saw the dog ."
    box.fill("the cat saw the dog .")
    box.blur()
    at_rest(page, "step=5 node=None cell=None")
    counter(page, f"5 / {CAT_STEPS}")
    page.locator(".before").click()
    page.keyboard.press("ArrowRight")
    counter(page, f"6 / {CAT_STEPS}")


def test_the_step_survives_another_beam_and_the_new_charts_obey(
    app: str, open_page: OpenPage
) -> None:
    page = visit(open_page, f"{app}/?step=4", 4)
    nodes = "c.data.filter(t => t.meta === 'nodes').reduce((n, t) => n + t.x.length, 0)"
    before = chart(page, "tree", nodes)
    page.get_by_role("spinbutton", name="Beam").fill("2")
    page.get_by_role("spinbutton", name="Beam").blur()
    wait_for_chart(page, "tree", f"{nodes} < {before}")
    covered_from(page, 4)
    page.locator(".before").click()
    page.keyboard.press("ArrowRight")
    covered_from(page, 5)
    node, y = node_at(page, 3)
    page.mouse.click(*spot(page, "tree", 3, y))
    at_rest(page, f"step=5 node={node} cell=None")


def test_the_heatmap_follows_the_best_prefix_of_each_step(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, f"{app}/?step=4", 4)
    page.get_by_label("Follow").click()
    page.get_by_role("option", name="best prefix").click()
    labels = "c.layout.yaxis.ticktext"
    wait_for_chart(page, "attention", f"{labels}[3].endsWith('>▁</span>un')")
    page.locator(".before").click()
    page.keyboard.press("End")
    wait_for_chart(page, "attention", f"{labels}[3].endsWith('>▁</span>re')")
    assert chart(page, "attention", f"{labels}.length") == CAT_STEPS


def test_repeated_tokens_keep_their_columns(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, app, CAT_STEPS)
    labels = chart(
        page, "attention", "[...c.querySelectorAll('.xtick text')].map(t => t.textContent)"
    )
    assert labels == ["the", "cat", "saw", "the", "dog", "."]
    places = chart(
        page,
        "attention",
        "[...c.querySelectorAll('.xtick text')].map(t => t.getBoundingClientRect().x)",
    )
    assert places == sorted(set(places))


def test_any_text_is_shown_as_typed(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, f"{app}/?model=odd", len(ODD) + 1)
    produced = [token for token, _, _ in ODD]
    drawn = {
        name: chart(
            page, "attention", f"[...c.querySelectorAll('.{name} text')].map(t => t.textContent)"
        )
        for name in ("xtick", "ytick")
    }
    assert [_bare(text) for text in drawn["xtick"]] == list(ODD_SOURCE)
    assert [_bare(text) for text in drawn["ytick"]] == [*produced, "<end>"]
    tree = chart(page, "tree", "[...c.querySelectorAll('.textpoint')].map(t => t.textContent)")
    assert set(produced) <= {_bare(text) for text in tree}
    for step, token in enumerate(produced, start=1):
        page.get_by_role("slider", name="Step").fill(str(step))
        page.locator(".token").get_by_text(token, exact=True).wait_for()
        bars = chart(page, "next", "[...c.querySelectorAll('.ytick text')].map(t => t.textContent)")
        assert token in [_bare(text) for text in bars]
    page.mouse.move(*spot(page, "attention", 6, 3))
    wait_for_chart(page, "attention", "c.querySelector('.hoverlayer .hovertext') !== null")
    said = chart(page, "attention", "c.querySelector('.hoverlayer .hovertext').textContent")
    assert "</s> looks at </s>" in said


def _bare(text: str) -> str:
    """Without the marks that isolate right-to-left text."""
    return text.strip("\u2068\u2069")


@pytest.mark.parametrize("dark", [False, True])
def test_the_cover_has_the_colour_of_the_page(app: str, open_page: OpenPage, dark: bool) -> None:
    page = visit(open_page, f"{app}/?step=3", 3, dark=dark)
    background = page.evaluate(
        "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
    )
    for role in ("attention", "tree"):
        covers = chart(
            page,
            role,
            "getComputedStyle(c.querySelector('.layer-above .shapelayer path')).fill",
        )
        assert covers == background
    light = [int(part) > 127 for part in re.findall(r"\d+", background)[:3]]
    assert light == [not dark] * 3


def test_a_new_theme_reaches_the_figures_and_keeps_the_step(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, f"{app}/?step=3", 3)
    palest = "c.layout.coloraxis.colorscale[0][1]"
    assert chart(page, "attention", palest) == LIGHT.scale[0]
    page.emulate_media(color_scheme="dark")
    wait_for_chart(page, "attention", f"{palest} === '{DARK.scale[0]}'")
    covered_from(page, 3)
    letters = chart(page, "attention", "getComputedStyle(c.querySelector('.xtick text')).fill")
    assert min(int(part) for part in re.findall(r"\d+", letters)) > 200


def test_a_phone_has_room_for_everything_and_touch_works(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, f"{app}/?step=3", 3, size=(390, 844), touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for button in (
        page.get_by_role("group", name="Move through the steps").get_by_role("button").all()
    ):
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    page.get_by_role("button", name="Next step").tap()
    counter(page, f"4 / {CAT_STEPS}")
    covered_from(page, 4)
    node, y = node_at(page, 4)
    page.touchscreen.tap(*spot(page, "tree", 4, y))
    at_rest(page, f"step=4 node={node} cell=None")


def test_a_long_tree_turns_its_pages_to_the_present_step(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, f"{app}/?model=long", 41, size=(700, 768))
    span = "c.layout.xaxis.range"
    first = "c.layout.shapes[0].x0"
    for step in (41, 20, 1, 2, 9, 25):
        page.get_by_role("slider", name="Step").fill(str(step))
        wait_for_chart(page, "tree", f"Math.floor({first}) === {step}")
        left, right = chart(page, "tree", span)
        assert left <= step - 1 <= step <= right
        assert right - left < 12


def test_a_model_without_attention_has_bars_and_tree(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, f"{app}/?model=blind&step=2", 2)
    page.keyboard.press("ArrowRight")
    covered_from(page, 3)
    assert page.locator(".st-key-demo-attention").count() == 0
    first = chart(page, "next", "c.layout.yaxis.ticktext[0]")
    assert first.endswith(">▁</span>a")


def test_the_step_is_told_to_screen_readers(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, f"{app}/?step=2", 2)
    page.keyboard.press("ArrowRight")
    told = page.locator("[aria-live=polite]", has_text=f"step 3 of {CAT_STEPS}: token ▁a, 52 %")
    told.wait_for(state="attached")
    slider = page.get_by_role("slider", name="Step")
    assert slider.get_attribute("aria-valuetext") == told.text_content()


def test_missing_plotly_is_said_clearly(app: str, open_page: OpenPage) -> None:
    hide = "Object.defineProperty(window, 'Plotly', {get: () => undefined, set: () => {}})"
    page = open_page(app, script=hide)
    page.get_by_role("alert").get_by_text("window.Plotly is missing").wait_for()


def test_the_lists_of_prefixes_follow_at_once(app: str, open_page: OpenPage) -> None:
    page = visit(open_page, f"{app}/?step=2", 2)
    page.get_by_text("Live prefixes after step 2: log P").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("Live prefixes after step 3: log P").wait_for()
    page.locator(".live td", has_text="le chat a").first.wait_for()
    page.keyboard.press("End")
    page.locator(".pool caption", has_text="Pool, 4 of 4, worst score −").wait_for()
    page.locator(".pool small", has_text="/ 9^0.6 = −").first.wait_for()
