"""The main path in a real browser: from the start page to the words of the worst page."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import score_upload, settle, upload
from tests.tools import zipped

pytestmark = pytest.mark.browser


def test_it_opens_on_real_pages_and_a_note_in_the_text_is_one_click_away(
    tab: Page, server: str
) -> None:
    tab.goto(f"{server}/#as-it-is")
    settle(tab)
    expect(tab.get_by_role("button", name="Sample: Early prints")).to_be_visible()
    expect(tab.get_by_text("Without them, WER would be")).to_be_visible()
    note = tab.locator(".fault", has_text="Marginal note mixed in")
    note.first.get_by_role("button", name="Open the page where it costs most").click()
    expect(tab.locator(".card", has_text="Marginal note mixed in").first).to_be_visible()
    expect(tab.locator(".sheet image")).to_be_visible()
    expect(tab.locator(".sheet .credit")).to_contain_text("Staatsbibliothek zu Berlin")
    expect(tab.get_by_role("button", name="Put right:")).to_be_visible()


def test_it_opens_on_the_samples_and_the_worst_page_is_two_clicks_away_without_scrolling(
    tab: Page, server: str
) -> None:
    """Words, image and cause of the worst page, all in sight."""
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.goto(server)
    settle(tab)
    expect(tab.get_by_text("skips-margins is best: 15.0 % word errors")).to_be_visible()
    expect(tab.get_by_label("28.9 out of order").first).to_be_visible()
    expect(tab.locator("table.systems tbody tr")).to_have_count(3)
    expect(tab.locator(".strip .columns")).to_have_count(3)
    tab.get_by_role("button", name="Open LB08").click()
    expect(tab).to_have_url(re.compile(r"/page\?.*page=LB08"))
    settle(tab)
    for what in (".pane.ref .w", ".pane.hyp .w", ".sheet svg", ".card p"):
        expect(tab.locator(what).first).to_be_in_viewport(ratio=0.9)
    expect(tab.locator(".card p").first).to_contain_text("two pages of the spread were mixed")
    assert tab.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0


def test_the_worst_page_is_one_click_from_the_ranking(tab: Page, server: str) -> None:
    tab.goto(f"{server}/?more=pages")
    settle(tab)
    table = tab.get_by_test_id("stDataFrame").first
    expect(table).to_be_visible()
    # A table is a canvas: the second column of the first row below the headings.
    table.click(position={"x": 90, "y": 53})
    expect(tab).to_have_url(re.compile(r"/page\?.*page=LB08"))
    settle(tab)
    expect(tab.get_by_role("heading", name="LB08")).to_be_visible()
    expect(tab.locator(".k4", has_text="Honoured").or_(tab.locator(".k4")).first).to_be_visible()
    expect(tab.locator(".line").first).to_be_visible()


def test_an_error_is_typed_its_ink_seen_and_its_page_opened(tab: Page, server: str) -> None:
    tab.goto(f"{server}/errors?data=berlin&system=tesseract-default-model")
    settle(tab)
    cell = tab.get_by_role("button", name="e read as c: ")
    count = cell.inner_text()
    field = tab.get_by_label("Filter")
    field.press_sequentially("e->c")
    # Words may be confused in more than one place.
    expect(
        tab.get_by_role("status").filter(has_text=re.compile(r"^\d+ words? on \d+ pages?$"))
    ).to_be_visible()
    settle(tab)
    expect(cell).to_have_attribute("aria-pressed", "true")
    assert 0 < tab.locator(".tile").count() <= int(count)
    expect(field).to_be_focused()
    assert all(
        tab.locator(".tile img").evaluate_all("all => all.map(one => one.naturalWidth > 20)")
    )
    field.fill("")
    cell.click()
    settle(tab)
    expect(cell).to_have_attribute("aria-pressed", "true")
    expect(cell).to_be_focused()
    expect(field).to_have_value("e→c")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    expect(field).not_to_have_value("e→c")
    expect(tab).not_to_have_url(re.compile("find=e%E2%86%92c"))
    settle(tab)
    tab.go_back()
    expect(tab.locator(".cell[aria-pressed=true]")).to_have_text(count)
    settle(tab)
    word = tab.locator(".tile").first
    text = word.locator(".spelled").first.inner_text()
    word.click()
    expect(tab).to_have_url(re.compile(r"/page\?.*word=ref%3A|word=ref:"))
    settle(tab)
    expect(tab.locator(".pane.ref .picked")).to_have_text(text)


def test_the_worst_line_opens_its_page_there(tab: Page, server: str) -> None:
    tab.goto(f"{server}/errors?data=letterbook&system=skips-margins")
    settle(tab)
    tab.get_by_role("button", name="Lines", exact=True).click()
    first = tab.locator(".strip").first
    expect(first.locator("img")).to_be_visible()
    first.click()
    expect(tab).to_have_url(re.compile(r"/page\?.*page=LB05"))
    expect(tab).to_have_url(re.compile(r"view=trace"))
    expect(tab).to_have_url(re.compile(r"word=ref%3A|word=ref:"))
    settle(tab)
    expect(tab.get_by_role("heading", name="LB05")).to_be_visible()


def test_a_page_is_read_line_by_line(tab: Page, server: str) -> None:
    """Each line has its strip of the image and what was read for it; equal ones can be hidden."""
    tab.goto(f"{server}/page?data=berlin&system=tesseract-auto&page=friedrich-011")
    settle(tab)
    tab.keyboard.press("v")
    expect(tab).to_have_url(re.compile("mode=lines"))
    rows = tab.locator(".by-line .row")
    expect(rows.first).to_be_visible()
    settle(tab)
    first, fourth = rows.nth(1), rows.nth(3)
    ink = "one => [...one.getContext('2d').getImageData(0, 0, one.width, one.height).data]"
    dark = f"one => ({ink})(one).filter((value, at) => at % 4 === 0 && value < 90).length"
    assert fourth.locator("canvas").evaluate(dark) > 100
    expect(fourth.locator(".side-0")).to_have_text("Unduldsamkeit der Tyranney,")
    expect(fourth.locator(".side-1")).to_have_text("Unduldsamkeit der T'yranney,")
    expect(fourth.locator(".side-1 .k1")).to_have_text("T'yranney,")
    tab.get_by_role("button", name=re.compile(r"Hide \d+ equal lines")).click()
    expect(first).to_be_hidden()
    expect(fourth).to_be_visible()
    tab.keyboard.press("n")
    expect(tab.locator(".by-line .w.lit").first).to_be_in_viewport()
    tab.locator(".by-line .k1").first.click()
    expect(tab).to_have_url(re.compile("mode=lines.*word=|word=.*mode=lines"))
    tab.go_back()
    tab.go_back()
    expect(tab.locator(".pane.ref")).to_be_visible()


def test_borders_move_and_keys_are_told(tab: Page, server: str) -> None:
    tab.goto(f"{server}/page?data=letterbook")
    settle(tab)
    border = tab.get_by_role("separator", name="Image and texts")
    wide = tab.locator(".sheet-place").bounding_box()["width"]
    border.focus()
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("End")
    expect(border).to_have_attribute("aria-valuenow", border.get_attribute("aria-valuemax"))
    assert tab.locator(".sheet-place").bounding_box()["width"] > wide + 100
    tab.keyboard.press("Home")
    at = tab.get_by_role("separator", name="Reference and output").bounding_box()
    text = tab.locator(".pane.ref").bounding_box()["width"]
    tab.mouse.move(at["x"] + 4, at["y"] + 100)
    tab.mouse.down()
    tab.mouse.move(at["x"] + 84, at["y"] + 100, steps=4)
    tab.mouse.up()
    assert tab.locator(".pane.ref").bounding_box()["width"] == pytest.approx(text + 80, abs=12)
    # The next page has them where they were left.
    tab.keyboard.press("]")
    expect(tab).to_have_url(re.compile("page=LB18"))
    settle(tab)
    assert tab.locator(".pane.ref").bounding_box()["width"] == pytest.approx(text + 80, abs=12)
    tab.keyboard.press("?")
    keys = tab.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("next, previous error")
    tab.keyboard.press("v")
    tab.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(tab.locator(".pane.ref")).to_be_visible()


def test_seite0418_shows_the_marginal_note_as_one_moved_block_that_can_be_put_right(
    tab: Page, server: str
) -> None:
    tab.goto(f"{server}/page?data=seite0418&system=RPN%2BCRNN")
    settle(tab)
    # Two pieces of one event, and one number on it.
    expect(tab.locator(".band.event")).to_have_count(2)
    expect(tab.locator("text.number")).to_have_text("1")
    story = "The marginal note in lines 21–23 was read after lines 17 and 19"
    expect(tab.get_by_text(story)).to_be_visible()
    moved = tab.locator(".pane").first.locator(".k4")
    assert moved.all_inner_texts() == ["Traid", "ver¬", "fierūng."]
    expect(tab.locator(".sum")).to_have_text("41.4 = 28.6 misread + 2.8 added + 10.0 out of order")
    # Putting an event right moves every figure.
    expect(tab.get_by_role("button", name="Put right: 41.4 → 31.4")).to_be_visible()
    tab.locator(".card .repair").click()
    # Nothing is out of order any more, nor was there any chance.
    expect(tab.locator(".sum")).to_have_text("31.4 = 28.6 misread + 2.8 added + 0.0 out of order")
    expect(tab.locator(".band.event")).to_have_count(0)
    expect(tab).to_have_url(re.compile("repaired=1"))
    tab.get_by_role("button", name="Undo: 31.4 → 41.4").click()
    expect(tab.locator(".sum")).to_have_text("41.4 = 28.6 misread + 2.8 added + 10.0 out of order")
    expect(tab).not_to_have_url(re.compile("repaired="))


def test_the_census_narrows_the_pages_and_opens_the_worst(tab: Page, server: str) -> None:
    tab.goto(f"{server}/#as-it-is")
    settle(tab)
    row = tab.locator(".fault", has_text="Marginal note mixed in").first
    row.locator(".pick").click()
    expect(tab).to_have_url(re.compile(r"where=kind\+%3D\+marginal\+note"))
    settle(tab)
    strip = tab.locator(".strip .columns").first
    expect(strip.locator(".column")).to_have_count(5)
    row.locator(".stamp").click()
    expect(tab).to_have_url(re.compile(r"/page\?.*system=tesseract-one-block"))
    settle(tab)
    expect(tab.locator(".card", has_text="Marginal note mixed in").first).to_be_attached()
    tab.go_back()
    settle(tab)
    expect(tab).to_have_url(re.compile(r"where=kind\+%3D\+marginal\+note"))
    tab.get_by_role("button", name="show all pages").click()
    expect(strip.locator(".column")).to_have_count(9)


@pytest.mark.thorough
def test_back_takes_back_one_step_each_time(tab: Page, server: str) -> None:
    tab.goto(f"{server}/?data=letterbook")
    settle(tab)
    seen = []
    tab.get_by_role("link", name="Page", exact=True).click()
    for wanted in ("LB08", "LB18", "LB07"):
        settle(tab)
        expect(tab.locator(".page-name")).to_have_value(wanted)
        expect(tab).to_have_url(re.compile(f"page={wanted}.*gamma=1"))
        seen.append(tab.url)
        tab.get_by_role("button", name="Next page").click()
    expect(tab.locator(".page-name")).not_to_have_value("LB07")
    expect(tab).not_to_have_url(re.compile("page=LB07"))
    settle(tab)
    for url in reversed(seen):
        tab.go_back()
        expect(tab).to_have_url(url)
        settle(tab)
        (page,) = parse_qs(urlsplit(url).query)["page"]
        expect(tab.locator(".page-name")).to_have_value(page)
    tab.go_back()
    expect(tab.locator("table.systems")).to_be_visible()
    settle(tab)
    tab.go_forward()
    expect(tab.locator(".page-name")).to_have_value("LB08")


def test_a_word_is_marked_linked_and_stands_in_the_address(tab: Page, server: str) -> None:
    # A picked word is marked and stands in the address.
    tab.goto(f"{server}/page?data=seite0418&system=RPN%2BCRNN")
    settle(tab)
    tab.locator(".pane").first.locator(".w", has_text="fierūng.").click()
    expect(tab).to_have_url(re.compile(r"word=ref%3A67|word=ref:67"))
    expect(tab.locator(".picked")).to_have_text("fierūng.")
    tab.reload()
    settle(tab)
    expect(tab.locator(".picked")).to_have_text("fierūng.")
    # Hovering a word links it to its mate.
    tab.locator(".pane").first.locator(".w", has_text="Traid").hover()
    expect(tab.locator(".lit")).to_have_count(2)
    expect(tab.locator("path.link")).to_have_count(1)
    expect(tab.locator(".says")).to_contain_text("right word, wrong place")


def test_an_uploaded_zip_is_scored_and_its_bad_files_are_named(tab: Page, server: str) -> None:
    files = {
        "set/1.ref": b"the quick brown fox", "set/1.hyp": b"brown fox the quick",
        "set/2.ref": b"alone", "set/3.ref": b"caf\xe9", "set/3.hyp": b"cafe",
    }  # fmt: skip
    upload(tab, server, zipped(files), "mine.zip")
    expect(tab.get_by_text("2 of 3 pages of the ground truth have an output")).to_be_visible()
    tab.get_by_text("2 warnings about the data").click()
    expect(tab.get_by_text("3.ref: not UTF-8")).to_be_visible()
    expect(tab.get_by_text("2.ref: this reference has no output")).to_be_visible()
    score_upload(tab)
    tab.get_by_role("link", name="Page", exact=True).click()
    settle(tab)
    expect(tab.locator(".k4", has_text="brown").first).to_be_visible()


def test_a_long_page_shows_its_words_and_then_its_story(tab: Page, server: str) -> None:
    """Its words are sent before the diagnosis is there; what is found is drawn into them."""
    lines = [" ".join(f"w{number}" for number in range(at, at + 8)) for at in range(0, 2400, 8)]
    moved = [*lines[:50], *lines[90:], *lines[50:90]]
    files = {"set/1.ref": "\n".join(lines).encode(), "set/1.hyp": "\n".join(moved).encode()}
    upload(tab, server, zipped(files), "long.zip")
    score_upload(tab)
    tab.get_by_role("link", name="Page", exact=True).click()
    settle(tab)
    expect(tab.get_by_text("Lines 51–90 were read after line 300")).to_be_visible()
    stripe = tab.locator(".pane").first.locator(".line .no", has_text="60").first
    assert stripe.evaluate("node => node.style.getPropertyValue('--stripe')")
    assert tab.locator(".pane").count() == 2


def test_keys_walk_faults_pages_and_views(tab: Page, server: str) -> None:
    tab.goto(f"{server}/page?system=reads-across")
    settle(tab)
    expect(tab.locator(".pane .w").first).to_be_visible()
    tab.keyboard.press("n")
    expect(tab.locator(".lit").first).to_be_visible()
    first = tab.locator(".says").inner_text()
    tab.keyboard.press("n")
    expect(tab.locator(".says")).not_to_have_text(first)
    tab.keyboard.press("p")
    expect(tab.locator(".says")).to_have_text(first)
    tab.keyboard.press("m")
    expect(tab).to_have_url(re.compile("view=trace"))
    settle(tab)
    tab.keyboard.press("r")
    expect(tab).to_have_url(re.compile("repaired=1"))
    settle(tab)
    tab.keyboard.press("]")
    expect(tab.get_by_role("heading", name="LB18")).to_be_visible()
    settle(tab)
    tab.keyboard.press("[")
    expect(tab.get_by_role("heading", name="LB08")).to_be_visible()


def test_find_marks_words_by_regular_expression(tab: Page, server: str) -> None:
    tab.goto(f"{server}/page?data=seite0418&system=RPN%2BCRNN")
    settle(tab)
    expect(tab.locator(".pane .w").first).to_be_visible()
    tab.keyboard.press("/")
    tab.keyboard.type("fier.ng")
    expect(tab.locator(".hit", has_text="fierūng.").first).to_be_visible()
    expect(tab.locator(".count")).to_contain_text("found")
    settle(tab)
    tab.keyboard.press("Enter")
    expect(tab.locator(".count")).to_contain_text("1 of")
    tab.keyboard.type("(")
    expect(tab.locator(".count")).to_have_text("not a valid expression")
    tab.keyboard.press("Escape")
    expect(tab.locator(".hit")).to_have_count(0)


def test_showing_an_event_brings_its_words_out(tab: Page, server: str) -> None:
    tab.goto(f"{server}/page?data=seite0418&system=RPN%2BCRNN")
    settle(tab)
    tab.get_by_role("button", name="Show", exact=True).click()
    expect(tab.locator(".pane").first.locator(".of-event").first).to_be_visible()
    words = tab.locator(".pane").first.locator(".of-event").all_inner_texts()
    assert " ".join(words) == "Traid ver¬ fierūng. vermieg Patent."
    expect(tab).to_have_url(re.compile("event=1"))


def test_long_pages_scroll_together(tab: Page, server: str) -> None:
    tab.goto(f"{server}/page?system=misreads&page=LB08")
    settle(tab)
    expect(tab.locator(".pane .w").first).to_be_visible()
    panes = tab.locator(".pane")
    panes.first.evaluate("pane => { pane.scrollTop = pane.scrollHeight; }")
    tab.wait_for_function(
        "pane => pane.scrollHeight - pane.clientHeight - pane.scrollTop < 30",
        arg=panes.nth(1).element_handle(),
    )


def test_the_image_is_enlarged_moved_and_tied_to_the_words(tab: Page, server: str) -> None:
    tab.goto(f"{server}/page?system=reads-across&page=LB01")
    settle(tab)
    sheet = tab.locator(".sheet svg")
    whole = sheet.get_attribute("viewBox")
    tab.get_by_role("button", name="Larger").click()
    near = sheet.get_attribute("viewBox")
    assert float(near.split()[2]) < float(whole.split()[2])
    box = sheet.bounding_box()
    tab.mouse.move(box["x"] + 100, box["y"] + 100)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 160, box["y"] + 130, steps=4)
    tab.mouse.up()
    assert float(sheet.get_attribute("viewBox").split()[0]) < float(near.split()[0])
    tab.get_by_role("button", name="The whole page").or_(
        tab.get_by_role("button", name="fit")
    ).click()
    assert sheet.get_attribute("viewBox") == whole
    tab.locator(".pane.ref .w", has_text="Kelderwick").first.hover()
    expect(tab.locator(".outline.lit")).to_have_count(1)
    tab.locator(".outline").nth(4).hover(force=True)
    expect(tab.locator(".lit-line").first).to_be_visible()


@pytest.mark.parametrize("width", [1280, pytest.param(1920, marks=pytest.mark.thorough)])
def test_where_b_differs_from_a_and_why_is_three_clicks_away(
    tab: Page, server: str, width: int
) -> None:
    tab.set_viewport_size({"width": width, "height": 900})
    tab.goto(server)
    settle(tab)
    tab.get_by_role("link", name="Compare", exact=True).click()
    settle(tab)
    # How much, and whether it is real.
    expect(tab.get_by_role("heading", level=1)).to_contain_text(
        "No significant difference between misreads and reads-across"
    )
    expect(tab.get_by_text("fixes all 26 faults of reads-across")).to_be_visible()
    tab.get_by_role("button", name="added 0").click()
    expect(tab.get_by_text("None of these.")).to_be_visible()
    tab.get_by_role("button", name="fixed 26").click()
    tab.locator(".change", has_text="LB18").first.click()
    settle(tab)
    expect(tab).to_have_url(re.compile("page=LB18"))
    expect(tab.locator(".three .page-name")).to_have_value("LB18")
    expect(tab.locator(".three .pane")).to_have_count(3)
    expect(tab.locator(".three .pane").nth(1)).to_contain_text("Harbour Log")
    tab.keyboard.press("n")
    expect(tab.locator(".three .count")).to_contain_text("1 of")
    expect(tab.locator(".three .lit").first).to_be_visible()


def test_chips_narrow_what_the_keys_walk_and_the_last_word_leads_on(tab: Page, server: str) -> None:
    tab.goto(f"{server}/compare?data=letterbook&system=misreads&other=skips-margins&page=LB02")
    settle(tab)
    expect(tab.locator(".three .pane .w").first).to_be_visible()
    chips = tab.locator(".three .chip")
    expect(chips).to_have_count(5)
    wrong = int(chips.nth(2).inner_text().split()[-1])
    for number in (0, 1, 3, 4):
        chips.nth(number).click()
    for number in range(1, wrong + 1):
        tab.keyboard.press("n")
        expect(tab.locator(".three .count")).to_have_text(f"{number} of {wrong}")
    tab.keyboard.press("n")
    expect(tab.locator(".three .page-name")).not_to_have_value("LB02")
    # A dot for each page leads to it.
    expect(tab.locator(".dots .dot")).to_have_count(24)
    tab.locator(".dots .dot[data-page=LB05]").click()
    expect(tab.locator(".three .page-name")).to_have_value("LB05")
    expect(tab.locator(".dots .dot.chosen")).to_have_attribute("data-page", "LB05")


def test_equal_lines_are_folded_until_they_are_wanted(tab: Page, server: str) -> None:
    lines = [f"one{number} two{number} three{number}" for number in range(30)]
    wrong = [*lines[:20], "something else here", *lines[21:]]
    files = {"reference/1.txt": "\n".join(lines), "a/1.txt": "\n".join(lines),
             "b/1.txt": "\n".join(wrong)}  # fmt: skip
    upload(tab, server, zipped({name: text.encode() for name, text in files.items()}), "fold.zip")
    score_upload(tab)
    tab.get_by_role("link", name="Compare", exact=True).click()
    settle(tab)
    folds = tab.locator(".three .pane").nth(1).locator(".fold")
    expect(folds.first).to_have_text("⋯ 19 equal lines")
    expect(folds).to_have_count(2)
    folds.first.click()
    expect(folds).to_have_count(1)
    tab.get_by_role("button", name="show equal lines").click()
    expect(tab.locator(".three .folded")).to_have_count(0)


def test_a_text_is_found_and_looked_at_in_its_place(tab: Page, server: str) -> None:
    tab.goto(server)
    settle(tab)
    expect(tab.locator(".opener")).to_be_visible()
    tab.keyboard.press("Control+k")
    box = tab.get_by_role("combobox", name="Find a text")
    expect(box).to_be_focused()
    box.fill("harbour log")
    tab.keyboard.press("Enter")
    hit = tab.locator(".palette .option", has=tab.locator("mark")).first
    expect(hit).to_contain_text("LB18", timeout=20_000)
    tab.keyboard.press("Enter")
    expect(tab).to_have_url(re.compile(r"/page\?.*page=LB18.*word="))
    settle(tab)
    # The same box goes to a fault, and to a place.
    tab.keyboard.press("/")
    tab.keyboard.press("/")
    box.fill("block missing")
    tab.keyboard.press("Enter")
    expect(tab).to_have_url(re.compile(r"where=kind\+%3D\+block\+missing"))
    settle(tab)
    tab.keyboard.press("Control+k")
    tab.keyboard.press("Escape")
    expect(box).to_be_hidden()
