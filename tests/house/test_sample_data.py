"""The sample data rebuilds to the same files, and what is told of its pages is true."""

import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

import htreval_core as hv
from htreval_core.scoring.facets import read_facets
from tests.conftest import SAMPLES

pytestmark = pytest.mark.xdist_group("samples")
MOST_BYTES = 2_000_000


def files_below(folder: Path) -> dict[str, Path]:
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    subprocess.run([sys.executable, str(SAMPLES / "build.py"), "--output", str(folder)], check=True)
    return folder


@pytest.mark.thorough
@pytest.mark.parametrize("data_set", ["letterbook", "models"])
def test_rebuilding_gives_the_same_files(data_set: str, rebuilt: Path) -> None:
    kept, made = files_below(SAMPLES / data_set), files_below(rebuilt / data_set)
    assert made.keys() == kept.keys()
    assert [name for name in kept if not same_content(kept[name], made[name])] == []
    assert sum(path.stat().st_size for path in kept.values()) < MOST_BYTES


def same_content(kept: Path, made: Path) -> bool:
    """Bytes for text. For an image pixels will do: compressors differ between zlib builds."""
    one, other = kept.read_bytes(), made.read_bytes()
    if one == other or kept.suffix != ".png":
        return one == other
    with Image.open(BytesIO(one)) as first, Image.open(BytesIO(other)) as second:
        return (first.size, first.getpalette(), first.tobytes()) == (
            second.size, second.getpalette(), second.tobytes(),
        )  # fmt: skip


@pytest.mark.parametrize("data_set", ["letterbook", "models"])
def test_what_is_told_of_pages_is_what_their_files_say(data_set: str) -> None:
    pages = hv.pair_path(SAMPLES / data_set).pages
    facets = read_facets(
        "pages.csv", (SAMPLES / data_set / "pages.csv").read_bytes(), [p.page_id for p in pages]
    )
    assert facets.names == ("kind", "layout", "writer", "year")
    assert len(facets.of_page) == len(pages)
    for page in pages:
        told = facets.of_page[page.page_id]
        width, height = page.reference.page_size
        kinds = {line.region_kind for line in page.reference.lines}
        text = page.reference.text
        assert (told["layout"] == "double page") is (width > height)
        if width < height:
            assert (told["layout"] == "notes in the margin") is ("marginalia" in kinds)
            assert (told["layout"] == "two columns") is (told["kind"] == "list")
        assert (told["kind"] == "minutes") is ("\nAt a" in text)
        if told["kind"] == "letter":
            assert told["writer"].split()[-1] in text
        assert told["year"] in text
        assert told["year"] or not re.search(r"178\d", text)
