"""Which files become pages, and what is said about those that do not."""

import io
import stat
import zipfile
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.errors import Remedy, RemedyKind
from htreval_core.model import SourceFile
from htreval_core.show.telling.warnings import tell_passed_over, tell_warnings
from htreval_core.sources.dataset import Unpaired
from htreval_core.sources.pairing import natural_order
from htreval_core.sources.readers.files import files_at, files_from_uploads, find_files
from htreval_core.sources.readers.plain import read_plain
from htreval_core.sources.reading import spare_images
from htreval_core.sources.recognise import (
    GivenSide,
    find_pairs,
    find_source_pairs,
    pair_given_sides,
)
from tests.tools import Files, Tree, cases, pair_uploads, warned, zipped

PAGE_XML = (
    '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page>'
    '<TextRegion id="r"><TextLine id="l"><TextEquiv><Unicode>{}</Unicode></TextEquiv></TextLine>'
    "</TextRegion></Page></PcGts>"
)


def texts(dataset: hv.Dataset) -> dict[str, tuple[str, dict[str, str]]]:
    """Each page's reference and hypotheses as strings."""
    return {
        one.page_id: (one.reference.text, {n: out.text for n, out in one.hypotheses.items()})
        for one in dataset.pages
    }


# --- the rules


@pytest.mark.parametrize(
    ("reference", "hypothesis", "system"),
    [
        (".ref", ".hyp", "hyp"), (".gt.txt", ".pred.txt", "pred"), (".ref.txt", ".hyp.txt", "hyp"),
        (".gt.txt", ".hyp.txt", "hyp"), (".REF", ".HYP", "hyp"), (".gt.xml", ".pred.xml", "pred"),
        (".gt.xml", ".kraken.xml", "kraken"),
    ],
)  # fmt: skip
def test_two_suffixes_in_one_folder(
    tree: Tree, reference: str, hypothesis: str, system: str
) -> None:
    of_form = PAGE_XML if reference.endswith("xml") else "{}"
    right, wrong = of_form.format("right"), of_form.format("wrong")
    root = tree({f"1{reference}": right, f"1{hypothesis}": wrong, "notes.md": "not a page"})
    dataset = hv.pair_path(root)
    assert texts(dataset) == {"1": ("right", {system: "wrong"})}
    assert dataset.systems == (system,)
    assert dataset.name == "data"
    assert not dataset.unpaired
    assert not dataset.warnings


FOLDERS: dict[str, tuple[Files, dict[str, tuple[str, dict[str, str]]]]] = {
    "a tag before the ending names the system": (
        {f"{n}.{tag}.xml": PAGE_XML.format(tag) for n in "12" for tag in ("gt", "a", "b")},
        {n: ("gt", {"a": "a", "b": "b"}) for n in "12"},
    ),
    "a page id with a dot is no tag": (
        {"1.gt.txt": "a", "1.txt": "b", "1.2.gt.txt": "c", "1.2.txt": "d"},
        {"1": ("a", {"txt": "b"}), "1.2": ("c", {"txt": "d"})},
    ),
    "the exact name wins": (
        {"reference/1.txt": "a", "gt_of_vendor/1.txt": "b"},
        {"1": ("a", {"gt_of_vendor": "b"})},
    ),
    "files with suffixes of their own": (
        {"reference/1.gt.txt": "a", "crnn/1.pred.txt": "b", "span/1.hyp": "c"},
        {"1": ("a", {"crnn": "b", "span": "c"})},
    ),
    "PAGE against text": (
        {"reference/1.xml": PAGE_XML.format("a"), "crnn/1.txt": "b"},
        {"1": ("a", {"crnn": "b"})},
    ),
    "export folders are no part of a page's name": (
        {"reference/book/page/1.xml": PAGE_XML.format("a"), "reference/book/METS.xml": "<mets/>",
         "reference/book/metadata.xml": "<x/>", "reference/doc.xml": "<x/>",
         "crnn/book/1.txt": "b"},
        {"book/1": ("a", {"crnn": "b"})},
    ),
    "one name in two subfolders is two pages": (
        {"reference/x/1.txt": "a", "reference/y/1.txt": "b", "s/x/1.txt": "c", "s/y/1.txt": "d"},
        {"x/1": ("a", {"s": "c"}), "y/1": ("b", {"s": "d"})},
    ),
    "a single page in one folder": (
        {"gt.txt": "a", "crnn.txt": "b", "span.txt": "c"},
        {"data": ("a", {"crnn": "b", "span": "c"})},
    ),
}  # fmt: skip
FOLDERS |= {
    f"references in {folder}": (
        {f"{folder}/1.txt": "a", "crnn/1.txt": "b", "span/1.txt": "c"},
        {"1": ("a", {"crnn": "b", "span": "c"})},
    )
    for folder in (
        "reference", "GT", "ground_truth", "vendor_ground_truth_2024", "GT-pages",
        "NZZ_groundtruth", "the truth", "gt2", "truth", "Truth", "GT-PAGE", "labels",
        "transcriptions", "Transcripts",
    )
}  # fmt: skip


