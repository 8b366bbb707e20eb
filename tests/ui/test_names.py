"""Names made short, repairs by address, and what an address says."""

import json
import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.audits.audit import audit
from htreval_core.show.views.names import short_names
from htreval_core.show.views.repairs import next_repair, with_numbers
from htreval_ui.sections.audit import audit_payload, look_between, pages_frame, pair_for
from tests.conftest import SAMPLES
from tests.tools import open_app


def test_what_all_names_share_is_left_out() -> None:
    names = ["archive_of_the_town_vol_3_page_010.xml", "archive_of_the_town_vol_3_page_011.xml"]
    assert short_names(names) == ["…010…", "…011…"]
    assert short_names(["page_10", "page_11"]) == ["page_10", "page_11"]
    assert short_names(["a_very_long_single_name_of_a_page"]) == [
        "a_very_long_single_name_of_a_page"
    ]


@given(st.lists(st.text("ab01_-.", min_size=1, max_size=40), min_size=1, max_size=6, unique=True))
def test_short_names_stay_apart(names: list[str]) -> None:
    shown = short_names(names)
    assert len(set(shown)) == len(names)
    assert all(
        len(short) <= max(len(name), 3) + 2 for short, name in zip(shown, names, strict=True)
    )


@pytest.fixture(scope="module")
def diagnosis() -> hv.Diagnosis:
    study = hv.score(hv.pair_path(SAMPLES / "letterbook"), hv.Settings(resamples=20))
    return max(
        (one for of in hv.diagnose(study).values() for one in of), key=lambda d: len(d.events)
    )


def test_repairs_of_an_address(diagnosis: hv.Diagnosis) -> None:
    movable = [n for n, event in enumerate(diagnosis.events) if event.groups]
    every = "+".join(str(n + 1) for n in movable)
    assert with_numbers(diagnosis, frozenset(), "all") == every
    assert with_numbers(diagnosis, frozenset(movable), "all") == ""
    first = movable[0]
    assert with_numbers(diagnosis, frozenset(), first) == str(first + 1)
    assert with_numbers(diagnosis, frozenset({first}), first) == ""
    assert with_numbers(diagnosis, frozenset(), 999) == ""
    walked = frozenset()
    for _ in movable:
        told = next_repair(diagnosis, walked, None)
        walked = frozenset(int(number) - 1 for number in told.split("+"))
    assert sorted(walked) == movable
    assert next_repair(diagnosis, walked, None) == ""


@pytest.mark.slow
def test_a_link_says_all_that_is_shown_and_nothing_of_another_view() -> None:
    app = open_app("page.py", data="letterbook", page="LB05", system="misreads", lesson="2")
    link = app.code[0].value
    for said in ("data=letterbook", "page=LB05", "system=misreads", "view=matching", "gamma=1",
                 "form=NFC", "rank=delta_wer"):  # fmt: skip
        assert said in link
    for other in ("other=", "lesson=", "experiment="):
        assert other not in link


TRUTH = re.compile(r"\b(errors?|wrong|mistakes?|misread|incorrect|correct)\b", re.IGNORECASE)
"""Words that nobody may use who does not know the truth."""


def test_nothing_is_called_an_error_and_the_first_pair_is_that_of_the_first_run() -> None:
    letterbook = hv.pair_path(SAMPLES / "letterbook")
    found = audit(letterbook.pages, letterbook.systems)
    page = letterbook.pages[1]
    audited = found.page(page.page_id)
    a, b = pair_for(audited, list(audited.n_words), "", "")
    look = look_between(page, a, b, found.settings)
    payload = audit_payload(found, audited, look, a, b, "matching", None)
    payload.pop("sides")
    # A system may be called so.
    text = json.dumps(payload, ensure_ascii=False).replace("misreads", "")
    assert not TRUTH.search(text), TRUTH.search(text)
    assert not TRUTH.search(" ".join(map(str, pages_frame(found).columns)).replace("misreads", ""))
    page = found.page("LB13")
    run = page.suspects[0]
    assert pair_for(page, list(page.n_words), "", "") == (run.holder, run.system)
    chosen = ("misreads", "skips-margins")
    assert pair_for(page, list(page.n_words), *chosen) == chosen


def test_the_view_shows_what_is_worth_a_look() -> None:
    app = open_app(data="letterbook", page="LB13", more="audit")
    assert not app.exception
    said = unescape(" ".join(one.value for one in (*app.markdown, *app.info)))
    assert "skips-margins may have left out what misreads and reads-across have" in said
    assert "No figure here is an error rate" in said
