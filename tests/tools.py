"""What many tests do, once: write files, make pages and bundles, run the command, open the app."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
import zipfile
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from click.testing import CliRunner, Result

import htreval_core as hv
from htreval_core.cli import main
from htreval_core.diagnosis.look import Look
from htreval_core.metrics.catalog import rate
from htreval_core.run.disk import sha256_of
from htreval_core.run.manifest import digest as manifest_digest
from htreval_core.run.read import open_run
from htreval_core.settings import ReadPolicy
from htreval_core.show.telling.warnings import tell_warning
from htreval_core.sources.dataset import Learned, Receipt, Unpaired
from htreval_core.sources.readers.files import files_from_uploads
from htreval_core.sources.reading import read_pairing
from htreval_core.sources.recognise import pair_files
from tests.conftest import ROOT

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

MAIN = ROOT / "htreval_ui" / "main.py"
"""What Streamlit runs."""
SCRIPTS = [path.name for path in sorted((ROOT / "pages").glob("*.py"))]
"""Every page of the app."""
FILES = ("manifest.json", "pages.parquet", "texts.parquet")
"""What a run bundle holds."""

Files: TypeAlias = Mapping[str, str | bytes]
Tree: TypeAlias = Callable[[Files], Path]

# --- files


def write_tree(root: Path, files: Files) -> Path:
    """The files below a folder, which is made where it is not there."""
    root.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def zipped(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """The files packed into an archive, whose bytes do not depend on the clock."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(name)
            member.external_attr = 0o600 << 16
            archive.writestr(member, content, compress_type=method)
    return packed.getvalue()


def digest(text: str) -> str:
    """Notices any change of a text; of its numbers so much as does not depend on the machine."""
    text = re.sub(r"\d+\.\d{4,}(?:e[-+]\d+)?", lambda found: f"{float(found[0]):.4g}", text)
    return hashlib.sha256(text.encode()).hexdigest()[:10]


# --- pages and bundles


def made(n: int, words: int = 12) -> list[hv.Page]:
    """Pages of which no two are alike."""
    rng = random.Random(7)
    pages = []
    for number in range(n):
        ref = [f"w{rng.randrange(40)}" for _ in range(words)]
        outputs = {name: " ".join(rng.sample(ref, len(ref) - 2)) for name in ("A", "B")}
        pages.append(hv.Page.from_text(f"p{number:04d}", " ".join(ref), outputs))
    return pages


def dataset_of(pages: Iterable[hv.Page], **more: Any) -> hv.Dataset:
    """Pages of the systems A and B as a data set."""
    return hv.Dataset("made", tuple(pages), ("A", "B"), **more)


@dataclass
class Lazily:
    """Pages that come one by one, as files do when they are read."""

    items: Iterable[hv.Page]
    n_pages: int = 0
    name: str = "made"
    systems: tuple[str, ...] = ("A", "B")
    rule: str = ""
    unpaired: Unpaired = field(default_factory=Unpaired)

    def learn(self, _receipts: Iterable[Receipt]) -> Learned:
        return Learned((), {}, ())


def folder_of(path: Path, pages: Sequence[hv.Page]) -> Path:
    """The pages as text files, a folder a side."""
    return write_tree(path, {
        f"{name}/{page.page_id}.txt": side.text
        for page in pages
        for name, side in (("reference", page.reference), *page.hypotheses.items())
    })  # fmt: skip


def look_at_all(path: Path) -> None:
    """Open a bundle and read everything in it."""
    run = open_run(path)
    for system in run.systems:
        run.corpus(system)
    for page in run.dataset.pages:
        assert page.reference.text is not None


def resign(bundle: Path, content: dict[str, Any] | None = None) -> None:
    """Make the manifest, or another one, vouch for whatever the files now hold."""
    content = content or manifest_of(bundle)
    for name in ("pages.parquet", "texts.parquet"):
        content["files"][name] = {
            "size": (bundle / name).stat().st_size, "sha256": sha256_of(bundle / name),
        }  # fmt: skip
    write_manifest(bundle, content)


def pair_uploads(
    name: str, uploads: Iterable[tuple[str, bytes]], reading: ReadPolicy | None = None
) -> hv.Dataset:
    """The pages of uploaded files, paired by what is recognised."""
    files = files_from_uploads(uploads, reading.limits if reading else None)
    return read_pairing(pair_files(name, files, reading=reading), reading)


class Threads:
    """Workers that are threads of this process."""

    slots = 4

    def __init__(self, n: int = 2) -> None:
        self._pool = ThreadPoolExecutor(n)

    def submit(self, work: Callable[..., Any], /, *given: Any) -> Future[Any]:
        return self._pool.submit(work, *given)

    def is_death(self, error: BaseException) -> bool:
        return False

    def cancel(self, futures: Iterable[Future[Any]]) -> None:
        for future in futures:
            future.cancel()

    def restart(self) -> None: ...

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()