@pytest.mark.parametrize("case", FOLDERS)
def test_names_tell_references_systems_and_pages(tree: Tree, case: str) -> None:
    files, expected = FOLDERS[case]
    dataset = hv.pair_path(tree(files))
    assert texts(dataset) == expected
    assert not dataset.warnings
    assert not dataset.unpaired


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [(".truth", ".out"), (".txt", ".pred.txt"), (".gt.txt", ".txt"), ("_gt.txt", "_ocr.txt")],
)
def test_suffixes_that_the_user_names(tree: Tree, reference: str, hypothesis: str) -> None:
    """One may end in the other: a file belongs to the longer one."""
    root = tree({f"1{reference}": "right", f"1{hypothesis}": "wrong"})
    dataset = hv.pair_path(root, reference_suffix=reference, hypothesis_suffix=hypothesis)
    ((page_id, (text, outputs)),) = texts(dataset).items()
    assert (page_id, text, [*outputs.values()]) == ("1", "right", ["wrong"])
    assert not dataset.unpaired
    assert not dataset.warnings


def test_tags_of_several_endings_in_subfolders(tree: Tree) -> None:
    root = tree({"v/1.gt.xml": PAGE_XML.format("r"), "v/1.A.txt": "a", "v/1.B.hocr": "b",
                 "v/2.A.txt": "lone", "v/3.C.txt": "nothing of C pairs"})  # fmt: skip
    pairing = find_pairs(root)
    assert [page.page_id for page in pairing.pages] == ["v/1"]
    assert pairing.unpaired == Unpaired((), {"A": ("v/2",), "B": ()})
    assert [one.file for one in pairing.warnings] == ["v/3.C.txt", "v/2.A.txt"]


@pytest.mark.parametrize("folders", [("gt-old", "gt-new"), ("reference", "gt")])
def test_two_folders_that_may_hold_the_references(tree: Tree, folders: tuple[str, ...]) -> None:
    root = tree({f"{folder}/1.txt": "a" for folder in (*folders, "crnn")})
    with pytest.raises(hv.PairingError, match="more than one folder may hold") as caught:
        hv.pair_path(root)
    assert all(folder in str(caught.value) for folder in folders)
    assert "call one of them reference" in str(caught.value)
    assert caught.value.remedy is not None
    assert caught.value.remedy.kind is RemedyKind.NAME_SIDES


SAME_NAME = "no reference has output of the same name"


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"1.txt": "a", "2.txt": "b"}, r"data: 2 files \(1\.txt, 2\.txt.*use names such"),
        ({}, "data: no transcripts in it; give a folder with"),
        ({"photo.jpg": "", "METS.xml": "<x/>", ".hidden.ref": "x"}, "data: no transcripts in it"),
        # A word inside another does not count.
        *(({f"{folder}/1.txt": "a", "crnn/1.txt": "b"}, "nothing tells references")
          for folder in ("nogtx", "preferences", "untruthful")),
        # Two pages would share a name, or their numbers contradict each other.
        ({"reference/0001_a.txt": "a", "reference/0002_a.txt": "b", "crnn/a.txt": "c"}, SAME_NAME),
        *(({f"reference/{a}.txt": "a", f"crnn/{b}.txt": "a"}, SAME_NAME)
          for a, b in (("letter_pg1", "letter_pg2"), ("letter", "letter_pg2"))),
        *(({f"reference/{a}.txt": "a", f"reference/{b}.txt": "a",
            f"crnn/{c}.txt": "a", f"crnn/{d}.txt": "a"}, SAME_NAME)
          for a, b, c, d in (("letter_pg1", "memo_pg1", "letter_pg2", "memo_pg2"),
                             ("v1/p1", "v2/p2", "v2/p1", "v1/p2"),
                             ("1850_letter", "1851_diary", "1851_letter", "1850_diary"))),
        ({"x/1.ref": "a", "x/1.hyp": "b", "x/page/1.ref": "c"},
         r"no page could be read; several files.*x/1\.ref, x/page/1"),
        ({"1.ref": b"\xff\xfb", "1.hyp": "a"},
         r"data: no page could be read; unreadable: 1.ref: not UTF"),
    ],
)  # fmt: skip
def test_a_folder_without_a_pair_is_refused_in_words(
    tree: Tree, files: Files, complaint: str
) -> None:
    with pytest.raises(hv.PairingError, match=complaint):
        hv.pair_path(tree(files))


def test_what_a_user_names_and_is_not_there(tree: Tree) -> None:
    root = tree({"1.ref": "a", "1.hyp": "b"})
    with pytest.raises(hv.PairingError, match=r"data: no files end in \.gt and \.hyp; give"):
        hv.pair_path(root, reference_suffix=".gt")
    with pytest.raises(hv.ReadError, match=r"nowhere: there is no such file or folder; check"):
        hv.pair_path(root / "nowhere")


EXPORT = {
    "mets.xml": "<mets/>", "metadata.xml": "<trpDocMetadata/>", "0001.jpg": "x", "0009.jpg": "x",
    "Thumbs.db": "x", "desktop.ini": "x", "notes.docx": "x",
}  # fmt: skip


@pytest.mark.parametrize("ends", [{}, {"reference_suffix": ".xml", "hypothesis_suffix": ".txt"}])
def test_what_an_export_puts_beside_the_pages_is_no_transcript_and_told_in_one_line(
    tree: Tree, ends: dict[str, str]
) -> None:
    exported = {f"reference/doc/{name}": content for name, content in EXPORT.items()}
    page = {"reference/doc/page/0001.xml": PAGE_XML.format("a"), "crnn/0001.txt": "b"}
    root = tree({**exported, **page})
    pairing = find_pairs(root)
    given = find_source_pairs(root / "reference", {"crnn": root / "crnn"}, **ends)
    for found in (pairing, given):
        assert len(found.pages) == 1
        assert not found.warnings
        assert not found.unpaired
    assert "reference/doc/metadata.xml" in given.passed_over
    assert tell_passed_over(pairing.passed_over) == (
        "Passed over: Thumbs.db, desktop.ini, metadata.xml and 2 more"
    )
    assert tell_passed_over(["a/mets.xml", "b/mets.xml"], images=1) == (
        "Passed over: 1 image without a page, mets.xml (2 times)"
    )
    assert tell_passed_over([]) == ""


