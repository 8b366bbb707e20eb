"""Run bundles that somebody made to do harm, opened from the shell and in the app."""

import io
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

import htreval_core as hv
from htreval_core.model import SourceFile
from htreval_core.run import files as bundle_files
from htreval_core.run import read as reading
from htreval_core.run import tables
from htreval_core.run.read import open_run
from htreval_core.run.write import score_run
from htreval_core.settings.started import OPEN_VARIABLE
from htreval_core.show.html.font import font_css
from htreval_core.sources.images import thumbnail
from htreval_ui.shell import navigation
from htreval_ui.studies import uploads
from tests.hostile import HOSTILE, NAMES, check_shown
from tests.tools import (
    FILES,
    dataset_of,
    invoke,
    look_at_all,
    made,
    manifest_of,
    open_app,
    resign,
    write_manifest,
)

pytestmark = pytest.mark.slow

PAGES = [file for file, *_ in navigation.PAGES if file not in ("learn.py", "data.py")]


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "x.htreval"
    score_run(dataset_of(made(5)), path, hv.Settings(resamples=20))
    return path


def _rewrite(bundle: Path, name: str, change: Callable[[pa.Table], pa.Table], **how: Any) -> None:
    """Put other rows into a table of the bundle, in one row group, and vouch for them."""
    table = change(pq.read_table(bundle / name))
    pq.write_table(table, bundle / name, store_schema=False, row_group_size=10**6, **how)
    resign(bundle)


def _manifest(bundle: Path, **changes: object) -> None:
    content = manifest_of(bundle)
    for key, value in changes.items():
        at = content
        *path, last = key.split("__")
        for step in path:
            at = at[step]
        at[last] = value
    write_manifest(bundle, content)


def _app(bundle: Path, page: str, monkeypatch: pytest.MonkeyPatch, **query: str) -> AppTest:
    monkeypatch.setenv(OPEN_VARIABLE, str(bundle))
    return open_app(page, **query)


