"""Systems compared with each other: distances, signs, suspected runs."""

import itertools
import json
import math
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

import htreval_core as hv
from htreval_core.audits.audit import Audit, audit, audit_page, find_marks, with_stand_in
from htreval_core.audits.between import Read, compare, find_alike, stand_apart
from htreval_core.audits.model import Kind, PageAudit, Sign
from htreval_core.metrics.catalog import METRICS
from htreval_core.model import Transcript
from htreval_core.scoring.workers import Processes
from htreval_core.show.telling.audits import tell_page
from htreval_core.sources.outputs import find_outputs, find_source_outputs
from htreval_core.text import page_words
from tests.conftest import SAMPLES
from tests.tools import invoke, told, told_json, write_tree

SETTINGS = hv.Settings()
NO_TRUTH = Transcript(())


def read(system: str, text: str) -> Read:
    side = Transcript.from_text(text)
    return Read(system, side, page_words(side, SETTINGS.policy))


def page_of(page_id: str = "p", **outputs: str) -> hv.Page:
    return hv.Page(page_id, NO_TRUTH, {n: Transcript.from_text(t) for n, t in outputs.items()})


def audited(**outputs: str) -> PageAudit:
    return audit_page(page_of(**outputs), SETTINGS)


@pytest.fixture(scope="module")
def letterbook() -> hv.Dataset:
    return hv.pair_path(SAMPLES / "letterbook")


@pytest.fixture(scope="module")
def of_letterbook(letterbook: hv.Dataset) -> Audit:
    return audit(letterbook.pages, letterbook.systems)


# --- between two systems

TEXTS = st.lists(st.sampled_from(["the", "clock", "of", "quay", "venn", "mayor"]), max_size=12)


@given(TEXTS, TEXTS)
def test_two_systems_differ_alike_from_either_side(a: list[str], b: list[str]) -> None:
    first, second = read("A", " ".join(a)), read("B", " ".join(b))
    there, back = (
        compare(first, second, SETTINGS).between, compare(second, first, SETTINGS).between
    )  # fmt: skip
    for name in ("wer", "bwer", "delta_wer", "order_cost", "length"):
        assert getattr(there, name) == getattr(back, name)
    assert there.delta_wer >= 0
    assert (there.wer == 0) is (a == b)


def test_numbers_worked_by_hand() -> None:
    """Six words against four, three of them the same: d = 3, over a mean length of 5."""
    found = compare(read("A", "a b c d e f"), read("B", "a b c x"), SETTINGS).between
    assert (found.different, found.bag, found.length) == (3, 3, 5.0)
    assert found.wer == found.bwer == 0.6


def test_three_systems_tell_who_stands_apart() -> None:
    apart = stand_apart("ABC", {("A", "B"): 0.3, ("A", "C"): 0.4, ("B", "C"): 0.1})
    assert apart == pytest.approx({"A": 0.3, "B": 0.0, "C": 0.1})


@pytest.mark.parametrize(
    ("systems", "shared", "proposed"),
    [("ABC", "", []), ("ABCD", "", []), ("ABCDE", "", []),
     ("ABC", "AB", []), ("ABCD", "AB", [("AB", "CD")]), ("ABCD", "BD", [("AC", "BD")]),
     ("ABCDE", "BE", [("BE", "")]), ("ABCDEF", "ADF", [("ADF", "BCE")])],
)  # fmt: skip
def test_systems_that_err_alike_are_proposed_as_a_family(
    systems: str, shared: str, proposed: list[tuple[str, str]]
) -> None:
    right = {one: 1 - 0.04 * (n + 1) for n, one in enumerate(systems)}
    common = {one: 0.94 if one in shared else 1.0 for one in systems}
    distances = {
        (a, b): 1 - right[a] * right[b] * (1 if {a, b} <= set(shared) else common[a] * common[b])
        for a, b in itertools.combinations(systems, 2)
    }
    found = find_alike(systems, distances)
    assert [("".join(one.systems), "".join(one.others)) for one in found] == proposed
    assert all(one.shared == pytest.approx(-math.log(0.94)) for one in found)


def test_of_two_each_gets_half_and_of_one_nothing_is_known() -> None:
    assert stand_apart("AB", {("A", "B"): 0.3}) == {"A": 0.15, "B": 0.15}
    assert np.isnan(stand_apart("A", {})["A"])