def spare(*names: str, images: tuple[str, ...]) -> list[str]:
    """The images of these that are said to belong to none of these files of the truth."""
    found = [SourceFile(name, lambda: b"x") for name in (*names, *images)]
    pairing = pair_given_sides("x", GivenSide(found), {"A": GivenSide([])})
    return [image.name for image in spare_images(pairing, None)]


def test_an_image_is_spare_only_if_no_page_of_the_truth_has_it() -> None:
    assert spare("d/page/1.xml", "d/page/2.xml", images=("d/1.jpg", "d/2.jpg")) == []
    assert spare("1.txt", images=("1.jpg", "9.jpg")) == ["9.jpg"]
    assert spare("1.txt", images=("a/1.jpg", "b/1.jpg")) == ["a/1.jpg", "b/1.jpg"]
    assert spare("0001_b.gt.txt", images=("0001_b.jpg",)) == []
    # A page that may name another image is asked first.
    assert spare("1.xml", images=("scan.jpg",)) == []
    assert spare("1.xml", images=("1.jpg", "scan.jpg")) == ["scan.jpg"]


@pytest.mark.parametrize(
    ("uploads", "names"),
    [
        ([("v.zip", zipped({"acme/x/1.txt": b"", "acme/x/2.txt": b""}))], ["1.txt", "2.txt"]),
        ([("v.zip", zipped({"a/1.txt": b"", "b/2.txt": b""}))], ["a/1.txt", "b/2.txt"]),
        ([("crnn/1.txt", b""), ("crnn/2.txt", b"")], ["1.txt", "2.txt"]),
        ([("1.txt", b"")], ["1.txt"]),
        ([("a.zip", zipped({"x/1.txt": b""})), ("b.zip", zipped({"x/1.txt": b""}))],
         ["a/1.txt", "b/1.txt"]),
    ],
)  # fmt: skip
def test_the_folder_around_an_upload_is_left_out(
    uploads: list[tuple[str, bytes]], names: list[str]
) -> None:
    assert [file.name for file in files_from_uploads(uploads)] == names


def test_what_systems_put_into_an_upload_is_hidden() -> None:
    names = ["a/1.ref", "a/1.hyp", "a/.DS_Store", "a/__MACOSX/._1.ref", "a/._1.ref"]
    files = files_from_uploads([(name, b"x") for name in names])
    assert [file.name for file in files] == ["1.ref", "1.hyp"]


def test_a_page_that_lacks_something_is_named(tree: Tree) -> None:
    # A file beside the folders is not passed over in silence.
    root = tree({"reference/1.txt": "a", "crnn/1.txt": "b", "2.txt": "lost"})
    (warning,) = warned(hv.pair_path(root))
    assert warning.startswith("2.txt: ")
    assert "move it" in warning
    # A page that one of two systems lacks.
    files = {f"{side}/{page}.txt": "x" for side in ("reference", "a", "b") for page in "12"}
    del files["b/2.txt"]
    dataset = hv.pair_path(tree(files))
    assert [list(page.hypotheses) for page in dataset.pages] == [["a", "b"], ["a"]]
    (warning,) = warned(dataset)
    assert warning.startswith("reference/2.txt: no output of system b")
    # A single page with two files of one system.
    root = tree({"gt.txt": "a", "crnn.txt": "b", "crnn.xml": PAGE_XML.format("c"), "span.txt": "d"})
    dataset = hv.pair_path(root)
    assert texts(dataset) == {"data": ("a", {"crnn": "c", "span": "d"})}
    assert any("several forms (data); .xml is read" in warning for warning in warned(dataset))


def test_the_folder_one_stands_in(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree({"gt.txt": "a", "crnn.txt": "b"}))
    assert hv.pair_path(".").name == "data"
    assert list(texts(hv.pair_path("."))) == ["data"]


# --- reference and systems named one by one


def test_folders_named_one_by_one(tree: Tree) -> None:
    root = tree({"truth/1.txt": "a", "truth/2.txt": "b", "x/1.txt": "c", "y/2.txt": "d"})
    dataset = hv.pair_sources(root / "truth", {"X": root / "x", "Y": root / "y"})
    assert texts(dataset) == {"1": ("a", {"X": "c"}), "2": ("b", {"Y": "d"})}
    assert dataset.systems == ("X", "Y")
    assert [warning.partition(":")[0] for warning in warned(dataset)] == [
        "truth/1.txt",
        "truth/2.txt",
    ]


@pytest.mark.parametrize("names", [("a.txt", "b.txt"), ("gt", "out.dat"), ("1.ref", "2.xml")])
def test_a_file_against_a_file_whatever_they_are_called(tree: Tree, names: tuple[str, str]) -> None:
    root = tree({names[0]: "a", names[1]: PAGE_XML.format("b")})
    dataset = hv.pair_sources(root / names[0], {"x": root / names[1]})
    assert [*texts(dataset).values()] == [("a", {"x": "b"})]
    assert not dataset.unpaired


