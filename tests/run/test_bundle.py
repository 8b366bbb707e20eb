"""Run bundles: what is kept, what survives a kill, what is refused."""

import json
import os
import random
import signal
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import htreval_core as hv
from htreval_core.metrics import page as page_metrics
from htreval_core.model import BareRegion, Failure, Line, OrderGroup, Parts, SourceFile, Transcript
from htreval_core.run import blocks
from htreval_core.run.disk import sha256_of
from htreval_core.run.manifest import MOST_BYTES
from htreval_core.run.read import is_run, open_run
from htreval_core.run.write import save_run, score_run
from htreval_core.scoring import score as scoring
from htreval_core.scoring.workers import Processes
from htreval_core.sources.dataset import Receipt, Unpaired
from htreval_core.sources.reading import FiledPage, Reading
from htreval_core.sources.recognise import find_pairs
from tests.conftest import ROOT
from tests.tools import (
    FILES,
    Deadly,
    Lazily,
    dataset_of,
    folder_of,
    invoke,
    look_at_all,
    made,
    manifest_of,
    resign,
    scoring_command,
    told,
    wait_for_blocks,
    warned,
    write_manifest,
)

SETTINGS = hv.Settings(resamples=20)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_BLOCK_PAGES", 8)


class Recorder:
    """Workers that note which pages they were given, and work at once."""

    slots = 2

    def __init__(self) -> None:
        self.pages: list[str] = []

    def submit(self, work, items: Sequence[Any], *more):  # type: ignore[no-untyped-def]
        self.pages += [getattr(one, "item", one).page_id for one in items]
        future: Future[object] = Future()
        future.set_result(work(items, *more))
        return future

    def is_death(self, error: BaseException) -> bool:
        return False

    def cancel(self, futures: Iterable[Future[Any]]) -> None: ...

    def restart(self) -> None: ...


# --- what is kept


@pytest.mark.parametrize("data", ["letterbook", "seite0418", "examples"])
def test_a_bundle_holds_all_of_an_evaluation(tmp_path: Path, data: str) -> None:
    dataset = hv.pair_path(ROOT / "sample_data" / data)
    study = hv.score(dataset, SETTINGS)
    save_run(study, tmp_path / "x.htreval", thumbnails=True)
    run = open_run(tmp_path / "x.htreval")
    assert {name: list(of) for name, of in run.scores.items()} == {
        name: list(of) for name, of in study.scores.items()
    }
    assert tuple(run.dataset.pages) == dataset.pages
    assert run.dataset.pages[0] == run.page(dataset.pages[0].page_id)
    for name in ("systems", "unpaired", "warnings", "rule", "name"):
        assert getattr(run.dataset, name) == getattr(dataset, name), name
    assert run.signature == study.signature
    assert run.settings == study.settings
    assert run.dataset.images.keys() == dataset.images.keys()
    assert all(image.read().startswith(b"\xff\xd8") for image in run.dataset.images.values())
    for system in study.systems:
        assert repr(run.corpus(system)) == repr(study.corpus(system))


def test_lines_groups_and_boxes_keep_all_that_they_know(tmp_path: Path) -> None:
    # Lines keep all that they know.
    lines = (
        Line("a ſ 🙂", "r1", hv.Polygon(((0.0, 1.5), (2.0, 3.0))), "marginalia"),
        Line("", None, None, None),
        Line("b", None, hv.Polygon(()), None),
    )
    side = Transcript(lines, "ReadingOrder", (3, 4), "p.jpg")
    page = hv.Page("p", side, {"A": Transcript(()), "B": Transcript.from_text("a\tb")})
    settings = replace(SETTINGS, gamma="1/3", policy=hv.TextPolicy(mapping=(("ſ", "s"),)))
    score_run(dataset_of([page]), tmp_path / "x.htreval", settings)
    run = open_run(tmp_path / "x.htreval")
    assert list(run.dataset.pages) == [page]
    assert run.settings.policy == settings.policy
    assert run.signature == settings.signature()
    # The groups of a reading order survive a bundle.
    order = OrderGroup(False, ("a", OrderGroup(True, ("b", "c"))))
    side = Transcript(tuple(Line(name, name) for name in "abc"), order=order)
    other = replace(side, order=None)
    study = hv.score([hv.Page("p", side, {"A": other})], SETTINGS)
    save_run(study, tmp_path / "groups.htreval")
    page = open_run(tmp_path / "groups.htreval").page("p")
    assert (page.reference, page.hypotheses["A"]) == (side, other)
    # Parts and boxes of words survive a bundle.
    boxes = hv.Polygon.of_boxes([(0, 0, 9, 8), (10, 0, 19, 8)])
    line = Line("one two", "r", hv.Polygon.from_box(0, 0, 20, 8), "heading", boxes)
    bare = (BareRegion("TableRegion", (1, 2.5, 9, 8)), BareRegion("Illustration", (0, 0, 3, 3)))
    side = Transcript((line,), page_size=(20, 10), unlisted=("r",), bare=bare)
    study = hv.score([hv.Page("p", side, {"A": side})], SETTINGS)
    study = study.with_parts(hv.diagnose(study))
    save_run(study, tmp_path / "boxes.htreval")
    run = open_run(tmp_path / "boxes.htreval")
    assert run.page("p").reference == side
    assert run.scores["A"][0].parts == Parts()