# --- refused in words, from the shell and in the app


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"signature": "x" * 10_000}, "a name of 10,000 characters"),
        ({"name": "x" * 10_000}, "a name of 10,000 characters"),
        ({"systems": [f"s{n}" for n in range(5_000)]}, "more than 1,000 systems"),
        ({"settings__resamples": 10**6}, "a number that should be from 0 to 100,000"),
        ({"settings__policy__mapping": [["ab", "x"]]}, "give one character"),
        ({"settings__policy__mapping": [["w", "w" * 1_000_000]]}, "give one character"),
        ({"settings__policy__mapping": [["w"]]}, "damaged at"),
        ({"files__pages.parquet__size": 10**15}, "not the file that the manifest describes"),
        ({"files": {"../../secret": {"size": 1, "sha256": ""}}}, "not the file"),
        ({"systems": ["A"]}, "a system that the manifest does not name"),
        ({"systems": []}, "a system that the manifest does not name"),
        ({"rows": 10**12}, "rows are missing"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_hostile_manifest_is_refused_in_words(
    changes: dict[str, object], why: str, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _manifest(bundle, **changes)
    done = invoke("score", bundle)
    assert done.exit_code == 3, done.output
    assert why in done.stderr
    assert len(done.stderr) < 2_000
    app = _app(bundle, "page.py", monkeypatch)
    assert len(app.error) == 1
    assert "&#46;htreval" in app.error[0].value
    # The samples are still a choice away.
    assert "seite0418" in app.selectbox(key="edit_data").options[-2:][0].lower()


WRONG = {
    "int": pa.array([1] * 10), "float": pa.array([0.5] * 10), "text": pa.array(["x"] * 10),
    "list": pa.array([["x"]] * 10), "null": pa.array([None] * 10), "bytes": pa.array([b"x"] * 10),
}  # fmt: skip


@pytest.mark.parametrize("name", ["pages.parquet", "texts.parquet"])
def test_a_column_of_any_wrong_type_is_refused_in_words(bundle: Path, name: str) -> None:
    original = bundle.with_name("original")
    shutil.copytree(bundle, original)
    schema = {"pages.parquet": tables.PAGES, "texts.parquet": tables.TEXTS}[name]
    for at, column in enumerate(schema.names):
        for cells in WRONG.values():

            def put(table: pa.Table, at: int = at, cells: pa.Array = cells) -> pa.Table:
                many = pa.concat_arrays([cells, cells]).slice(0, len(table))
                return table.set_column(at, table.column_names[at], many)

            shutil.rmtree(bundle)
            shutil.copytree(original, bundle)
            _rewrite(bundle, name, put)
            if cells.type == schema.field(column).type:
                continue
            with pytest.raises(hv.ReadError, match="damaged"):
                look_at_all(bundle)


def test_a_bundle_without_a_page_is_refused(bundle: Path) -> None:
    _rewrite(bundle, "pages.parquet", lambda table: table.slice(0, 0))
    _manifest(bundle, rows=0, pages=0)
    with pytest.raises(hv.ReadError, match="it holds no page"):
        open_run(bundle)


def test_a_system_of_which_nothing_was_scored_is_left_out(
    bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _manifest(bundle, systems=["A", "B", "nothing"])
    assert open_run(bundle).systems == ("A", "B")
    for page in PAGES:
        _app(bundle, page, monkeypatch)


@pytest.mark.parametrize("size", [(0, 0), (-5, 10), (2**62, 1)])
def test_a_page_of_no_size_is_refused(bundle: Path, size: tuple[int, int]) -> None:
    def put(table: pa.Table) -> pa.Table:
        for name, side in zip(("page_width", "page_height"), size, strict=True):
            cells = pa.array([side] * len(table), pa.int64())
            table = table.set_column(table.column_names.index(name), name, cells)
        return table

    _rewrite(bundle, "texts.parquet", put)
    with pytest.raises(hv.ReadError, match="a page has no size"):
        look_at_all(bundle)


def test_rows_without_number_are_refused_in_an_upload(
    bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle_files.Archived, "most_rows", 9)
    files = [SourceFile(name, (bundle / name).read_bytes) for name in FILES]
    with pytest.raises(hv.ReadError, match="10 rows"):
        reading.open_run_files("x", files)
    assert len(open_run(bundle).dataset.pages) == 5
    assert bundle_files.Archived.most_rows * len(tables.PAGES) * 8 < 2**30


_PEAK = """
import sys, pyarrow as pa, htreval_core as hv
from htreval_core.run.read import open_run
run = open_run(sys.argv[1])
try:
    run.dataset.pages[0]
except hv.ReadError as error:
    print(str(error)[:100])
print(pa.default_memory_pool().max_memory())
"""


@pytest.mark.thorough
def test_a_text_that_many_rows_share_does_not_fill_memory(bundle: Path) -> None:
    size = 50_000_000

    def put(table: pa.Table) -> pa.Table:
        at = table.column_names.index("lines")
        one = pa.array(["x " * (size // 2)]).dictionary_encode()
        cells = pa.ListArray.from_arrays(
            pa.array(range(len(table) + 1), pa.int32()),
            pa.DictionaryArray.from_arrays(pa.array([0] * len(table), pa.int32()), one.dictionary),
        )
        return table.set_column(at, "lines", cells)

    _rewrite(bundle, "texts.parquet", put, dictionary_pagesize_limit=2 * size)
    assert (bundle / "texts.parquet").stat().st_size < size
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, str(bundle)], capture_output=True, text=True, check=True,
        timeout=120,
    )  # fmt: skip
    refusal, peak = done.stdout.splitlines()
    assert "limit" in refusal
    # All fifteen rows at once would take 750 MB.
    assert int(peak) < 6 * size


# --- opened, whatever it holds


def test_texts_that_are_not_those_of_the_counts_break_no_page(
    bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put(table: pa.Table) -> pa.Table:
        at = table.column_names.index("lines")
        texts = [[], [""], ["one two"], ["", "x y z", ""], ["w1 " * 100]]
        cells = pa.array([texts[n % 5] for n in range(len(table))], pa.list_(pa.string()))
        return table.set_column(at, "lines", cells)

    _rewrite(bundle, "texts.parquet", put)
    for page in PAGES:
        _app(bundle, page, monkeypatch)
    for command in ("score", "compare", "diagnose", "ladder", "align"):
        done = invoke(command, bundle)
        assert done.exit_code in (0, 3), (command, done.output, done.exception)


@pytest.mark.parametrize("system", [None, "A"])
def test_texts_that_are_missing_are_told_and_the_other_pages_open(
    system: str | None, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put(table: pa.Table) -> pa.Table:
        rows = zip(table["page_id"].to_pylist(), table["system"].to_pylist(), strict=True)
        keep = [not (page == "p0002" and (system is None or of == system)) for page, of in rows]
        return table.filter(pa.array(keep))

    _rewrite(bundle, "texts.parquet", put)
    monkeypatch.setenv(OPEN_VARIABLE, str(bundle))
    app = open_app("page.py", page="p0002", system="A")
    assert ["damaged" in error.value for error in app.error] == [True]
    app.selectbox(key="edit_page").set_value("p0001").run()
    assert not app.error
    assert not app.exception


@pytest.mark.parametrize("huge", [2**31 - 1, 2**44])
def test_absurd_counts_break_no_page(
    huge: int, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put(table: pa.Table) -> pa.Table:
        names = [name for name in table.column_names if table.schema.field(name).type == pa.int64()]
        for name in names:
            table = table.set_column(
                table.column_names.index(name), table.schema.field(name),
                pa.array(np.array(table[name].fill_null(0).to_pylist()) * huge),
            )  # fmt: skip
        return table

    _rewrite(bundle, "pages.parquet", put)
    try:
        open_run(bundle)
    except hv.ReadError:
        return
    for page in PAGES:
        _app(bundle, page, monkeypatch)


def _evil_pages() -> list[hv.Page]:
    names = [name for name in NAMES.values() if name != NAMES["half a character"]]
    words = " ".join(name for name in names if "\n" not in name)
    systems = dict(zip(("page", "word", NAMES["handler"], NAMES["returns"]), (
        words, words[::-1], " ".join(reversed(words.split())), "x"), strict=True))  # fmt: skip
    return [hv.Page.from_text(name, words, systems) for name in names]


@pytest.fixture(scope="module")
def evil_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("evil") / "x.htreval"
    pages = _evil_pages()[:12]
    told = (HOSTILE["handler"], HOSTILE["ansi"], "x" * 100_000)
    warnings = tuple(hv.DataWarning(one, hv.WarningKind.UNREADABLE, (one,)) for one in told)
    settings = hv.Settings(resamples=20)
    systems = tuple(pages[0].hypotheses)
    data = hv.Dataset(HOSTILE["style"], tuple(pages), systems, warnings=warnings)
    score_run(data, path, settings)
    return path


@pytest.mark.parametrize("page", PAGES)
def test_hostile_names_of_a_bundle_reach_no_interpreter(
    page: str, evil_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = _app(evil_bundle, page, monkeypatch)
    told = [
        *(one.value for kind in ("markdown", "caption", "title", "header", "error", "warning",
                                 "info", "success") for one in getattr(app, kind)),
        *(body for one in app.get("html") if font_css() not in (body := one.proto.body)),
        *(one.label for kind in ("button", "metric", "selectbox") for one in getattr(app, kind)),
    ]  # fmt: skip
    for text in map(str, told):
        assert not any(HOSTILE[name] in text for name in ("script", "handler", "picture", "ansi"))
        assert len(text) < 30_000
    for frame in app.dataframe:
        assert frame.value.columns.is_unique


@pytest.mark.parametrize("command", ["score", "compare", "diagnose", "ladder", "align", "report"])
def test_hostile_names_of_a_bundle_drive_no_terminal(
    command: str, evil_bundle: Path, tmp_path: Path
) -> None:
    more = ["-o", str(tmp_path / "r.html")] if command == "report" else []
    more = ["--format", "json"] if command == "align" else more
    done = invoke(command, evil_bundle, *more)
    assert done.exit_code == 0, done.output
    check_shown(done.output)


# --- the ways in


@pytest.mark.parametrize("name", ["../manifest.json", "/manifest.json", "..\\manifest.json"])
def test_a_zipped_bundle_whose_names_lead_out_is_refused(
    name: str, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zipped = bundle.with_name("x.htreval.zip")
    with zipfile.ZipFile(zipped, "w") as archive:
        for file in FILES:
            info = zipfile.ZipInfo(name if file == "manifest.json" else file)
            archive.writestr(info, (bundle / file).read_bytes())
    with pytest.raises(hv.ReadError, match="outside its archive"):
        open_run(zipped)
    monkeypatch.setattr(uploads, "held", dict)
    with pytest.raises(hv.ReadError, match="outside its archive"):
        uploads.add_upload([("x.zip", zipped.read_bytes())])


def test_names_in_a_bundle_are_never_opened(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("private")

    def put(table: pa.Table) -> pa.Table:
        at = table.column_names.index("image")
        return table.set_column(at, "image", pa.array([f"../{secret.name}"] * len(table)))

    _rewrite(bundle, "texts.parquet", put)
    opened: list[str] = []
    monkeypatch.setattr(SourceFile, "read", lambda self: opened.append(self.name) or b"")
    assert not open_run(bundle).dataset.images
    with pytest.raises(hv.ReadError, match="not those that were scored"):
        look_at_all(bundle)
    assert not opened


def test_an_image_that_another_program_would_run_is_not_shown() -> None:
    script = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n(x) run\n%%EOF\n"
    assert thumbnail(SourceFile("1.jpg", lambda: script)) is None
    # Of the many formats that Pillow knows those are opened that pages are kept in.
    image = Image.new("RGB", (20, 10))
    for kind in ("PCX", "TGA", "ICO"):
        out = io.BytesIO()
        image.save(out, kind)
        assert thumbnail(SourceFile("1.jpg", out.getvalue)) is None, kind
    for kind in ("PNG", "TIFF", "WEBP", "GIF", "BMP", "JPEG"):
        out = io.BytesIO()
        image.save(out, kind)
        small = thumbnail(SourceFile("1.jpg", out.getvalue))
        assert small is not None, kind
        assert small.startswith(b"\xff\xd8")
