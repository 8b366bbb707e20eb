"""Learn, as a class uses it; and its twin of the engine, which counts what the engine counts."""

import random
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import htreval_core as hv
from htreval_core.metrics.edit import trace_counts, word_trace
from htreval_core.metrics.matching.match import as_alignment, match_words
from htreval_core.metrics.matching.savings import Matching, Savings, distance
from htreval_core.metrics.order import footrule
from htreval_core.metrics.words import WordPair, bag_of_words
from htreval_core.settings import exact_gamma
from htreval_core.show.views.contract import LEARN
from htreval_core.show.views.learn import learn_payload
from tests.browser.conftest import settle
from tests.browser.test_geometry import COLOURS, at_rest, violations

pytestmark = pytest.mark.browser

GAMMAS = ("0", "0.0001", "0.1", "0.5", "1", "2", "7.5", "20", "100")
PAYLOAD = learn_payload("", "", "", None)
LESSONS = PAYLOAD["lessons"]
STORY = [one["name"] for one in LESSONS if "page" in one]


def _pair(rng: random.Random) -> tuple[list[str], list[str]]:
    """Words that are alike or equal, so that ties abound: by chance, or one text spoiled."""
    sizes = [0, 1, 2, 3, 5, 8, 12, 18, 25]
    kinds = rng.choice([2, 3, 6, 12, 40])
    words = ["".join(rng.choices("abcé\U00010428", k=rng.randint(1, 5))) for _ in range(kinds)]
    ref = rng.choices(words, k=rng.choice(sizes) if rng.random() < 0.97 else 60)
    if rng.random() < 0.5:
        return ref, rng.choices(words, k=rng.choice(sizes))
    hyp = list(ref)
    for _ in range(rng.randint(0, 5) if ref else 0):
        at, to = rng.randrange(len(ref)), rng.randrange(len(ref))
        block = hyp[at : at + 4]
        hyp[at : at + 4] = rng.choice([[], [rng.choice(words) + "a"], block[::-1]])
        hyp[to:to] = rng.choice([block, []])
    return ref, hyp[:60]


def _of_engine(ref: list[str], hyp: list[str], gamma: str) -> list[Any]:
    words = WordPair.of(ref, hyp)
    trace, matching = word_trace(words), match_words(words, gamma)
    mates = dict(zip(matching.ref_index.tolist(), matching.hyp_index.tolist(), strict=True))
    cost = distance(Savings(words, exact_gamma(gamma)), matching)
    return [
        [list(row) for row in zip(trace.ref_index.tolist(), trace.hyp_index.tolist(), strict=True)],
        [mates.get(j, -1) for j in range(len(ref))], trace_counts(words, trace).errors,
        bag_of_words(words).edit_counts().errors, list(footrule(as_alignment(words, matching))),
        cost,
    ]  # fmt: skip


@pytest.fixture
def twin(browser: Any) -> Iterator[Page]:
    """A blank page with the scripts of the view; nothing is drawn."""
    page = browser.new_page()
    page.add_script_tag(content=LEARN.script)
    yield page
    page.close()


@pytest.mark.parametrize("n", [1000, pytest.param(5000, marks=pytest.mark.thorough)])
def test_the_twin_counts_what_the_engine_counts(twin: Page, n: int) -> None:
    rng = random.Random(5)
    cases = [(*_pair(rng), rng.choice(GAMMAS)) for _ in range(n)]
    found = twin.evaluate(
        """cases => cases.map(([ref, hyp, gamma]) => {
          const mates = matchingOf(ref, hyp, gamma), all = scoresOf({ ref, hyp }, gamma, mates);
          const { sum, unit } = priced(ref, hyp, mates, gamma);
          return [traceOf(ref, hyp), mates, all.wer, all.bwer, [all.nsfd, all.nsfdOf],
            [String(sum), String(unit)]];
        })""",
        cases,
    )
    for case, told in zip(cases, found, strict=True):
        told[-1] = Fraction(*map(int, told[-1]))
        assert told == _of_engine(*case), case


