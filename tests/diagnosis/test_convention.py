"""Events inside what a page allows are told as a matter of convention, and costed apart."""

import json
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.model import Line, OrderGroup, Parts, Transcript
from htreval_core.show.telling.events import tell_event
from tests.conftest import shared
from tests.tools import told_json

BODY = [
    "the vestry met upon the monday after easter",
    "and chose two wardens for the coming year",
    "john carter and the widow marsh of upton",
]
NOTE = "memorandum that widow was excused her oath"
KINDS = ["header", "marginalia", "page-number", "catch-word", "signature-mark", "footnote"]


def side(*lines: tuple[str, str]) -> Transcript:
    return Transcript(tuple(Line(text, name, None, name.rstrip("0123")) for name, text in lines))


REFERENCE = side(*((f"paragraph{n}", text) for n, text in enumerate(BODY)), ("note", NOTE))
RULES = hv.OrderRules(floats=hv.RegionRule(kinds=("note",)))


def looked(output: str, rules: hv.OrderRules) -> tuple[hv.PageScores, hv.Diagnosis]:
    study = hv.score([hv.Page("p", REFERENCE, {"A": Transcript.from_text(output)})],
                     hv.Settings(orders=rules))  # fmt: skip
    look = study.look("p", "A")
    return look.page.scores, look.diagnosis


def test_a_note_that_may_stand_anywhere_is_a_matter_of_convention() -> None:
    output = "\n".join([NOTE, *BODY])
    scores, strict = looked(output, hv.OrderRules())
    assert strict.parts == Parts(order=14)
    (event,) = strict.events
    assert (event.errors, event.convention) == (14, 0)
    scores, free = looked(output, RULES)
    assert free.parts == Parts(order=14, convention=14)
    (event,) = free.events
    assert (event.errors, event.convention) == (14, 14)
    assert tell_event(event).endswith(
        "This is a matter of convention: the page allows either order."
    )
    assert scores.admissible_errors == 0


def test_what_no_order_excuses_is_no_convention() -> None:
    """That the note comes first is a convention; that the last line does is not."""
    output = "\n".join([NOTE, BODY[2], BODY[0], BODY[1]])
    scores, found = looked(output, RULES)
    assert scores.wer.errors > (scores.admissible_errors or 0) > 0
    assert found.parts.convention == scores.wer.errors - (scores.admissible_errors or 0)
    study = hv.score([hv.Page("p", REFERENCE, {"A": Transcript.from_text(output)})],
                     hv.Settings(orders=RULES))  # fmt: skip
    study = study.with_parts(hv.diagnose(study))
    values = {name: one.value for name, one in study.corpus("A").estimates.items()}
    assert values["delta_wer_admissible"] <= values["delta_wer"]


def test_articles_of_the_file_are_free_without_any_rule() -> None:
    order = OrderGroup(False, (OrderGroup(True, ("paragraph0", "paragraph1")), "paragraph2"))
    reference = Transcript(REFERENCE.lines[:3], order=order)
    output = Transcript.from_text("\n".join([BODY[2], BODY[0], BODY[1]]))
    look = hv.score([hv.Page("p", reference, {"A": output})]).look("p", "A")
    assert look.page.scores.admissible_errors == 0
    assert look.admissible_lines == (2, 0, 1)
    assert look.diagnosis.parts.convention == look.page.scores.wer.errors


@pytest.mark.thorough
def test_real_pages_whose_heads_and_notes_stand_elsewhere(tmp_path: Path) -> None:
    rules = tmp_path / "orders.toml"
    rules.write_text(f"[float]\nkinds = {json.dumps(KINDS)}\n")
    told = told_json("diagnose", shared("layout/hip21"), "--order-rules", rules)
    found = {page["page_id"]: page for page in told["pages"]}
    for page_id, name in (
        ("00525489", "The marginal note"), ("00525485", "The running head"),
        ("00539340", "The running head"), ("00451913", "The marginal note"),
        ("00525487", "The running head"),
    ):  # fmt: skip
        page = found[page_id]
        assert page["parts"]["convention"] > 0
        excused = [event["sentence"] for event in page["events"] if event["convention"]]
        assert any(name in one and "convention" in one for one in excused), page_id
