"""The sample data is complete, rebuilds to the same files and is valid PAGE."""

import re
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from lxml import etree
from PIL import Image

import htreval_core as hv
from htreval_core.scoring.facets import read_facets
from tests.conftest import SAMPLES

pytestmark = pytest.mark.xdist_group("samples")
LETTERBOOK = SAMPLES / "letterbook"
PAGES = [f"LB{number:02d}" for number in range(1, 25)]
SYSTEMS = ("reads-across", "misreads", "skips-margins")
PAGE = {"p": "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"}
MOST_BYTES = 2_000_000
MOST_IMAGE_BYTES = 60_000

Point = tuple[int, int]


def files_below(folder: Path) -> dict[str, Path]:
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def page_root(name: str) -> etree._Element:
    return etree.parse(LETTERBOOK / "reference" / f"{name}.xml").getroot()


def points(element: etree._Element) -> list[Point]:
    pairs = (pair.split(",") for pair in element.get("points").split())
    return [(int(x), int(y)) for x, y in pairs]


def ordered_regions(root: etree._Element) -> Iterator[etree._Element]:
    regions = {region.get("id"): region for region in root.iterfind(".//p:TextRegion", PAGE)}
    references = root.findall("./p:Page/p:ReadingOrder//p:RegionRefIndexed", PAGE)
    for reference in sorted(references, key=lambda element: int(element.get("index"))):
        yield regions[reference.get("regionRef")]


def region_lines(region: etree._Element) -> list[str]:
    return [text.text for text in region.iterfind("./p:TextLine/p:TextEquiv/p:Unicode", PAGE)]


def reference_lines(name: str) -> list[str]:
    return [line for region in ordered_regions(page_root(name)) for line in region_lines(region)]


def system_lines(system: str, name: str) -> list[str]:
    return (LETTERBOOK / system / f"{name}.txt").read_text("utf-8").splitlines()


def share_of_lines_kept(name: str, system: str) -> float:
    """Share of the reference lines that the system has word for word, wherever they stand."""
    written = system_lines(system, name)
    lines = reference_lines(name)
    return sum(line in written for line in lines) / len(lines)


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    subprocess.run([sys.executable, str(SAMPLES / "build.py"), "--output", str(folder)], check=True)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("data_set", ["letterbook", "models"])
def test_rebuilding_gives_the_same_files(data_set: str, rebuilt: Path) -> None:
    kept, made = files_below(SAMPLES / data_set), files_below(rebuilt / data_set)
    assert made.keys() == kept.keys()
    changed = [name for name in kept if not same_content(kept[name], made[name])]
    assert changed == []


def same_content(kept: Path, made: Path) -> bool:
    """Bytes for text. For an image pixels will do: compressors differ between zlib builds."""
    one, other = kept.read_bytes(), made.read_bytes()
    if one == other or kept.suffix != ".png":
        return one == other
    with Image.open(BytesIO(one)) as first, Image.open(BytesIO(other)) as second:
        return (first.size, first.getpalette(), first.tobytes()) == (
            second.size,
            second.getpalette(),
            second.tobytes(),
        )


def test_there_are_twenty_four_small_pages() -> None:
    assert sorted(path.stem for path in (LETTERBOOK / "reference").iterdir()) == PAGES
    # Letterbook is small.
    sizes = {name: path.stat().st_size for name, path in files_below(LETTERBOOK).items()}
    assert sum(sizes.values()) < MOST_BYTES
    assert max(size for name, size in sizes.items() if name.endswith(".png")) <= MOST_IMAGE_BYTES
    # No two pages share a body line.
    long_lines = [line for name in PAGES for line in reference_lines(name) if len(line.split()) > 5]
    assert len(long_lines) == len(set(long_lines))


def test_pages_have_120_to_350_words_and_an_order_that_names_every_region_once() -> None:
    out_of_order = 0
    for name in PAGES:
        assert 120 <= sum(len(line.split()) for line in reference_lines(name)) <= 350
        root = page_root(name)
        ids = [region.get("id") for region in root.iterfind(".//p:TextRegion", PAGE)]
        references = root.findall("./p:Page/p:ReadingOrder/p:OrderedGroup/p:RegionRefIndexed", PAGE)
        assert sorted(ids) == sorted(reference.get("regionRef") for reference in references)
        assert [int(reference.get("index")) for reference in references] == list(range(len(ids)))
        out_of_order += ids != [region.get("id") for region in ordered_regions(root)]
    # Some files are not written in reading order.
    assert out_of_order >= 3


@pytest.mark.parametrize("name", PAGES)
def test_every_line_lies_on_the_page(name: str) -> None:
    page = page_root(name).find("./p:Page", PAGE)
    width, height = int(page.get("imageWidth")), int(page.get("imageHeight"))
    lines = page.findall(".//p:TextLine", PAGE)
    assert lines
    for element in page.findall(".//p:TextRegion", PAGE) + lines:
        outline = points(element.find("./p:Coords", PAGE))
        assert len(outline) >= 4
        assert all(0 <= x < width and 0 <= y < height for x, y in outline)
    for line in lines:
        assert len(points(line.find("./p:Baseline", PAGE))) >= 2
        assert line.findtext("./p:TextEquiv/p:Unicode", namespaces=PAGE).strip()


@pytest.mark.parametrize("name", PAGES)
def test_every_line_is_inked_where_its_polygon_is(name: str) -> None:
    with Image.open(LETTERBOOK / "images" / f"{name}.png") as image:
        page = page_root(name).find("./p:Page", PAGE)
        assert (image.width * 2, image.height * 2) == (
            int(page.get("imageWidth")),
            int(page.get("imageHeight")),
        )
        grey = image.convert("L")
    for line in page.iterfind(".//p:TextLine", PAGE):
        (left, top), _, (right, bottom), _ = points(line.find("./p:Coords", PAGE))
        darkest, _ = grey.crop((left // 2, top // 2, right // 2, bottom // 2)).getextrema()
        assert darkest < 120


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_has_every_page(system: str) -> None:
    assert sorted(path.name for path in (LETTERBOOK / system).iterdir()) == [
        f"{name}.txt" for name in PAGES
    ]
    assert all(any(line.strip() for line in system_lines(system, name)) for name in PAGES)


def test_systems_go_wrong_as_their_names_say() -> None:
    # Reads across joins columns and leaves.
    for name in ("LB03", "LB07", "LB08", "LB11", "LB15", "LB18", "LB19", "LB22"):
        assert len(system_lines("reads-across", name)) < len(reference_lines(name)) - 8
    # Reads across keeps the lines of plain letters.
    for name in ("LB04", "LB06", "LB12", "LB20"):
        assert len(system_lines("reads-across", name)) == len(reference_lines(name))
        assert share_of_lines_kept(name, "reads-across") > share_of_lines_kept(name, "misreads")
    # Skips margins has fewer lines wherever there is a margin.
    for name in PAGES:
        notes = [
            line
            for region in page_root(name).iterfind(".//p:TextRegion[@type='marginalia']", PAGE)
            for line in region_lines(region)
        ]
        if notes:
            assert len(system_lines("skips-margins", name)) < len(reference_lines(name))


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


@pytest.mark.parametrize("data_set", ["seite0418", "examples"])
def test_quoted_data_sets_have_a_reference_for_every_page(data_set: str) -> None:
    folder = SAMPLES / data_set
    known = {path.name for path in (folder / "reference").iterdir()}
    systems = [path for path in folder.iterdir() if path.is_dir() and path.name != "reference"]
    assert len(systems) == 2
    for system in systems:
        assert {path.name for path in system.iterdir()} <= known
