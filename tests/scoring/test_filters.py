"""Pages picked by an expression."""

from contextlib import suppress
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.scoring.diagnoses import diagnose
from htreval_core.scoring.facets import read_facets
from htreval_core.scoring.filters import Known, and_also, filter_study, parse_filter, without
from htreval_core.show.views.head import RANKS, ranking
from htreval_core.show.views.overview import stretch
from tests.tools import cases

WORDS = "one two three four five six seven eight nine ten"
PAGES = [
    hv.Page.from_text(f"p{n}", WORDS, {"a": first, "b b": second})
    for n, (first, second) in enumerate(
        [
            (WORDS, "one two"), ("one two three four x six seven eight nine ten", WORDS),
            ("x y", "x y z"), (WORDS, WORDS),
        ]
    )
]  # fmt: skip
TABLE = "page,hand,year\np0,A,1650\np1,B,1700\np2,A,1750\np3,the old one,1800\n"


@pytest.fixture(scope="module")
def study() -> hv.Study:
    return hv.score(hv.Dataset.of(PAGES))


@pytest.fixture(scope="module")
def known(study: hv.Study) -> Known:
    found = diagnose(study)
    facets = read_facets("pages.csv", TABLE.encode(), study.page_ids)
    marks = {("p1", "a"): {"send back"}, ("p2", "b b"): {"looked at"}}
    return Known(facets, found, lambda page, system: marks.get((page, system), ()))


@pytest.mark.parametrize(("text", "pages"), [*cases("filters"), ("a.wer < b b.wer", None)])
def test_pages_that_fit_stay(study: hv.Study, known: Known, text: str, pages: str | None) -> None:
    if pages is None:
        with pytest.raises(hv.ConfigError):
            filter_study(study, text, known)
        return
    left = filter_study(study, text, known)
    assert left.page_ids == tuple(pages.split())
    is_told = hv.WarningKind.BY_RESULT in {one.kind for one in left.warnings}
    assert is_told == any(of in text.lower() for of in ("wer", "doubt", "kind"))
    # Every system keeps the pages that stay: they are compared on the same ones.
    assert {tuple(left.table(one).page_ids) for one in left.systems} == {left.page_ids}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        *cases("filters_refused"),
        ("(" * 100 + "wer > 1", "more than 40 nested parentheses"),
        ("not " * 100 + "wer > 1", "more than 40 nested parentheses"),
        ("x" * 3000, "3,000 characters"),
    ],
)
def test_what_cannot_be_read_says_where(
    study: hv.Study, known: Known, text: str, told: str
) -> None:
    with pytest.raises(hv.ConfigError) as error:
        filter_study(study, text, known)
    assert told in str(error.value)


def test_faults_are_asked_for_once_somebody_has_looked(study: hv.Study) -> None:
    for text in ("kind = missing", "in doubt"):
        with pytest.raises(hv.ConfigError, match="nobody has looked for faults yet"):
            filter_study(study, text)


def test_a_limit_is_met_to_the_error_and_a_column_may_be_called_kind() -> None:
    words = [f"w{n}" for n in range(100)]
    pages = [hv.Page.from_text(f"{n:02}", " ".join(words), {"a": " ".join(words[n:])})
             for n in range(100)]  # fmt: skip
    study = hv.score(pages)
    facets = read_facets("pages.csv", b"page,kind\n07,letter\n29,list\n", study.page_ids)
    known = Known(facets, diagnose(study), lambda *_: ())
    for n in (7, 14, 28, 29, 57):
        assert filter_study(study, f"wer = {n}", known).page_ids == (f"{n:02}",)
    assert filter_study(study, "kind = letter", known).page_ids == ("07",)
    assert "07" in filter_study(study, "kind = block missing", known).page_ids


def test_a_term_is_put_there_and_taken_away() -> None:
    assert and_also("", "not in doubt") == "not in doubt"
    both = and_also("wer > 20", "not in doubt")
    assert both == "wer > 20 and not in doubt"
    assert without(both, "not in doubt") == "wer > 20"
    assert without(both, "wer > 20") == "not in doubt"
    assert without("not in doubt", "not in doubt") == ""
    either = and_also("wer > 20 or wer < 5", "not in doubt")
    assert either == "(wer > 20 or wer < 5) and not in doubt"
    assert without(either, "not in doubt") == "(wer > 20 or wer < 5)"
    assert without("wer > 200", "wer > 20") == "wer > 200"


def test_outputs_go_where_the_table_is_of_outputs(study: hv.Study) -> None:
    table = "page,system,prompt\n" + "".join(
        f"p{n},{system},{prompt}\n"
        for n in range(4)
        for system, prompt in (("a", "short"), ("b b", "long" if n else "short"))
    )
    facets = read_facets("pages.csv", table.encode(), study.page_ids)
    left = filter_study(study, "prompt = long", Known(facets))
    assert left.systems == ("b b",)
    assert left.page_ids == ("p1", "p2", "p3")


def test_a_column_may_be_asked_for_that_tells_every_page_apart() -> None:
    study = hv.score(
        hv.Dataset.of([hv.Page.from_text(f"p{n}", WORDS, {"a": ""}) for n in range(50)])
    )
    table = "page,year\n" + "".join(f"p{n},{1700 + n}\n" for n in range(50))
    facets = read_facets("pages.csv", table.encode(), study.page_ids)
    assert (facets.names, facets.groups) == ((), {})
    assert len(filter_study(study, "Year > 1739", Known(facets)).page_ids) == 10


@given(st.text(st.sampled_from('wer>20 and(),"notor.=~é\n'), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(hv.ConfigError):
        parse_filter(text)


def test_a_drag_over_the_strip_keeps_its_pages_and_no_others() -> None:
    texts = enumerate(["a b", "a x", "x y", "", "a b", "x b"])
    study = hv.score([hv.Page.from_text(f"p{n}", text, {"s": "a b"}) for n, text in texts])
    for rank, (first, last) in product(RANKS, combinations(range(6), 2)):
        order = ranking(study, "s", rank, ["p2"])
        term = stretch(study, "s", rank, ["p2"], (order[last], order[first]))
        assert {*filter_study(study, term, Known()).page_ids} == {*order[first : last + 1]}
