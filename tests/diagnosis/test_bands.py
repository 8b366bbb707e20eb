"""A page as bands, the way the page view scrolls and links by them, and doubts about references."""

from dataclasses import replace

import numpy as np
import pytest

import htreval_core as hv
from htreval_core.diagnosis import Suspicion
from htreval_core.diagnosis.corpus.suspect import lines_upward, page_suspicions
from htreval_core.diagnosis.order.bands import (
    Band,
    anchors,
    events_of_pairs,
    events_of_words,
    mate_of,
)
from htreval_core.metrics.kinds import WordKind, pair_kinds
from htreval_core.show.telling.events import tell_suspicion
from tests.conftest import SAMPLES
from tests.tools import look_at

LINES = [
    "the harbour master reported that a gale had carried away the bell",
    "mister tuke asked of what use was any clapper without its owner",
    "resolved that another should be cast weighing not less than six hundred",
    "and that the founder be written to for his lowest price at once",
    "captain saul brought news from lisbon concerning wine cork and figs",
    "thereupon those present adjourned until eleven on thursday morning next",
]


def moved(order: list[int]) -> str:
    return "\n".join(LINES[number] for number in order)


def test_anchors_rise_on_both_sides_and_leave_out_what_moved() -> None:
    bands = [
        Band((0, 40), (10, 50), -1), Band((40, 50), (0, 10), 0), Band((50, 80), (50, 80), -1),
        Band((80, 84), (80, 80), 1),
    ]  # fmt: skip
    assert anchors(bands) == [(0, 10), (40, 50), (50, 50), (80, 80)]
    assert anchors([]) == []


@pytest.mark.parametrize("seed", range(20))
def test_anchors_keep_as_many_words_as_any_order_can(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, 7)
    ref_starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    order = rng.permutation(7)
    hyp_starts = np.empty(7, dtype=int)
    hyp_starts[order] = np.concatenate([[0], np.cumsum(sizes[order])[:-1]])
    bands = [
        Band((r, r + n), (h, h + n), -1)
        for r, h, n in zip(ref_starts.tolist(), hyp_starts.tolist(), sizes.tolist(), strict=True)
    ]
    found = anchors(bands)
    assert found == sorted(found)
    assert [hyp for _, hyp in found] == sorted(hyp for _, hyp in found)
    best = 0
    for subset in range(1 << 7):
        chosen = [band for n, band in enumerate(bands) if subset >> n & 1]
        starts = [band.hypothesis[0] for band in chosen]
        if starts == sorted(starts):
            best = max(best, sum(band.reference[1] - band.reference[0] for band in chosen))
    ends = zip(found[::2], found[1::2], strict=True)
    assert sum(end - start for (start, _), (end, _) in ends) == best


def test_words_know_their_event_on_both_sides() -> None:
    look = look_at(moved([0, 1, 2, 3, 4, 5]), moved([4, 0, 1, 2, 3, 5]))
    (event,) = look.diagnosis.events
    assert (event.words, event.errors) == (len(LINES[4].split()), look.diagnosis.parts.order)
    ref, hyp = events_of_words(look.bands, 68, len(look.page.hypothesis.words))
    start = sum(len(line.split()) for line in LINES[:4])
    words = len(LINES[4].split())
    assert np.flatnonzero(ref == 0).tolist() == list(range(start, start + words))
    assert np.flatnonzero(hyp == 0).tolist() == list(range(words))


@pytest.mark.parametrize("order", [[4, 0, 1, 2, 3, 5], [1, 0, 2, 5, 3, 4], [3, 4, 5, 0, 1, 2]])
def test_a_pair_is_of_an_event_by_both_words_or_by_one_that_moved(order: list[int]) -> None:
    look = look_at(moved([0, 1, 2, 3, 4, 5]), f"of {moved(order)} the bell")
    pairs = look.page.matching.pairs
    for some in (look.bands, [Band((0, 20), (30, 50), 1), *look.bands[:-1]]):
        ref, hyp = (side[of] for side, of in zip(events_of_words(some, 99, 99), pairs, strict=True))
        stand = pair_kinds(look.page) == WordKind.CORRECT
        one = np.where(ref < 0, hyp, ref)
        expected = [
            -1 if at and a != b else c for at, a, b, c in zip(stand, ref, hyp, one, strict=True)
        ]
        assert events_of_pairs(look.page, some).tolist() == expected
        assert set(expected) > {-1}