def test_a_bundle_opens_zipped_and_its_alignments_are_found_again(tmp_path: Path) -> None:
    # A zipped bundle opens.
    score_run(dataset_of(made(3)), tmp_path / "x.htreval", SETTINGS)
    with zipfile.ZipFile(tmp_path / "x.htreval.zip", "w") as archive:
        for name in FILES:
            archive.write(tmp_path / "x.htreval" / name, f"x.htreval/{name}")
    assert is_run(tmp_path / "x.htreval.zip")
    zipped, folder = open_run(tmp_path / "x.htreval.zip"), open_run(tmp_path / "x.htreval")
    assert list(zipped.dataset.pages) == list(folder.dataset.pages)
    assert list(zipped.scores["A"]) == list(folder.scores["A"])
    # An alignment is found again from a bundle.
    page = made(1)[0]
    score_run(dataset_of([page]), tmp_path / "x.htreval", SETTINGS)
    again = open_run(tmp_path / "x.htreval").look(page.page_id, "A")
    direct = hv.score([page], SETTINGS).look(page.page_id, "A")
    assert again.page.scores == direct.page.scores
    assert again.page.matching.rows == direct.page.matching.rows


# --- what survives


@pytest.mark.slow
def test_the_way_of_scoring_moves_no_byte(tmp_path: Path, small_blocks: None) -> None:
    pages = made(40)
    serial, two, saved = (tmp_path / f"{name}.htreval" for name in ("serial", "two", "saved"))
    score_run(dataset_of(pages), serial, SETTINGS)
    with Processes(2) as workers:
        score_run(Lazily(iter(pages)), two, SETTINGS, workers=workers)
    save_run(hv.score(dataset_of(pages), SETTINGS), saved)
    assert all(same_bytes(two, serial) + same_bytes(saved, serial))


def same_bytes(one: Path, other: Path) -> list[bool]:
    """Of each file of two bundles, whether it is the same to the byte."""
    return [(one / name).read_bytes() == (other / name).read_bytes() for name in FILES]


def stop_at(n: int) -> Callable[[int, int], None]:
    """Ctrl-C once that number of pages is done."""

    def stop(done: int, _total: int) -> None:
        if done == n:
            raise KeyboardInterrupt

    return stop


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path, small_blocks: None) -> None:
    pages = made(50)
    score_run(dataset_of(pages), tmp_path / "whole.htreval", SETTINGS)
    path = tmp_path / "x.htreval"
    with pytest.raises(KeyboardInterrupt):
        score_run(dataset_of(pages), path, SETTINGS, progress=stop_at(30))
    with pytest.raises(hv.ReadError, match="start it again"):
        open_run(path)
    workers = Recorder()
    score_run(dataset_of(pages), path, SETTINGS, workers=workers)
    assert workers.pages == [page.page_id for page in pages[24:]]  # whole blocks of 8 stay
    assert all(same_bytes(path, tmp_path / "whole.htreval"))
    assert sorted(entry.name for entry in path.iterdir()) == sorted(FILES)


