"""A site on the disk: what it holds, how large it is, and where it may be written."""

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import htreval_core as hv
from htreval_core.cli import main
from htreval_core.show.html.sections import rank_pages
from htreval_core.show.site.contents import Contents, Wanted
from htreval_core.show.site.write import choose_pages, packed, site_files, write_site
from htreval_core.show.views.opened import Opened
from tests.conftest import ROOT
from tests.hostile import HOSTILE, NAMES

SHARED = ROOT.parent / "shared" / "data"
MOST = 60_000
"""Bytes of a page without its image."""


def contents(study: hv.Study, *pages: str) -> Contents:
    """What a site of the study holds; without named pages all of them."""
    opened = Opened(study)
    opened.diagnoses()
    return Contents(opened, Wanted("a <b> title", frozenset(pages or study.page_ids)))


def unpacked(content: bytes) -> tuple[str, Any]:
    found = re.fullmatch(rb'htreval\.take\("([\w/+-]+)","([A-Za-z0-9+/=]*)"\);\n', content)
    assert found, content[:80]
    return found[1].decode(), json.loads(zlib.decompress(base64.b64decode(found[2])))


@pytest.fixture(scope="module")
def letterbook() -> hv.Study:
    return hv.score(hv.pair_path(ROOT / "sample_data" / "letterbook"))


@pytest.fixture(scope="module")
def hostile() -> hv.Study:
    names = {name: text[:300] for name, text in NAMES.items() if name != "half a character"}
    words = [text[:300] for text in HOSTILE.values()]
    reference = "\n".join(words)
    systems = {names["formula"]: "\n".join(words[::-1]), names["script"]: " ".join(words[2:])}
    return hv.score([hv.Page.from_text(one, reference, systems) for one in names.values()])


def test_no_text_of_the_data_is_in_a_file_that_a_browser_reads_as_it_is(hostile: hv.Study) -> None:
    files = dict(site_files(contents(hostile)))
    for name, content in files.items():
        assert re.fullmatch(r"[\w/+.-]+", name)
        assert not name.startswith(("/", "."))
        assert ".." not in name
        if name.startswith("data/"):
            told, _ = unpacked(content)
            assert name == f"data/{told}.js"
        elif name.endswith((".html", ".css", ".js")):
            assert not any(text.encode() in content for text in HOSTILE.values() if len(text) > 10)
    for name in ("index.html", "page.html", "compare.html", "errors.html"):
        assert b"default-src &#x27;none&#x27;" in files[name]
        assert b"unsafe" not in files[name]


def test_a_page_without_reference_words_has_a_site(tmp_path: Path) -> None:
    study = hv.score([hv.Page.from_text("p", "", {"s": "some words here"})])
    write_site(contents(study), tmp_path / "site")
    assert (tmp_path / "site" / "index.html").is_file()


@pytest.mark.thorough
def test_every_page_is_there_as_read_in_order_and_put_right(letterbook: hv.Study) -> None:
    study, found = letterbook, contents(letterbook)
    files = {name: unpacked(data) for name, data in site_files(found) if name.startswith("data/")}
    index = files["data/site.js"][1]
    for number, system in enumerate(study.systems):
        for page_id in study.pages_of(system):
            name = f"data/page/{study.page_ids.index(page_id):04}-{number}"
            payload = files[f"{name}.js"][1]
            look = found.opened.look(page_id, system)
            assert payload["page"] == page_id
            assert files[f"{name}-trace.js"][1]["view"] == "trace"
            for events in payload["repairs"]["sets"]:
                key = "+".join(str(one + 1) for one in events)
                scores = look.put_right(events).page.scores
                wer = files[f"{name}-{key}.js"][1]["head"]["wer"]
                assert wer == f"{100 * scores.wer.errors / scores.n_ref_words:.1f}"
            assert {rank for rank, _ in index["ranks"]} == set(index["orders"][number])


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path, letterbook: hv.Study) -> None:
    study = letterbook.only(pages=letterbook.page_ids[:2])
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(hv.ConfigError, match="other files"):
        write_site(contents(study), tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["mine.txt"]
    told = []
    size = write_site(contents(study), tmp_path / "site", tell=told.append)
    assert told[0].files == size.files
    assert size.length == sum(
        one.stat().st_size for one in (tmp_path / "site").rglob("*")
        if one.is_file() and one.name != "htreval-site.txt"
    )  # fmt: skip
    (tmp_path / "site" / "old.js").write_text("")
    write_site(contents(study), tmp_path / "site")
    assert not (tmp_path / "site" / "old.js").exists()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["mine.txt", "site"]


def test_the_shell_writes_the_pages_that_are_asked_for(tmp_path: Path) -> None:
    data = str(ROOT / "sample_data" / "letterbook")
    made = CliRunner().invoke(
        main, ["site", data, "--pages", "LB01,LB13", "--images", "0", "-o", str(tmp_path / "s")]
    )
    assert made.exit_code == 0, made.output
    assert "about" in made.output
    assert "index.html" in made.output
    assert len({one.name[:4] for one in (tmp_path / "s" / "data" / "page").iterdir()}) == 2
    assert not (tmp_path / "s" / "images").exists()
    again = CliRunner().invoke(main, ["site", data, "-o", data])
    assert again.exit_code == 2
    assert "other files" in again.output


def test_which_pages_can_be_opened(letterbook: hv.Study) -> None:
    ranked = [one.page_id for one in rank_pages(letterbook)]
    assert choose_pages(letterbook, "worst:3") == set(ranked[:3])
    assert choose_pages(letterbook, "worst:0") == set()
    assert choose_pages(letterbook, "all") == set(ranked)
    assert choose_pages(letterbook, "LB03, LB01,LB03") == {"LB01", "LB03"}
    for wrong in ("worst:x", "worst:-1", "LB99", ""):
        with pytest.raises(hv.ConfigError):
            choose_pages(letterbook, wrong)


@pytest.mark.thorough
@pytest.mark.skipif(not SHARED.is_dir(), reason="the real pages are not here")
def test_a_page_of_a_newspaper_is_small() -> None:
    study = hv.score(hv.pair_path(SHARED / "layout" / "nzz"))
    found = contents(study)
    sizes = [
        len(packed(name, payload))
        for page_id in study.page_ids for name, payload in found.of_page(page_id)
    ]  # fmt: skip
    assert len(sizes) >= 2 * len(study.page_ids)
    assert max(sizes) <= MOST