def test_a_file_against_a_folder_goes_by_name(tree: Tree) -> None:
    root = tree({"1.txt": "a", "x/1.txt": "b", "x/2.txt": "c"})
    dataset = hv.pair_sources(root / "1.txt", {"x": root / "x"})
    assert texts(dataset) == {"1": ("a", {"x": "b"})}
    assert dataset.unpaired.hypothesis == {"x": ("2",)}
    # Archives named one by one.
    root = tree({"truth.zip": zipped({"truth/1.txt": "a"}), "x.zip": zipped({"out/1.txt": "b"})})
    dataset = hv.pair_sources(root / "truth.zip", {"x": root / "x.zip"})
    assert texts(dataset) == {"1": ("a", {"x": "b"})}
    # Suffixes of two folders that are one.
    root = tree({"1.gt.txt": "a", "1.txt": "b"})
    dataset = hv.pair_sources(
        root, {"x": root}, reference_suffix=".gt.txt", hypothesis_suffix=".txt"
    )
    assert texts(dataset) == {"1": ("a", {"x": "b"})}
    assert not dataset.warnings
    # Folders without a name in common.
    root = tree({"truth/1.txt": "a", "x/2.txt": "b"})
    with pytest.raises(hv.PairingError, match=r"truth: no reference has output.*truth/1\.txt"):
        hv.pair_sources(root / "truth", {"x": root / "x"})


# --- names that differ in a known way


def test_names_that_differ_where_looser_reading_helps(tree: Tree) -> None:
    # Numbers that transkribus puts before names.
    files = {
        "reference/doc/page/0001_Brief_1.xml": PAGE_XML.format("a"),
        "reference/doc/page/0002_Brief_2.xml": PAGE_XML.format("b"),
        "crnn/Brief_1.txt": "c",
        "crnn/Brief_2.txt": "d",
    }
    dataset = hv.pair_path(tree(files))
    assert texts(dataset) == {"Brief_1": ("a", {"crnn": "c"}), "Brief_2": ("b", {"crnn": "d"})}
    assert dataset.rule.endswith(", numbers before names (0001_…) passed over")
    assert not dataset.unpaired
    # Those of the vendor, which count no pages, stay.
    files = {"reference/0001_07110801.txt": "a", "reference/0002_07110802.txt": "b",
             "crnn/07110801.txt": "c", "crnn/071_108_02.txt": "d"}  # fmt: skip
    dataset = hv.pair_path(tree(files))
    assert dataset.unpaired == Unpaired(("07110802",), {"crnn": ("071_108_02",)})
    # Names are not read loosely where some are equal.
    files = {
        "reference/0001_a.txt": "a", "reference/b.txt": "b", "crnn/a.txt": "c", "crnn/b.txt": "d",
    }  # fmt: skip
    dataset = hv.pair_path(tree(files))
    assert texts(dataset) == {"b": ("b", {"crnn": "d"})}
    assert dataset.unpaired == Unpaired(("0001_a",), {"crnn": ("a",)})
    # Folders around names are passed over.
    files = {"reference/vol1/a.txt": "a", "reference/vol2/b.txt": "b", "crnn/a.txt": "c",
             "crnn/b.txt": "d", "span/out/a.txt": "e"}  # fmt: skip
    dataset = hv.pair_path(tree(files))
    assert texts(dataset) == {"a": ("a", {"crnn": "c", "span": "e"}), "b": ("b", {"crnn": "d"})}
    assert dataset.rule.endswith(", the folders around them passed over")


def test_numbers_in_names_are_passed_over_where_only_one_side_has_them(tree: Tree) -> None:
    # An export puts its own before names; a document of one page may have its number or not.
    files = {"reference/0001_b.txt": "a", "crnn/0002_b.txt": "a", "crnn/0001_a.txt": "c"}
    assert texts(hv.pair_path(tree(files))) == {"b": ("a", {"crnn": "a"})}
    files = {"reference/letter_pg1.txt": "a", "crnn/letter.txt": "b"}
    assert texts(hv.pair_path(tree(files))) == {"letter": ("a", {"crnn": "b"})}


def test_names_in_another_unicode_form_look_the_same_and_are_the_same(tmp_path: Path) -> None:
    # In an archive: some file systems know one form alone.
    archive = tmp_path / "names.zip"

    def found(files: dict[str, str]) -> hv.Dataset:
        archive.write_bytes(zipped({name: text.encode() for name, text in files.items()}))
        return hv.pair_path(archive)

    one, other = "Caf\u00e9", "Cafe\u0301"
    files = {f"reference/{one}.txt": "a", "reference/b.txt": "b",
             f"crnn/{other}.txt": "c", "crnn/b.txt": "d"}  # fmt: skip
    looser = found(files)
    assert texts(looser) == {one: ("a", {"crnn": "c"}), "b": ("b", {"crnn": "d"})}
    assert looser.rule.endswith(", Unicode forms of names passed over")
    # Where both stand on one side, they are two pages.
    both = found(files | {f"reference/{other}.txt": "e"})
    assert texts(both) == {other: ("e", {"crnn": "c"}), "b": ("b", {"crnn": "d"})}


ALTO_XML = (
    '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><Page><TextBlock><TextLine>'
    '<String CONTENT="{}"/></TextLine></TextBlock></Page></Layout></alto>'
)


def test_an_export_that_holds_every_page_as_page_and_as_alto(tree: Tree) -> None:
    exported = {
        f"{side}/doc/{kind}/{page}.xml": form.format(f"{kind}{page}")
        for side in ("reference", "crnn") for page in "12"
        for kind, form in (("page", PAGE_XML), ("alto", ALTO_XML))
    }  # fmt: skip
    dataset = hv.pair_path(tree(exported))
    assert texts(dataset) == {
        f"doc/{page}": (f"page{page}", {"crnn": f"page{page}"}) for page in "12"
    }
    assert [warning.partition(":")[0] for warning in warned(dataset)] == [
        "the reference", "system crnn",
    ]  # fmt: skip
    assert "2 pages stand here in several forms (doc/1, doc/2); page/ is read" in warned(dataset)[0]


