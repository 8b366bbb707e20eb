"""Rules of reading order: their file, their signature, and what is no rule."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.settings.orders import orders_json, orders_of_json, orders_of_text, orders_toml
from tests.tools import cases

NAMES = st.lists(st.text(max_size=8), max_size=3, unique=True).map(tuple)
REGIONS = st.builds(hv.RegionRule, kinds=NAMES, names=NAMES)
EITHER = st.just((("a", "b"), ("c",)))
PAGES = st.builds(
    hv.PageRule, floats=NAMES, left_out=NAMES, either=st.lists(EITHER, max_size=1).map(tuple)
)
RULES = st.builds(
    hv.OrderRules, floats=REGIONS, left_out=REGIONS, partial=st.booleans(),
    pages=st.dictionaries(st.text(max_size=8), PAGES, max_size=3),
)  # fmt: skip
EXAMPLE = """
partial = true
[float]
kinds = ["header", "marginal*"]
[leave-out]
names = ["r1"]
[pages."0007"]
float = ["r12"]
leave-out = ["r2"]
either = [["r3", "r4"], [["r5", "r6"], ["r7"]]]
"""


@given(RULES)
def test_rules_survive_their_files(rules: hv.OrderRules) -> None:
    assert orders_of_text("x.toml", orders_toml(rules).encode()) == rules
    assert orders_of_json(orders_json(rules)) == rules
    assert hash(rules) == hash(orders_of_json(orders_json(rules)))


def test_a_file_is_read() -> None:
    rules = orders_of_text("orders.toml", EXAMPLE.encode())
    assert rules.partial
    assert rules.floats.fits("x", "Marginalia")
    assert not rules.floats.fits("x", "paragraph")
    assert not rules.floats.fits("x", None)
    assert rules.left_out.names == ("r1",)
    assert rules.of_page("0007") == hv.PageRule(
        ("r12",), ("r2",), ((("r3",), ("r4",)), (("r5", "r6"), ("r7",)))
    )
    assert not rules.of_page("0008")


@pytest.mark.parametrize(("text", "said"), cases("rules_refused"))
def test_what_is_no_rule_is_told_with_its_place(text: str, said: str) -> None:
    with pytest.raises(hv.ConfigError, match=said) as raised:
        orders_of_text("my.toml", text.encode("latin-1"))
    assert str(raised.value).startswith("my.toml: ")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(hv.ReadError, match="cannot be read"):
        hv.read_orders(tmp_path / "gone.toml")


def test_what_rules_mean_and_are_signed_by() -> None:
    # Rules stand in the signature.
    rules = orders_of_text("orders.toml", EXAMPLE.encode())
    plain, ruled = hv.Settings().signature(), hv.Settings(orders=rules).signature()
    assert "|orders:file|" in plain
    assert plain != ruled
    assert hv.Settings(orders=hv.OrderRules(partial=True)).signature() not in (plain, ruled)
    # A rule that says nothing is no rule.
    assert not hv.OrderRules(pages={"a": hv.PageRule()})
    assert hv.OrderRules(pages={"a": hv.PageRule()}) == hv.OrderRules()
    # Brackets are no pattern.
    rule = hv.RegionRule(kinds=("note [left]",), names=("r[4]", "s*[5?"))
    assert rule.fits(None, "Note [left]")
    assert rule.fits("r[4]", None)
    assert rule.fits("s12[5]", None)
    assert not rule.fits("r4", None)
    # Rules that mean the same have one fingerprint.
    one = hv.OrderRules(floats=hv.RegionRule(kinds=("b", "A", "a"), names=("y", "x")))
    other = hv.OrderRules(floats=hv.RegionRule(kinds=("a", "B"), names=("x", "y")))
    assert one == other
    assert one.sign() == other.sign()
