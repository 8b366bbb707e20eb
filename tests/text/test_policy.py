"""Every switch of the text policy, the presets against the tools they repeat, and the ladder."""

import unicodedata
from dataclasses import fields, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import htreval_core as hv
from htreval_core.scoring.ladder import ladder_policies
from htreval_core.settings import mapping_pairs, read_mapping, short_signature
from htreval_core.show.tables import ladder_table
from htreval_core.show.telling.pages import tell_methods
from htreval_core.show.views.opened import Opened
from htreval_core.text import HYPHENS, SWITCHES, characters, normalise, page_words
from tests.tools import cases


def words(text: str, **switches: object) -> list[str]:
    return list(page_words(hv.Transcript.from_text(text), hv.TextPolicy(**switches)).words)


# --- switches within a line


@pytest.mark.parametrize(
    ("switch", "text", "expected"),
    [
        *cases("switches"),
        ({"mapping": (("\ue000", "que"), ("x", ""))}, "at\ue000 x", "atque "),
        ({"form": "NFC", "mapping": (("\u00e9", "e"),)}, "e\u0301", "e"),
    ],
)
def test_what_a_switch_does_within_a_line(
    switch: dict[str, object], text: str, expected: str
) -> None:
    assert normalise(text, hv.TextPolicy(**switch)) == expected


def test_every_switch_has_a_test() -> None:
    within = {"form", "ignore_case", "ignore_punctuation", "drop_soft_hyphens", "long_s",
              "ligatures", "mapping", "lower_case", "old_letters", "signs_to_space",
              "ignore_marks", "equivalents"}  # fmt: skip
    elsewhere = {"join_hyphens", "words", "characters"}
    assert {field.name for field in fields(hv.TextPolicy)} == within | elsewhere
    # Each is offered, once, and none under the name of another setting.
    offered = [switch.name for switch in SWITCHES]
    assert sorted(offered) == sorted(within | elsewhere)
    others = {field.name for of in (hv.Settings, hv.ReadPolicy) for field in fields(of)}
    assert not others & {*offered}


@given(st.text(max_size=30))
def test_what_is_normalised_stays_so(text: str) -> None:
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        once = normalise(text, hv.TextPolicy(form=form, ignore_case=True))
        assert unicodedata.is_normalized(form, once)
        assert words(once, form=form) == words(text, form=form, ignore_case=True)


# --- what a word is


def test_white_space_of_any_kind_delimits_words() -> None:
    spaces = " \t\u00a0\u2009\u3000\u2028\u202f\u1680"
    assert words("".join(f"x{space}" for space in spaces)) == ["x"] * len(spaces)
    assert words("a\u200bb") == ["a\u200bb"]


@pytest.mark.parametrize(("text", "expected"), cases("unicode_words"))
def test_unicode_words(text: str, expected: list[str]) -> None:
    assert words(text, words="unicode") == expected


def test_words_between_single_spaces() -> None:
    """A line feed alone does not split, two white spaces do."""
    assert words("a b\nc  d\u00a0e\n\nf", words="space") == ["a", "b\nc", "d\u00a0e", "f"]


def test_characters_are_code_points_or_what_people_see() -> None:
    text = "e\u0303\u0323a👩‍👩‍👧"
    assert len(characters(text, hv.TextPolicy())) == 9
    assert characters(text, hv.TextPolicy(characters="grapheme")) == [
        "e\u0303\u0323", "a", "👩‍👩‍👧",
    ]  # fmt: skip
    plain, grapheme = (
        hv.score_page("a👩‍👩‍👧", "a", hv.Settings(policy=hv.TextPolicy(characters=kind))).scores
        for kind in ("codepoint", "grapheme")
    )
    assert (plain.cer_errors, plain.n_ref_chars) == (5, 6)
    assert (grapheme.cer_errors, grapheme.n_ref_chars) == (1, 2)


# --- words divided at the end of a line

ALL = tuple(HYPHENS.values())


@pytest.mark.parametrize(("text", "expected"), cases("hyphens"))
def test_hyphens_at_the_end_of_a_line(text: str, expected: str) -> None:
    assert " ".join(words(text, join_hyphens=ALL)) == expected
    assert words(text) == text.split()