@pytest.mark.parametrize(
    "names",
    [
        ("page/1.xml", "1.xml"), ("alto/1.xml", "1.xml"), ("page/a/1.xml", "a/alto/1.xml"),
        ("page/1.xml", "alto/1.xml", "alto/1.txt"), ("page/1.xml", "alto/page/1.xml"),
    ],
)  # fmt: skip
def test_duplicates_of_any_other_origin_stay_duplicates(tree: Tree, names: tuple[str, ...]) -> None:
    files = {f"reference/{name}": "a" for name in names}
    page_id = "a/1" if "/a/" in names[0] else "1"
    root = tree(
        files | {f"crnn/{page_id}.txt": "b", "reference/page/2.txt": "c", "crnn/2.txt": "d"}
    )
    dataset = hv.pair_path(root)
    assert list(texts(dataset)) == ["2"]
    assert any(f"{page_id}: {len(names)} files or rows" in text for text in warned(dataset))


# --- images


@pytest.mark.parametrize(
    ("image", "declared"),
    [("1.jpg", ""), ("1.JPG", ""), ("images/1.png", ""), ("scan 7.tif", "scan 7.tif"),
     ("images/Scan.JPG", "C:\\x\\scan.jpg"), ("other/1.jp2", "gone.jpg")],
)  # fmt: skip
def test_a_page_knows_its_image(tree: Tree, image: str, declared: str) -> None:
    reference = PAGE_XML.format("a").replace("<Page>", f'<Page imageFilename="{declared}">')
    dataset = hv.pair_path(tree({"1.gt.xml": reference, "1.pred.xml": reference, image: b"i"}))
    assert {page: file.name for page, file in dataset.images.items()} == {"1": image}
    assert dataset.images["1"].read() == b"i"


def test_images_beside_the_pages(tree: Tree) -> None:
    # Images in a folder beside the references.
    root = tree({"gt/1.txt": "a", "images/1.jpg": b"i", "x/1.txt": "b"})
    assert hv.pair_sources(root / "gt", {"x": root / "x"}).images["1"].read() == b"i"
    # Of two images of one name neither is taken.
    root = tree({"1.ref": "a", "1.hyp": "b", "x/1.jpg": b"i", "y/1.png": b"j"})
    assert hv.pair_path(root).images == {}


# --- what is left over


@pytest.mark.parametrize(
    "names", [["1", "2a", "2b", "9", "10", "011"], ["b2", "b12", "c1"], ["1" * 30, "2" * 30]]
)
def test_pages_are_in_the_order_people_count_in(tree: Tree, names: list[str]) -> None:
    files = {f"{name}{suffix}": "x" for name in names[::-1] for suffix in (".ref", ".hyp")}
    assert [page.page_id for page in hv.pair_path(tree(files)).pages] == names


def test_any_name_has_a_place_in_the_order() -> None:
    names = ["9" * 40, "a²", "٣", "", "1", "a", "-1"]
    rotated = names[3:] + names[:3]
    assert sorted(names, key=natural_order) == sorted(rotated, key=natural_order)


def test_pages_without_a_counterpart_are_listed_on_either_side(tree: Tree) -> None:
    root = tree({"1.ref": "a", "1.hyp": "b", "10.ref": "c", "9.ref": "d", "3.hyp": "e"})
    dataset = hv.pair_path(root)
    assert list(texts(dataset)) == ["1"]
    assert dataset.unpaired == Unpaired(("9", "10"), {"hyp": ("3",)})
    assert dataset.unpaired
    by_file = {warning.partition(":")[0]: warning for warning in warned(dataset)}
    assert set(by_file) == {"9.ref", "10.ref", "3.hyp"}
    assert "so the page is not scored" in by_file["9.ref"]
    assert "without a reference" in by_file["3.hyp"]


# --- what is in the files


def test_files_that_are_not_what_they_should_cost_their_own_page_only(tree: Tree) -> None:
    # A file that cannot be read costs its own page only.
    root = tree(
        {
            "reference/1.txt": "fine",
            "crnn/1.txt": "fine",
            "reference/2.txt": "Gr\xfc\xdfe".encode("latin-1"),
            "crnn/2.txt": "x", "reference/3.txt": "x", "crnn/3.txt": b"a\x00b",
            "reference/4.txt": "x", "crnn/4.txt": "<?xml version='1.0'?><PcGts>",
        }
    )  # fmt: skip
    dataset = hv.pair_path(root)
    assert list(texts(dataset)) == ["1"]
    not_text, nul, not_xml = warned(dataset)
    assert not_text.startswith("reference/2.txt: not UTF-8 (byte 0xFC at position 2); save it as")
    assert nul.startswith("crnn/3.txt: a NUL character at position 1")
    assert not_xml.startswith("crnn/4.txt: not well-formed XML")
    # A file that cannot be read of two folders named alike.
    # The message says whether it was the reference.
    root = tree({"t/1.txt": "a", "x/1.txt": "a", "t/2.txt": b"\xff", "x/2.txt": "b"})
    dataset = hv.pair_sources(root / "t", {"x": root / "x"})
    assert [warning.partition(":")[0] for warning in warned(dataset)] == ["t/2.txt"]
    # A file above the limit.
    root = tree({"1.ref": "a", "1.hyp": "b", "2.ref": "c" * 100, "2.hyp": "d"})
    dataset = hv.pair_path(root, reading=hv.ReadPolicy(limits=hv.Limits(file_bytes=50)))
    assert list(texts(dataset)) == ["1"]
    assert "2.ref: " in warned(dataset)[0]
    assert "split" in warned(dataset)[0]