@pytest.mark.thorough
def test_every_picture_draws_every_step_of_any_texts(twin: Page) -> None:
    rng = random.Random(11)
    long = [str(n % 37) for n in range(60)]
    pairs = [[" ".join(side) for side in _pair(rng)] for _ in range(30)]
    examples = [
        [one["reference"], one["output"]] for one in learn_payload("", "", "", None)["examples"]
    ]
    told = twin.evaluate(
        """pairs => {
          const box = element("div", "picture"), said = [];
          document.body.append(box);
          for (const [reference, output] of pairs) {
            const pair = pairOf(reference, output);
            if (unfit(pair)) continue;
            for (const [name, [, make]] of Object.entries(PICTURES)) {
              const picture = make(pair, { gamma: "1", redraw: () => {} });
              for (let at = 0; at <= picture.n; at += Math.ceil(picture.n / 30)) {
                said.push(picture.show(box, at));
                for (const [label, , act] of picture.acts?.(at) || []) {
                  if (label !== "Why not otherwise?" || pair.ref.length > 12) continue;
                  act();
                  said.push(picture.show(box, at));
                  picture.moved();
                }
              }
            }
          }
          return said;
        }""",
        [*pairs, *examples, ["one", ""], [" ".join(long), " ".join(long[::-1])], ["", "one"]],
    )
    assert len(told) > 2000
    assert not [one for one in told if not one or re.search("undefined|NaN|null", one)]


@pytest.mark.parametrize(
    ("reference", "output", "words"),
    [("a\u00a0b\u3000c\x1cd\u200be", "e\u0301te\u0301", "whitespace"),
     ("Der Müller schuldet zwölf Säcke", "zwölf Sacke Der Müller", "whitespace"),
     ("باع التاجر عشرة أكياس", "عشرة باع التاجر", "whitespace"),
     ("商人在市場賣了十袋麥。", "十袋麥商人在市楊", "characters")],
)  # fmt: skip
def test_texts_become_the_words_of_the_engine(
    twin: Page, reference: str, output: str, words: Any
) -> None:
    page = hv.score_page(reference, output, hv.Settings(policy=hv.TextPolicy(words=words)))
    pair = twin.evaluate("([a, b]) => pairOf(a, b)", [reference, output])
    assert pair["ref"] == list(page.reference.words)
    assert pair["hyp"] == list(page.hypothesis.words)
    told = twin.evaluate("pair => scoresOf(pair)", pair)
    scores = page.scores
    assert (told["wer"], told["bwer"], told["hwer"], told["nsfd"]) == (
        scores.wer.errors, scores.bwer.errors, scores.hwer_errors, scores.nsfd_errors,
    )  # fmt: skip


PAPER = {
    "Paper, 1": (5, 4, 4, None), "Paper, 2": (None, None, 6, (37, 50)),
    "Paper, 3 and 4 (Y)": (12, 1, 1, (71, 98)), "Paper, 3a": (6, 0, 0, None),
    "Paper, 4 and 5 (Z)": (3, 3, 3, (1, 98)),
}  # fmt: skip


def test_the_examples_have_the_figures_of_the_paper(twin: Page) -> None:
    texts = {one["name"]: [one["reference"], one["output"]] for one in PAYLOAD["examples"]}
    for name, wanted in PAPER.items():
        told = twin.evaluate("([a, b]) => scoresOf(pairOf(a, b))", texts[name])
        found = (told["wer"], told["bwer"], told["hwer"], (told["nsfd"], told["nsfdOf"]))
        for one, other in zip(found, wanted, strict=True):
            assert other is None or one == other, name


def test_each_question_has_an_answer_that_the_texts_give(twin: Page) -> None:
    for lesson in LESSONS:
        if "page" not in lesson:
            continue
        told = twin.evaluate(
            """lesson => [lesson.option.map(one => holds(lesson, one.if)),
              filled(lesson, lesson.why), filled(lesson, lesson.prompt)]""",
            lesson,
        )
        assert any(told[0]), lesson["name"]
        assert "{" not in "".join(told[1:])
        assert "undefined" not in "".join(told[1:])


def _go(tab: Page, server: str, lesson: str, **more: str) -> None:
    tab.goto(f"{server}/learn?{urlencode({'lesson': lesson, **more}, quote_via=quote)}#as-it-is")
    tab.locator(".learn h1").wait_for()
    settle(tab)


