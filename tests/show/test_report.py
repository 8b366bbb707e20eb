"""The report: one file that holds what it says, whatever the words are."""

import html
import re
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.markup import Html, escape, tag, visible
from htreval_core.metrics.catalog import TABLE_METRICS
from htreval_core.run.mark_files import append_marks, beside
from htreval_core.run.marks import Target, said_of
from htreval_core.show.html import report_html
from htreval_core.show.html.sections import rank_pages
from htreval_core.show.telling.counting import percent
from htreval_core.show.telling.decision import decide
from htreval_core.show.telling.verdicts import headline
from tests.conftest import SAMPLES
from tests.tools import folder_of, invoke, made

VOID = {"meta", "link", "path", "rect", "line", "circle", "img"}


class Tree(HTMLParser):
    """The elements, attributes and text of a file; fails on tags that do not close."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(content)
        assert not self.open

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((name, dict(attributes)))
        self.open.append(name)

    def handle_startendtag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        assert name in VOID, name
        self.tags.append((name, dict(attributes)))

    def handle_endtag(self, name: str) -> None:
        assert self.open.pop() == name

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(scope="module")
def letterbook() -> hv.Study:
    return hv.score(hv.pair_path(SAMPLES / "letterbook").pages)


@pytest.fixture(scope="module")
def report(letterbook: hv.Study) -> str:
    return report_html(letterbook, title="letterbook", day=date(2026, 1, 2))


def shown(content: str) -> str:
    """The text of a file as a reader sees it."""
    return html.unescape(re.sub(r"<[^>]*>", " ", content[content.index("<body>") :]))


def test_it_says_what_the_evaluation_says(report: str, letterbook: hv.Study) -> None:
    text = " ".join(shown(report).split())
    assert letterbook.signature in text
    assert "2026-01-02" in text
    for system, corpus in letterbook.corpora.items():
        assert system in text
        for name in TABLE_METRICS:
            estimate = corpus.estimates[name]
            low, high = percent(estimate.low, 2), percent(estimate.high, 2)
            assert re.search(rf"{percent(estimate.value, 2)}( ★)? {low} – {high}", text), name
    worst = rank_pages(letterbook)[0]
    assert f"1 {worst.page_id} {worst.system} " in text
    best = hv.compare_all(letterbook).best("wer")
    assert best
    row = report[report.index(f"<bdi>{best}</bdi></td>") :]
    assert "★" in row[: row.index("</tr>")]


def test_it_needs_nothing_but_itself(report: str) -> None:
    tree = Tree(report)
    assert "http" not in re.sub(r"http-equiv", "", report)
    for name, attributes in tree.tags:
        assert not (set(attributes) & {"srcset", "action", "xlink:href"}), name
        assert attributes.get("src", "data:image/jpeg;").startswith("data:image/jpeg;"), name
        assert all(not key.startswith("on") for key in attributes), name
        link = attributes.get("href") or "#"
        assert link.startswith("#") or link == "data:,"
    policy = next(a["content"] for _, a in tree.tags if a.get("http-equiv"))
    assert policy is not None
    assert policy.startswith("default-src 'none'")
    assert "script" not in {name for name, _ in tree.tags}


def test_the_commonest_confusions_stand_there_with_their_ink() -> None:
    study = hv.score(hv.pair_path(SAMPLES / "berlin"), hv.Settings(resamples=1))
    content = report_html(study)
    part = content[content.index("What is read as what") :].split("</section>")[0]
    rows = re.findall(r"<tr><td><bdi>(.*?)</bdi></td><td><bdi>(.*?)</bdi></td>(.*?)</tr>", part)
    assert len(rows) == 10
    assert rows[0][:2] == ("ſ", "f")
    assert all(row.count("data:image/jpeg") == 2 for *_, row in rows)
    shown = re.findall(r"<bdi>(.*?)</bdi> → <bdi>(.*?)</bdi>", rows[0][2])
    assert all(word.replace("ſ", "f", 1) == read for word, read in shown)


def test_it_begins_with_what_the_output_can_be_used_for(letterbook: hv.Study) -> None:
    content = report_html(letterbook)
    part = content[content.index('class="decision"') : content.index('class="verdicts"')]
    text = " ".join(html.unescape(re.sub(r"<[^>]*>", "", part)).split())
    every = hv.compare_all(letterbook)
    found = hv.diagnose(letterbook)
    made = decide(letterbook.with_parts(found), hv.take_census(found))
    assert made
    assert made.system == every.best("wer")
    assert headline(letterbook, every, str) in text
    for sentence in made.sentences:
        assert f"{sentence}. " in text


def test_a_long_word_takes_no_page_over() -> None:
    # Readers refuse words beyond 5,000 characters; distances of a million would take minutes.
    word = "x" * 10_000
    page = hv.Page.from_text("1", f"{word} a b", {"S": f"a c {word} b"})
    warning = hv.DataWarning("1", hv.WarningKind.UNREADABLE, (word * 100,))
    dataset = replace(hv.Dataset.of([page]), warnings=(warning,))
    content = report_html(hv.score(dataset), title=word * 100)
    Tree(content)
    assert len(content) < 300_000


@given(st.text(max_size=40))
def test_markup_shows_any_text_and_no_text_becomes_markup(text: str) -> None:
    assert tag("b", text, title=text) == f'<b title="{escape(text)}">{escape(text)}</b>'
    assert html.unescape(escape(text)) == visible(text)
    assert not set("<>\"'") & set(escape(text))


def test_markup_joined_with_text_is_text_again() -> None:
    assert escape("<" + Html("<b></b>")) == "&lt;&lt;b&gt;&lt;/b&gt;"
    assert escape(Html("<b></b>")) == "<b></b>"


def test_ranks_put_pages_without_a_rate_last() -> None:
    pages = [
        hv.Page.from_text("empty", "", {"A": "x"}),
        hv.Page.from_text("moved", "a b", {"A": "b a"}),
        hv.Page.from_text("wrong", "a b", {"A": "c b"}),
    ]
    assert [one.page_id for one in rank_pages(hv.score(pages))] == ["moved", "wrong", "empty"]


def test_one_page_and_no_page_in_common_are_no_trouble() -> None:
    one = hv.score([hv.Page.from_text("1", "a b c", {"A": "b a c"})])
    assert "Systems compared" not in report_html(one)
    apart = hv.score(
        [hv.Page.from_text("1", "a b", {"A": "b a"}), hv.Page.from_text("2", "a b", {"B": "a b"})]
    )
    assert "Systems compared" not in report_html(apart)
    both = hv.score([hv.Page.from_text("1", "a b", {"A": "b a", "B": "a b"})])
    assert "Systems compared" in report_html(both)
    blank = hv.score([hv.Page.from_text("1", "", {"A": "", "B": "x"})])
    assert report_html(blank).count("no reference words") == 2


def test_the_command_writes_it(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    arguments = ["report", str(SAMPLES / "letterbook"), "-o", str(out)]
    done = invoke(*arguments, "--systems", "misreads")
    assert done.exit_code == 0, done.stderr
    content = out.read_text("utf-8")
    assert "misreads" in content
    assert "reads-across" not in content
    assert invoke(*arguments, "--systems", "none").exit_code == 2


def test_marks_beside_the_data_are_in_the_report(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "mine", made(2))
    for page in ("p0001", "gone"):
        append_marks(beside(folder), said_of([], Target(page), "Anna", ["odd"], f"<b> {page}"))
    invoke("report", folder, "-o", tmp_path / "report.html")
    content = (tmp_path / "report.html").read_text("utf-8")
    assert "<h2>Marks</h2>" in content
    assert "&lt;b&gt; p0001" in content
    assert "gone" not in content