@pytest.mark.parametrize(
    ("content", "encoding", "expected"),
    [
        (b"\xef\xbb\xbfone two", None, "one two"), ("one two".encode("utf-16"), None, "one two"),
        (b"\xfe\xff" + "öne".encode("utf-16-be"), None, "öne"),
        (b"\xfe\xff" + "öne".encode("utf-16-be"), "utf-16", "öne"),
        (b"\xef\xbb\xbf\xc3\xb6ne", "latin-1", "öne"),
        ("Grüße".encode("latin-1"), "latin-1", "Grüße"),
        *(("Grüße, Jahr".encode(), other, "Grüße, Jahr") for other in ("latin-1", "utf-16-le")),
        (b"Jahr", "UTF_16", "Jahr"), ("Jahr".encode("utf-16-le"), "utf-16-le", "Jahr"),
        ("文字".encode("iso-2022-jp"), "iso-2022-jp", "文字"),
        (b"one\r\ntwo\rthree\n\nfour", None, "one\ntwo\nthree\n\nfour"), (b"", None, ""),
    ],
)  # fmt: skip
def test_encodings_and_line_ends(content: bytes, encoding: str | None, expected: str) -> None:
    assert read_plain("1.txt", content, hv.ReadPolicy(encoding=encoding)).text == expected


@pytest.mark.parametrize(("content", "encoding", "complaint"), cases("no_texts"))
def test_bytes_that_are_no_text(content: str, encoding: str, complaint: str) -> None:
    with pytest.raises(hv.ReadError, match=complaint):
        read_plain("1.txt", content.encode("latin-1"), hv.ReadPolicy(encoding=encoding or None))


@pytest.mark.parametrize(
    "text",
    ["<unk> <gap/> one", "< one", "<", "<3 one", "one <a>two</a>", "<unk>a</unk> b", "  <3 x",
     " < y", "<note/>", "<a>\n</a>", "<xmlns>x</xmlns>", "<b>x</b> <p xmlns=''>"],
)  # fmt: skip
def test_a_text_may_hold_and_begin_like_markup(tree: Tree, text: str) -> None:
    assert hv.read_transcript(tree({"1.txt": text}) / "1.txt").text == text


def test_what_cannot_be_opened_is_named(tree: Tree) -> None:
    # Nothing uploaded.
    with pytest.raises(hv.PairingError, match="the upload: no transcripts in it; give"):
        pair_uploads("", [])

    # A source that fails to load is named.
    def load() -> bytes:
        raise OSError(5, "Input/output error")

    with pytest.raises(hv.ReadError, match=r"far/1\.ref: cannot be opened \(Input/output error\)"):
        SourceFile("far/1.ref", load).read()
    # A folder is no transcript.
    with pytest.raises(hv.ReadError, match="a folder; give one file"):
        hv.read_transcript(tree({}))
    # A directory of an archive that has too many entries.
    # They are counted before there is an object for each.
    content = zipped({str(n): "" for n in range(50)})
    with pytest.raises(hv.ReadError, match=r"x\.zip: 50 files, the limit archive_members is 9"):
        files_from_uploads([("x.zip", content)], hv.Limits(archive_members=9))


def test_hidden_files_and_links_out_of_the_folder(tree: Tree, tmp_path: Path) -> None:
    root = tree({"1.ref": "a", "1.hyp": "b", ".2.ref": "x", ".git/3.ref": "x", ".git/3.hyp": "x",
                 "old.htreval/4.ref": "x", "old.htreval/4.hyp": "x"})  # fmt: skip
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    for name, target in (
        ("4.ref", tmp_path / "secret.txt"), ("5.ref", root / "1.ref"), ("round", root),
        ("gone.hyp", root / "never.hyp"), ("out", tmp_path),
    ):  # fmt: skip
        (root / name).symlink_to(target)
    found, warnings = find_files(root)
    assert sorted(file.name for file in found) == ["1.hyp", "1.ref", "5.ref"]
    assert [(one.file, one.detail[0]) for one in warnings] == [
        ("4.ref", "that leads out of the folder"), ("gone.hyp", "that leads nowhere"),
        ("out", "that leads out of the folder"), ("round", "that leads back into itself"),
    ]  # fmt: skip
    told = tell_warnings(hv.pair_path(root).warnings)
    assert "a link that leads out of the folder" in told[0]
    assert "the same holds for 3 more, " in told[0]
    assert "put the files themselves there" in told[0]
    with pytest.raises(hv.ReadError, match="there is no such file"):
        files_at(root / "6.ref")


def test_links_within_the_folder_are_followed_and_end(tree: Tree) -> None:
    root = tree({"data/v2/1.txt": "a", "data/out/1.txt": "b"}) / "data"
    (root / "reference").symlink_to("v2")
    (root / "out" / "2.txt").symlink_to(root / "v2" / "1.txt")
    paired = hv.pair_path(root)
    assert texts(paired) == {"1": ("a", {"out": "b", "v2": "a"})}
    assert paired.unpaired.hypothesis["out"] == ("2",)
    assert not any("link" in told for told in warned(paired))
    # Links to one another end.
    root = tree({"a/1.txt": "a", "b/1.txt": "b"})
    (root / "a" / "x").symlink_to(root / "b")
    (root / "b" / "y").symlink_to(root / "a")
    found, warnings = find_files(root)
    assert [file.name for file in found] == ["a/1.txt", "a/x/1.txt", "b/1.txt", "b/y/1.txt"]
    assert [one.file for one in warnings] == ["a/x/y", "b/y/x"]


