"""Which conventions a reference and its systems follow, learnt from made pages."""

from __future__ import annotations

import random

import pytest

import htreval_core as hv
from htreval_core.model import Line, Transcript
from htreval_core.scoring.conventions import LEAST_PAGES, Conventions, Place
from htreval_core.scoring.workers import Processes
from htreval_core.show.telling.orders import tell_conventions
from tests.metrics.test_orders import WORDS


def page(number: int, *, head_first: bool = False) -> hv.Page:
    """The head last in the reference, first under A; the note last everywhere but under B."""
    rng = random.Random(number)
    words = rng.sample(WORDS, 40)

    def line(n: int, name: str, kind: str) -> Line:
        return Line(" ".join(words.pop() for _ in range(n)), name, None, kind)

    body = [line(6, "b1", "paragraph"), line(6, "b2", "paragraph")]
    head, note = line(3, "h", "header"), line(3, "n", "footnote")
    reference = [head, *body, note] if head_first else [*body, head, note]
    outputs = {"A": [head, *body, note], "B": [body[0], note, body[1], head]}
    return hv.Page(
        f"p{number:02}",
        Transcript(tuple(reference)),
        {
            name: Transcript.from_text("\n".join(one.text for one in of))
            for name, of in outputs.items()
        },
    )


def learnt(pages: list[hv.Page]) -> Conventions:
    return hv.learn_conventions(hv.score(pages))


def test_each_follows_its_own_convention() -> None:
    found = learnt([page(n) for n in range(12)])
    head, note = (next(one for one in found.kinds if one.kind == k) for k in ("header", "footnote"))
    assert (head.blocks, head.pages) == (12, 12)
    assert head.convention() is Place.AFTER
    assert head.convention("A") is Place.BEFORE
    assert head.convention("B") is Place.AFTER
    assert head.elsewhere == {"A": 12, "B": 0}
    assert note.convention("A") is Place.AFTER
    assert note.convention("B") is Place.WITHIN
    assert "paragraph" not in {one.kind for one in found.kinds}


def test_what_systems_put_elsewhere_is_proposed_and_nothing_is_applied() -> None:
    pages = [page(n) for n in range(12)]
    study = hv.score(pages)
    found = hv.learn_conventions(study)
    assert found.proposed.floats.kinds == ("footnote", "header")
    assert study.settings.orders == hv.OrderRules()
    ruled = hv.score(pages, hv.Settings(orders=found.proposed))
    study, ruled = (one.with_parts(hv.diagnose(one)) for one in (study, ruled))
    for system in ("A", "B"):
        assert study.corpus(system).estimates["delta_wer_admissible"].value > 0
        assert ruled.corpus(system).estimates["delta_wer_admissible"].value == 0
        strict = ruled.corpus(system).estimates["delta_wer"]
        assert strict == study.corpus(system).estimates["delta_wer"]


def test_what_tells_no_convention() -> None:
    # A reference without a rule of its own is told.
    found = learnt([page(n, head_first=n % 2 == 0) for n in range(12)])
    head = next(one for one in found.kinds if one.kind == "header")
    assert head.convention() is None
    assert head.is_convention
    told = [one for one in tell_conventions(found, ("A", "B")) if one.startswith("header")]
    assert "now here, now there (6 before the body, 6 after the body)" in told[0]
    # Too few pages tell no convention.
    found = learnt([page(n) for n in range(LEAST_PAGES - 1)])
    assert not found.proposed
    (told,) = tell_conventions(found, ("A", "B"))
    assert told.startswith(f"On fewer than {LEAST_PAGES} pages, too few for a convention: ")


@pytest.mark.slow
def test_workers_find_the_same() -> None:
    study = hv.score([page(n) for n in range(12)])
    with Processes(2) as workers:
        assert hv.learn_conventions(study, workers=workers) == hv.learn_conventions(study)
