"""Every view at every width: all can use it, nothing is clipped, what matters is in sight."""

from collections.abc import Callable
from functools import partial

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import score_upload, settle, upload
from tests.tools import until, zipped

pytestmark = pytest.mark.browser

WIDE, NARROW = [(1920, 1080), (1280, 800)], [(390, 844), (800, 1000)]
"""A view is opened at the first size; its window is then drawn to the others."""
FIRST = ["?data=letterbook", "page?data=letterbook&system=reads-across&page=LB01"]
REST = [
    "compare?data=letterbook&system=reads-across&other=misreads&page=LB01",
    "?data=letterbook&more=pages", "errors?data=letterbook", "data",
    "?data=letterbook&more=audit&page=LB13", "?data=letterbook&panel=overview",
]  # fmt: skip
MORE = [
    "page?data=seite0418&event=1&view=trace",
    "page?data=berlin&system=tesseract-auto&page=funeral-055&mode=lines",
    "errors?data=berlin&find=e→c&tab=words", "errors?data=berlin&tab=lines",
    "errors?data=letterbook&both=yes",
]  # fmt: skip
# Streamlit gives its upload area a role and a name at once, which no setting of ours changes.
NOT_OURS = {"presentation-role-conflict"}
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
IS_DARK = """(dark) => dark === (getComputedStyle(document.querySelector(".stApp")).backgroundColor
  .match(/[0-9]+/)[0] < 128)"""

# What a user presses or reads in one line, in our own views and in the strip, as boxes.
BOXES = """(selector) => {
  const found = [];
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      if (node.matches(selector) && node.checkVisibility({ visibilityProperty: true })) {
        const box = node.getBoundingClientRect();
        if (box.width > 2 && box.height > 2) {
          found.push([box.left, box.top, box.right, box.bottom,
            (node.getAttribute("aria-label") || node.textContent || node.className).slice(0, 40)]);
        }
      }
    }
  };
  walk(document.querySelector('[data-testid="stMain"]'));
  return found;
}"""


AROUND = """() => [...document.querySelectorAll(
    '[data-testid="stHeader"] a, .st-key-strip [data-testid="stPopover"]'
  )].filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect())
    .filter(box => box.width > 2).map(box => [box.left, box.top, box.right, box.bottom])"""
"""The links of the navigation and the parts of the strip."""


def _boxes(tab: Page, selector: str) -> list[tuple[float, float, float, float, str]]:
    return [tuple(box) for box in tab.evaluate(BOXES, selector)]


def _overlaps(boxes: list[tuple[float, float, float, float, str]]) -> list[tuple[str, str]]:
    return [
        (a[4], b[4])
        for number, a in enumerate(boxes)
        for b in boxes[number + 1 :]
        if min(a[2], b[2]) - max(a[0], b[0]) > 2 and min(a[3], b[3]) - max(a[1], b[1]) > 2
    ]


def at_rest(tab: Page, look: Callable[[Page], list[str]]) -> list[str]:
    """What is seen while no run begins: what one is about to replace is faded until it is."""
    while True:
        settle(tab)
        tab.wait_for_function(
            "() => document.getAnimations().every(one => one.playState !== 'running')"
        )
        runs = tab.evaluate("window.runs")
        seen = look(tab)
        if runs == tab.evaluate("window.runs"):
            return seen


def violations(tab: Page, rules: dict[str, object]) -> list[str]:
    """What axe has to say, in short."""
    options = {**rules, "resultTypes": ["violations"]}
    found = Axe().run(tab, options=options).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in found
        if one["id"] not in NOT_OURS
    ]


@pytest.mark.parametrize(
    "view", [*FIRST, *(pytest.param(one, marks=pytest.mark.thorough) for one in [*REST, *MORE])]
)
def test_everybody_can_use_a_view_and_nothing_is_clipped(tab: Page, server: str, view: str) -> None:
    tab.set_viewport_size(dict(zip(("width", "height"), WIDE[0], strict=True)))
    tab.goto(f"{server}/{view}")
    _check_sizes(tab, WIDE)
    # In the other scheme colours alone are others.
    for scheme, rules in (("dark", COLOURS), ("light", {})):
        tab.emulate_media(color_scheme=scheme)
        # Fields of the browser change their colours at once, the framework a moment later.
        tab.wait_for_function(IS_DARK, arg=scheme == "dark")
        told = at_rest(tab, partial(violations, rules=rules))
        assert not told, (scheme, told)
    _check_sizes(tab, NARROW if view not in MORE else [])