@pytest.mark.parametrize(("name", "content"), cases("no_transcripts"))
def test_xml_that_holds_no_transcript(tree: Tree, name: str, content: str) -> None:
    with pytest.raises(hv.ReadError, match=r"1\.(txt|xml): XML that starts with (mods|mets);"):
        hv.read_transcript(tree({name: content}) / name)


# --- limits


@pytest.mark.parametrize(
    ("limits", "content", "complaint"),
    [
        ({}, "a\n" + "b" * 5_001, r"line 2: a word of 5,001 characters, the limit word_characters"),
        ({"word_characters": 3}, "abc\nab abcd", r"line 2: a word of 4 .* is 3; put spaces"),
        ({"line_characters": 3}, "abc\na bc", r"line 2: 4 characters, the limit line_characters"),
        ({"lines": 2}, "a\nb\nc\n", r"3 lines, the limit lines is 2; split"),
        ({"words": 3}, "a b\nc d\n", r"line 2: more than 3 words up to here, the limit words"),
        ({"page_bytes": 3}, "abcd", r"4 bytes for one page, the limit page_bytes is 3"),
        ({"file_bytes": 3}, "abcd", r"4 bytes, the limit file_bytes is 3; split the file"),
        ({"markup": 5}, PAGE_XML, r"tags and attributes, the limit markup is 5; export"),
        ({"nesting": 4}, PAGE_XML, r"in one another more than 4 deep, the limit nesting"),
        (
            {"lines": 1},
            PAGE_XML.replace("<TextLine", "<TextLine/><TextLine"),
            r"2 lines, the limit",
        ),
        ({"lines": 1}, "<html><p class='ocr_line'>a</p><p class='ocr_line'>b</p>", r"2 lines, the"),
    ],
)
def test_a_page_above_a_limit(
    tree: Tree, limits: dict[str, int], content: str, complaint: str
) -> None:
    """The message names the file, the place, the limit, and how to raise it."""
    path = tree({"1.txt": content}) / "1.txt"
    with pytest.raises(hv.ReadError, match=complaint) as refused:
        hv.read_transcript(path, hv.ReadPolicy(limits=hv.Limits(**limits)))
    assert str(refused.value).startswith("1.txt: ")
    (limit,) = limits or ("word_characters",)
    # Deeper than its limit libxml2 does not read whatever we say.
    raising = Remedy(RemedyKind.RAISE_LIMIT, limit)
    assert refused.value.remedy == (None if limit == "nesting" else raising)


def test_a_page_within_the_limits_to_the_last(tree: Tree) -> None:
    path = tree({"1.txt": "abc ab\nc\n"}) / "1.txt"
    limits = hv.Limits(word_characters=3, line_characters=6, lines=2, words=3, page_bytes=9)
    assert hv.read_transcript(path, hv.ReadPolicy(limits=limits)).text == "abc ab\nc"
    nested = tree({"1.xml": PAGE_XML.format("x")}) / "1.xml"
    assert hv.read_transcript(nested, hv.ReadPolicy(limits=hv.Limits(nesting=6))).text == "x"


@pytest.mark.timeout(10)
def test_one_endless_word_costs_its_own_page_only(tree: Tree) -> None:
    files = {"1.ref": "a" * 300_000, "1.hyp": "b" * 300_000, "2.ref": "a", "2.hyp": "a"}
    dataset = hv.pair_path(tree(files))
    assert list(texts(dataset)) == ["2"]
    assert warned(dataset)[0].startswith("1.ref: line 1: a word of 300,000 characters")


@pytest.mark.parametrize("limits", [{"words": 0}, {"nesting": 257}, {"lines": -1}])
def test_impossible_limits(limits: dict[str, int]) -> None:
    with pytest.raises(hv.ConfigError, match=r"limit (words|nesting|lines): "):
        hv.Limits(**limits)


# --- archives


def as_archive(tree: Tree, content: bytes) -> Path:
    return tree({"pages.zip": content}) / "pages.zip"


def test_an_archive_pairs_like_a_folder(tree: Tree) -> None:
    files = {"out/reference/1.txt": "a", "out/crnn/1.txt": "b"}
    noise = {"__MACOSX/out/._1.txt": "x", "out/.DS_Store": "x", "out/": ""}
    dataset = hv.pair_path(as_archive(tree, zipped(files | noise)))
    assert texts(dataset) == {"1": ("a", {"crnn": "b"})}
    assert not dataset.warnings


@pytest.mark.parametrize(
    "name", ["/etc/1.ref", "../1.ref", "x/../../1.ref", "C:/1.ref", "C:\\1.ref", "\\\\host\\1.ref"]
)
def test_names_that_lead_out_of_the_archive(tree: Tree, name: str) -> None:
    with pytest.raises(hv.ReadError, match="a path outside its archive; pack"):
        hv.pair_path(as_archive(tree, zipped({name: "a", "1.hyp": "b"})))


def with_a_link() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        link = zipfile.ZipInfo("1.ref")
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("1.hyp", "b")
    return out.getvalue()


def with_a_nameless_file() -> bytes:
    content = zipped({"x": "a", "1.ref": "a", "1.hyp": "b"})
    # In the directory at the end: the length of the first name, and then the name.
    entry = content.index(b"PK\x01\x02")
    nameless = content[: entry + 28] + b"\0" + content[entry + 29 : entry + 46]
    nameless += content[entry + 47 :]
    end = nameless.index(b"PK\x05\x06") + 12
    length = int.from_bytes(nameless[end : end + 4], "little") - 1
    return nameless[:end] + length.to_bytes(4, "little") + nameless[end + 4 :]


