"""Real pages whose order is known: what was read out of place, and what only looks like it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import htreval_core as hv
from htreval_core.diagnosis import EventKind
from tests.conftest import shared

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("real")]
K = EventKind


@cache
def study(folder: Path) -> hv.Study:
    return hv.score(hv.pair_path(folder), hv.Settings(resamples=10))


@pytest.fixture
def layout() -> Path:
    return shared("layout")


def labelled(layout: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((layout / "truth.json").read_text("utf-8"))
    return found


@cache
def found_on(folder: Path, page_id: str, system: str) -> hv.Diagnosis:
    return study(folder).look(page_id, system).diagnosis


def diagnosis(layout: Path, one: dict[str, Any]) -> hv.Diagnosis:
    return found_on(layout / one["dataset"], one["page"], one["system"])


def test_order_costs_what_the_boxes_say(layout: Path) -> None:
    near = explained = true = 0
    n_pages = 0
    for one in labelled(layout):
        found = diagnosis(layout, one)
        # Where a table stands at its own place by now, geometry was measured on other text.
        if not one["geometry"] or one["geometry"]["word_errors"] != found.wer:
            continue
        n_pages += 1
        cost = one["geometry"]["order_cost_words_at_least"]
        order = found.parts.order + found.parts.doubt
        near += abs(order - cost) <= 0.02 * found.n_ref_words
        explained += min(order, cost)
        true += cost
        assert found.parts.errors == found.wer
    assert near >= 0.95 * n_pages > 43
    assert explained >= 0.95 * true


def page(layout: Path, dataset: str, page_id: str) -> hv.Diagnosis:
    one = next(o for o in labelled(layout) if o["page"] == page_id and o["dataset"] == dataset)
    return diagnosis(layout, one)


def test_where_nothing_moved_nothing_is_out_of_order(layout: Path) -> None:
    found = page(layout, "nzz", "nzz_17941217_0_0_a1_p1_1")
    assert (found.parts.order, found.parts.doubt) == (0, 0)
    assert found.parts.coincidence == found.delta_wer > 0
    assert not [event for event in found.events if event.of_order]


@pytest.mark.parametrize(
    ("page_id", "kind"), [("1885_1_0007", K.TABLE), ("1879_1_0011", K.REFERENCE)]
)
def test_the_same_words_on_both_sides_are_neither_missing_nor_added(
    layout: Path, page_id: str, kind: EventKind
) -> None:
    found = page(layout, "reichs", page_id)
    assert found.parts.misread == 0
    assert all(event.of_order for event in found.events)
    assert found.events[0].kind is kind


@pytest.mark.parametrize(
    ("dataset", "page_id", "kinds"),
    [
        ("nzz", "nzz_18361014_0_0_a1_p1_1", {K.COLUMN_ORDER}),
        ("nzz", "nzz_17840710_0_0_a1_p1_1", {K.COLUMNS_ACROSS}),
        ("nzz", "nzz_18860109_0_0_a1_p1_1", {K.BELOW_RULE}),
        ("nzz", "nzz_18680213_0_0_a1_p1_1", {K.BELOW_RULE, K.MOVED}),
        ("nzz", "nzz_18530105_0_0_a1_p1_1", {K.MOVED}), ("hip21", "00696564", {K.COLUMNS_ACROSS}),
        ("hip21", "00539340", {K.SIGNS, K.RUNNING_HEAD}),
        ("hip21", "00451913", {K.MARGINALIA, K.REFERENCE}), ("bentham", "071157001", {K.REFERENCE}),
        ("bentham", "071133003", {K.REFERENCE}),
    ],
)  # fmt: skip
def test_real_faults_have_their_names(
    layout: Path, dataset: str, page_id: str, kinds: set[EventKind]
) -> None:
    found = page(layout, dataset, page_id)
    assert kinds <= {event.kind for event in found.events if event.of_order}


def test_no_page_has_more_events_than_a_person_reads(layout: Path) -> None:
    assert max(len(diagnosis(layout, one).events) for one in labelled(layout)) <= 12
