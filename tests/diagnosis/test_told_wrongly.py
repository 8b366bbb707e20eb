"""Real pages of which something false was said once."""

from __future__ import annotations

from functools import cache

import pytest

import htreval_core as hv
from htreval_core.diagnosis import EventKind as K
from tests.conftest import SHARED

PAGES = SHARED / "told-wrongly"
pytestmark = pytest.mark.skipif(not PAGES.exists(), reason="shared data are not at hand")


@cache
def _kinds(dataset: str) -> dict[tuple[str, str], dict[K, int]]:
    """The kinds of what is said of each page and system, with their words."""
    found = hv.diagnose(hv.score(hv.pair_path(PAGES / dataset)), conventions=False)
    return {
        (one.page_id, system): {event.kind: event.words for event in one.events[::-1]}
        for system, of in found.items()
        for one in of
    }


@pytest.mark.parametrize("page", ["00675172", "00675300", "00675276", "00674283"])
def test_a_reference_that_keeps_articles_together_is_not_accused(page: str) -> None:
    said = _kinds("hip21")[page, "gt4hist"]
    assert K.ARTICLES in said
    # What its order leaves out may be said, but that is little.
    assert said.get(K.REFERENCE, 0) < 30


@pytest.mark.parametrize(
    ("dataset", "page", "system"),
    [
        ("nzz", "nzz_18180925_0_0_a1_p1_1", "XIX"),
        ("hip21", "00674394", "gt4hist"),
        ("hip21", "00674406", "gt4hist"),
    ],
)
def test_a_page_that_can_hardly_be_read_was_not_replaced(
    dataset: str, page: str, system: str
) -> None:
    said = _kinds(dataset)[page, system]
    assert K.READ_BADLY in said
    assert not {K.REPLACED, K.PHRASE, K.OTHER_PAGE, K.INVENTED} & said.keys()


def test_scattered_words_are_not_columns_read_across() -> None:
    assert K.COLUMNS_ACROSS not in _kinds("nzz")["nzz_19140531_0_0_a1_p1_1", "XIX"]
