"""Learn's payload: a page of the sample with one fault, and what the teacher's page says of it."""

import pytest

import htreval_core as hv
from htreval_core.settings import read_settings_file
from htreval_core.show.views.learn import MOST, REAL, learn_payload, real_page
from htreval_core.show.views.opened import Opened
from tests.conftest import SAMPLES
from tests.tools import made


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


EVIL = "<img/src=x>\u202e"


def test_a_study_is_its_corpus_table() -> None:
    pages = [
        hv.Page.from_text(str(n), "a b c d", {EVIL: "b a c x", "B": "a b c d"}) for n in range(3)
    ]
    study = hv.score(pages)
    shown = study._repr_html_()
    assert shown.count("<tr>") == 3
    for corpus in study.corpora.values():
        for name in ("wer", "bwer", "delta_wer"):
            estimate = corpus.estimates[name]
            low, high = 100 * estimate.low, 100 * estimate.high
            assert f"{100 * estimate.value:.2f} [{low:.2f}, {high:.2f}]" in shown
    assert study.signature in shown
    assert "<img" not in shown
    assert "\u202e" not in shown


def test_a_look_is_a_frame_that_no_text_leaves() -> None:
    page = hv.Page.from_text(f"{EVIL}\"'>", "a </script> b c", {EVIL: "</iframe> c b"})
    shown = hv.score([page]).look(page.page_id, EVIL)._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert shown.endswith("</iframe>")
    assert shown.count("<") == shown.count(">") == 2
    assert 'sandbox="allow-scripts allow-downloads"' in shown
    assert "\u202e" not in shown


def test_whatever_is_printed_is_one_short_line() -> None:
    systems = {f"{EVIL}\n{n}": "b a c x" for n in range(40)}
    pages = [hv.Page.from_text(f"{EVIL}\n", "a b c d " * 50, systems), *made(3)]
    study = hv.score(pages[:1], hv.Settings(resamples=20))
    look = study.look(pages[0].page_id, study.systems[0])
    two = hv.score(made(3), hv.Settings(resamples=20))
    for one in (
        pages[0], pages[0].reference, study.dataset, study, study.table(study.systems[0]),
        study.corpora[study.systems[0]], look, look.page, look.page.trace, look.page.matching,
        look.layout, look.diagnosis, hv.diagnose(study), hv.compare_systems(two, "A", "B"),
        hv.compare_all(two), hv.word_outcomes(two), hv.Polygon([(0, 0), (1, 5)] * 500),
    ):  # fmt: skip
        told = repr(one)
        assert told.startswith(f"<{type(one).__name__}"), told
        assert len(told) < 220, told
        assert told.isprintable(), told
