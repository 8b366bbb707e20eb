"""Heavy scoring in the app: beside the server, in a queue, shared, and given up when unwanted."""

import gc
import re
import weakref
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Never

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import htreval_core as hv
from htreval_core.model import Line, Transcript
from htreval_core.scoring import score as engine
from htreval_core.scoring.diagnoses import diagnose
from htreval_core.scoring.ladder import score_ladder
from htreval_core.scoring.workers import Processes
from htreval_core.show.views.opened import Opened
from htreval_core.show.views.overview import first_payload
from htreval_core.sources.recognise import find_pairs
from htreval_core.words.outcomes import word_outcomes
from htreval_ui.studies import jobs, scoring
from htreval_ui.studies.given import Given
from htreval_ui.studies.jobs import Desk, Job, Key, Stage, Waiter, tell_time
from htreval_ui.studies.scoring import LadderJob, LookJob, ScoringJob
from tests.conftest import ROOT
from tests.tools import MAIN, Deadly, drawn, folder_of, made, open_app, until, warned, write_tree

pytestmark = pytest.mark.slow

SETTINGS = hv.Settings(resamples=20)


def given(n: int, **changed: hv.Page) -> hv.Dataset:
    pages = [changed.get(page.page_id, page) for page in made(n)]
    return hv.Dataset("made", tuple(pages), ("A", "B"))


def files(found: hv.Dataset, settings: hv.Settings = SETTINGS) -> Given:
    """The files of a data set that was read before."""

    def never(_: object) -> Never:
        raise hv.PairingError("its texts are there")

    held = Given(found.name, never, lambda: iter(()))
    held.keep(settings.reading, found)
    return held


