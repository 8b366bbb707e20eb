"""Learn's payload: a page of the sample with one fault, and what the teacher's page says of it."""

import pytest

import htreval_core as hv
from htreval_core.settings import read_settings_file
from htreval_core.show.views.learn import MOST, REAL, learn_payload, real_page
from htreval_core.show.views.opened import Opened
from tests.conftest import SAMPLES


@pytest.fixture(scope="module")
def berlin() -> hv.Study:
    settings = read_settings_file(SAMPLES / "berlin" / "study.toml")
    return hv.score(hv.pair_path(SAMPLES / "berlin"), settings)


def test_the_real_page_has_one_fault_that_is_all_order(berlin: hv.Study) -> None:
    real = real_page(Opened(berlin), *REAL)
    assert real is not None
    scores, counts = berlin.scores_of(*REAL), real["counts"]
    assert (counts["wer"], counts["bwer"]) == (scores.wer.errors, scores.bwer.errors)
    assert counts["bwer"] <= real["right"] < counts["wer"]
    lessons = {one["name"]: one for one in learn_payload("page", "", "", real)["lessons"]}
    assert sum(one["if"] == f"kind = {real['kind']}" for one in lessons["page"]["option"]) == 1
    assert len(berlin.look(*REAL).diagnosis.events) == 1
    for side in ("reference", "output"):
        marked = sum(is_marked for line in real[side] for _, is_marked in line)
        assert 0 < marked < sum(map(len, real[side])) / 4
    assert max(real["shades"]) < len(real["outlines"])


def test_any_page_with_a_fault_of_order_can_end_the_story(berlin: hv.Study) -> None:
    opened = Opened(berlin)
    real = real_page(opened, "shells-067", "tesseract-auto")
    assert real is not None
    lessons = {one["name"]: one for one in learn_payload("", "", "", real)["lessons"]}
    assert [one["says"] for one in lessons["page"]["option"]][-1] == real["kind"]
    assert real["kind"] == "rows read column by column"
    assert real["right"] < real["counts"]["wer"]
    assert real_page(opened, "friedrich-011", "tesseract-one-block") is None


def test_solutions_of_the_exercises_are_true(berlin: hv.Study) -> None:
    values = {name: corpus.estimates["wer"].value for name, corpus in berlin.corpora.items()}
    assert min(values, key=values.__getitem__) == "tesseract-auto"
    for system in berlin.systems:
        scores = berlin.scores_of("friedrich-011", system)
        assert scores.wer.errors == scores.bwer.errors
        kinds = {event.kind for event in berlin.look("shells-067", system).diagnosis.events}
        assert (hv.EventKind.COLUMNS_ACROSS in kinds) == (system == "tesseract-one-block")


def test_an_address_of_any_length_opens_a_lesson() -> None:
    payload = learn_payload("nowhere", "a" * 5000, "<b>" * 5000, None)
    assert payload["lesson"] == "read"
    assert len(payload["reference"]) == len(payload["output"]) == MOST
    texts = [one[side] for one in payload["examples"] for side in ("reference", "output")]
    assert all(len(text) <= MOST for text in texts)
