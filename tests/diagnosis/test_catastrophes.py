"""Catastrophic pages: what takes a page over, from which share on, and how it is told."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import htreval_core as hv
from htreval_core.diagnosis import CatastropheKind, EventKind, catastrophe_key
from htreval_core.model import Parts
from htreval_core.show.telling.verdicts import tell_catastrophes
from tests.conftest import SAMPLES
from tests.diagnosis.test_language_models import ALL, ENGLISH, TALK, with_rows
from tests.sheets import misread
from tests.tools import cases, invoke, look_at
from tests.written import letterbook

C = CatastropheKind
PAGE = with_rows(ALL)


@pytest.mark.parametrize(
    ("reference", "output", "kind"),
    [
        (PAGE, "", C.EMPTY), (PAGE, TALK, C.REFUSAL),
        (PAGE, "This image shows a page of handwriting in brown ink.", C.TALK), ("", PAGE, C.BLANK),
        (PAGE, with_rows(range(5), *[4] * 9), C.LOOP), (PAGE, with_rows(range(5)), C.CUT_SHORT),
        (PAGE, with_rows(range(2), range(9, 12)), C.LEFT_OUT),
        (PAGE, ENGLISH, C.OTHER_TEXT), (PAGE, PAGE, None), (PAGE, with_rows(ALL, *[4] * 9), None),
        (PAGE, with_rows(range(7)), None), (PAGE, with_rows(TALK, ALL), None), ("", "", None),
    ],
)  # fmt: skip
def test_what_takes_a_page_over(reference: str, output: str, kind: C | None) -> None:
    found = look_at(reference, output).diagnosis
    one = hv.find_catastrophe(found)
    assert (one.kind if one else None) is kind
    if one is not None:
        assert one.share > 0.5
        assert one.event in found.events
        assert catastrophe_key(found) > catastrophe_key(look_at(PAGE, PAGE).diagnosis)


def test_more_errors_than_words_are_one_but_not_if_order_makes_them() -> None:
    def page(misread: int, order: int) -> hv.Diagnosis:
        return hv.Diagnosis("p", "A", 100, Parts(misread, order=order), ())

    one = hv.find_catastrophe(page(101, 0))
    assert one is not None
    assert (one.kind, one.share) == (C.TOO_MANY_ERRORS, 1.01)
    assert hv.find_catastrophe(page(100, 80)) is None


def test_each_system_is_told_what_took_its_pages_over() -> None:
    outputs = ["", TALK, with_rows(range(5), *[4] * 9), with_rows(range(3), *[2] * 30), PAGE]
    found = [
        replace(look_at(PAGE, output).diagnosis, page_id=f"p{n}")
        for n, output in enumerate(outputs)
    ]
    (row,) = hv.count_catastrophes({"A": found})
    assert row.n_pages == 5
    assert list(row.pages)[-1] == "p2"
    assert row.kinds == {C.LOOP: 2, C.EMPTY: 1, C.REFUSAL: 1}
    said = tell_catastrophes(row)
    assert said == "4 catastrophic pages: 2 loops, 1 empty output, 1 refusal."
    (none,) = hv.count_catastrophes({"A": found[4:]})
    assert tell_catastrophes(none) == "No catastrophic page."


def test_the_command_names_them(tmp_path: Path) -> None:
    for name, text in {"1.ref": PAGE, "1.hyp": TALK, "2.ref": ENGLISH, "2.hyp": ENGLISH}.items():
        (tmp_path / name).write_text(text, "utf-8")
    text = invoke("diagnose", tmp_path).stdout
    assert "1 catastrophic page: refusal." in text
    assert "  1: refusal, 100.0 %" in text
    told = json.loads(invoke("diagnose", tmp_path, "--format", "json").stdout)
    assert [(row["n_catastrophic"], row["kinds"]) for row in told["catastrophes"]] == [
        (1, {"refusal": 1})
    ]
    assert [page["catastrophe"] and page["catastrophe"]["kind"] for page in told["pages"]] == [
        "refusal", None,
    ]  # fmt: skip


def test_text_cut_off_and_pages_lost_count_as_left_out() -> None:
    from htreval_core.diagnosis import take_census
    from htreval_core.show.telling.verdicts import left_out

    outputs = ["", with_rows(range(7)), with_rows(range(4), range(8, 12)), PAGE]
    found = [look_at(PAGE, output).diagnosis for output in outputs]
    row = left_out(take_census({"A": found}))
    assert row is not None
    assert row.errors == sum(one.wer for one in found)
    assert row.wer_without == pytest.approx(0)
    assert {e.kind for one in found for e in one.events} == {
        EventKind.EMPTY, EventKind.TRUNCATED, EventKind.MISSING,
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_text_put_in_and_text_left_out_move_nothing_and_cost_no_more_than_there_is(
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    pages = [lines for _, lines in letterbook(str(SAMPLES / "letterbook"))]
    lines, other = (pages[at] for at in rng.choice(len(pages), 2, replace=False))
    at, n = int(rng.integers(2, len(lines) // 2 - 2)), int(rng.integers(4, 8))
    rest = lines[at : len(lines) // 2]
    for put_in in (other[3 : 3 + n], [lines[at]] * n * 2, other[:n] + lines[:at][-n:]):
        read = [" ".join(misread(one.split(), 0.1 * (seed % 2), rng))
                for one in [*lines[:at], *put_in, *rest]]  # fmt: skip
        found = look_at("\n".join(lines), "\n".join(read)).diagnosis
        assert found.parts.order <= 0.02 * found.n_ref_words
        assert sum(event.errors for event in found.events) <= found.wer


def test_a_fault_costs_what_there_is_and_a_list_of_like_words_is_no_loop() -> None:
    made = [" ".join(f"wort{at}{sign}" for sign in "abcdefgh") for at in range(20)]
    for reference, output, events in [
        (["am Rikberg Keltal Vertal"], ["am"], {EventKind.MISSING: 3}),
        (made, [*made[:10], *[made[9]] * 10], {EventKind.LOOP: 80}),
        *((made, [*made[:10], words, *made[10:]], {EventKind.INVENTED: 18})
          for words in cases("lists")),
    ]:  # fmt: skip
        found = look_at("\n".join(reference), "\n".join(output)).diagnosis
        assert {event.kind: event.errors for event in found.events} == events


def test_an_output_that_begins_amid_the_page_is_a_block_that_moved() -> None:
    advice = hv.read_transcript(SAMPLES / "berlin" / "reference" / "plague-advice.xml").text
    for text, at in ((cases("letter"), 40), (advice, 185)):
        words = text.split()
        found = look_at(" ".join(words), " ".join([*words[at:], *words[:at]])).diagnosis
        assert {event.kind: event.errors for event in found.events} == {EventKind.MOVED: found.wer}
