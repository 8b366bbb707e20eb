"""What averages hide: the median, pages over 100 %, and one page that decides."""

import math

import pytest

import htreval_core as hv
from htreval_core.scoring.pool import Tail
from htreval_core.show.html.document import report_html
from htreval_core.show.tables.results import results_markdown
from htreval_core.show.tables.summary import study_table
from htreval_core.show.telling.verdicts import tell_tail


def study_of(**systems: list[str]) -> hv.Study:
    """Pages of ten words each; of a system the outputs page by page."""
    reference = " ".join(f"w{n}" for n in range(10))
    count = len(next(iter(systems.values())))
    pages = [
        hv.Page.from_text(f"p{at}", reference, {name: of[at] for name, of in systems.items()})
        for at in range(count)
    ]
    return hv.score(pages)


def wrong(n: int) -> str:
    """Ten words of which n are wrong, or more words than ten."""
    return " ".join(["x"] * n + [f"w{at}" for at in range(n, 10)])


def test_tail_and_median_by_hand() -> None:
    corpus = study_of(A=[wrong(1), wrong(2), wrong(0), wrong(30)]).corpora["A"]
    wer = corpus.estimates["wer"]
    assert wer.value == 33 / 40
    assert wer.macro == pytest.approx((0.1 + 0.2 + 0 + 3) / 4)
    assert wer.median == pytest.approx(0.15)
    assert wer.tail == Tail(1, 3.0, "p3", 30 / 33, "p3", 3 / 30)
    recall = corpus.estimates["bow_recall"]
    assert (recall.tail.over, recall.tail.worst, recall.tail.worst_page) == (0, 0.0, "p3")


def test_pages_that_have_no_tail() -> None:
    # Pages without errors have no tail.
    corpus = study_of(A=[wrong(0), wrong(0)]).corpora["A"]
    tail = corpus.estimates["wer"].tail
    assert (tail.over, tail.worst, tail.heaviest_page) == (0, 0.0, "")
    assert math.isnan(tail.share)
    assert math.isnan(tail.without)
    assert tell_tail(corpus) == ""
    assert corpus.estimates["order_cost"].tail == Tail()
    # A single page is no tail of others.
    corpus = study_of(A=[wrong(5)]).corpora["A"]
    assert math.isnan(corpus.estimates["wer"].tail.without)
    assert tell_tail(corpus) == ""
    # Of two pages the other is what stays.
    tail = study_of(A=[wrong(5), wrong(1)]).corpora["A"].estimates["wer"].tail
    assert (tail.heaviest_page, tail.share, tail.without) == ("p0", 5 / 6, 0.1)
    assert study_of(A=[wrong(10), wrong(1)]).corpora["A"].estimates["wer"].tail.over == 0


def test_one_looped_page_is_told() -> None:
    corpus = study_of(A=[wrong(1), wrong(1), wrong(30)]).corpora["A"]
    assert tell_tail(corpus) == (
        "1 page over 100 %, p2 with 300.0 %. One page, p2, accounts for 94 % "
        "of the errors of WER; without it WER is 10.00 % instead of 106.67 %."
    )
    assert tell_tail(corpus, show=str.upper).startswith("1 page over 100 %, P2")
    assert tell_tail(study_of(A=[wrong(3), wrong(3), wrong(4)]).corpora["A"]) == ""


def test_a_page_that_makes_a_verdict_is_told_everywhere() -> None:
    study = study_of(A=[wrong(1), wrong(1), wrong(30)], B=[wrong(2), wrong(2), wrong(2)])
    said = "One page, p2, accounts for 94 % of the errors of WER; without it WER is 10.00 % instead"
    assert said in " ".join(study_table(study).split())
    assert "without it WER is 10.00 %" in results_markdown(study)
    report = report_html(study)
    assert said in report
    assert "WER of pages 106.67 on average, 10.00 at the median." in report
    assert "WER of pages: mean 106.67, median 10.00." in study_table(study)


def test_labels_of_a_table_do_not_touch() -> None:
    shown = study_table(study_of(A=[wrong(1)]), ("wer", "delta_wer_admissible", "bow_recall"))
    assert "WER  95 % interval  ΔWER*  word recall" in shown
