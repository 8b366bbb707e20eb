"""Texts found in references and outputs."""

import pytest

import htreval_core as hv
from htreval_core.words.search import search_texts
from tests.tools import cases

PAGES = [
    hv.Page.from_text("p1", "die Waaren\nder Jndustrie, Waaren", {"A": "die Waren\nder Industrie"}),
    hv.Page.from_text("p2", "eine Straße", {"A": "eine STRASSE", "B": "x"}),
]


@pytest.fixture(scope="module")
def study() -> hv.Study:
    return hv.score(hv.Dataset.of(PAGES))


@pytest.mark.parametrize(("wanted", "found"), cases("searched"))
def test_a_text_is_found_with_its_line_and_word(
    study: hv.Study, wanted: str, found: list[list[str | int]]
) -> None:
    hits = search_texts(study, wanted).hits
    assert [[one.page_id, one.system, one.line, one.word] for one in hits] == found
    for one in hits:
        page = study.page(one.page_id)
        side = page.hypotheses[one.system] if one.system else page.reference
        words = side.text.split()
        assert one.parts[1].split()[0].casefold() in words[one.word].casefold()
        assert "".join(one.parts) == side.lines[one.line - 1].text


def test_a_hit_names_the_word_as_it_is_compared() -> None:
    policy = hv.TextPolicy(join_hyphens=("hyphen-minus",), ignore_punctuation=True)
    page = hv.Page.from_text("p", "na-\ntion gave — (money) away", {"A": ""})
    study = hv.score([page], hv.Settings(policy=policy))
    words = hv.score_page(page.reference, "", study.settings).reference.words
    for wanted in ("gave", "mone", "oney", "away"):
        (hit,) = search_texts(study, wanted).hits
        assert wanted in words[hit.word]


def test_a_search_stops_when_there_is_enough(study: hv.Study) -> None:
    assert len(search_texts(study, "e", at_most=2).hits) == 2
    stopped = search_texts(study, "e", seconds=-1.0)
    assert (stopped.hits, stopped.n_pages) == ((), 0)


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("", "look for 1 to 200"),
        ("x" * 300, "look for 1 to 200"),
        ("/(/", "not a regular expression"),
    ],
)
def test_what_cannot_be_looked_for_is_refused(study: hv.Study, wanted: str, told: str) -> None:
    with pytest.raises(hv.ConfigError, match=told):
        search_texts(study, wanted)


def test_an_expression_that_takes_years_is_stopped() -> None:
    study = hv.score([hv.Page.from_text("1", "a" * 60 + "b", {"A": "a"})])
    with pytest.raises(hv.ConfigError, match="takes too long on page 1, line 1"):
        search_texts(study, "/(?:a|aa|aaa)+x?[c-z]/")