def _check_sizes(tab: Page, sizes: list[tuple[int, int]]) -> None:
    """Nothing leaves the window and nothing stands on anything else."""
    for width, height in sizes:
        tab.set_viewport_size({"width": width, "height": height})
        settle(tab)
        assert tab.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 1
        controls = _boxes(
            tab, ".head .small, .head select, .sum, .st-key-strip button, .tabs .small,"
            " .foot-row .small, .kinds > .kind, .figure, .section-head > *, .chips > *,"
            " .table-head > *, .strip-head > *, .legend > .chip, .take .small, h1",
        )  # fmt: skip
        for left, _, right, _, name in controls:
            assert left >= -1, name
            # A row that scrolls sideways by itself keeps what it holds.
            assert right <= width + 1, (name, right)
        # Another width is drawn a moment later.
        until(lambda: not _overlaps([(*box, "") for box in tab.evaluate(AROUND)]), seconds=10)
        parts = [box for box in controls if box[4]]
        nested = {name for name in (box[4] for box in parts) if name.startswith("LaTeX")}
        assert not _overlaps([box for box in parts if box[4] not in nested])


def test_a_long_name_leaves_the_navigation_its_room(tab: Page, server: str) -> None:
    tab.set_viewport_size({"width": 1240, "height": 800})
    files = {"reference/1.txt": b"one two", "a/1.txt": b"two one"}
    upload(tab, server, zipped(files), f"{'Ratsprotokolle ' * 5}.zip")
    score_upload(tab)
    tab.get_by_role("link", name="Page", exact=True).click()
    settle(tab)
    around = tab.evaluate(AROUND)
    assert not _overlaps([(*box, str(number)) for number, box in enumerate(around)])
    assert max(right for _, _, right, _ in around) <= 1240


def test_the_overview_is_one_screen(tab: Page, server: str) -> None:
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.goto(f"{server}/?data=letterbook")
    settle(tab)
    for what in (".said h1", ".use >> nth=2", "table.systems", ".strip .columns >> nth=2",
                 ".fault >> nth=1"):  # fmt: skip
        expect(tab.locator(what)).to_be_in_viewport(ratio=0.99)
    # What opens below is brought into sight.
    tab.get_by_role("button", name="as a table").click()
    settle(tab)
    expect(tab.get_by_test_id("stDataFrame").first).to_be_in_viewport(ratio=0.2)


@pytest.mark.parametrize(
    "size", [(1280, 800), pytest.param((1920, 1080), marks=pytest.mark.thorough)], ids=str
)
def test_the_words_of_a_page_stand_above_the_fold(
    tab: Page, server: str, size: tuple[int, int]
) -> None:
    tab.set_viewport_size({"width": size[0], "height": size[1]})
    tab.goto(f"{server}/page?data=letterbook&system=reads-across&page=LB01")
    settle(tab)
    for what in (".sheet svg", ".pane.ref .w", ".pane.hyp .w", ".gutter .band", ".card", ".sum",
                 ".figure", ".views .small"):  # fmt: skip
        expect(tab.locator(what).first).to_be_in_viewport(ratio=0.6)
    expect(tab.get_by_test_id("stPlotlyChart")).to_be_attached()
    # A card stands beside the words that it is about.
    card = tab.locator(".card").first.bounding_box()
    word = tab.locator(".pane.hyp .line .w.k4").first.bounding_box()
    assert abs(card["y"] - word["y"]) < 60


def test_on_a_narrow_screen_texts_are_tabs(tab: Page, server: str) -> None:
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(f"{server}/page?data=letterbook&system=reads-across&page=LB01")
    settle(tab)
    shown = {"Image": ".sheet svg", "Reference": ".pane.ref", "Output": ".pane.hyp",
             "Faults": ".card"}  # fmt: skip
    for name, what in shown.items():
        tab.get_by_role("button", name=name, exact=True).click()
        for other in shown.values():
            expect(tab.locator(other).first).to_be_visible(visible=other == what)
    tab.goto(f"{server}/compare?data=letterbook&system=reads-across&other=misreads&page=LB01")
    settle(tab)
    expect(tab.locator(".three .pane >> visible=true")).to_have_count(1)
