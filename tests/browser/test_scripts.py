"""Scripts that run from right to left or downward: words in their order, and none turns another.

Whether a font for a script is there is another matter: places are judged, not shapes.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import htreval_core as hv
from htreval_core.show.html import report_html
from tests.browser.conftest import score_upload, settle, upload
from tests.tools import zipped

pytestmark = pytest.mark.browser

LEFT, RIGHT = "ltr", "rtl"
# A line; its direction; the numbers of its words as they stand from left to right.
LINES = [
    ("שלום עולם טוב", RIGHT, [2, 1, 0]),
    ("the word שלום עולם means peace 12", LEFT, [0, 1, 3, 2, 4, 5, 6]),
    ("רחוב 12, תל אביב (abc) סוף", RIGHT, [5, 4, 3, 2, 1, 0]),
    ("في سنة 1920 م وصل الى القاهرة", RIGHT, [6, 5, 4, 3, 2, 1, 0]),
    ("می‌خواهم کتاب ۱۲", RIGHT, [2, 1, 0]), ("abc \u202edef ghi\u2066 jkl", LEFT, [0, 1, 2, 3]),
    ("left again 12", LEFT, [0, 1, 2]), ("昔々 ある 所に", LEFT, [0, 1, 2]),
    ("ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ ᠦᠰᠦᠭ", LEFT, [0, 1, 2]),
]  # fmt: skip
REFERENCE = "\n".join(line for line, _, _ in LINES)
OUTPUT = REFERENCE.replace("1920", "1921").replace("peace", "piece").replace("ᠪᠢᠴᠢᠭ ", "")


def _check(lines: Locator, words_of: str, text_of: str) -> None:
    expect(lines).to_have_count(len(LINES))
    for number, (line, direction, order) in enumerate(LINES):
        shown = lines.nth(number)
        shown.scroll_into_view_if_needed()
        words = shown.locator(words_of)
        expect(words).to_have_count(len(line.split()))
        text = shown.locator(text_of)
        assert text.evaluate("one => getComputedStyle(one).direction") == direction, line
        boxes = [words.nth(n).bounding_box() for n in range(len(order))]
        lefts = [box["x"] for box in boxes if box]
        assert sorted(range(len(order)), key=lefts.__getitem__) == order, line
        assert all(box and box["width"] > 4 for box in boxes)
        inside = text.bounding_box()
        assert inside
        assert all(
            inside["x"] - 2 <= box["x"]
            and box["x"] + box["width"] <= inside["x"] + inside["width"] + 2
            for box in boxes
            if box
        )


def test_the_page_view_keeps_the_order_of_every_script(tab: Page, server: str) -> None:
    upload(tab, server, zipped({"1.ref": REFERENCE.encode(), "1.hyp": OUTPUT.encode()}))
    score_upload(tab)
    tab.get_by_role("link", name="Page", exact=True).click()
    settle(tab)
    pane = tab.locator(".pane").first
    expect(pane.locator(".w").first).to_be_visible()
    _check(pane.locator(".line"), ".w", ".text")
    expect(pane).to_contain_text("‹U+202E›def")
    # A joiner within a Persian word is part of its spelling.
    expect(pane).to_contain_text("می‌خواهم")
    # Below, a word stands between others without turning them.
    pane.locator(".w", has_text="1920").hover()
    expect(tab.locator(".says")).to_contain_text("\u20681920\u2069")


def test_names_that_run_right_to_left_turn_nothing_in_the_report(browser, tmp_path: Path) -> None:
    page = hv.Page.from_text("שלום 12", REFERENCE, {"نظام 3": OUTPUT, "b": REFERENCE})
    file = tmp_path / "report.html"
    file.write_text(report_html(hv.score([page]), title="עברית (1)"), "utf-8")
    context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    tab = context.new_page()
    tab.goto(file.as_uri())
    # A name keeps to itself: what stands after it stands to its right.
    item = tab.locator(".verdicts li", has_text="نظام").first
    name, whole = item.locator("bdi").bounding_box(), item.bounding_box()
    assert name["x"] < whole["x"] + whole["width"] / 2
    context.close()


def test_names_that_run_right_to_left_turn_no_sentence(tab: Page, server: str) -> None:
    name = "שלום"
    upload(tab, server, zipped({
        "reference/1.txt": b"a b c d", f"{name}/1.txt": b"a b d c", "b/1.txt": b"a x c d",
    }))  # fmt: skip
    score_upload(tab)
    item = tab.locator(".said h1", has_text=name)
    shown = item.evaluate(
        """(item, name) => {
          const walk = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
          const places = [];
          for (let node = walk.nextNode(); node; node = walk.nextNode()) {
            const text = node.data;
            const at = text.search(/[0-9]/);
            for (const from of [text.indexOf(name), at]) {
              if (from < 0) continue;
              const range = document.createRange();
              range.setStart(node, from);
              range.setEnd(node, from + 1);
              places.push(range.getBoundingClientRect().left);
            }
          }
          return places;
        }""",
        name,
    )
    # The name, then the first figure of what is said of it.
    assert len(shown) >= 2
    assert shown[0] < shown[1]
