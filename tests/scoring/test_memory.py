"""What a study and its exports hold on to grows with the counts of its pages and little else."""

import json
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import htreval_core as hv
from htreval_core.metrics.columns import COUNTS
from htreval_core.scoring import score as scoring
from htreval_core.scoring.score import Gathered, PageResult, score_one
from htreval_core.show.tables import study as written
from htreval_core.show.tables import study_csv, study_csv_pieces, study_json_pieces

PAGE = hv.Page.from_text("1", "a b c d", {"A": "a b c", "B": "a c b d"})


def _pages(n: int) -> Iterator[hv.Page]:
    for number in range(n):
        yield hv.Page.from_text(
            f"p{number}", "a b c d", {"A": "a b c" if number % 3 else "a b c d", "B": "a c b d"}
        )


def _peak(work: Callable[[], object]) -> int:
    """The most bytes that Python held at once beyond what it held before."""
    tracemalloc.start()
    work()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def test_scores_become_columns_as_they_come_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Made columns all at once, the scores of a page would be there four times."""
    monkeypatch.setattr(scoring, "_ROWS_TOGETHER", 50)
    scores = score_one(PAGE, hv.Settings()).scores
    n, a_row = 1_000, 8 * len(COUNTS)

    def gather() -> None:
        gathered = Gathered()
        for _ in range(n):
            # As from a worker, each with objects of its own.
            gathered.add(PageResult(tuple(hv.PageScores(**_fields(one)) for one in scores)))
        gathered.study(hv.Dataset.of([PAGE]), hv.Settings())

    gather()
    assert _peak(gather) < 2.8 * n * len(scores) * a_row


def _fields(one: hv.PageScores) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__slots__}


def test_columns_in_parts_make_the_same_study(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = list(_pages(25))
    whole = hv.score(pages)
    for rows in (1, 7, 25, 26):
        monkeypatch.setattr(scoring, "_ROWS_TOGETHER", rows)
        assert hv.score(pages).scores == whole.scores


def test_a_scoring_that_goes_on_counts_no_page_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "_ROWS_TOGETHER", 4)
    pages = list(_pages(10))
    first = Gathered()
    for page in pages[:6]:
        first.add(score_one(page, hv.Settings()))
    assert hv.score(pages, gathered=first).scores == hv.score(pages).scores


def test_pieces_are_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    study = hv.score(_pages(23))
    text, rows = "".join(study_json_pieces(study)), study_csv(study)
    monkeypatch.setattr(written, "_PAGES_AT_ONCE", 5)
    assert "".join(study_json_pieces(study)) == text
    assert "".join(study_csv_pieces(study)) == rows
    assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n"
    assert [len(one["pages"]) for one in json.loads(text)["systems"].values()] == [23, 23]


def test_a_system_may_be_called_like_the_pages() -> None:
    name = '"pages": []'
    study = hv.score([hv.Page.from_text(f"x\n   {name}", "a b", {name: "a b", "pages": "a"})])
    content = json.loads("".join(study_json_pieces(study)))
    assert {*content["systems"]} == {name, "pages"}
    assert content["systems"][name]["pages"][0]["page_id"] == f"x\n   {name}"


@pytest.mark.parametrize("pieces", [study_json_pieces, study_csv_pieces])
def test_no_piece_of_an_export_is_much_of_it(
    pieces: Callable[[hv.Study], Iterator[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    study = hv.score(_pages(400))
    monkeypatch.setattr("htreval_core.show.tables.values._ROWS_A_PIECE", 100)
    sizes = [len(piece) for piece in pieces(study)]
    assert max(sizes) < sum(sizes) / 10