@pytest.mark.parametrize(
    "lesson", [STORY[0], *(pytest.param(one, marks=pytest.mark.thorough) for one in STORY[1:])]
)
def test_a_lesson_is_walked_by_keys_alone(tab: Page, server: str, lesson: str) -> None:
    _go(tab, server, lesson)
    said, count = tab.locator(".says"), tab.locator(".count")
    tab.keyboard.press("Home")
    first = said.inner_text()
    tab.keyboard.press("Space")
    expect(count).to_have_text(re.compile("^1 /"))
    expect(said).not_to_have_text(first)
    tab.keyboard.press("ArrowLeft")
    expect(count).to_have_text(re.compile("^0 /"))
    tab.keyboard.press("End")
    expect(count).to_have_text(re.compile(r"^(\d+) / \1$"))
    # The answer is chosen and explained without a pointer, too.
    expect(tab.locator(".figure b").first).to_have_text("?")
    for _ in range(30):
        tab.keyboard.press("Tab")
        if tab.locator(".option:focus").count():
            break
    tab.keyboard.press("Enter")
    expect(tab.locator(".why")).to_be_visible()
    expect(tab.get_by_role("button", name="Guess again")).to_be_focused()
    expect(tab.locator(".figure b").first).to_have_text(re.compile("%"))
    heading = tab.locator(".learn h1").inner_text()
    tab.keyboard.press("n")
    expect(tab).not_to_have_url(re.compile(f"lesson={lesson}$"))
    tab.go_back()
    expect(tab.locator(".learn h1")).to_have_text(heading)


def _cost_of(tab: Page, words: WordPair) -> Fraction:
    """What the engine says the pairing costs whose ends the picture shows."""
    ends = tab.locator(".handle").evaluate_all(
        "all => all.map(one => Number(one.getAttribute('aria-valuenow')) - 1)"
    )
    ref, hyp = np.array([(j, k) for j, k in enumerate(ends) if k >= 0]).T
    return distance(Savings(words, exact_gamma("1")), Matching(ref, hyp))


def test_a_line_that_is_dragged_makes_the_total_rise(tab: Page, server: str) -> None:
    _go(tab, server, "mixed")
    (lesson,) = (one for one in LESSONS if one["name"] == "mixed")
    reference = " ".join(line for column in lesson["page"] for line in column)
    output = lesson["systems"]["A"]
    tab.keyboard.press("End")
    tab.get_by_role("button", name="Try it yourself").click()
    said = tab.locator(".says")
    expect(said).to_contain_text("as cheap as the best")
    words = WordPair.of(reference.split(), output.split())
    best = distance(Savings(words, exact_gamma("1")), match_words(words))

    def check() -> None:
        mine = _cost_of(tab, words)
        told = re.findall(r"\d+\.\d\d", said.inner_text())
        assert told == [f"{float(one):.2f}" for one in (mine, mine - best)]
        assert mine > best

    first = tab.locator(".handle").first.bounding_box()
    low = tab.locator("circle.dot").nth(1).bounding_box()
    assert first
    assert low
    tab.mouse.move(first["x"] + 8, first["y"] + 8)
    tab.mouse.down()
    tab.mouse.move(low["x"] + 60, low["y"] + 5)
    tab.mouse.move(low["x"] + 130, low["y"] + 5)
    tab.mouse.up()
    expect(said).to_contain_text("more than the best")
    check()
    tab.locator(".handle").nth(4).focus()
    tab.keyboard.press("ArrowDown")
    check()
    tab.get_by_role("button", name="Back to the best").click()
    expect(said).to_contain_text("no other pairing is cheaper")


def test_ones_own_text_goes_through_all_lessons_and_stands_in_the_link(
    tab: Page, server: str
) -> None:
    output = "not to be\nor to <b>be & 5 % + 1"
    _go(tab, server, "misread")
    tab.get_by_text("Own text").click()
    tab.get_by_role("textbox", name="reference").fill("to be or not to be")
    tab.get_by_role("textbox", name="output").fill(output)
    expect(tab.locator(".own-said").first).to_contain_text("WER counts")
    expect(tab).to_have_url(re.compile("reference=to"))
    tab.get_by_role("button", name="Next lesson (n)").click()
    expect(tab).to_have_url(re.compile("lesson=columns.*%3Cb%3Ebe"))
    expect(tab.get_by_role("textbox", name="output")).to_have_value(output)
    address = tab.url
    tab.goto("about:blank#as-it-is")
    tab.goto(f"{address}#as-it-is")
    expect(tab.get_by_role("textbox", name="output")).to_have_value(output)
    expect(tab.locator(".figure b").first).to_have_text(re.compile("%"))
    tab.get_by_role("button", name="Back to the story").click()
    expect(tab).not_to_have_url(re.compile("reference="))
    expect(tab.locator(".guess")).to_be_visible()


def test_what_is_said_of_ones_own_text_follows_gamma(tab: Page, server: str) -> None:
    _go(tab, server, "note", reference="one two six ten", output="ten one two six")
    said = tab.locator(".own-said").last
    tab.keyboard.press("Home")
    expect(said).to_have_text("The matching agrees with the bag: 0.")
    tab.keyboard.press("End")
    expect(said).to_contain_text("The matching counts 4")
    expect(tab.locator(".figure b").last).to_have_text("100.0 %")


