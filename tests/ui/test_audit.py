"""The Audit view: pages worth a look, in words that know of no truth."""

import json
import re
from html import unescape

import htreval_core as hv
from htreval_core.audits.audit import audit
from htreval_ui.sections.audit import audit_payload, look_between, pages_frame, pair_for
from tests.conftest import SAMPLES
from tests.tools import open_app

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


def test_a_reference_may_stand_for_a_system_and_every_view_says_so() -> None:
    app = open_app(data="seite0418", stand_in="yes", system="reference")
    assert not app.exception
    assert not any("have no system" in one.value for one in app.info)
    assert any("3 systems" in one.value for one in app.markdown)
    # Where a system stands in every view says so.
    for page in ("errors.py", "page.py", "compare.py"):
        app = open_app(page, data="seite0418", stand_in="yes")
        assert not app.exception
        assert "a difference from that system, not an error rate" in app.info[0].value
        assert not any(
            "not an error rate" in one.value for one in open_app(page, data="seite0418").info
        )
