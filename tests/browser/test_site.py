"""The static site in a browser: it shows what the app shows, from a server or from a disk."""

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import htreval_core as hv
from htreval_core.settings import read_settings_file
from htreval_core.show.site.write import write_site
from tests.browser.conftest import settle
from tests.conftest import ROOT
from tests.hostile import HOSTILE, NAMES
from tests.show.test_site import contents

# The sites are written once.
pytestmark = [pytest.mark.browser, pytest.mark.thorough, pytest.mark.xdist_group("sites")]

SAMPLES = ("letterbook", "seite0418", "berlin")
VIEWS = ("index", "page", "compare", "errors", "learn")


@pytest.fixture(scope="module")
def studies() -> dict[str, hv.Study]:
    folders = {name: ROOT / "sample_data" / name for name in SAMPLES}
    brought = {"berlin": read_settings_file(folders["berlin"] / "study.toml")}
    return {name: hv.score(hv.pair_path(folders[name]), brought.get(name)) for name in SAMPLES}


@pytest.fixture(scope="module")
def sites(studies: dict[str, hv.Study], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a plain file server with a site of each sample."""
    folder = tmp_path_factory.mktemp("sites")
    for name, study in studies.items():
        write_site(contents(study), folder / name)

    files = partial(SimpleHTTPRequestHandler, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture
def seen(browser: Browser) -> Iterator[Page]:
    """A tab that must log nothing and ask nothing of another host."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    tab = context.new_page()
    problems: list[str] = []
    tab.on("dialog", lambda dialog: (problems.append(dialog.message), dialog.dismiss()))
    tab.on("console", lambda message: problems.append(message.text))
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on(
        "request",
        lambda request: problems.append(request.url)
        if not request.url.startswith(("http://127.0.0.1:", "file:", "data:")) else None,
    )  # fmt: skip
    yield tab
    context.close()
    assert not problems, problems


def drawn(tab: Page) -> None:
    """Wait until the view of the address is drawn."""
    tab.locator("html[data-drawn]").wait_for(timeout=30_000)
    assert tab.locator(".said.view").count() == 0


PARTS = {
    "": (".said h1", ".said > p", "table.systems", ".strip-name", ".fault"),
    "page": (".sum", ".notes", ".heads", ".pane.ref", ".pane.hyp", ".card", ".rest", ".figures"),
    "compare": (".stage", ".forest", ".dots", ".change"),
    "errors": (".count", "table", ".tile .reading", ".strip"),
}
"""Of each view what a reader takes from it."""
SHOWN = [
    ("letterbook", "", ""), ("berlin", "", "system=tesseract-auto&rank=wer"),
    ("letterbook", "page", "page=LB01&system=reads-across"),
    ("letterbook", "page", "page=LB01&system=reads-across&view=trace"),
    ("letterbook", "page", "page=LB01&system=reads-across&repaired=1"),
    ("berlin", "page", "page=sermon-seven&system=tesseract-auto&event=1&mode=lines"),
    ("seite0418", "page", "page=Seite0418&system=SPAN"),
    ("letterbook", "compare", "system=skips-margins&other=reads-across&page=LB13"),
    ("letterbook", "errors", "system=misreads"),
    ("letterbook", "errors", "system=misreads&tab=words&which=misread"),
    ("letterbook", "errors", "system=misreads&tab=lines"),
    ("berlin", "errors", "system=tesseract-auto&find=e→c&sort=often"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "view", "asked"), SHOWN)
def test_both_hosts_show_the_same(
    tab: Page, seen: Page, server: str, sites: str, data: str, view: str, asked: str
) -> None:
    tab.goto(f"{server}/{view}?data={data}&{asked}")
    settle(tab)
    seen.goto(f"{sites}/{data}/{view or 'index'}.html?{asked}")
    drawn(seen)
    told = 0
    for part in PARTS[view]:
        here, there = (one.locator(part).all_inner_texts() for one in (seen, tab))
        assert here == there, part
        told += len("".join(here))
    assert told > 100


@pytest.mark.parametrize("data", SAMPLES)
def test_every_page_has_the_figures_of_the_engine(
    seen: Page, sites: str, studies: dict[str, hv.Study], data: str
) -> None:
    study = studies[data]
    seen.goto(f"{sites}/{data}/page.html?page={quote(study.page_ids[0])}")
    drawn(seen)
    values = seen.evaluate(
        """async () => {
          const site = await htreval.load("site");
          const found = {};
          for (const [number, { name }] of site.systems.entries()) {
            for (const at of site.orders[number].name) {
              const page = await htreval.load(`page/${String(at).padStart(4, "0")}-${number}`);
              found[`${page.page}\\n${name}`] = page.head.wer;
            }
          }
          return found;
        }"""
    )
    told = {
        f"{scores.page_id}\n{system}": f"{100 * scores.wer.errors / scores.n_ref_words:.1f}"
        for system in study.systems for scores in study.scores[system]
    }  # fmt: skip
    assert values == told


def test_a_page_is_walked_repaired_and_told_by_its_address(seen: Page, sites: str) -> None:
    seen.goto(f"{sites}/letterbook/index.html")
    drawn(seen)
    seen.get_by_role("button", name="Open", exact=False).first.click()
    seen.wait_for_url("**/page.html?**")
    drawn(seen)
    before = seen.locator(".sum b").inner_text()
    seen.get_by_role("button", name="Put right:", exact=False).click()
    seen.wait_for_url("**repaired=**")
    expect(seen.locator(".sum b")).not_to_have_text(before)
    seen.go_back()
    expect(seen.locator(".sum b")).to_have_text(before)
    name = seen.locator(".page-name").input_value()
    seen.keyboard.press("]")
    seen.wait_for_url(lambda url: f"page={quote(name)}&" not in url and not url.endswith(name))
    for absent in ("looked at", "What to send back", "as a table"):
        assert seen.get_by_role("button", name=absent).count() == 0


def test_of_two_faults_the_other_one_stays_to_be_put_right(seen: Page, sites: str) -> None:
    seen.goto(f"{sites}/letterbook/page.html?page=LB02&system=reads-across")
    drawn(seen)
    cards = seen.locator(".card")
    names = cards.locator("b").all_inner_texts()
    assert len(names) == 2
    cards.first.get_by_role("button", name="Put right").click()
    expect(cards.first.locator(".repair")).to_have_text("Undo")
    expect(cards.nth(1).locator(".repair")).to_have_text("Put right")
    assert cards.locator("b").all_inner_texts() == names
    cards.nth(1).get_by_role("button", name="Put right").click()
    seen.wait_for_url("**repaired=1%2B2**")
    expect(cards.nth(1).locator(".repair")).to_have_text("Undo")


def test_a_key_hides_what_stands_around(seen: Page, sites: str) -> None:
    seen.goto(f"{sites}/letterbook/learn.html")
    drawn(seen)
    seen.keyboard.press("h")
    expect(seen.locator("body > header")).to_be_hidden()


def test_a_page_stands_alone_in_another_one(seen: Page, sites: str, tmp_path: Path) -> None:
    seen.goto(f"{sites}/letterbook/page.html?page=LB01&system=reads-across&event=1")
    drawn(seen)
    seen.get_by_role("button", name="Embed").click()
    code = seen.get_by_role("textbox", name="Code for another page").input_value()
    assert code.startswith("<iframe")
    assert "embed=1" in code
    assert "event=1" in code
    blog = tmp_path / "blog.html"
    blog.write_text(f"<!DOCTYPE html><title>blog</title>{code}")
    seen.goto(blog.as_uri())
    inside = seen.frame_locator("iframe")
    inside.locator(".page-view").wait_for()
    assert inside.locator("header").is_hidden()
    expect(inside.locator(".card.chosen")).to_have_count(1)


@pytest.mark.parametrize("view", VIEWS)
def test_a_site_opens_from_a_disk_whatever_its_texts_hold(
    seen: Page, tmp_path: Path, view: str
) -> None:
    names = {name: text[:200] for name, text in NAMES.items() if name != "half a character"}
    words = [text[:200] for text in HOSTILE.values()]
    systems = {names["formula"]: "\n".join(words[::-1]), names["script"]: " ".join(words[2:])}
    some = [names[one] for one in ("script", "handler", "quotes", "new line", "climbs", "hebrew")]
    study = hv.score([hv.Page.from_text(one, "\n".join(words), systems) for one in some])
    folder = tmp_path / "site"
    write_site(contents(study), folder)
    seen.goto((folder / f"{view}.html").as_uri())
    drawn(seen)
    assert seen.evaluate("document.documentElement.scrollWidth - innerWidth") <= 1
    assert seen.locator("iframe, object, embed").count() == 0
    seen.goto(
        f"{(folder / 'page.html').as_uri()}?page={quote(names['hebrew'])}&word=ref:1e9&event=99"
    )
    drawn(seen)


@pytest.mark.parametrize("view", VIEWS)
def test_everybody_can_use_it_at_any_width(seen: Page, sites: str, view: str) -> None:
    seen.goto(f"{sites}/letterbook/{view}.html")
    drawn(seen)
    for scheme in ("light", "dark"):
        seen.emulate_media(color_scheme=scheme)
        for width in (390, 1280, 1920):
            seen.set_viewport_size({"width": width, "height": 800})
            seen.wait_for_timeout(100)
            assert seen.evaluate("document.documentElement.scrollWidth - innerWidth") <= 1, width
        found = Axe().run(seen).response["violations"]
        assert not found, (scheme, json.dumps([one["nodes"][0]["html"] for one in found])[:600])


def test_a_notebook_shows_the_same_page(
    seen: Page, sites: str, studies: dict[str, hv.Study], tmp_path: Path
) -> None:
    system = "tesseract-auto"
    cell = tmp_path / "cell.html"
    shown = studies["berlin"].look("sermon-seven", system)._repr_html_()
    cell.write_text(f"<!DOCTYPE html><title>cell</title>{shown}")
    seen.goto(f"{sites}/berlin/page.html?page=sermon-seven&system={system}")
    drawn(seen)
    there = [seen.locator(part).all_text_contents() for part in PARTS["page"]]
    seen.goto(cell.as_uri())
    frame = seen.frame_locator("iframe")
    frame.locator(".page-view").wait_for()
    assert [frame.locator(part).all_text_contents() for part in PARTS["page"]] == there
    assert frame.locator(".sheet image").count() == 1
    before = frame.locator(".sum b").inner_text()
    frame.get_by_role("button", name="Put right:", exact=False).click()
    expect(frame.locator(".sum b")).not_to_have_text(before)


def test_it_says_what_is_not_there(seen: Page, tmp_path: Path) -> None:
    study = hv.score([hv.Page.from_text(one, "a b c", {"s": "a c b"}) for one in ("p", "q")])
    write_site(contents(study, "p"), tmp_path)
    seen.goto(f"{(tmp_path / 'page.html').as_uri()}?page=q")
    drawn(seen)
    assert "not among the 1" in seen.locator(".above").inner_text()
    seen.goto((tmp_path / "compare.html").as_uri())
    seen.get_by_text("nothing to compare").wait_for()
    seen.goto(f"{(tmp_path / 'page.html').as_uri()}?system=nobody")
    seen.get_by_text("This site has no system called").wait_for()