def test_no_word_turns_or_hides_what_stands_beside_it(tab: Page, server: str) -> None:
    _go(tab, server, "misread", reference="a \u202eb <i>c</i>", output="a \u2069b c\u200f")
    expect(tab.locator(".chip").nth(1)).to_have_text("‹U+202E›b")
    for lesson in ("columns", "mixed", "note", "systems"):
        tab.get_by_label("Lesson", exact=True).select_option(lesson)
        assert not re.search("[\u202e\u200f]", tab.locator(".picture").inner_text())
        expect(tab.locator(".picture i")).to_have_count(0)


def test_a_text_that_is_too_long_says_so_and_offers_the_data_page(tab: Page, server: str) -> None:
    _go(tab, server, "misread", reference="a " * 61, output="b")
    expect(tab.get_by_text("this has 61")).to_be_visible()
    tab.get_by_role("button", name="Score it on the Data page").click()
    expect(tab).to_have_url(re.compile("/data"))


def test_a_class_is_counted_and_its_guesses_are_a_table(tab: Page, server: str) -> None:
    tab.add_init_script("window.print = () => {}")  # The sheet would go as soon as it is printed.
    _go(tab, server, "read")
    tab.get_by_role("button", name="Count a class").click()
    for _ in range(3):
        tab.get_by_role("button", name=re.compile("^six")).click()
    tab.get_by_role("button", name=re.compile("^one")).click()
    expect(tab.locator(".why")).to_have_count(0)
    tab.get_by_role("button", name="See the answer").click()
    expect(tab.locator(".why")).to_contain_text("1 of 8 words")
    tab.get_by_label("Lesson", exact=True).select_option("guesses")
    expect(tab.locator(".guessed")).to_contain_text("3 (75 %)")
    with tab.expect_event("frameattached") as paper:
        tab.get_by_role("button", name="Print").click()
    assert "3 (75 %)" in paper.value.locator("body").inner_text()
    tab.get_by_role("button", name="Clear all guesses").click()
    expect(tab.locator(".guessed")).not_to_contain_text(re.compile("%|✓"))
    tab.keyboard.press("n")
    with tab.expect_event("frameattached") as paper:
        tab.get_by_role("button", name="Print a sheet for the class").click()
    sheet = paper.value.locator("body").inner_text()
    assert "☐ half or more" in sheet
    assert "✓" not in sheet


def test_the_laboratory_waits_until_it_is_asked_and_gets_finer(tab: Page, server: str) -> None:
    _go(tab, server, "noise")
    expect(tab.locator(".curve")).to_have_count(0)
    tab.get_by_role("button", name="Run", exact=True).click()
    expect(tab.locator(".curve")).to_have_count(5)
    once = tab.locator(".curve.c0").get_attribute("d")
    assert once
    assert once.count("L") == 12
    tab.get_by_role("button", name="Finer: 5 more runs").click()
    expect(tab.get_by_text("6 runs of 12 steps")).to_be_visible()
    # The seed is fixed: whoever comes back sees the same.
    _go(tab, server, "noise")
    tab.get_by_role("button", name="Run", exact=True).click()
    expect(tab.locator(".curve.c0")).to_have_attribute("d", once)


def test_the_story_ends_on_a_real_page_that_is_put_right(tab: Page, server: str) -> None:
    _go(tab, server, "page")
    expect(tab.locator(".sheet image")).to_be_visible()
    tab.get_by_role("button", name=re.compile("^notes in the margin")).click()
    expect(tab.locator(".why")).to_contain_text("Yes.")
    tab.get_by_role("button", name="Open this page and put it right").click()
    expect(tab).to_have_url(re.compile("/page.*event=1"))
    expect(tab.locator(".card").first).to_be_visible()
    expect(tab.get_by_text("Put right:").first).to_be_visible()


SIZES = [(1280, 720), (854, 480), (390, 844)]