@pytest.mark.parametrize("name", ALL)
def test_each_hyphen_has_a_switch_of_its_own(name: str) -> None:
    joined = words("\n".join(f"a{sign}\nb" for sign in HYPHENS), join_hyphens=(name,))
    assert joined.count("ab") == 1
    assert len(joined) == 7


def test_joined_words_stand_on_the_line_on_which_they_begin() -> None:
    page = page_words(
        hv.Transcript.from_text("ein Wort-\nteil da\nx"), hv.TextPolicy(join_hyphens=ALL)
    )
    assert page.by_line() == [["ein", "Wortteil"], ["da"], ["x"]]


# --- policies that are refused, and mappings


@pytest.mark.parametrize(
    "switch", [{"form": "NFX"}, {"words": "tokens"}, {"characters": "bytes"},
               {"join_hyphens": ("dash",)}]
)  # fmt: skip
def test_an_unknown_switch(switch: dict[str, object]) -> None:
    with pytest.raises(hv.ConfigError, match=r"text policy: .*; use "):
        hv.TextPolicy(**switch)


def test_a_mapping_is_read_from_a_file(tmp_path: Path) -> None:
    content = "\ufeff# MUFI\n\nU+F1AC\tque\n\ue001\t\nu+41\tA\n\uf1ad\t\t\n"
    (tmp_path / "m.tsv").write_text(content, encoding="utf-8")
    pairs = read_mapping(tmp_path / "m.tsv")
    assert pairs == (("\uf1ac", "que"), ("\ue001", ""), ("A", "A"), ("\uf1ad", "\t"))
    assert normalise("at\uf1ac", hv.TextPolicy(mapping=pairs)) == "atque"


@pytest.mark.parametrize(("content", "complaint"), cases("impossible_mappings"))
def test_an_impossible_mapping(content: str, complaint: str) -> None:
    with pytest.raises(hv.ConfigError, match=f"^m: {complaint}"):
        mapping_pairs("m", content.encode("latin-1"))


def test_a_mapping_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(hv.ReadError, match=r"gone: cannot be read .*; check the path"):
        read_mapping(tmp_path / "gone")


# --- presets


def test_the_other_presets() -> None:
    def errors(preset: str, reference: str, hypothesis: str) -> tuple[int, int]:
        scores = hv.score_page(reference, hypothesis, hv.PRESETS[preset].settings).scores
        return scores.wer.errors, scores.cer_errors

    assert errors("default", "Dr. A", "Dr A") == (1, 1)
    assert errors("dinglehopper", "Dr. A", "Dr A")[0] == 0
    assert errors("dinglehopper", "x\u0331\u0303", "x") == (1, 1)
    assert errors("default", "x\u0331\u0303", "x") == (1, 2)
    assert errors("sclite", "Dr. A", "dr. a") == (0, 0)
    assert hv.PRESETS["authors"].settings.solver == "authors"
    for name, preset in hv.PRESETS.items():
        assert preset.why.endswith("."), name


# --- the signature

policies = st.builds(
    hv.TextPolicy, form=st.sampled_from(["NFC", "NFD", "NFKC", "NFKD", "none"]),
    ignore_case=st.booleans(), ignore_punctuation=st.booleans(),
    join_hyphens=st.lists(st.sampled_from(ALL), unique=True).map(tuple),
    drop_soft_hyphens=st.booleans(), long_s=st.booleans(), ligatures=st.booleans(),
    words=st.sampled_from(["whitespace", "unicode", "space"]),
    characters=st.sampled_from(["codepoint", "grapheme"]),
)  # fmt: skip


@given(policies)
def test_switches_come_back_from_what_an_address_says(policy: hv.TextPolicy) -> None:
    assert hv.TextPolicy.of_text(policy.as_text()) == policy


SHORT = short_signature(hv.PRESETS["hipe"].settings.signature())


def test_a_short_signature_names_the_preset() -> None:
    assert "· as hipe ·" in SHORT


def test_what_a_signature_holds_and_does_not() -> None:
    # A signature cannot hold a mapping.
    one, two = (
        hv.Settings(policy=hv.TextPolicy(mapping=(("\ue000", text),))).signature() for text in "ab"
    )
    assert one != two
    # Limits are no part of the signature.
    reading = hv.ReadPolicy(limits=hv.Limits(words=5))
    assert hv.Settings(reading=reading).signature() == hv.Settings().signature()


# --- the ladder


