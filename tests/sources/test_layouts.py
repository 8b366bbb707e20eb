"""Every layout that pairs, what of it pairs with what, and look-alikes that must stay refused."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import htreval_core as hv
from htreval_core.cli.group import in_shell
from htreval_core.sources.recognise import find_pairs
from tests.sources.test_pairing import PAGE_XML
from tests.tools import Files, Tree, zipped

X, T = PAGE_XML, "some words"
_RECORD = {"reference": "some words", "crnn": "some word"}


@dataclass(frozen=True)
class Layout:
    """Files, and by page and system what is paired: the reference under an empty name."""

    files: Files
    pages: dict[str, dict[str, str]] = field(default_factory=dict)


def _rows(file: str, page: str, reference: str, **systems: str) -> dict[str, dict[str, str]]:
    columns = {"": reference, **systems}
    return {page: {s: f"{file}: {page}, column {column}" for s, column in columns.items()}}


PAIRED = {
    "OCR-D, METS beside": Layout(
        {"mets.xml": X, "OCR-D-GT-PAGE/OCR-D-GT-PAGE_0001.xml": X,
         "OCR-D-GT-PAGE/OCR-D-GT-PAGE_0002.xml": X, "OCR-D-OCR-X/OCR-D-OCR-X_0001.xml": X,
         "OCR-D-OCR-X/OCR-D-OCR-X_0002.xml": X, "OCR-D-IMG/OCR-D-IMG_0001.tif": "image"},
        {"0001": {"": "OCR-D-GT-PAGE/OCR-D-GT-PAGE_0001.xml",
                  "OCR-D-OCR-X": "OCR-D-OCR-X/OCR-D-OCR-X_0001.xml"},
         "0002": {"": "OCR-D-GT-PAGE/OCR-D-GT-PAGE_0002.xml",
                  "OCR-D-OCR-X": "OCR-D-OCR-X/OCR-D-OCR-X_0002.xml"}}),
    "OCR-D, groups after names": Layout(
        {"mets.xml": X, "OCR-D-GT-PAGE/FILE_0001_OCR-D-GT-PAGE.xml": X,
         "OCR-D-OCR-X/FILE_0001_OCR-D-OCR-X.xml": X},
        {"FILE_0001": {"": "OCR-D-GT-PAGE/FILE_0001_OCR-D-GT-PAGE.xml",
                       "OCR-D-OCR-X": "OCR-D-OCR-X/FILE_0001_OCR-D-OCR-X.xml"}}),
    "OCR-D, groups without text": Layout(
        {"mets.xml": X, "OCR-D-GT-PAGE/P_1.xml": X, "OCR-D-SEG/P_1.xml": X,
         "OCR-D-OCR-X/P_1.xml": X, "OCR-D-OCR-Y/P_1.xml": X},
        {"P_1": {"": "OCR-D-GT-PAGE/P_1.xml", "OCR-D-OCR-X": "OCR-D-OCR-X/P_1.xml",
                 "OCR-D-OCR-Y": "OCR-D-OCR-Y/P_1.xml"}}),
    "OCR-D in a folder": Layout(
        {"data/mets.xml": X, "data/OCR-D-GT-PAGE/OCR-D-GT-PAGE_1.xml": X,
         "data/OCR-D-OCR-X/OCR-D-OCR-X_1.xml": X},
        {"1": {"": "data/OCR-D-GT-PAGE/OCR-D-GT-PAGE_1.xml",
               "OCR-D-OCR-X": "data/OCR-D-OCR-X/OCR-D-OCR-X_1.xml"}}),
    "endings of images": Layout(
        {"gt/X.tif.xml": X, "ocr/X.xml": X},
        {"X": {"": "gt/X.tif.xml", "ocr": "ocr/X.xml"}}),
    "endings of images on both sides": Layout(
        {"gt/X.tif.xml": X, "ocr/X.tif.xml": X},
        {"X.tif": {"": "gt/X.tif.xml", "ocr": "ocr/X.tif.xml"}}),
    "endings of two kinds of images": Layout(
        {"gt/X.jpg.txt": T, "ocr/X.PNG.txt": T},
        {"X": {"": "gt/X.jpg.txt", "ocr": "ocr/X.PNG.txt"}}),
    "_gt and _ocr": Layout(
        {"1_gt.txt": T, "1_ocr.txt": T, "2_gt.txt": T, "2_ocr.txt": T},
        {"1": {"": "1_gt.txt", "ocr": "1_ocr.txt"}, "2": {"": "2_gt.txt", "ocr": "2_ocr.txt"}}),
    "_gt and -pred of two kinds": Layout(
        {"1_gt.xml": X, "1-pred.txt": T}, {"1": {"": "1_gt.xml", "pred": "1-pred.txt"}}),
    "_gt, _ocr and _pred": Layout(
        {"1_gt.txt": T, "1_ocr.txt": T, "1_pred.txt": T},
        {"1": {"": "1_gt.txt", "ocr": "1_ocr.txt", "pred": "1_pred.txt"}}),
    "_gt and none": Layout({"1_gt.txt": T, "1.txt": T}, {"1": {"": "1_gt.txt", "txt": "1.txt"}}),
    "none and _pred": Layout(
        {"1.txt": T, "1_pred.txt": T}, {"1": {"": "1.txt", "pred": "1_pred.txt"}}),
    "words in folders of their own": Layout(
        {"gt/1_gt.txt": T, "crnn/1_pred.txt": T, "gt/2_gt.txt": T, "crnn/2_pred.txt": T},
        {"1": {"": "gt/1_gt.txt", "crnn": "crnn/1_pred.txt"},
         "2": {"": "gt/2_gt.txt", "crnn": "crnn/2_pred.txt"}}),
    "capitals": Layout(
        {"gt/Brief A.txt": T, "ocr/brief a.TXT": T},
        {"brief a": {"": "gt/Brief A.txt", "ocr": "ocr/brief a.TXT"}}),
    "a better name than labels": Layout(
        {"labels/1.txt": T, "truth/1.txt": T},
        {"1": {"": "truth/1.txt", "labels": "labels/1.txt"}}),
    "one folder around all": Layout(
        {"book/gt/1.txt": T, "book/crnn/1.txt": T},
        {"1": {"": "book/gt/1.txt", "crnn": "book/crnn/1.txt"}}),
    "JSON, records": Layout(
        {"t.json": json.dumps([{"page_id": "1", **_RECORD}])},
        _rows("t.json", "1", "reference", crnn="crnn")),
    "JSON, records called otherwise": Layout(
        {"t.json": json.dumps([{"id": "1", "ground_truth": "a", "prediction": "b"}])},
        _rows("t.json", "1", "ground_truth", prediction="prediction")),
    "JSON, records of images": Layout(
        {"t.json": json.dumps([{"image": "1.jpg", "text": "a", "pred": "b", "lang": "de"}])},
        _rows("t.json", "1.jpg", "text", pred="pred")),
    "Hugging Face, lines of JSON": Layout(
        {"metadata.jsonl": json.dumps({"file_name": "1.jpg", "text": "a", "prediction": "b"}),
         "1.jpg": "image", "README.md": "of the data"},
        _rows("metadata.jsonl", "1.jpg", "text", prediction="prediction")),
    "Hugging Face, CSV": Layout(
        {"metadata.csv": "file_name,text,prediction,language\n1.jpg,a,b,de\n", "1.jpg": "image"},
        _rows("metadata.csv", "1.jpg", "text", prediction="prediction")),
    "Hugging Face, folders": Layout(
        {"gt/metadata.jsonl": json.dumps({"file_name": "1.jpg", "text": "a"}), "gt/1.jpg": "image",
         "crnn/1.txt": T},
        {"1": {"": "gt/metadata.jsonl: 1.jpg, column text", "crnn": "crnn/1.txt"}}),
    "archives": Layout(
        {"gt.zip": zipped({"1.txt": b"a"}), "crnn.zip": zipped({"1.txt": b"b"})},
        {"1": {"": "gt/1.txt", "crnn": "crnn/1.txt"}}),
    "one archive": Layout(
        {"all.zip": zipped({"x/1.ref": b"a", "x/1.hyp": b"b"})},
        {"1": {"": "1.ref", "hyp": "1.hyp"}}),
}  # fmt: skip


@pytest.mark.parametrize("name", list(PAIRED))
def test_a_layout_pairs(name: str, tree: Tree) -> None:
    layout = PAIRED[name]
    found = find_pairs(tree(layout.files))
    assert {
        page.page_id: {
            "": page.reference.name, **{s: file.name for s, file in page.hypotheses.items()}
        }
        for page in found.pages
    } == layout.pages  # fmt: skip
    used = {file.partition(": ")[0] for page in layout.pages.values() for file in page.values()}
    assert not used & {*found.passed_over}


REFUSED: dict[str, Files] = {
    "other words": {"1_a.txt": T, "1_b.txt": T},
    "numbers for words": {"1_gt.txt": T, "2_ocr.txt": T},
    "a word within a word": {"budget.txt": T, "1_widget.txt": T},
    "a page without an output that is predicted": {"1.txt": T, "2.txt": T, "1_pred.txt": T},
    "output that may be of two": {"1.txt": T, "1_ocr.txt": T},
    "capitals alone tell two pages apart": {"gt/A.txt": T, "gt/a.txt": T, "crnn/A.TXT.txt": T},
    "images of two kinds": {"gt/1.tif.xml": X, "gt/1.jpg.xml": X, "crnn/1.xml": X},
    "two kinds of truth": {"OCR-D-GT-SEG-PAGE/1.xml": X, "OCR-D-GT-SEG-LINE/1.xml": X,
                           "OCR-D-OCR-X/1.xml": X},
    "labels and transcriptions": {"labels/1.txt": T, "transcriptions/1.txt": T},
    "parts of a data set": {"train/1.txt": T, "val/1.txt": T},
    "books": {"book1/1.txt": T, "book2/1.txt": T},
    "blocks of a page": {"1.json": json.dumps([{"id": 1, "text": "a", "label": "title"}])},
    "archives beside files": {"gt.zip": zipped({"1.txt": b"a"}), "crnn/1.txt": T},
    "tables": {"gt.csv": "page,text\n1,a\n", "crnn.csv": "page,text\n1,a\n"},
    "a system beside labels of images": {"images/1.jpg": "image", "labels/1.txt": T},
    "folders with words nobody knows": {"gt/1_final.txt": T, "crnn/1_run.txt": T,
                                        "gt/2_final.txt": T, "crnn/2_run.txt": T},
    "a system called as others are": {"1_gt.txt": T, "1_kraken.txt": T},
    "folders": {"kraken/1.txt": T, "human/1.txt": T},
}  # fmt: skip
WAYS_OUT = {
    "other words": "--reference PATH --system NAME=PATH",
    "folders": "--reference PATH --system NAME=PATH",
    "folders with words nobody knows": "--reference-suffix END --hypothesis-suffix END",
}


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_only_looks_like_a_layout_is_refused(name: str, tree: Tree) -> None:
    root = tree(REFUSED[name])
    with pytest.raises(hv.HtrEvalError) as caught:
        find_pairs(root)
    assert not re.search(r"(?<![\w-])--[a-z]", str(caught.value)), "the engine names no option"
    if name in WAYS_OUT:
        assert caught.value.remedy is not None
        assert in_shell(caught.value.remedy) == WAYS_OUT[name]


def test_archives_of_a_folder_together_keep_within_the_limit(tree: Tree) -> None:
    root = tree({f"{n}.zip": zipped({"1.txt": bytes(100)}) for n in "ab"})
    size = sum(path.stat().st_size for path in Path(root).iterdir())
    limits = hv.Limits(archive_bytes=size - 1)
    with pytest.raises(hv.ReadError, match="the archives"):
        find_pairs(root, reading=hv.ReadPolicy(limits=limits))