@pytest.mark.thorough
@pytest.mark.parametrize("lesson", [*STORY, "page", "swaps"])
def test_the_picture_is_in_sight_and_nothing_clipped(tab: Page, server: str, lesson: str) -> None:
    _go(tab, server, lesson)
    for width, height in SIZES:
        tab.set_viewport_size({"width": width, "height": height})
        settle(tab)
        assert tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 1
        for what in (".learn h1", ".picture", ".steps button >> nth=0"):
            expect(tab.locator(what).first).to_be_in_viewport(ratio=0.99)
        boxes = tab.locator(".learn :is(.small, h1, .figure, .says)").evaluate_all(
            """all => all.filter(one => one.checkVisibility()).map(one => {
              const { left, top, right, bottom } = one.getBoundingClientRect();
              return [left, top, right, bottom]; })"""
        )
        assert all(left >= 0 and right <= width + 1 for left, _, right, _ in boxes)
        assert not [
            (a, b) for n, a in enumerate(boxes) for b in boxes[n + 1 :]
            if min(a[2], b[2]) - max(a[0], b[0]) > 2 and min(a[3], b[3]) - max(a[1], b[1]) > 2
        ]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("lesson", ["read", "mixed", "note", "page", "noise", "guesses", "teacher"])
def test_everybody_can_use_a_chapter(tab: Page, server: str, lesson: str) -> None:
    _go(tab, server, lesson)
    tab.keyboard.press("End")
    for name in ("Just show me", "Run", "Own text"):
        found = tab.get_by_text(name, exact=True)
        if found.count() and found.first.is_visible():
            found.first.click()
    for scheme, rules in (("dark", COLOURS), ("light", {})):
        tab.emulate_media(color_scheme=scheme)
        told = at_rest(tab, partial(violations, rules=rules))
        assert not told, (scheme, told)


def test_nothing_moves_by_itself_for_those_who_asked_for_that(tab: Page, server: str) -> None:
    tab.emulate_media(reduced_motion="reduce")
    _go(tab, server, "read")
    expect(tab.get_by_role("button", name="Play")).to_be_hidden()


def test_a_projector_shows_a_lesson_whole(tab: Page, server: str) -> None:
    # 1280 × 720 at 150 %.
    tab.set_viewport_size({"width": 854, "height": 480})
    _go(tab, server, "mixed")
    tab.get_by_role("heading").first.click()
    tab.keyboard.press("h")
    expect(tab.get_by_test_id("stHeader")).to_be_hidden()
    shown = ".learn h1", ".prompt", ".option >> nth=0", ".picture", ".says", ".figure >> nth=0"
    for what in shown:
        expect(tab.locator(what)).to_be_in_viewport(ratio=0.99)


def test_the_lessons_need_no_server_and_offer_nothing_that_a_host_cannot_take(twin: Page) -> None:
    twin.add_style_tag(content=LEARN.style)
    payload = learn_payload("page", "", "", None)
    assert payload["lesson"] == "page"
    twin.evaluate(
        """payload => {
          window.wishes = [];
          window.host = { payload, place: document.body, takes: () => false, keep: () => {},
            wish: (what, value) => window.wishes.push([what, value]) };
          show(window.host);
        }""",
        payload | {"lesson": "misread", "reference": "a b " * 40, "output": "a"},
    )
    expect(twin.locator(".says")).to_contain_text("this has 80")
    expect(twin.get_by_role("button", name="Score it")).to_have_count(0)
    twin.get_by_role("button", name="Back to the story").click(force=True)
    twin.keyboard.press("n")
    assert twin.evaluate("window.wishes.map(([what, { lesson }]) => [what, lesson])") == [
        ["show", "misread"], ["show", "columns"],
    ]  # fmt: skip
    # An address that somebody went back to is followed; an echo of a wish changes nothing.
    twin.evaluate(
        "window.host = { ...window.host, payload: { ...window.host.payload, lesson: 'columns',"
        " reference: '', output: '' } }; show(window.host)"
    )
    expect(twin.locator("h1")).to_have_text("What does the order of words cost?")
    twin.evaluate("show({ ...window.host, payload: { ...window.host.payload, lesson: 'read' } })")
    expect(twin.locator("h1")).to_have_text("How many words are wrong?")
    assert "page" not in twin.locator("select >> nth=0").evaluate(
        "one => [...one.options].map(option => option.value)"
    )


def test_keys_that_come_faster_than_the_server_arrive_where_they_lead(
    tab: Page, server: str
) -> None:
    _go(tab, server, "read")
    for _ in range(5):
        tab.keyboard.press("n")
    heading = tab.locator(".learn h1")
    expect(heading).to_have_text("How far did the words go?")
    expect(tab).to_have_url(re.compile("lesson=systems"))
    settle(tab)
    expect(heading).to_have_text("How far did the words go?")
    tab.keyboard.press("n")
    expect(tab.locator(".sheet image")).to_be_visible()