def test_a_stopped_run_reads_no_finished_page_again(
    tmp_path: Path, small_blocks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path / "data", made(30))
    (folder / "A" / "p0002.txt").write_bytes(b"\xff")
    (folder / "reference" / "p0003.txt").write_bytes(b"\xff")
    reading = Reading(find_pairs(folder))
    whole, path = tmp_path / "whole.htreval", tmp_path / "x.htreval"
    score_run(reading, whole, SETTINGS)
    with pytest.raises(KeyboardInterrupt):
        score_run(reading, path, SETTINGS, progress=stop_at(20))
    read: list[str] = []
    as_page = FiledPage.read

    def noted(page: FiledPage) -> tuple[hv.Page | None, Receipt]:
        read.append(page.page_id)
        return as_page(page)

    monkeypatch.setattr(FiledPage, "read", noted)
    # The second of the finished blocks of eight has a file that is no longer what it was.
    (folder / "B" / "p0009.txt").write_text("other words")
    score_run(reading, path, SETTINGS)
    assert read == [f"p{number:04d}" for number in range(8, 30)]
    monkeypatch.undo()
    monkeypatch.setattr(blocks, "_BLOCK_PAGES", 8)
    score_run(reading, tmp_path / "afresh.htreval", SETTINGS)
    assert all(same_bytes(path, tmp_path / "afresh.htreval"))
    assert not any(same_bytes(path, whole))


def started(folder: Path, bundle: Path, hold: int) -> subprocess.Popen[bytes]:
    """A run in another process, which waits at a block."""
    return subprocess.Popen(
        scoring_command(folder, bundle), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env=os.environ | {"HOLD": str(hold)},
    )  # fmt: skip


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of(tmp_path_factory.mktemp("many") / "data", made(480, words=60))


@pytest.mark.thorough
def test_killed_three_times_it_ends_with_the_same_bytes(many: Path, tmp_path: Path) -> None:
    whole, bundle = tmp_path / "whole.htreval", tmp_path / "killed.htreval"
    subprocess.run(scoring_command(many, whole), check=True, capture_output=True)
    rng = random.Random()
    for third in range(3):
        process = started(many, bundle, 9 * (third + 1))
        wait_for_blocks(bundle, 9 * third + rng.randrange(9), process)
        time.sleep(rng.random() / 20)
        process.kill()
        assert process.wait() == -signal.SIGKILL
    done = subprocess.run(scoring_command(many, bundle), check=True, capture_output=True)
    assert all(same_bytes(bundle, whole))
    assert done.stdout


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="sends signals")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_a_bundle_that_goes_on(
    sent: signal.Signals, many: Path, tmp_path: Path
) -> None:
    bundle = tmp_path / "x.htreval"
    process = started(many, bundle, 3)
    wait_for_blocks(bundle, 3, process)
    process.send_signal(sent)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 128 + sent
    assert b"will go on where this run stopped" in told
    assert b"Traceback" not in told
    assert not (bundle / "lock").exists()
    assert len(list(bundle.glob("work/*.counts"))) >= 3
    subprocess.run(scoring_command(many, bundle), check=True, capture_output=True)
    assert len(open_run(bundle).dataset.pages) == 480


def test_two_runs_do_not_write_into_one_bundle(tmp_path: Path) -> None:
    path = tmp_path / "x.htreval"
    pages = made(4)

    def other() -> Iterator[hv.Page]:
        yield pages[0]
        with pytest.raises(hv.WriteError, match=f"process {os.getpid()}"):
            score_run(dataset_of(pages), path, SETTINGS)
        yield from pages[1:]

    score_run(Lazily(other()), path, SETTINGS)
    assert len(open_run(path).dataset.pages) == 4


def test_a_lock_that_was_left_behind_locks_nothing_and_no_page_is_no_run(tmp_path: Path) -> None:
    # A lock that was left behind locks nothing.
    path = tmp_path / "x.htreval"
    path.mkdir()
    (path / "lock").write_text('{"pid": 1, "started": "long ago"}')
    score_run(dataset_of(made(2)), path, SETTINGS)
    assert not (path / "lock").exists()
    # A run of no page says so.
    with pytest.raises(hv.PairingError, match="no page"):
        score_run(dataset_of([]), tmp_path / "x.htreval", SETTINGS)