def in_a_loop(visit: Coroutine[Any, Any, Any]) -> Any:
    """What it returns, from a thread of its own: the browser's loop owns that of the tests."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, visit).result()


class Deadly(str):
    """Kills the process that takes it out of a parcel."""

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return os._exit, (3,)


def warned(found: hv.Dataset | hv.Transcript | hv.Study) -> list[str]:
    """Each warning in a sentence, none summed up."""
    return [tell_warning(warning) for warning in found.warnings]


# --- the command


def look_at(
    reference: hv.Transcript | str, hypothesis: hv.Transcript | str, **settings: Any
) -> Look:
    """A page looked at closely, from its two sides."""
    sides = [
        hv.Transcript.from_text(side) if isinstance(side, str) else side
        for side in (reference, hypothesis)
    ]
    chosen = hv.Settings(**settings)
    return Look(hv.score_page(*sides, chosen), *sides, chosen)


def invoke(*arguments: object) -> Result:
    """The ``htreval`` command in this process."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def told(*arguments: object) -> str:
    """What a command that goes well prints."""
    result = invoke(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def told_json(*arguments: object) -> Any:
    """What a command prints as JSON, which knows no NaN."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(told(*arguments, "--format", "json"), parse_constant=refuse)


# --- the app


@cache
def _app_test() -> type[AppTest]:
    """What opens an app; each would look through all installed packages for components anew."""
    from streamlit.components.v2 import manifest_scanner
    from streamlit.testing.v1 import AppTest

    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
    return AppTest


def open_app(page: str = "", /, **query: str) -> AppTest:
    """The app without a browser, at an address and then on one of its pages."""
    app = _app_test().from_file(str(MAIN), default_timeout=60)
    # What a browser tells once it has drawn the texts of a page.
    app.session_state["page_drawn"] = True
    for key, value in query.items():
        app.query_params[key] = value
    app.run()
    if page not in ("", "overview.py"):
        app.switch_page(str(ROOT / "pages" / page)).run()
    assert not app.exception, app.exception
    return app


def drawn(app: AppTest, view: str) -> Any:
    """What a view of our own was given to draw, such as "page" or "overview"."""
    views = [one.proto for one in app.get("bidi_component")]
    (found,) = [one for one in views if one.component_name == f"htreval.{view}"]
    return json.loads(found.json)


def signature_of(app: AppTest) -> str:
    """The signature that the app shows for quoting, a part a line."""
    return str(next(one.value for one in app.code if one.value.startswith("htreval:")))


def has_heading(app: AppTest) -> bool:
    """Whether a page says what it is: in a title, or in the head of a view of our own."""
    views = {one.proto.component_name for one in app.get("bidi_component")}
    return bool(
        app.title
        or views & {"htreval.page", "htreval.overview", "htreval.compare", "htreval.learn"}
    )


@contextmanager
def served(command: Sequence[str], log: Path, cwd: Path, *more: str) -> Iterator[str]:
    """The address of an app that a command starts; a traceback in its log is a failure."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [*command, "app", "--no-browser", "--port", str(port), *more]
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=cwd, stdout=out, stderr=subprocess.STDOUT)
    address = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        assert process.poll() is None, f"the app did not start:\n{log.read_text()}"
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return True
        except OSError:
            return False

    try:
        until(answers, 90, every=0.2)
        yield address
    finally:
        process.terminate()
        process.wait(20)
    assert "Traceback" not in log.read_text(), log.read_text()


# --- other threads and processes


def until(is_so: Callable[[], bool], seconds: float = 60, every: float = 0.01) -> None:
    """Wait for something else to do its part; a test that hangs fails."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(every)


_SMALL_BLOCKS = """
import os, signal, sys, time
import htreval_core.run.blocks as w
w._BLOCK_PAGES = 16
# A shell that starts the tests in the background has Ctrl-C ignored by all of them.
signal.signal(signal.SIGINT, signal.default_int_handler)
hold = int(os.environ.get("HOLD", 1000))
keep = w.Blocks._keep
def keep_and_hold(run, block):
    keep(run, block)
    if block.number >= hold:
        time.sleep(100)  # so that it cannot have ended before the signal comes
w.Blocks._keep = keep_and_hold
if __name__ == "__main__":
    from htreval_core.cli import main
    main(sys.argv[1:])
"""


def scoring_command(folder: Path, bundle: Path, *more: str) -> list[str]:
    """A process that scores into a bundle in small blocks, and waits after block ``HOLD``."""
    return [sys.executable, "-c", _SMALL_BLOCKS, "score", str(folder), "--output", str(bundle),
            *more]  # fmt: skip


def wait_for_blocks(bundle: Path, at_least: int, process: subprocess.Popen[bytes]) -> None:
    until(
        lambda: process.poll() is not None or len(list(bundle.glob("work/*.counts"))) >= at_least,
        every=0.005,
    )


def manifest_of(bundle: Path) -> dict[str, Any]:
    """What a manifest says, to be changed and written again: without the digest over it."""
    content: dict[str, Any] = json.loads((bundle / "manifest.json").read_text("utf-8"))
    content.pop("digest", None)
    return content


def write_manifest(bundle: Path, content: dict[str, Any]) -> None:
    """A manifest with a digest that vouches for it."""
    signed = content | {"digest": manifest_digest(content)}
    (bundle / "manifest.json").write_text(json.dumps(signed), "utf-8")


def pooled(name: str, page: hv.PageScores) -> tuple[float, float] | None:
    """What a page adds to the corpus value: its counts, or for NSFD N·ρ out of N."""
    metric = hv.METRICS[name]
    counts = metric.counts(page)
    if counts is None or not metric.weighted:
        return counts
    # A page without reference words weighs nothing, and has no rate to weigh.
    words = page.n_ref_words
    return (words * rate(*counts), words) if words else (0.0, 0.0)


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads((ROOT / "tests" / "fixtures" / "cases.toml").read_text("utf-8"))


def cases(name: str) -> Any:
    """A long table of cases from the file that holds them."""
    return _tables()[name]
