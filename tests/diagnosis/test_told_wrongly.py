"""Real pages of which something false was said once."""

from functools import cache

import pytest

import htreval_core as hv
from htreval_core.diagnosis import Diagnosis
from htreval_core.diagnosis import EventKind as K
from tests.conftest import SHARED
from tests.tools import cases

PAGES = SHARED / "told-wrongly"
pytestmark = [
    pytest.mark.skipif(not PAGES.exists(), reason="shared data are not at hand"),
    pytest.mark.thorough,
    pytest.mark.xdist_group("told wrongly"),
]


@cache
def _diagnosed(dataset: str) -> dict[tuple[str, str], Diagnosis]:
    found = hv.diagnose(hv.score(hv.pair_path(PAGES / dataset)), conventions=False)
    return {(one.page_id, system): one for system, of in found.items() for one in of}


def _kinds(dataset: str, page: str, system: str) -> dict[K, int]:
    """The kinds of what is said of a page under a system, with their words."""
    return {event.kind: event.words for event in _diagnosed(dataset)[page, system].events[::-1]}


@pytest.mark.parametrize("page", ["00675172", "00675300", "00675276", "00674283"])
def test_a_reference_that_keeps_articles_together_is_not_accused(page: str) -> None:
    said = _kinds("hip21", page, "gt4hist")
    assert K.ARTICLES in said
    # What its order leaves out may be said, but that is little.
    assert said.get(K.REFERENCE, 0) < 30


@pytest.mark.parametrize(("dataset", "page", "system"), cases("hardly_read"))
def test_a_page_that_can_hardly_be_read_was_not_replaced(
    dataset: str, page: str, system: str
) -> None:
    said = _kinds(dataset, page, system)
    assert K.READ_BADLY in said
    assert not {K.REPLACED, K.PHRASE, K.OTHER_PAGE, K.INVENTED} & said.keys()


@pytest.mark.parametrize(
    ("dataset", "page", "system", "told"),
    [
        ("nzz", "nzz_18221125_0_0_a1_p1_1", "Server11", {K.MOVED: (53, 61)}),
        ("nzz", "nzz_18981204_0_0_a1_p1_1", "Server11", {K.MOVED: (16, 24)}),
        ("nzz", "nzz_18740624_0_0_a1_p1_1", "Server11",
         {K.BELOW_RULE: (193, 217), K.MOVED: (14, 27)}),
        ("nzz", "nzz_18060128_0_0_a1_p1_1", "XIX", {K.MOVED: (18, 31)}),
        ("nzz", "nzz_19140531_0_0_a1_p1_1", "XIX", {K.BELOW_RULE: (409, 434)}),
        ("nzz", "nzz_18780509_0_0_a1_p1_1", "XIX", {K.BELOW_RULE: (271, 363)}),
        ("nzz", "nzz_18660912_0_0_a1_p1_1", "XIX", {K.MOVED: (21, 32)}),
        ("hip21", "00720530", "gt4hist", {K.MOVED: (58, 68)}),
    ],
)  # fmt: skip
def test_the_main_faults_of_a_page_are_told_by_name_and_place(
    dataset: str, page: str, system: str, told: dict[K, tuple[int, int]]
) -> None:
    events = [one for one in _diagnosed(dataset)[page, system].events if one.of_order]
    found = {one.kind: (one.reference_lines[0], one.reference_lines[-1]) for one in events[::-1]}
    assert {kind: found.get(kind) for kind in told} == told
    assert events[0].kind in told
    assert not {K.COLUMNS_ACROSS, K.COLUMNS_BY_LINE, K.REFERENCE} & found.keys()


def test_a_table_that_the_reference_leaves_untranscribed_was_not_invented() -> None:
    said = _kinds("hip21", "00675481", "gt4hist")
    assert said[K.UNTRANSCRIBED] > 100
    assert said.get(K.INVENTED, 0) < 10