@pytest.mark.slow
@pytest.mark.thorough
def test_a_page_that_kills_its_process_is_a_listed_failure(tmp_path: Path) -> None:
    pages = made(20)
    deadly = replace(pages[7], reference=Transcript((Line(Deadly("x y")),)))
    with Processes(2) as workers:
        run = score_run(
            dataset_of([*pages[:7], deadly, *pages[8:]]), tmp_path / "x.htreval", SETTINGS,
            workers=workers,
        )  # fmt: skip
    assert {(f.page_id, f.system) for f in run.failures} == {("p0007", "A"), ("p0007", "B")}
    assert len(run.scores["A"]) == 19
    assert any("p0007" in warning for warning in warned(run))


def test_a_page_that_cannot_be_scored_or_kept_is_a_listed_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    score_words = page_metrics.score_words

    def fails(page_id: str, *more):  # type: ignore[no-untyped-def]
        if page_id == "p0003":
            raise RecursionError("too deep")
        return score_words(page_id, *more)

    monkeypatch.setattr(page_metrics, "score_words", fails)
    pages = made(6)
    pages[4] = hv.Page.from_text("p0004", "half \ud800 sign", {"A": "x"})
    run = score_run(dataset_of(pages), tmp_path / "x.htreval", SETTINGS)
    assert [f.page_id for f in run.failures] == ["p0003", "p0003", "p0004"]
    assert len(run.scores["A"]) == 4


def test_pages_are_taken_only_as_they_can_be_worked_on() -> None:
    taken = 0

    def endless() -> Iterator[hv.Page]:
        nonlocal taken
        page = made(1)[0]
        while True:
            taken += 1
            yield page

    results = scoring.score_stream(endless(), SETTINGS, Recorder())
    for _ in range(1000):
        next(results)
    assert taken < 1000 + 64 * (Recorder.slots + 2)


def test_a_costly_page_stands_in_a_batch_of_its_own() -> None:
    pages = made(5)
    text = "word " * 5000
    pages.insert(2, hv.Page.from_text("long", text, {"A": text}))
    found = list(scoring.batches(pages, scoring.item_cost))
    assert [page for batch in found for page in batch] == pages
    assert [len(batch) for batch in found] == [2, 1, 3]


# --- what is used again, and what is refused