def join(desk: Desk, key: Key, held: hv.Dataset | Given) -> Waiter[ScoringJob]:
    """Wait for the scoring of a data set."""
    found = files(held) if isinstance(held, hv.Dataset) else held
    return desk.join(key, lambda: ScoringJob(key, found, SETTINGS))


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A desk of its own, whose workers do not let all other tests go first."""
    monkeypatch.setattr(jobs, "Processes", lambda n, **_: Processes(n))
    yield (desk := Desk())
    desk.queue.shutdown(cancel_futures=True)


class Blocks(Job):
    """Keeps its place in the queue until it is told to end."""

    def _work(self) -> None:
        self._stop.wait(60)


@pytest.fixture
def busy(desk: Desk) -> Iterator[list[Blocks]]:
    """A desk whose every place is taken."""
    jobs = [Blocks(("a place",)), Blocks(("another",))]
    for job in jobs:
        job.start(desk.queue)
    yield jobs
    for job in jobs:
        job.cancel()


def test_values_from_the_queue_are_those_of_the_engine(desk: Desk) -> None:
    found = given(40)
    job = (waiter := join(desk, ("x",), found)).job
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
    first = join(desk, ("x",), given(3))
    second = join(desk, ("x",), given(3))
    other = join(desk, ("y",), given(3))
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


def test_with_the_last_who_leaves_it_ends(desk: Desk, busy: list[Blocks]) -> None:
    waiter = join(desk, ("x",), given(3))
    waiter.leave()
    assert waiter.job.state == "cancelled"
    assert join(desk, ("x",), given(3)).job is not waiter.job
    # Work that nobody is left to see ends.
    ended = [join(desk, ("y",), given(3)).job]
    gc.collect()
    for one in busy:
        one.cancel()
    until(lambda: ended[0].is_over)
    assert ended[0].state == "cancelled"
    # The desk does not hold what it worked on.
    held = weakref.ref(ended.pop())
    until(lambda: gc.collect() >= 0 and held() is None)


def test_cancelling_does_not_wait_for_the_page_at_hand(desk: Desk) -> None:
    """A page of 60,000 words takes minutes."""
    words = " ".join(f"w{number % 7000}" for number in range(60_000))
    page = hv.Page.from_text("long", words, {"A": " ".join(reversed(words.split()))})
    waiter = join(desk, ("x",), hv.Dataset("d", (page,), ("A",)))
    until(lambda: waiter.job.seconds > 2)
    waiter.leave()
    until(lambda: waiter.job.is_over)
    assert waiter.job.state == "cancelled"


def test_a_page_that_kills_its_process_is_told_and_the_rest_scored(desk: Desk) -> None:
    deadly = replace(made(8)[5], reference=Transcript((Line(Deadly("x y")),)))
    waiter = join(desk, ("x",), given(8, p0005=deadly))
    until(lambda: waiter.job.is_over)
    assert waiter.job.opened is not None, waiter.job.problem
    assert len(waiter.job.opened.study.scores["A"]) == 7
    told = warned(waiter.job.opened.study)
    assert "p0005: not scored under A: the process that worked on it died" in " ".join(told)


def test_long_pages_keep_their_alignments(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "LONG", 5)
    found = given(2)
    job = (waiter := join(desk, ("kept", "s"), found)).job
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


def test_the_first_pages_are_a_study_while_the_rest_is_scored(desk: Desk) -> None:
    found = given(300)
    expected = hv.score(found.pages, SETTINGS)
    job = (waiter := join(desk, ("x",), found)).job
    assert job.partial() is None
    seen: list[hv.Study] = []

    def look() -> bool:
        study = job.partial()
        if study is not None and (not seen or seen[-1] is not study):
            seen.append(study)
        return job.is_over

    until(look)
    assert seen
    drawn_ids = engine.random_order(found.page_ids, SETTINGS.seed)
    of_page = {one.page_id: one for one in expected.table("A")}
    for study in seen:
        n = study.dataset.n_pages
        # All of them stand in the order of the data once the last is there.
        assert set(study.page_ids) == set(drawn_ids[:n])
        assert list(study.table("A")) == [of_page[page_id] for page_id in study.page_ids]
    last = job.partial()
    assert last is not None
    assert last.dataset.n_pages == 300
    assert job.partial() is last
    assert not waiter.has_left


def on_disk(path: Path) -> Given:
    return Given(path.name, lambda policy: find_pairs(path, reading=policy), lambda: iter(()))


def test_files_are_read_and_scored_beside_the_server_and_counted(
    desk: Desk, tmp_path: Path
) -> None:
    folder = folder_of(tmp_path / "data", made(90))
    (folder / "A" / "p0007.txt").write_bytes(b"\xff")
    held = on_disk(folder)
    told: list[str] = []
    job = (waiter := join(desk, ("x",), held)).job

    def look() -> bool:
        if job.stage is not None:
            told.append(job.stage.tell())
        return job.is_over

    until(look)
    assert job.opened is not None, job.problem
    assert any(re.match(r"\d+ of 90 pages scored", one) for one in told)
    expected = hv.score(hv.pair_path(folder), SETTINGS)
    study = job.opened.study
    assert dict(study.scores) == dict(expected.scores)
    assert study.dataset.warnings == expected.dataset.warnings
    assert study.dataset.sources == expected.dataset.sources
    assert held.texts(SETTINGS.reading) is study.dataset
    assert not waiter.has_left


def test_what_cannot_be_read_is_told_by_the_job(desk: Desk, tmp_path: Path) -> None:
    folder = write_tree(tmp_path / "data", {"reference/1.txt": b"\xff", "A/1.txt": "a"})
    job = (waiter := join(desk, ("x",), on_disk(folder))).job
    until(lambda: job.is_over)
    assert job.state == "failed"
    assert "no page could be read" in job.problem
    assert not waiter.has_left


def test_the_time_left_is_told_from_the_first_step_on() -> None:
    stage = Stage("pages", "scored", 4)
    assert stage.tell() == "0 of 4 pages scored"
    # Until the first step processes had to start.
    stage.advance(1, now=20.0)
    assert stage.tell(now=20.0) == "1 of 4 pages scored"
    stage.advance(2, now=30.0)
    assert stage.fraction == 0.5
    assert stage.tell(now=30.0) == "2 of 4 pages scored, about 20 s left"
    assert Stage("files", "read", 0).fraction == 0.0


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.2, "about 1 s"), (40, "about 40 s"), (170, "about 3 min"), (7300, "about 2 h")],
)
def test_a_span_of_time_is_told_roughly(seconds: float, told: str) -> None:
    assert tell_time(seconds) == told


def test_the_ladder_and_the_look_are_those_of_the_engine(desk: Desk) -> None:
    study = hv.score(given(12), SETTINGS)
    opened = Opened(study)
    jobs = (LadderJob(("l",), opened, files(study.dataset)), LookJob(("d",), opened))
    waiters = [desk.join(job.key, lambda job=job: job) for job in jobs]
    until(lambda: all(job.is_over for job in jobs))
    assert [job.problem for job in jobs] == ["", ""]
    assert opened.knows("ladder")
    assert opened.knows("diagnoses")
    expected = score_ladder(study.dataset, SETTINGS)
    assert [dict(rung.study.scores) for rung in opened.ladder()] == [
        dict(rung.study.scores) for rung in expected
    ]
    assert dict(opened.diagnoses()) == dict(diagnose(study))
    assert opened.study.has_parts
    assert not any(waiter.has_left for waiter in waiters)


# --- as the user sees it


@pytest.fixture
def heavy(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> Desk:
    """An app to which every data set is heavy, with a desk of its own."""
    monkeypatch.setattr(scoring, "_QUICK_COST", 0)
    monkeypatch.setattr(jobs, "desk", lambda: desk)
    store = scoring.Store[Opened](4)
    monkeypatch.setattr(scoring, "_shared", lambda: store)
    return desk


def waiter_of(app: AppTest) -> Waiter[ScoringJob]:
    waiter: Waiter[ScoringJob] = app.session_state["waiters"]["scoring"]
    return waiter


def test_a_heavy_scoring_shows_how_far_it_is_and_then_the_values(heavy: Desk) -> None:
    app = open_app(data="letterbook")
    assert app.title[0].value.startswith("Scoring")
    assert not app.sidebar.slider
    job = waiter_of(app).job
    until(lambda: job.is_over)
    app.run()
    assert not app.exception, app.exception
    assert drawn(app, "overview")["rows"]


def test_cancel_leaves_a_way_on(heavy: Desk, busy: list[Blocks]) -> None:
    app = open_app(data="letterbook")
    assert waiter_of(app).job.state == "waiting"
    app.button(key="cancel_scoring").click().run()
    assert waiter_of(app).job.state == "cancelled"
    app.run()
    assert "Scoring was stopped after 0 of" in app.info[0].value
    for job in busy:
        job.cancel()
    next(button for button in app.button if button.label == "Score these pages").click().run()
    assert app.title[0].value.startswith("Scoring")
    until(lambda: waiter_of(app).job.is_over)
    assert drawn(app.run(), "overview")["rows"]


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


def test_figures_of_the_first_pages_are_shown(heavy: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    study = hv.score(given(3), SETTINGS)
    monkeypatch.setattr(ScoringJob, "partial", lambda _: study)
    app = open_app(data="letterbook")
    shown = drawn(app, "overview")
    waiter_of(app).leave()
    assert shown["head"] == "So far: 3 pages"
    assert [row["name"] for row in shown["rows"]] == ["A", "B"]
    wer = study.corpus("A").estimates["wer"].value
    assert shown["rows"][0]["cells"]["wer"]["value"] == f"{100 * wer:.1f}"
    assert sum(shown["rows"][0]["parts"]) == pytest.approx(wer)
    # Each part that is drawn has a name and a colour.
    assert len(shown["rows"][0]["parts"]) == len(shown["parts"]) == 4
    assert shown["parts"][3]["name"] == "order or chance"


def test_a_system_without_a_page_yet_is_named() -> None:
    first = hv.score(hv.Dataset("d", tuple(given(3).pages), ("A", "B", "late")), SETTINGS)
    assert "late: none of its pages has been scored yet." in first_payload(first)["notes"]


def test_the_pages_scored_so_far_can_be_looked_at_in_every_view(
    heavy: Desk, busy: list[Blocks], monkeypatch: pytest.MonkeyPatch
) -> None:
    study = hv.score(given(3), SETTINGS)
    monkeypatch.setattr(ScoringJob, "partial", lambda _: study)
    app = open_app(data="letterbook")
    app.button(key="look_meanwhile").click().run()
    app.switch_page(str(ROOT / "pages" / "errors.py")).run()
    assert not app.exception
    assert any("These figures are of 3 pages drawn at random" in one.value for one in app.caption)
    assert "What does it misread?" in [one.value for one in app.title]
    waiter_of(app).leave()
    app.run()
    assert "Scoring was stopped" in app.info[0].value


def test_words_are_followed_on_pages_drawn_at_random_until_all_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scoring, "n_followed", lambda *_: 2)
    app = open_app("errors.py", data="letterbook", system="misreads")
    every = word_outcomes(hv.score(hv.pair_path(ROOT / "sample_data" / "letterbook")), ["misreads"])
    n_pages, wrong = len(every.page_ids), every.wrong("misreads")
    two = [np.isin(every.page_of, pages) for pages in combinations(range(n_pages), 2)]
    told = [f"gets {wrong[one].sum():,} of {one.sum():,} words wrong" for one in two]
    assert f"These are 2 of {n_pages} pages, drawn at random." in [one.value for one in app.caption]
    assert any(one in sentence.value for one in told for sentence in app.markdown)
    app.button(key="ask_words").click().run()
    assert not any("drawn at random" in one.value for one in app.caption)
    assert any(f" {wrong.sum():,} of {len(every):,} words" in one.value for one in app.markdown)


@pytest.mark.parametrize(("panel", "kind"), [("overview", "ladder"), ("", "diagnoses")])
def test_what_takes_long_about_a_study_is_begun_given_up_and_begun_again(
    panel: str, kind: str, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "desk", lambda: desk)
    monkeypatch.setattr(scoring, "is_quick", lambda *_, **__: False)
    store = scoring.Store[Opened](4)
    monkeypatch.setattr(scoring, "_shared", lambda: store)
    blocks = [Blocks(("a place",)), Blocks(("another",))]
    for one in blocks:
        one.start(desk.queue)
    app = open_app(data="examples", panel=panel)
    if kind == "diagnoses":
        app.button(key="begin_diagnoses").click().run()
    waiter = app.session_state["waiters"][kind]
    assert waiter.job.state == "waiting"
    app.button(key=f"cancel_{kind}").click().run()
    assert waiter.job.state == "cancelled"
    app.run()
    assert app.info[0].value.startswith("Stopped")
    app.button(key=f"begin_{kind}").click().run()
    job = app.session_state["waiters"][kind].job
    assert job is not waiter.job
    for one in blocks:
        one.cancel()
    until(lambda: job.is_over)
    assert job.state == "done", job.problem
    app.run()
    assert not app.exception
    assert f"begin_{kind}" not in [button.key for button in app.button]
    assert f"cancel_{kind}" not in [button.key for button in app.button]


def test_a_worker_starts_without_the_app(tmp_path: Path) -> None:
    """A worker process runs the script of its parent: it must find nothing to draw there."""
    import runpy
    import sys

    before = set(sys.modules)
    runpy.run_path(str(MAIN), run_name="__mp_main__")
    assert not {name for name in set(sys.modules) - before if name.startswith("streamlit")}
