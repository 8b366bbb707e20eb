"""Rules of reading order in the app: clicks on regions, and the strip."""

import json

import htreval_core as hv
from htreval_core.model import Line, Transcript
from htreval_ui.sections.orders import rules_payload, with_region
from tests.tools import open_app

REFERENCE = Transcript(tuple(Line(name, name) for name in ("a", "b", "c", "d")))
NONE = hv.OrderRules()


def test_clicks_make_rules_and_take_them_back() -> None:
    # A click makes a rule and the next takes it back.
    for what, rule in (
        ("float", hv.PageRule(floats=("b",))),
        ("leave-out", hv.PageRule(left_out=("b",))),
    ):
        clicked = with_region(NONE, "p", REFERENCE, what, "b")
        assert clicked.of_page("p") == rule
        assert with_region(clicked, "p", REFERENCE, what, "b") == NONE
    # Two clicks let either come first with what stands between.
    clicked = with_region(NONE, "p", REFERENCE, "either", ["d", "b"])
    assert clicked.of_page("p").either == ((("b", "c"), ("d",)),)
    assert with_region(clicked, "p", REFERENCE, "either", ["b", "d"]) == NONE
    assert with_region(NONE, "p", REFERENCE, "either", ["b", "gone"]) == NONE
    told = rules_payload(clicked.of_page("p"))
    assert told == {"float": [], "leave-out": [], "either": [["b", "c", "d"]]}
    # Rules of other pages stay.
    one = with_region(NONE, "p", REFERENCE, "float", "a")
    assert set(with_region(one, "q", REFERENCE, "float", "a").pages) == {"p", "q"}


def test_an_address_holds_the_rules_and_damaged_ones_are_none() -> None:
    sound = json.dumps({"float": {"kinds": ["marginalia"]}})
    for orders, signed in ((sound, "orders:rules-"), ('{"float": 3}', "orders:file")):
        app = open_app("", data="letterbook", orders=orders)
        assert not app.exception
        signature = next(code.value for code in app.code if "htreval:" in code.value)
        assert signed in signature
        assert "delta" not in signature