def test_pages_are_ranked_as_the_truth_would_rank_them(
    letterbook: hv.Dataset, of_letterbook: Audit
) -> None:
    """References are known here, and the audit has not seen them."""
    pages = of_letterbook.pages
    study = hv.score(letterbook)
    study = study.with_parts(hv.diagnose(study))
    bags, order = (
        np.mean([METRICS[name].columns(study.table(one))[0] for one in study.systems], axis=0)
        for name in ("bwer", "order_cost")
    )
    words = study.table(study.systems[0]).counts["n_ref_words"]
    assert [page.page_id for page in pages] == list(study.table(study.systems[0]).page_ids)
    true = np.array([bags / words, order / words]).T
    apart = [np.mean(list(page.apart.values())) for page in pages]
    by_order = [np.mean(list(page.apart_by_order.values())) for page in pages]
    assert spearmanr(true[:, 0], apart)[0] >= 0.8
    assert spearmanr(true[:, 1], by_order)[0] >= 0.8
    assert spearmanr(true.sum(axis=1), [page.risk for page in pages])[0] >= 0.8


def test_references_change_nothing(letterbook: hv.Dataset, of_letterbook: Audit) -> None:
    page = letterbook.pages[4]
    hidden = audit_page(hv.Page(page.page_id, NO_TRUTH, page.hypotheses), SETTINGS)
    assert hidden == of_letterbook.page(page.page_id)


# --- by itself

BODY = "the vestry met upon the monday after easter and chose two wardens for the coming year"


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("", Sign.EMPTY), (BODY + " and so" * 40, Sign.LOOP),
        ("I'm sorry, but I can't transcribe this image.", Sign.REFUSAL),
        (f"Here is the transcription of the image: {BODY}", Sign.TALK),
        ("the vestry met", Sign.SHORT),
        (f"{BODY} " + " ".join(f"entry{n} of{n * n}" for n in range(30)), Sign.LONG),
        ("Вестники собрались в понедельник после Пасхи и выбрали двух старост", Sign.SCRIPT),
    ],
)  # fmt: skip
def test_signs_need_no_reference(text: str, sign: Sign) -> None:
    found = find_marks([read("A", text), read("B", BODY), read("C", BODY + " indeed")], {})
    assert [one.sign for one in found if one.system == "A"][:1] == [sign]
    assert not [one for one in found if one.system != "A"]
    looped = find_marks([read("A", BODY + " and so" * 40), read("B", BODY[:60])], {})
    assert {one.system for one in looped} == {"A"}
    heart = BODY + " with all your heart and with all your soul and with all your might"
    assert {one.sign for one in find_marks([read("A", heart), read("B", "")], {})} == {Sign.EMPTY}


def test_a_blank_page_that_is_written_on() -> None:
    (found,) = find_marks([read("A", BODY), read("B", ""), read("C", "")], {})[:1]
    assert (found.sign, found.system) == (Sign.BLANK, "A")
    # Lines that somebody saw make it no blank page, and the others empty.
    seen = find_marks([read("A", BODY), read("B", ""), read("C", "")], {"A": 9})
    assert {(one.sign, one.system) for one in seen} == {(Sign.EMPTY, "B"), (Sign.EMPTY, "C")}


def test_ordinary_pages_show_no_sign(of_letterbook: Audit) -> None:
    assert not [mark for page in of_letterbook.pages for mark in page.marks]


# --- runs


def noisy(words: Sequence[str], rng: random.Random, rate: float) -> list[str]:
    out = []
    for word in words:
        if rng.random() < rate and len(word) > 1:
            at = rng.randrange(len(word))
            word = word[:at] + rng.choice("abcdefghiklmnopqrstuvw") + word[at + 1 :]
        if rng.random() >= rate / 10:
            out.append(word)
    return out


def test_an_invention_and_an_omission_are_found() -> None:
    rest = "john carter and the widow marsh of upton who took the oath before the curate that day"
    extra = "whereupon seven strangers danced round a burning cart until sunrise"
    found = audited(A=f"{BODY} {extra} {rest}", B=f"{BODY} {rest}", C=f"{BODY} {rest}")
    (one,) = found.suspects
    assert (one.kind, one.system, one.text) == (Kind.INVENTION, "A", extra)
    found = audited(A=BODY, B=f"{BODY} {rest}", C=f"{BODY} {rest}")
    (one,) = found.suspects
    assert (one.kind, one.system, one.text) == (Kind.OMISSION, "A", rest)
    assert any("A may have left out what" in said for said in tell_page(found))


