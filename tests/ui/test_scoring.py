"""Heavy scoring in the app: beside the server, in a queue, shared, and given up when unwanted."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import htreval_core as hv
from htreval_core.model import Line, Transcript
from htreval_core.scoring import score as engine
from htreval_ui import scoring
from htreval_ui.jobs import Job
from htreval_ui.opened import Opened
from htreval_ui.scoring import Desk, Waiter
from tests.tools import MAIN, Deadly, made, open_app, until, warned

pytestmark = pytest.mark.slow

SETTINGS = hv.Settings(resamples=20)


def given(n: int, **changed: hv.Page) -> hv.Dataset:
    pages = [changed.get(page.page_id, page) for page in made(n)]
    return hv.Dataset("made", tuple(pages), ("A", "B"))


@pytest.fixture
def desk() -> Iterator[Desk]:
    yield (desk := Desk())
    desk.queue.shutdown(cancel_futures=True)


class Blocks(Job):
    """Keeps its place in the queue until it is told to end."""

    def _work(self) -> None:
        self._stop.wait(60)


@pytest.fixture
def busy(desk: Desk) -> Iterator[list[Blocks]]:
    """A desk whose every place is taken."""
    jobs = [Blocks(1), Blocks(1)]
    for job in jobs:
        job.start(desk.queue)
    yield jobs
    for job in jobs:
        job.cancel()


def test_values_from_the_queue_are_those_of_the_engine(desk: Desk) -> None:
    found = given(40)
    job = (waiter := desk.join(("x",), found, SETTINGS)).job
    until(lambda: job.is_over)
    assert job.state == "done", job.problem
    assert job.opened is not None
    expected = hv.score(found.pages, SETTINGS)
    assert job.opened.study.systems == expected.systems
    assert dict(job.opened.study.scores) == dict(expected.scores)
    assert job.opened.study.corpora == expected.corpora
    assert job.done == job.total == 40
    assert not waiter.has_left


def test_who_wants_the_same_values_waits_for_the_same_work(desk: Desk, busy: list[Blocks]) -> None:
    first = desk.join(("x",), given(3), SETTINGS)
    second = desk.join(("x",), given(3), SETTINGS)
    other = desk.join(("y",), given(3), SETTINGS)
    assert second.job is first.job
    assert other.job is not first.job
    assert first.job.state == "waiting"
    # Whoever leaves does not take it from the others.
    first.leave()
    assert not second.job.is_stopped()
    for job in busy:
        job.cancel()
    until(lambda: second.job.is_over and other.job.is_over)
    assert second.job.opened is not None


def test_the_last_who_leaves_ends_it(desk: Desk, busy: list[Blocks]) -> None:
    waiter = desk.join(("x",), given(3), SETTINGS)
    waiter.leave()
    assert waiter.job.state == "cancelled"
    again = desk.join(("x",), given(3), SETTINGS)
    assert again.job is not waiter.job


def test_work_that_nobody_is_left_to_see_ends(desk: Desk, busy: list[Blocks]) -> None:
    job = desk.join(("x",), given(3), SETTINGS).job
    gc.collect()
    for one in busy:
        one.cancel()
    until(lambda: job.is_over)
    assert job.state == "cancelled"


def test_cancelling_does_not_wait_for_the_page_at_hand(desk: Desk) -> None:
    """A page of 60,000 words takes minutes."""
    words = " ".join(f"w{number % 7000}" for number in range(60_000))
    page = hv.Page.from_text("long", words, {"A": " ".join(reversed(words.split()))})
    waiter = desk.join(("x",), hv.Dataset("d", (page,), ("A",)), SETTINGS)
    until(lambda: waiter.job.seconds > 2)
    waiter.leave()
    until(lambda: waiter.job.is_over)
    assert waiter.job.state == "cancelled"


def test_a_page_that_kills_its_process_is_told_and_the_rest_scored(desk: Desk) -> None:
    deadly = replace(made(8)[5], reference=Transcript((Line(Deadly("x y")),)))
    waiter = desk.join(("x",), given(8, p0005=deadly), SETTINGS)
    until(lambda: waiter.job.is_over)
    assert waiter.job.opened is not None, waiter.job.problem
    assert len(waiter.job.opened.study.scores["A"]) == 7
    told = warned(waiter.job.opened.study)
    assert "p0005: not scored under A: the process that worked on it died" in " ".join(told)


def test_long_pages_are_kept_with_their_alignments(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "LONG", 5)
    found = given(2)
    job = (waiter := desk.join(("kept", "s"), found, SETTINGS)).job
    until(lambda: job.is_over)
    page = found.pages[0]
    assert job.opened is not None
    kept = job.opened.study.kept.get((page.page_id, "A"))
    expected = hv.score_page(
        page.reference, page.hypotheses["A"], SETTINGS, page_id=page.page_id, system="A"
    )
    assert kept is not None
    assert kept.scores == expected.scores
    assert kept.matching.hyp_index.tolist() == expected.matching.hyp_index.tolist()
    assert not waiter.has_left


# --- as the user sees it


@pytest.fixture
def heavy(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> Desk:
    """An app to which every data set is heavy, with a desk of its own."""
    monkeypatch.setattr(scoring, "_QUICK_COST", 0)
    monkeypatch.setattr(scoring, "desk", lambda: desk)
    store = scoring.Store[Opened](4)
    monkeypatch.setattr(scoring, "_shared", lambda: store)
    return desk


def waiter_of(app: AppTest) -> Waiter:
    waiter: Waiter = app.session_state["scoring"]
    return waiter


def test_a_heavy_scoring_shows_how_far_it_is_and_then_the_values(heavy: Desk) -> None:
    app = open_app(data="letterbook")
    assert app.title[0].value.startswith("Scoring")
    assert not app.sidebar.slider
    job = waiter_of(app).job
    until(lambda: job.is_over)
    app.run()
    assert not app.exception, app.exception
    assert app.title[0].value.startswith("How good is it")


def test_cancel_leaves_a_way_on(heavy: Desk, busy: list[Blocks]) -> None:
    app = open_app(data="letterbook")
    assert waiter_of(app).job.state == "waiting"
    app.button(key="cancel_scoring").click().run()
    assert waiter_of(app).job.state == "cancelled"
    app.run()
    assert "Scoring was stopped after 0 of" in app.info[0].value
    for job in busy:
        job.cancel()
    again = next(button for button in app.button if button.label == "Score these pages")
    again.click().run()
    assert app.title[0].value.startswith("Scoring")
    until(lambda: waiter_of(app).job.is_over)
    assert app.run().title[0].value.startswith("How good is it")


def test_other_settings_leave_the_scoring_that_nobody_wants_any_more(
    heavy: Desk, busy: list[Blocks]
) -> None:
    app = open_app(data="letterbook")
    first = waiter_of(app).job
    app.toggle[0].set_value(True).run()
    assert first.state == "cancelled"
    assert waiter_of(app).job is not first
    waiter_of(app).leave()


def test_a_scoring_that_fails_says_why_and_offers_to_try_again(
    heavy: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> hv.Study:
        raise hv.HtrEvalError("the disk is made of cheese")

    monkeypatch.setattr(scoring, "score", fails)
    app = open_app(data="letterbook")
    until(lambda: waiter_of(app).job.is_over)
    app.run()
    assert "cheese" in app.error[0].value
    monkeypatch.undo()
    assert any(button.label == "Score these pages" for button in app.button)


def test_a_worker_starts_without_the_app(tmp_path: Path) -> None:
    """A worker process runs the script of its parent: it must find nothing to draw there."""
    import runpy
    import sys

    before = set(sys.modules)
    runpy.run_path(str(MAIN), run_name="__mp_main__")
    assert not {name for name in set(sys.modules) - before if name.startswith("streamlit")}
