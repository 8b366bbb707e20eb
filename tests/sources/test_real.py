"""Files as programs of the world wrote them, against readers as short as they can be."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree, html

import htreval_core as hv
from htreval_core.sources.outputs import find_outputs
from tests.conftest import SHARED
from tests.tools import warned

REAL = SHARED / "real"
pytestmark = pytest.mark.skipif(not REAL.exists(), reason="the data of others are not here")


def told(name: str) -> str:
    return (REAL / name).read_text("utf-8")


def data(name: str) -> Any:
    return json.loads(told(name))


def tree(name: str, path: str) -> list[str]:
    parsed = etree.fromstring((REAL / name).read_bytes())
    return [str(one) for one in parsed.xpath(path)]  # type: ignore[union-attr]


def by_line(name: str, line: str, sign: str) -> str:
    root = etree.fromstring((REAL / name).read_bytes())
    return " ".join("".join(c.text or " " for c in one.iter(sign)) for one in root.iter(line))


def hocr_lines(name: str, *, own: bool) -> str:
    lines = html.parse(str(REAL / name)).xpath("//*[@class='ocr_line']")
    return " ".join(line.text if own else "".join(line.itertext()) for line in lines)


READERS: dict[str, Callable[[str], str]] = {
    "abbyy_417589220_0018.abbyy.xml": lambda n: by_line(n, "{*}line", "{*}formatting"),
    "abbyy_bsb11015645_00020.abbyy.xml": lambda n: by_line(n, "{*}line", "{*}charParams"),
    "azure_sample-layout-output.json": lambda n: " ".join(
        line["text"] for page in data(n)["analyzeResult"]["readResults"] for line in page["lines"]
    ),
    "docai_Winnie.json": lambda n: data(n)["text"],
    "docai_form_with_tables.json": lambda n: data(n)["text"],
    "docai_toolbox_invoice_test_0_hocr.xml": lambda n: hocr_lines(n, own=True),
    "hocr_kraken_bw_example.hocr": lambda n: hocr_lines(n, own=False),
    "dots_dots_simple.json": lambda n: " ".join(
        json.loads(f'"{text}"').replace("#", "")
        for text in re.findall(r'"text": "((?:[^"\\]|\\.)*)"', told(n))
    ),
    "gvision_test_picture.json": lambda n: data(n)["textAnnotations"][0]["description"],
    "mineru_report_content_list.json": lambda _: hv.read_transcript(REAL / "mineru_report.md").text,
    "minimal_docling_rich_cell.json": lambda _: "H2O rises",
    "minimal_dollar_table.md": lambda _: "USD ($) shares in Thousands, $ in Millions",
    "minimal_hocr_glued_words.hocr": lambda _: "Provinces.",
    "minimal_marker_links.md": lambda _: "as in [20], and [18,28].",
    "minimal_mineru_middle_equation.json": lambda _: "Hongzhi Liu1*",
    "minimal_spaced_formula.md": lambda _: "Hongzhi Liu1* und 50% of 1000 mg",
    "minimal_tei_sourcedoc_text.xml": lambda _: "Erste Zeile",
    "tei_gallica_bpt6k1281160s.xml": lambda n: " ".join(
        tree(n, "//*[local-name()='sourceDoc']//*[local-name()='line']/text()")
    ),
    "tess_eurotext.tsv": lambda _: told("tess_eurotext.txt"),
    "textract_table-example-response.json": lambda n: " ".join(
        one["Text"] for one in data(n)["Blocks"] if one["BlockType"] == "LINE"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", READERS)
def test_every_word_is_read_in_order_and_none_else(name: str) -> None:
    # Signs of emphasis aside, which only some of these readers know.
    texts = hv.read_transcript(REAL / name).text, READERS[name](name)
    read, wanted = (text.replace("*", "").split() for text in texts)
    assert read == wanted


def test_signs_and_letters_that_count_as_no_text() -> None:
    read = hv.read_transcript(REAL / "deepseek_deepseek_simple.md")
    model = hv.read_transcript(REAL / "deepseek_deepseek_simple.md.md").text
    assert read.text.endswith(model)
    assert sum(line.polygon is not None for line in read.lines) == len(model.split("\n"))
    tags = hv.read_transcript(REAL / "doctags_01030000000083.dt")
    assert not re.search(r"[<>]|loc_", tags.text)
    assert tags.lines[0].region_kind == "caption"
    assert tags.page_size == (500, 500)
    assert any("supplied letters" in one for one in warned(
        hv.read_transcript(REAL / "tei_1005250_tei.xml")))  # fmt: skip


def test_folders_as_they_are_found_pair(tmp_path: Path) -> None:
    layouts = REAL / "layouts"
    pages = {name: hv.pair_path(layouts / name) for name in ("ocrd_actevedef", "ocrd_kant")}
    assert [len(found.systems) for found in pages.values()] == [2, 2]
    assert pages["ocrd_kant"].page_ids == ("PHYS_0017", "PHYS_0020")
    tesseract = hv.pair_path(layouts / "tesseract")
    assert tesseract.page_ids == ("eurotext", "phototest")
    assert "in several forms (eurotext, phototest); .xml is read" in warned(tesseract)[0]
    models = find_outputs(layouts / "mistral")
    assert [page.page_id for page in models.pages] == ["stress_handwritten_memo"]
    assert len(models.systems) == 7
    # What Google keeps of a book, as it packs it: hOCR and the text beside it.
    packed = next(REAL.glob("metsgbs_*.tar.gz"))
    book = hv.pair_sources(packed, {"same": packed})
    assert "00000010" in book.page_ids
    assert len(book.pages[0].reference.text.split()) == 203