def test_of_two_systems_nobody_can_tell_which() -> None:
    rest = "john carter and the widow marsh of upton who took the oath"
    (one,) = audited(A=BODY, B=f"{BODY} {rest}").suspects
    assert (one.kind, one.holder, one.text) == (Kind.ONE_OF_TWO, "B", rest)
    (one,) = audited(A=f"{BODY} {rest}", B=f"{BODY} {rest} {rest}").suspects
    assert (one.kind, one.holder) == (Kind.REPETITION, "B")


def test_a_family_is_one_voice() -> None:
    rest = "john carter and the widow marsh of upton who took the oath"
    page = page_of(A=BODY, B=f"{BODY} {rest}", C=f"{BODY} {rest}")
    (one, other) = audit_page(page, SETTINGS, {"B": "vendor", "C": "vendor"}).suspects
    assert {one.kind, other.kind} == {Kind.ONE_OF_TWO}
    assert {one.holder, other.holder} == {"B", "C"}


def test_readers_who_do_not_converge_are_not_judged() -> None:
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefgh", k=6)) for _ in range(90)]
    found = audited(A=" ".join(words[:30]), B=" ".join(words[30:60]), C=" ".join(words[60:]))
    assert found.abstains
    assert not found.suspects


def test_text_in_another_place_is_neither(letterbook: hv.Dataset) -> None:
    lines = letterbook.pages[3].reference.text.split("\n")
    moved = "\n".join([*lines[6:12], *lines[:6], *lines[12:]])
    whole = "\n".join(lines)
    assert not audited(A=moved, B=whole, C=whole).suspects


@pytest.mark.thorough
@pytest.mark.parametrize(("n_systems", "seeds"), [(2, range(5)), (3, range(5))])
def test_made_inventions_and_omissions(
    n_systems: int, seeds: range, letterbook: hv.Dataset
) -> None:
    """Nine in ten are found, and fewer than one in twenty pages has a false one."""
    made = hits = false = pages = 0
    for seed in seeds:
        rng = random.Random(seed)
        for number, page in enumerate(letterbook.pages):
            other = letterbook.pages[(number + 7) % len(letterbook.pages)]
            outs = [
                noisy(page.reference.text.split(), rng, rate)
                for rate in (0.05, 0.15, 0.3)[:n_systems]
            ]
            what, who = rng.choice(["invention", "omission", "", ""]), rng.randrange(n_systems)
            n = rng.randint(8, 25)
            at = rng.randrange(len(outs[who]) - n)
            if what == "invention":
                words = other.reference.text.split()
                first = rng.randrange(len(words) - n)
                outs[who][at:at] = noisy(words[first : first + n], rng, 0.1)
            elif what == "omission":
                del outs[who][at : at + n]
            found = audited(**{"ABC"[k]: " ".join(out) for k, out in enumerate(outs)})
            pages += 1
            right = [one for one in found.suspects if _is_it(one, what, "ABC"[who], (at, at + n))]
            made += bool(what)
            hits += bool(right)
            false += len(found.suspects) - len(right)
    assert hits >= 0.9 * made
    assert false <= pages / 20


def _is_it(one: object, what: str, system: str, span: tuple[int, int]) -> bool:
    from htreval_core.audits.model import Suspect

    assert isinstance(one, Suspect)
    n = span[1] - span[0]
    if what == "invention":
        is_kind = one.kind in (Kind.INVENTION, Kind.ONE_OF_TWO) and one.holder == system
        return is_kind and min(one.span[1], span[1]) - max(one.span[0], span[0]) >= n / 2
    is_kind = (one.kind is Kind.OMISSION and one.system == system) or (
        one.kind is Kind.ONE_OF_TWO and one.holder != system
    )
    return what == "omission" and is_kind and n / 2 <= one.words <= 2 * n


# --- files, the shell


def folders(tmp_path: Path) -> Path:
    return write_tree(
        tmp_path / "data",
        {
            "A/1.txt": BODY, "B/1.txt": BODY + " indeed", "C/1.txt": BODY,
            "A/2.txt": BODY, "B/2.txt": "", "A/3.txt": BODY, "reference/1.txt": BODY,
        },
    )  # fmt: skip