PAIR: Files = {"1.ref": "a" * 5000, "1.hyp": "b"}
LONG, SHORT = (number.to_bytes(4, "little") for number in (5000, 50))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (with_a_nameless_file(), r"not a whole zip archive \(a file without"),
        (with_a_link(), r"1\.ref is a link; pack the files"),
        (zipped({"in.zip": zipped(PAIR)}), r"in\.zip is an archive in an archive"),
        # A member that is larger than the archive says, and an archive of a later format.
        (zipped(PAIR, zipfile.ZIP_STORED).replace(LONG, SHORT), r"1\.ref: .*pack it again"),
        (zipped(PAIR).replace(b"PK\x01\x02\x14\x03\x14", b"PK\x01\x02\x14\x03\xff"),
         r".*pack it again"),
    ],
    ids=["nameless", "link", "archive", "lying", "later"],
)  # fmt: skip
def test_an_archive_that_is_not_what_it_should_be(
    tree: Tree, content: bytes, complaint: str
) -> None:
    with pytest.raises((hv.ReadError, hv.PairingError), match=rf"pages\.zip: {complaint}"):
        hv.pair_path(as_archive(tree, content))


def test_members_that_are_damaged_cost_their_own_page_only(tree: Tree) -> None:
    # A member that unpacks to far more than it is.
    files = {"1.ref": "a", "1.hyp": "b", "2.ref": "0" * 10**7, "2.hyp": "c"}
    dataset = hv.pair_path(as_archive(tree, zipped(files)))
    assert list(texts(dataset)) == ["1"]
    (warning,) = warned(dataset)
    assert "pages.zip: 2.ref: unpacks to over 200 times its size" in warning
    # A damaged member costs its own page only.
    text = " ".join(f"word{number}" for number in range(200))
    content = bytearray(zipped({"1.ref": text, "1.hyp": "b", "2.ref": "c", "2.hyp": "d"}))
    at = content.index(b"1.ref") + len("1.ref")
    content[at : at + 8] = b"\xff" * 8
    dataset = hv.pair_path(as_archive(tree, bytes(content)))
    assert list(texts(dataset)) == ["2"]
    assert "pages.zip: 1.ref: cannot be unpacked" in warned(dataset)[0]


@pytest.mark.parametrize("limit", ["archive_members", "archive_bytes"])
def test_an_archive_above_the_limits(tree: Tree, limit: str) -> None:
    reading = hv.ReadPolicy(limits=hv.Limits(**{limit: 1}))
    content = zipped({"1.ref": "aa", "1.hyp": "bb"})
    complaint = rf"pages\.zip: .*the limit {limit} is 1; split it, or raise the limit"
    with pytest.raises(hv.ReadError, match=complaint):
        hv.pair_path(as_archive(tree, content), reading=reading)
    with pytest.raises(hv.ReadError, match=complaint):
        pair_uploads("x", [("pages.zip", content)], reading)


@pytest.mark.parametrize("cut", [30, 100])
def test_half_an_archive(cut: int) -> None:
    whole = zipped({"1.ref": "a" * 50, "1.hyp": "b"})
    assert [file.name for file in files_from_uploads([("pages.zip", whole)])] == ["1.ref", "1.hyp"]
    with pytest.raises(hv.PairingError, match="no transcripts"):
        pair_uploads("pages.zip", [("pages.zip", whole[:cut])])


# --- uploads


@pytest.mark.parametrize(
    ("uploads", "expected"),
    [
        ([("x/1.ref", b"a"), ("x\\1.hyp", b"b")], {"hyp": "b"}),
        ([("p.zip", zipped({"reference/1.txt": "a", "crnn/1.txt": "b"}))], {"crnn": "b"}),
        # Of two archives each is a folder.
        ([("gt.zip", zipped({"export/1.txt": "a"})), ("crnn.zip", zipped({"1.txt": "b"}))],
         {"crnn": "b"}),
    ],
)  # fmt: skip
def test_uploads_pair_like_a_folder(
    uploads: list[tuple[str, bytes]], expected: dict[str, str]
) -> None:
    assert texts(pair_uploads("upload", uploads)) == {"1": ("a", expected)}


@pytest.mark.parametrize("name", ["../1.ref", "/1.ref", "C:\\1.ref", "1\x00.ref"])
def test_an_uploaded_name_that_leads_elsewhere(name: str) -> None:
    with pytest.raises(hv.ReadError, match="a path outside its archive"):
        pair_uploads("upload", [(name, b"a")])


def test_two_endings_of_which_nothing_says_whose_they_are(tree: Tree) -> None:
    root = tree({f"{n}{ending}": "one" for n in (1, 2) for ending in (".txt", ".tif.txt")})
    with pytest.raises(hv.PairingError, match=r"2 files end in .* and 2 in ") as caught:
        hv.pair_path(root)
    assert caught.value.remedy == Remedy(RemedyKind.NAME_SUFFIXES)
    assert len(hv.pair_path(root, reference_suffix=".txt", hypothesis_suffix=".tif.txt").pages) == 2


def test_a_folder_of_several_data_sets_names_them(tree: Tree) -> None:
    files = {f"{book}/{side}/1.txt": "a b" for book in ("x", "y") for side in ("reference", "A")}
    with pytest.raises(hv.PairingError, match="holds 2 data sets, x, y; give one of them"):
        hv.pair_path(tree(files))
