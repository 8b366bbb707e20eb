"""Left-overs of both sides: what is suggested for them, and what is paired by hand."""

import pytest

import htreval_core as hv
from htreval_core.model import SourceFile
from htreval_core.sources.dataset import Unpaired
from htreval_core.sources.pairing import ChosenPair, Pairing
from htreval_core.sources.reading import read_pairing
from htreval_core.sources.recognise import GivenSide, find_source_pairs, pair_given_sides
from htreval_core.sources.suggest import suggest_pairs
from tests.tools import Tree, cases, warned


def side(*names: str, prefix: str = "") -> GivenSide:
    files = [SourceFile(name, lambda name=name: name.encode()) for name in names]  # type: ignore[misc]
    return GivenSide(files, prefix)


def paired(references: list[str], outputs: list[str]) -> Pairing:
    return pair_given_sides(
        "x", side(*references, prefix="truth/"), {"A": side(*outputs, prefix="a/")}
    )


@pytest.mark.parametrize(("pages", "output", "page"), cases("suggested"))
def test_a_page_is_suggested_where_it_alone_is_close(
    pages: list[str], output: str, page: str
) -> None:
    pairing = paired([f"{name}.txt" for name in pages], [f"{output}.txt"])
    found = [one.pair.page_id for one in suggest_pairs(pairing)]
    assert found == ([page] if page else [])


def test_an_output_is_suggested_for_one_page_alone() -> None:
    # The question names the file and the page.
    (one,) = suggest_pairs(paired(["071108002.xml"], ["071108002_final.txt"]))
    assert one.question == "a/071108002_final.txt: is this 071108002?"
    # Two outputs for one page are no suggestion.
    pairing = paired(["12.txt"], ["12_old.txt", "12_new.txt"])
    assert suggest_pairs(pairing) == ()
    # A page that has output of the system is not suggested.
    assert suggest_pairs(paired(["12.txt"], ["12.txt", "12_new.txt"])) == ()
    # One output is not given to two pages.
    pairing = paired(["1.txt", "2.txt"], ["x.txt"])
    with pytest.raises(hv.PairingError, match="x: not a left-over file"):
        pairing.with_pairs([ChosenPair("A", "x", "1"), ChosenPair("A", "x", "2")])


def test_pairs_chosen_by_hand_change_nothing_else() -> None:
    before = paired(["1.txt", "2.txt", "3.txt"], ["1.txt", "second.txt"])
    after = before.with_pairs([ChosenPair("A", "second", "2")])
    assert [(page.page_id, page.hypotheses["A"].name) for page in after.pages] == [
        ("1", "a/1.txt"), ("2", "a/second.txt"),
    ]  # fmt: skip
    assert after.rule == "same names, 1 by hand"
    assert after.by_hand == (ChosenPair("A", "second", "2"),)
    assert after.unpaired == Unpaired(("3",), {"A": ()})
    assert before.unpaired == Unpaired(("2", "3"), {"A": ("second",)})
    assert not any("second" in told for told in warned(read_pairing(after)))
    assert after.open_pages("A") == ("3",)


def test_pairs_are_added_to_those_chosen_before() -> None:
    pairing = paired(["1.txt", "2.txt"], ["one.txt", "two.txt"])
    assert not pairing.pages
    for name, page in (("one", "1"), ("two", "2")):
        pairing = pairing.with_pairs([ChosenPair("A", name, page)])
    assert [page.page_id for page in pairing.pages] == ["1", "2"]
    assert pairing.rule == "same names, 2 by hand"
    assert pairing.checked() is pairing


@pytest.mark.parametrize(("pair", "why"), cases("impossible_pairs"))
def test_a_pair_that_cannot_be_is_refused(pair: tuple[str, str, str], why: str) -> None:
    pairing = paired(["1.txt", "2.txt"], ["1.txt", "second.txt"])
    with pytest.raises(hv.PairingError, match=why):
        pairing.with_pairs([ChosenPair(*pair)])


def test_systems_that_are_left_out_take_their_pairs_with_them(tree: Tree) -> None:
    root = tree({"gt/1.txt": "a", "x/one.txt": "b", "y/1.txt": "c"})
    pairing = find_source_pairs(root / "gt", {"X": root / "x", "Y": root / "y"})
    chosen = pairing.with_pairs([ChosenPair("X", "one", "1")])
    assert set(chosen.pages[0].hypotheses) == {"X", "Y"}
    assert chosen.only(["Y"]).by_hand == ()