def test_only_pages_that_changed_are_scored_again(
    tmp_path: Path, small_blocks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.htreval"
    pages = made(40)
    score_run(dataset_of(pages), path, SETTINGS)
    pages[11] = hv.Page.from_text("p0011", "other words", dict.fromkeys(("A", "B"), "other"))
    scored: list[str] = []

    def noted(page: hv.Page, settings: hv.Settings) -> scoring.PageResult:
        scored.append(page.page_id)
        return scoring.score_one(page, settings)

    monkeypatch.setattr(blocks, "score_one", noted)
    score_run(dataset_of(pages), path, SETTINGS)
    assert scored == ["p0011"]
    score_run(dataset_of(pages), tmp_path / "afresh.htreval", SETTINGS)
    assert all(same_bytes(path, tmp_path / "afresh.htreval"))


def test_a_page_that_fails_keeps_no_score_of_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.htreval"
    pages = made(3)
    score_run(dataset_of(pages), path, SETTINGS)
    score_words = page_metrics.score_words

    def fails(page_id: str, system: str, *more):  # type: ignore[no-untyped-def]
        if (page_id, system) in {("p0001", "B"), ("new", "B")}:
            raise MemoryError("too large")
        return score_words(page_id, system, *more)

    monkeypatch.setattr(page_metrics, "score_words", fails)
    outputs = {"A": pages[1].hypotheses["A"], "B": hv.Transcript.from_text("other words")}
    pages[1] = replace(pages[1], hypotheses=outputs)
    pages.append(hv.Page.from_text("new", "a b", {"A": "a b", "B": "a"}))
    run = score_run(dataset_of(pages), path, SETTINGS)
    failed = {("p0001", "B"), ("new", "B")}
    assert {(one.page_id, one.system) for one in run.failures} == failed
    assert list(run.table("B").page_ids) == ["p0000", "p0002"]
    assert list(run.table("A").page_ids) == ["p0000", "p0001", "p0002", "new"]
    # The same once more finds nothing else, and a bundle of it knows what failed.
    again = score_run(dataset_of(pages), path, SETTINGS)
    for other in (again, hv.open_run(save_run(again, tmp_path / "saved.htreval"))):
        assert dict(other.scores) == dict(run.scores)
        assert set(other.failures) == set(run.failures)


@pytest.mark.thorough
def test_a_page_whose_file_kills_its_process_stays_a_page(tmp_path: Path) -> None:
    pairing = find_pairs(folder_of(tmp_path / "data", made(6)))
    pages = list(pairing.pages)
    pages[2] = replace(pages[2], page_id=Deadly("p0002"))
    reading = Reading(replace(pairing, pages=tuple(pages)))
    failed = {("p0002", "A"), ("p0002", "B")}
    with Processes(2) as workers:
        study = hv.score(reading, SETTINGS, workers=workers)
        run = score_run(reading, tmp_path / "x.htreval", SETTINGS, workers=workers)
    assert study.page_ids == pairing.page_ids
    for one in (study, run, hv.open_run(save_run(study, tmp_path / "y.htreval"))):
        assert {(f.page_id, f.system) for f in one.failures} == failed
        assert len(one.table("A")) == 5


def test_another_run_is_refused_until_it_may_be_dropped(tmp_path: Path) -> None:
    path = tmp_path / "x.htreval"
    score_run(dataset_of(made(3)), path, SETTINGS)
    other = replace(SETTINGS, policy=hv.TextPolicy(ignore_case=True))
    with pytest.raises(hv.ConfigError, match=r"ignore-case was no, is yes.*overwrite it"):
        score_run(dataset_of(made(3)), path, other)
    with pytest.raises(hv.ConfigError, match="systems were A, B, are A"):
        score_run(replace(dataset_of(made(3)), systems=("A",)), path, SETTINGS)
    assert open_run(path).settings.policy.ignore_case is False
    score_run(dataset_of(made(3)), path, other, overwrite=True)
    assert open_run(path).settings.policy.ignore_case is True


def test_a_folder_of_other_things_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.htreval"
    path.mkdir()
    (path / "thesis.tex").write_text("precious")
    with pytest.raises(hv.ConfigError, match="thesis"):
        score_run(dataset_of(made(1)), path, SETTINGS, overwrite=True)
    assert (path / "thesis.tex").read_text() == "precious"
    with pytest.raises(hv.ConfigError, match=r"\.htreval"):
        score_run(dataset_of(made(1)), tmp_path / "plain", SETTINGS)


# --- what others may hand us


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "x.htreval"
    score_run(dataset_of(made(5), unpaired=Unpaired(("q",), {"A": ("r",)})), path, SETTINGS)
    return path


def _paths(content: object, here: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    yield here
    pairs = (
        content.items() if isinstance(content, dict)
        else enumerate(content) if isinstance(content, list) else ()
    )  # fmt: skip
    for key, value in pairs:
        yield from _paths(value, (*here, key))


@pytest.mark.parametrize("wrong", [None, True, -1, 1.5, "x", [], {}, [[1]], 10**60], ids=str)
def test_a_manifest_of_wrong_types_is_refused_in_words(bundle: Path, wrong: object) -> None:
    original = manifest_of(bundle)
    for path in _paths(original):
        content = json.loads(json.dumps(original))
        if not path:
            content = wrong
        else:
            at = content
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = wrong
        if isinstance(content, dict):
            write_manifest(bundle, content)
        else:
            (bundle / "manifest.json").write_text(json.dumps(content), "utf-8")
        with suppress(hv.ReadError):
            look_at_all(bundle)


def put_pages(bundle: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    """Other counts, for which the manifest vouches."""
    table = change(pq.read_table(bundle / "pages.parquet"))
    pq.write_table(table, bundle / "pages.parquet", store_schema=False)
    resign(bundle)


@pytest.mark.parametrize(
    ("column", "value", "why"),
    [
        ("wer_hits", 99, "add up"),
        ("n_ref_words", -1, "out of range"),
        ("matched_words", 10**6, "more words matched"),
        ("n_word_types", 0, "without a single"), ("cer_hits", 10**6, "more characters kept"),
        ("block", 7, "blocks"), ("page_id", "p0000", "twice"), ("system", "C", "does not name"),
        ("cer_errors", 0.5, "columns"),
    ],
)  # fmt: skip
def test_counts_that_no_page_can_have_are_refused(
    bundle: Path, column: str, value: object, why: str
) -> None:
    def put(table: pa.Table) -> pa.Table:
        kind = pa.float64() if value == 0.5 else table.schema.field(column).type
        more = table[column].to_pylist()[1:]
        cells = [value] * len(table) if column in ("page_id", "cer_errors") else [value, *more]
        at = table.column_names.index(column)
        return table.set_column(at, pa.field(column, kind), pa.array(cells, kind))

    put_pages(bundle, put)
    with pytest.raises(hv.ReadError, match=why):
        open_run(bundle)


def test_a_bundle_of_a_version_that_counted_otherwise_says_so(bundle: Path) -> None:
    put_pages(bundle, lambda table: table.drop_columns(["hcer_errors"]))
    with pytest.raises(hv.ReadError, match="has other columns than this version") as caught:
        open_run(bundle)
    assert "damaged" not in str(caught.value)


def test_links_and_names_lead_nowhere_outside(bundle: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes((bundle / "pages.parquet").read_bytes())
    (bundle / "pages.parquet").unlink()
    (bundle / "pages.parquet").symlink_to(secret)
    with pytest.raises(hv.ReadError, match="link"):
        open_run(bundle)


def test_a_manifest_from_the_future_or_of_another_program(bundle: Path) -> None:
    content = manifest_of(bundle)
    for other in (8, 10, "9", None):
        (bundle / "manifest.json").write_text(json.dumps(content | {"version": other}))
        with pytest.raises(hv.ReadError, match="reads version 9"):
            open_run(bundle)
    (bundle / "manifest.json").write_text('{"format": "webpack"}')
    with pytest.raises(hv.ReadError, match="not the manifest"):
        open_run(bundle)
    with (bundle / "manifest.json").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(hv.ReadError, match="larger"):
        open_run(bundle)


def test_an_upload_of_a_bundle_is_one_and_keeps_to_the_limits(bundle: Path) -> None:
    # An upload of a bundle is one.
    files = [SourceFile(name, (bundle / name).read_bytes) for name in FILES]
    from htreval_core.run.read import open_run_files

    assert len(open_run_files("x", files).dataset.pages) == 5
    # Texts pass the limits of other files.
    run = open_run(bundle, hv.Limits(words=3))
    with pytest.raises(hv.ReadError, match="limit words"):
        _ = run.dataset.pages[0]


# --- from the shell


@pytest.mark.slow
@pytest.mark.parametrize("command", ["score --format json", "compare", "diagnose", "ladder"])
def test_commands_say_of_a_bundle_what_they_say_of_its_files(tmp_path: Path, command: str) -> None:
    folder = str(folder_of(tmp_path / "data", made(12)))
    bundle = str(tmp_path / "x.htreval")
    told("score", folder, "--output", bundle)
    name, *more = command.split()
    assert told(name, bundle, *more) == told(name, folder, *more)
    changed = [*more, "--gamma", "0"]
    assert told(name, bundle, *changed) == told(name, folder, *changed)


def test_a_bundle_keeps_its_settings_and_sources(tmp_path: Path) -> None:
    # A bundle keeps its settings.
    folder = str(folder_of(tmp_path / "data", made(12)))
    bundle = str(tmp_path / "x.htreval")
    options = ("--ignore-case", "--systems", "B")
    assert "· ignore-case ·" in told("score", folder, "--output", bundle, *options)
    assert "· ignore-case ·" in told("score", bundle)
    assert json.loads((tmp_path / "x.htreval" / "manifest.json").read_text())["systems"] == ["B"]
    # Sources are told by their digest.
    table = tmp_path / "t.csv"
    table.write_text("page,reference,A\n1,a b,a c\n")
    told("score", str(table), "--output", str(tmp_path / "table.htreval"))
    first, read = open_run(tmp_path / "table.htreval").dataset.sources
    assert (first.name, first.size) == ("t.csv", table.stat().st_size)
    assert first.sha256 == sha256_of(table)
    assert read.files == 2
    # Options of a bundle need one.
    result = invoke("score", tmp_path, "--overwrite")
    assert result.exit_code == 2
    assert "--output NAME.htreval" in result.output


# --- a study that is cut down or saved


@pytest.mark.parametrize("of_bundle", [False, True])
def test_a_part_of_a_study_is_a_study(of_bundle: bool, tmp_path: Path) -> None:
    pages = made(6)
    pages[4] = replace(pages[4], hypotheses={"A": pages[4].hypotheses["A"]})
    whole = hv.score(pages, SETTINGS)
    if of_bundle:
        whole = hv.open_run(hv.save_run(whole, tmp_path / "whole.htreval"))
    part = whole.only(["B"])
    assert part.systems == part.dataset.systems == ("B",)
    assert "p0004" not in part.page_ids
    assert all(set(page.hypotheses) == {"B"} for page in part.dataset.pages)
    assert hv.score(part.dataset, SETTINGS).scores == part.scores
    again = hv.open_run(hv.save_run(part, tmp_path / "part.htreval"))
    assert dict(again.scores) == dict(part.scores)
    assert list(again.dataset.pages) == list(part.dataset.pages)
    assert whole.only(pages=["p0001", "p0002"]).page_ids == ("p0001", "p0002")
    # Cut down before it is scored, it is the same.
    unscored = hv.Study(hv.Dataset.of(pages), SETTINGS, {})
    assert list(unscored.only(["B"]).dataset.pages) == list(part.dataset.pages)
    lost = replace(whole, scores={"A": whole.table("A")}, failures=(Failure("p0001", "B", "x"),))
    assert lost.only(["B"]).page_ids == ("p0001",)
    with pytest.raises(KeyError):
        whole.only(pages=["nowhere"])
    with pytest.raises(KeyError):
        whole.only(["nobody"])


def test_saving_scores_nothing_and_keeps_the_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = hv.score(made(4), SETTINGS)
    lost = Failure("p0002", "B", "its worker died")
    table = study.table("B")
    rows = np.array([page_id != "p0002" for page_id in table.page_ids])
    signature = study.signature.replace(hv.__version__, "0.0.9", 1)
    study = replace(
        study, scores={**study.scores, "B": table.take(rows)}, failures=(lost,), made_with=signature
    )

    def scores(*_: object) -> None:
        raise AssertionError("a page was scored again")

    monkeypatch.setattr("htreval_core.metrics.page.score_words", scores)
    again = hv.open_run(hv.save_run(study, tmp_path / "x.htreval"))
    assert again.failures == (lost,)
    assert dict(again.scores) == dict(study.scores)
    assert again.signature == signature
    twice = hv.open_run(hv.save_run(again, tmp_path / "y.htreval"))
    assert twice.signature == signature
    assert twice.dataset.warnings == again.dataset.warnings


@pytest.mark.parametrize(
    "command", ["score", "compare", "diagnose", "ladder", "report", "align"]
)  # fmt: skip
@pytest.mark.parametrize("written", [("--systems", "A,B"), ("--systems", "A", "--systems", "B")])
def test_every_command_takes_some_systems_of_a_bundle(
    command: str, written: tuple[str, ...], tmp_path: Path
) -> None:
    pages = [replace(page, hypotheses={**page.hypotheses, "C": page.reference})
             for page in made(5)]  # fmt: skip
    bundle = hv.save_run(hv.score(pages, SETTINGS), tmp_path / "x.htreval")
    done = invoke(command, bundle, *written, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output


def test_texts_of_a_bundle_cannot_be_read_otherwise(bundle: Path) -> None:
    for more in (("--level", "word"), ("--read-order", "document"), ("--encoding", "latin-1")):
        done = invoke("score", bundle, *more)
        assert done.exit_code == 2
        assert "score the files again" in done.stderr
    done = [invoke("score", bundle, "--preset", one) for one in ("jiwer", "authors")]
    assert [one.exit_code for one in done] == [0, 0]
    assert ["texts as they were read" in one.stderr for one in done] == [False, True]