def test_the_ladder_throws_one_switch_after_another() -> None:
    steps = list(ladder_policies(hv.TextPolicy()))
    assert [label for label, _ in steps] == [
        "as set", "ſ read as s", "case ignored", "punctuation ignored", "line-end hyphens joined",
        "ligatures unfolded (NFKC)",
    ]  # fmt: skip
    assert steps[0][1] == hv.TextPolicy()
    assert steps[-1][1] == hv.TextPolicy(
        form="NFKC", ignore_case=True, ignore_punctuation=True, join_hyphens=ALL,
        drop_soft_hyphens=True, long_s=True, ligatures=True,
    )  # fmt: skip
    assert all(before != after for (_, before), (_, after) in pairwise(steps))
    # Switches that are thrown already are passed over.
    start = hv.TextPolicy(ignore_case=True, long_s=True)
    labels = [label for label, _ in ladder_policies(start)]
    assert "case ignored" not in labels
    assert "ſ read as s" not in labels
    last = list(ladder_policies(start))[-1][1]
    assert list(ladder_policies(last)) == [("as set", last)]


def test_values_by_other_rules_are_of_the_same_pages() -> None:
    pages = [
        hv.Page.from_text("1", "Aa b c", {"A": "aa b c", "B": "Aa b c"}),
        hv.Page.from_text("2", "d e", {"A": "x y"}),
    ]
    study = hv.score(pages, hv.Settings(policy=hv.TextPolicy(ignore_case=True)))
    rungs = hv.score_ladder(pages, hv.Settings())
    assert rungs[0].corpora == hv.score(pages[:1]).corpora
    assert "On the one page of 2 that all systems have read.\n" in ladder_table(rungs, ["wer"])
    opened = Opened(study)
    assert opened.as_written(opened.shown(all_pages=False)) == {"A": 1 / 3, "B": 0}
    assert opened.as_written(opened.shown(all_pages=True)) == {"A": 3 / 5, "B": 0}
    assert "over the page" not in tell_methods(study)
    assert "over 1 page with 3 reference words" in tell_methods(study.on_common_pages())


def test_a_tie_on_the_way_is_no_change_of_places() -> None:
    page = hv.Page.from_text(
        "1", "Der Tag, Die Nacht a b",
        {"caseless": "der tag die nacht a b", "wrong": "Der Tag, Die Nacht a x"},
    )  # fmt: skip
    worse, _, tied, better, *_ = hv.score_ladder([page], hv.Settings())
    errors = [[of.estimates["wer"].errors for of in rung.corpora.values()]
              for rung in (worse, tied, better)]  # fmt: skip
    assert [one - other for one, other in errors] == [3, 0, -1]
    for rungs, flips in (
        ([worse, tied, worse], []), ([worse, tied, better], [2]),
        ([worse, better, tied, worse], [1, 3]), ([], []),
    ):  # fmt: skip
        assert [flip.rung for flip in hv.ladder_crossings(rungs, "wer")] == flips


def test_a_mapping_is_the_last_switch() -> None:
    page = hv.Page.from_text("1", "at\ue000", {"x": "atque"})
    rungs = hv.score_ladder([page], hv.Settings(), mapping=(("\ue000", "que"),))
    assert [rung.label for rung in rungs[-2:]] == [
        "private-use characters mapped",
        "spaces put right",
    ]
    assert [rung.corpora["x"].estimates["wer"].errors for rung in rungs] == [1] * 6 + [0] * 2
    own = replace(hv.TextPolicy(), mapping=(("\ue000", "que"),))
    rungs = hv.score_ladder([page], hv.Settings(policy=own), mapping=(("\ue000", "que"),))
    assert [rung.corpora["x"].estimates["wer"].errors for rung in rungs] == [0] * 7


# --- γ is kept as it is written


@pytest.mark.parametrize("one", [1, 1.0, "1", "1.0", "2/2", Fraction(1)])
@pytest.mark.parametrize("other", [1, 1.0, "1", Fraction(1)])
def test_one_gamma_is_one_however_it_is_written(one: object, other: object) -> None:
    settings = hv.Settings(gamma=one)
    assert settings == hv.Settings(gamma=other)
    assert hash(settings) == hash(hv.Settings(gamma=other))
    assert settings.gamma == Fraction(1)
    assert settings.signature() == hv.Settings().signature()
