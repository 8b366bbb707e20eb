"""Made faults of language models have their names, whatever the seed; pages of others do not."""

from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.diagnosis import EventKind
from tests import written
from tests.conftest import SAMPLES, shared
from tests.diagnosis.test_real import study

K = EventKind
NEW = {
    K.HEAD, K.TALK, K.REFUSAL, K.EMPTY, K.BLANK, K.TRUNCATED, K.TRANSLATED, K.SPELLING, K.LOOP,
    K.OTHER_PAGE, K.PHRASE,
}  # fmt: skip
"""What models alone do."""


def right(seeds: range) -> tuple[int, list[str]]:
    """How many of all kinds of fault were named right, and those that were not."""
    n, wrong = 0, []
    for name, seed, made in written.all_made(str(SAMPLES / "letterbook"), seeds):
        found = written.diagnosed(made)
        assert found.parts.errors == found.wer
        assert all(event.errors >= 0 for event in found.events)
        n += 1
        if not written.is_right(made, found):
            wrong.append(f"{name} {seed}: {[e.kind.value for e in found.events]}")
    return n, wrong


@pytest.mark.thorough
def test_made_faults_are_named_right_whatever_the_seed() -> None:
    n, wrong = right(range(500, 510))
    assert n >= 200
    assert len(wrong) <= 0.05 * n, wrong


def kinds(path: Path) -> set[EventKind]:
    found = hv.diagnose(study(path))
    return {event.kind for of in found.values() for one in of for event in one.events}


@pytest.mark.slow
def test_systems_that_are_no_language_models_do_none_of_it() -> None:
    assert not kinds(SAMPLES / "letterbook") & NEW


@pytest.mark.thorough
@pytest.mark.xdist_group("real")
@pytest.mark.parametrize("name", ["iamdb", "layout/nzz", "layout/hip21", "vlm/bentham"])
def test_nor_does_any_page_of_real_data(name: str) -> None:
    assert not kinds(shared(name)) & NEW