def test_a_word_knows_its_mate() -> None:
    page = hv.score_page("alpha beta gamma", "beta alpha delta xxxxxxxxxxxx")
    assert (page.scores.page_id, page.scores.system) == ("page", "system")
    assert [mate_of(page, ("ref", at)) for at in range(3)] == [(0, 1), (1, 0), (2, 2)]
    assert [mate_of(page, ("hyp", at)) for at in range(4)] == [(1, 0), (0, 1), (2, 2), (-1, 3)]
    for nothing in (None, ("ref", -1), ("hyp", -1), ("ref", 3)):
        assert mate_of(page, nothing) is None


# --- is the reference itself out of order?


def suspicions(
    reference: list[int], outputs: list[list[int]], names: str = "abcdef"
) -> list[Suspicion]:
    texts = {f"{names[n]} {n}": moved(order) for n, order in enumerate(outputs)}
    study = hv.score([hv.Page.from_text("p", moved(reference), texts)])
    found = hv.diagnose(study)
    return hv.suspect_references(study.page_ids, found, found.upward)


def test_a_reference_that_every_system_contradicts_alike_is_doubted() -> None:
    (found,) = suspicions([4, 0, 1, 2, 3, 5], [[0, 1, 2, 3, 4, 5]] * 3)
    assert found.page_id == "p"
    assert found.reference_lines == (1,)
    assert found.systems == ("a 0", "b 1", "c 2")
    assert "line 1: 3 of 3 independent systems read it elsewhere" in tell_suspicion(found)


def test_versions_of_one_program_are_one_voice() -> None:
    assert not suspicions([4, 0, 1, 2, 3, 5], [[0, 1, 2, 3, 4, 5]] * 4, "aabb")
    # Nor are several a judge where each mixes lines, as many do where columns are near.
    assert not suspicions([0, 1, 2, 3, 4, 5], [[0, 3, 1, 4, 2, 5]] * 3)


@pytest.mark.parametrize(
    "outputs",
    [[[0, 1, 2, 3, 4, 5]] * 2, [[0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5], [4, 0, 1, 2, 3, 5]]],
    ids=["two systems are too few", "one of three agrees with the reference"],
)
def test_a_reference_with_some_support_is_not(outputs: list[list[int]]) -> None:
    assert suspicions([4, 0, 1, 2, 3, 5], outputs) == []


def column(tops: list[int], region: str = "r") -> hv.Page:
    lines = tuple(
        hv.Line(f"line {n}", region, hv.Polygon.from_box(10, top, 90, top + 8))
        for n, top in enumerate(tops)
    )
    return hv.Page("p", hv.Transcript(lines), {})


def test_lines_that_run_upward_in_their_region_are_doubted_and_the_letter_books_are_not() -> None:
    page = column([0, 10, 30, 20, 40])
    (found,) = page_suspicions(page.page_id, [], lines_upward(page))
    assert found.reference_lines == (4,)
    assert tell_suspicion(found).startswith(
        "Line 4 of the reference stands above the preceding line"
    )
    assert lines_upward(column([0, 10, 20])) == ()
    # Slanted lines overlap in height, and another region may stand anywhere.
    assert lines_upward(column([0, 10, 5])) == ()
    page = column([0, 10, 20, 0])
    lines = (*page.reference.lines[:-1], replace(page.reference.lines[-1], region="other"))
    assert lines_upward(replace(page, reference=replace(page.reference, lines=lines))) == ()
    # The letter book has no doubtful reference.
    study = hv.score(hv.pair_path(SAMPLES / "letterbook"))
    found = hv.diagnose(study)
    assert hv.suspect_references(study.page_ids, found, found.upward) == []
