"""The pages as language models write them are read as they were meant, and go wrong as meant."""

from collections.abc import Mapping

import pytest

import htreval_core as hv
from htreval_core.diagnosis import CatastropheKind, Diagnosis, EventKind
from tests.conftest import SAMPLES

pytestmark = pytest.mark.xdist_group("samples")
MODELS = SAMPLES / "models"
MARKDOWN, JSON, TEXT = "writes-markdown", "writes-layout-json", "talks-first"
PAGES = ["LB01", "LB04", "LB06", "LB07", "LB08", "LB12", "LB13", "LB19", "LB20", "LB22"]
MISREAD = 2
"""Words of each page that a model was made to misread."""
UNREADABLE = ("LB01", "LB13")
"""Pages on which the Markdown has [illegible] in the place of a word."""
FAULTS = {
    (MARKDOWN, "LB12"): {EventKind.LOOP}, (MARKDOWN, "LB07"): {EventKind.EMPTY},
    (JSON, "LB20"): {EventKind.MISSING, EventKind.INVENTED},
    (TEXT, "LB06"): {EventKind.TALK, EventKind.SPELLING}, (TEXT, "LB22"): {EventKind.REFUSAL},
}  # fmt: skip
"""What was done to pages, by what the diagnosis calls it."""
CATASTROPHES = {
    (MARKDOWN, "LB12"): CatastropheKind.LOOP,
    (MARKDOWN, "LB07"): CatastropheKind.EMPTY,
    (TEXT, "LB22"): CatastropheKind.REFUSAL,
}


@pytest.fixture(scope="module")
def dataset() -> hv.Dataset:
    return hv.pair_path(MODELS)


@pytest.fixture(scope="module")
def diagnoses(dataset: hv.Dataset) -> Mapping[tuple[str, str], Diagnosis]:
    found = hv.diagnose(hv.score(dataset, hv.Settings(resamples=10)))
    return {(system, one.page_id): one for system, pages in found.items() for one in pages}


def without_faults(system: str) -> list[str]:
    return [page for page in PAGES if (system, page) not in FAULTS]


@pytest.mark.parametrize("system", [MARKDOWN, JSON])
def test_a_page_without_a_fault_has_no_error_but_misread_words(
    system: str, dataset: hv.Dataset, diagnoses: Mapping[tuple[str, str], Diagnosis]
) -> None:
    assert len(without_faults(system)) >= 8
    for page in dataset.pages:
        if page.page_id not in without_faults(system):
            continue
        lost = int(system == MARKDOWN and page.page_id in UNREADABLE)
        found = diagnoses[system, page.page_id]
        assert (found.wer, found.bwer) == (MISREAD + lost, MISREAD + lost)
        assert found.n_hyp_words == found.n_ref_words - lost
        assert found.events == ()


def test_each_fault_is_named_told_and_takes_over_what_it_was_meant_to(
    diagnoses: Mapping[tuple[str, str], Diagnosis],
) -> None:
    # Each fault is named and nothing else.
    named = {key: {event.kind for event in one.events} for key, one in diagnoses.items()}
    wanted = {key: FAULTS.get(key, {EventKind.TALK} if key[0] == TEXT else set()) for key in named}
    assert named == wanted
    # What takes pages over is what was meant to.
    found = {key: hv.find_catastrophe(one) for key, one in diagnoses.items()}
    assert {key: one.kind for key, one in found.items() if one is not None} == CATASTROPHES
