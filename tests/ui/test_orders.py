"""Rules of reading order in the app: clicks on regions, the strip, and what is proposed."""

from __future__ import annotations

import json

import htreval_core as hv
from htreval_core.model import Line, Transcript
from htreval_ui.views.orders import rules_payload, with_region
from tests.tools import open_app

REFERENCE = Transcript(tuple(Line(name, name) for name in ("a", "b", "c", "d")))
NONE = hv.OrderRules()


def test_a_click_makes_a_rule_and_the_next_takes_it_back() -> None:
    for what, rule in (
        ("float", hv.PageRule(floats=("b",))),
        ("leave-out", hv.PageRule(left_out=("b",))),
    ):
        clicked = with_region(NONE, "p", REFERENCE, what, "b")
        assert clicked.of_page("p") == rule
        assert with_region(clicked, "p", REFERENCE, what, "b") == NONE


def test_two_clicks_let_either_come_first_with_what_stands_between() -> None:
    clicked = with_region(NONE, "p", REFERENCE, "either", ["d", "b"])
    assert clicked.of_page("p").either == ((("b", "c"), ("d",)),)
    assert with_region(clicked, "p", REFERENCE, "either", ["b", "d"]) == NONE
    assert with_region(NONE, "p", REFERENCE, "either", ["b", "gone"]) == NONE
    told = rules_payload(clicked.of_page("p"))
    assert told == {"float": [], "leave-out": [], "either": [["b", "c", "d"]]}


def test_rules_of_other_pages_stay() -> None:
    one = with_region(NONE, "p", REFERENCE, "float", "a")
    both = with_region(one, "q", REFERENCE, "float", "a")
    assert set(both.pages) == {"p", "q"}


def test_an_address_holds_the_rules() -> None:
    rules = {"float": {"kinds": ["marginalia"]}}
    app = open_app("", data="letterbook", orders=json.dumps(rules))
    assert not app.exception
    signature = next(code.value for code in app.code if "htreval:" in code.value)
    assert "orders:rules-" in signature
    assert "delta" not in signature


def test_damaged_rules_in_an_address_are_none() -> None:
    app = open_app("", data="letterbook", orders='{"float": 3}')
    assert not app.exception
    signature = next(code.value for code in app.code if "htreval:" in code.value)
    assert "orders:file" in signature


def test_conventions_are_shown_with_a_next_step() -> None:
    app = open_app("", data="letterbook", more="orders")
    assert not app.exception
    text = " ".join([one.value for one in (*app.markdown, *app.caption)])
    assert "marginalia" in text or "nothing to learn a convention from" in text