def test_folders_of_systems_need_no_reference(tmp_path: Path) -> None:
    found = find_outputs(folders(tmp_path))
    assert found.systems == ("A", "B", "C")
    assert [one.page_id for one in found.pages] == ["1", "2", "3"]
    done = audit(found.pages, found.systems)
    assert [len(page.n_words) for page in done.pages] == [3, 2, 1]
    assert done.page("3").risk == 1.0
    assert [one.sign for one in done.page("2").marks] == [Sign.EMPTY]
    with pytest.raises(hv.PairingError, match="folders of systems found: A"):
        find_outputs(write_tree(tmp_path / "one", {"A/1.txt": BODY, "reference/1.txt": BODY}))


def test_sides_may_be_named_one_by_one(tmp_path: Path) -> None:
    data = folders(tmp_path)
    found = find_source_outputs({"x": data / "A", "y": data / "B"})
    assert found.only(["x", "y"]).systems == ("x", "y")
    with pytest.raises(hv.PairingError, match="two systems or more"):
        found.only(["x"])
    (tmp_path / "t.csv").write_text("page,text\n1,one two\n")
    rows = find_source_outputs({"x": data / "A", "y": tmp_path / "t.csv"})
    assert rows.pages[0].systems == ("x", "y")


def test_workers_find_the_same(tmp_path: Path) -> None:
    found = find_outputs(folders(tmp_path))
    with Processes(2) as workers:
        sent = audit(found.pages, found.systems, workers=workers)
    # A page that one system has read has no distances, and nan is equal to nothing.
    here = audit(found.pages, found.systems).pages
    assert sent.pages[:2] == here[:2]
    assert repr(sent.pages) == repr(here)


def test_the_shell_knows_of_no_errors(tmp_path: Path) -> None:
    data = folders(tmp_path)
    text = told("audit", data)
    assert "No figure here is an error rate" in text
    assert "stands apart from the others in about" in text
    found = told_json("audit", data, "--format", "json", "--family", "m=A,C")
    assert found["families"] == {"A": "m", "C": "m"}
    assert [page["page_id"] for page in found["pages"]] == ["2", "3", "1"]
    assert "families:A=m,C=m" in found["signature"]
    assert told("audit", data, "--format", "csv").startswith("page_id,risk,system_a,system_b,")
    assert invoke("audit", data, "--family", "m=A,Z").exit_code == 2
    assert invoke("audit").exit_code == 2


def test_a_stand_in_is_one_of_the_systems() -> None:
    page = with_stand_in(hv.Page.from_text("p", BODY, {"A": BODY}), "old")
    assert set(page.hypotheses) == {"old", "A"}
    assert not page.reference.lines
    assert json.dumps(sorted(audit_page(page, SETTINGS).n_words)) == '["A", "old"]'


# --- what a stranger found


def test_a_family_does_not_stand_near_by_itself() -> None:
    distances = {("A1", "A2"): 0.02, ("A1", "B"): 0.3, ("A2", "B"): 0.32}
    apart = stand_apart(["A1", "A2", "B"], distances, {"A1": "v", "A2": "v"})
    assert apart == pytest.approx({"A1": 0.15, "A2": 0.16, "B": 0.155})


def test_who_skips_pages_does_not_weigh_them_out() -> None:
    pages = [page_of(str(n), A=BODY, C=BODY if not n else "") for n in range(6)]
    found = audit(pages, ("A", "C"))
    assert found.mean_apart("A") == found.mean_apart("C")


def test_an_omission_is_what_the_others_really_have() -> None:
    words = [f"word{n}" for n in range(30)]
    whole, ends = " ".join(words), " ".join([*words[:3], *words[-3:]])
    found = audited(A=whole, B=whole, C="", D=ends)
    assert not [one for one in found.suspects if one.system == "C"]
    assert not [mark for mark in found.marks if mark.sign is Sign.LONG]


def test_nothing_to_read_is_no_difference_of_opinion() -> None:
    assert not audited(A="", B="").abstains
    assert not audited(A=BODY, B="").abstains


def test_rules_of_references_and_muddled_families_are_refused(tmp_path: Path) -> None:
    data = folders(tmp_path)
    (tmp_path / "o.toml").write_text('[float]\nkinds = ["x"]\n')
    assert invoke("audit", data, "--order-rules", tmp_path / "o.toml").exit_code == 2
    refused = invoke("audit", data, "--family", "x=A,B", "--family", "y=B,C")
    assert (refused.exit_code, "in two families" in refused.output) == (2, True)
