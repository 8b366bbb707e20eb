"""Damaged and hostile files: a clear error or a page, soon, and in little memory."""

import io
import json
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lxml import etree

import htreval_core as hv
from htreval_core.model import SourceFile
from htreval_core.settings.written import EDITION_LEVELS
from tests.sources.test_editions import ABBYY, HISTORICAL, TEI, document
from tests.sources.test_editions import PAGE as TAGGED
from tests.sources.test_kinds import KINDS
from tests.sources.test_marked import FORMS
from tests.tools import cases, pair_uploads, warned, zipped

N_CASES = 1_600
N_BATCHES = 8
SECONDS = 2.0
"""For one file, on a machine that is busy with other things."""

PAGE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">'
    '<Metadata><Creator>x</Creator></Metadata><Page imageFilename="a.jpg" imageWidth="100" '
    'imageHeight="200"><ReadingOrder><OrderedGroup id="g"><RegionRefIndexed index="1" '
    'regionRef="r1"/><UnorderedGroupIndexed id="u" index="0"><RegionRef regionRef="r2"/>'
    '</UnorderedGroupIndexed></OrderedGroup></ReadingOrder><TextRegion id="r1" type="heading" '
    'custom="structure {type:heading;}"><Coords points="0,0 9,0 9,9"/>'
    '<TextLine id="l1" custom="readingOrder {index:1;}"><Coords points="1,2 3,4 5,6"/><Word>'
    "<TextEquiv><Unicode>Grüße</Unicode></TextEquiv></Word><TextEquiv index='0' conf='0.5'>"
    "<PlainText/><Unicode>Grüße, ſo &amp; &#x1F4DC;</Unicode></TextEquiv></TextLine>"
    '<TextLine id="l2" custom="readingOrder {index:0;}"><Coords><Point x="1" y="2"/></Coords>'
    "<TextEquiv><Unicode><![CDATA[1 < 2]]></Unicode></TextEquiv></TextLine></TextRegion>"
    '<TableRegion id="t"><TableCell id="c"><TextLine/></TableCell></TableRegion>'
    '<TextRegion id="r2"><TextEquiv><Unicode>two\nlines</Unicode></TextEquiv></TextRegion>'
    "</Page></PcGts>"
)
ALTO = (
    '<?xml version="1.0" encoding="UTF-8"?><!-- made by hand -->\n'
    '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Description>'
    "<MeasurementUnit>pixel</MeasurementUnit><sourceImageInformation><fileName>a.jpg</fileName>"
    '</sourceImageInformation></Description><Tags><OtherTag ID="t" LABEL="head"/></Tags>'
    '<ReadingOrder><OrderedGroup><ElementRef REF="b2"/><ElementRef REF="b1"/></OrderedGroup>'
    '</ReadingOrder><Layout><Page WIDTH="100" HEIGHT="200"><PrintSpace><ComposedBlock ID="c">'
    '<TextBlock ID="b1" TAGREFS="t"><TextLine HPOS="1" VPOS="2" WIDTH="3" HEIGHT="4">'
    '<String CONTENT="Wort" SUBS_TYPE="HypPart1" SUBS_CONTENT="Wortteil"/><HYP CONTENT="-"/>'
    '</TextLine></TextBlock></ComposedBlock><TextBlock ID="b2"><TextLine><Shape>'
    '<Polygon POINTS="1,2 3,4 5,6"/></Shape><String CONTENT="a whole"/><SP/>'
    '<String CONTENT="Zeile ſ"/></TextLine></TextBlock></PrintSpace></Page></Layout></alto>'
)
HOCR = (
    '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "x">'
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><meta charset="utf-8"/></head><body>'
    "<div class='ocr_page' title='image \"a.png\"; bbox 0 0 100 200'><div class='ocr_carea' id='b'>"
    "<p class='ocr_par' id='p'><span class='ocr_line' title='bbox 1 2 30 40; baseline 0 -5'>"
    "<span class='ocrx_word' title='bbox 1 2 3 4'>Gr&uuml;&szlig;e</span> "
    "<span class='ocrx_word'>zwei</span></span><span class='ocr_caption'>loser Text</span></p>"
    "</div></div></body></html>"
)
TABLE = 'page_id,reference,crnn\n001,NA,"a ""b"", c"\n2,"Grüße\nzwei Zeilen",x\n'
JSON_LINES = "\n".join(
    json.dumps({"page": n, "gt": "Grüße \ud83d\udcdc", "x": [1, {"a": None}]}) for n in range(3)
)
DECODED = "p1-l1 a b <space> c\np1-l2 d <unk> e\np2-l1 f g\n"
TEXT = "Köln, den 5. Mai\r\n<unk> <gap/>\u00a0ſo\u2003\U0001f4dc\n\n- ¬\n"

SEEDS: dict[str, bytes] = {
    "page.xml": PAGE.encode(),
    "page16.xml": PAGE.replace("UTF-8", "UTF-16").encode("utf-16"),
    "alto.xml": ALTO.encode(),
    "page.hocr": HOCR.encode(),
    "table.csv": TABLE.encode(),
    "table.tsv": TABLE.replace(",", "\t").encode(),
    "table.jsonl": JSON_LINES.encode(), "decoded.txt": DECODED.encode(), "text.txt": TEXT.encode(),
    "page.md": FORMS["md"].encode(), "page.html": FORMS["html"].encode(), "tei.xml": TEI.encode(),
    "churro.xml": HISTORICAL.encode(), "abbyy.xml": ABBYY.encode(), "tags.xml": TAGGED.encode(),
    **{name: text.encode() for name, text in FORMS.items() if name.endswith(".json")},
    **KINDS,
}  # fmt: skip
_TOKENS = [
    b"<", b">", b"</", b"/>", b"&", b"&#0;", b"&#xD800;", b"&x;", b"]]>", b"<![CDATA[", b"<!--",
    b"<?xml ", b"<!DOCTYPE x [", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\n",
    b'"', b"'", b"\r", b"\t", b",", b"9" * 400, b"-1", b"1e999", b"nan", b"{", b"}", b"index:",
    b"bbox ", b"charset=utf-7 ", b"encoding='punycode'", b'xmlns="x"', b"<Page/>", b"<TextLine>",
    b"```", b"|---|", b"**", b"$$", b"\\(", b"<table>", b"</td>", b"[", b"](", b"{\"pages\":",
    b"<|ref|>", b"<loc_1>", b"<text>", b"PAR1", b"PK\x01\x02", b"PK\x05\x06", b"\xf0\x9f\x93\x9c",
    b"<space>",
]  # fmt: skip
_VALUES = [
    "", "nan", "-1", "1e999", "9" * 400, "r1", "b1", "b2 b2", "c", "1,2 3", "0 0 9 9", "x\ny",
    "readingOrder {index:1;} {", "image '", "bbox 0 0 1e9 5", "ocr_line ocrx_word",
]  # fmt: skip
_NESTED = ["TextRegion", "OrderedGroup", "ComposedBlock", "TextLine", "div", "span", "a"]
_CODECS = ["utf-16", "utf-16-be", "latin-1", "utf-32", "utf-8-sig", "cp037"]
Mutation = Callable[[np.random.Generator, bytes], bytes]


def parquet() -> bytes:
    out = io.BytesIO()
    columns = {"id": ["1", "2"], "ref": ["Grüße", "NA"], "x": ["a", None]}
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


SEEDS["table.parquet"] = parquet()
SEEDS["page.docx"] = document(lambda made: made.add_paragraph("Grüße\nzwei"))
SEEDS["pages.zip"] = zipped(
    {"reference/1.xml": SEEDS["page.xml"], "x/1.xml": SEEDS["alto.xml"], "y/1.hocr": b"<html>"}
)


def _place(rng: np.random.Generator, content: bytes) -> int:
    return int(rng.integers(0, len(content) + 1))


def _flip(rng: np.random.Generator, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(int(rng.integers(1, 9)) if content else 0):
        changed[int(rng.integers(0, len(content)))] ^= int(rng.integers(1, 256))
    return bytes(changed)


def _cut(rng: np.random.Generator, content: bytes) -> bytes:
    start, end = sorted((_place(rng, content), _place(rng, content)))
    return content[:start] if rng.random() < 0.5 else content[:start] + content[end:]


def _repeat(rng: np.random.Generator, content: bytes) -> bytes:
    start, end = sorted((_place(rng, content), _place(rng, content)))
    piece = content[start : min(end, start + 60)]
    return content[:start] + piece * int(rng.integers(2, 2000)) + content[start:]


def _put_in(rng: np.random.Generator, content: bytes) -> bytes:
    at = _place(rng, content)
    return content[:at] + _TOKENS[int(rng.integers(0, len(_TOKENS)))] + content[at:]


def _splice(rng: np.random.Generator, content: bytes) -> bytes:
    other = SEEDS[list(SEEDS)[int(rng.integers(0, len(SEEDS)))]]
    start, end = sorted((_place(rng, other), _place(rng, other)))
    at = _place(rng, content)
    return content[:at] + other[start:end] + content[at:]


def _nest(rng: np.random.Generator, content: bytes) -> bytes:
    """Elements within elements, closed or not, before the end tag of something."""
    tag = _NESTED[int(rng.integers(0, len(_NESTED)))].encode()
    depth = int(rng.choice([3, 100, 250, 300, 5000]))
    ends = [at for at in range(len(content)) if content.startswith(b"</", at)] or [len(content)]
    at = ends[int(rng.integers(0, len(ends)))]
    closed = (b"</" + tag + b">") * depth if rng.random() < 0.7 else b""
    inner = b"<TextLine><TextEquiv><Unicode>x</Unicode></TextEquiv></TextLine>"
    return content[:at] + (b"<" + tag + b">") * depth + inner + closed + content[at:]


def _recode(rng: np.random.Generator, content: bytes) -> bytes:
    codec = _CODECS[int(rng.integers(0, len(_CODECS)))]
    return content.decode("utf-8", "replace").encode(codec, "replace")


def _rearrange(rng: np.random.Generator, content: bytes) -> bytes:
    """Well-formed XML of the same words, put together wrongly: it gets past the parser."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError):
        return content
    for _ in range(int(rng.integers(1, 12))):
        elements = list(root.iter(etree.Element))
        one, two = (elements[int(rng.integers(0, len(elements)))] for _ in range(2))
        parent = one.getparent()
        what = int(rng.integers(0, 6))
        if what == 0:
            two.append(deepcopy(one))
        elif what == 1 and parent is not None:
            parent.remove(one)
        elif what == 2:
            one.tag = two.tag
        elif what == 3 and two.attrib:
            name = list(two.attrib)[int(rng.integers(0, len(two.attrib)))]
            one.set(name, _VALUES[int(rng.integers(0, len(_VALUES)))])
        elif what == 4 and one.attrib:
            del one.attrib[next(iter(one.attrib))]
        else:
            one.text, one.tail = two.text, _VALUES[int(rng.integers(0, len(_VALUES)))]
    return etree.tostring(root)


def _repack(rng: np.random.Generator, content: bytes) -> bytes:
    """An archive that is whole, with a damaged member in it."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, ValueError, EOFError):
        return content
    if files:
        name = list(files)[int(rng.integers(0, len(files)))]
        files[name] = MUTATIONS[int(rng.integers(0, len(MUTATIONS)))](rng, files[name])
    return zipped(files)


MUTATIONS: list[Mutation] = [
    _flip, _cut, _repeat, _put_in, _splice, _nest, _recode, _rearrange, _rearrange, _repack,
    _repack,
]  # fmt: skip


def use(name: str, content: bytes) -> None:
    """Read a file in every way in which a user can come to it."""
    for policy in (None, hv.ReadPolicy(markup=(), edition=tuple(EDITION_LEVELS))):
        with suppress(hv.HtrEvalError):
            for line in hv.read_transcript(SourceFile(name, lambda: content), policy).lines:
                assert isinstance(line.text, str)
    for uploads in (
        [(name, content)],
        [("1.ref", content), ("1.hyp", b"one two")],
        [("reference/1.xml", content), ("x/1.txt", TEXT.encode()), ("y/1.hocr", content)],
    ):
        with suppress(hv.HtrEvalError):
            pair_uploads("fuzz", uploads)


def test_files_as_they_are_can_be_read() -> None:
    """What the mutations start from is good, so that they get past the first byte."""
    tables = ("table.csv", "table.tsv", "table.jsonl", "table.parquet", "pages.zip")
    for name in SEEDS.keys() - {*tables, "decoded.txt"}:
        assert hv.read_transcript(SourceFile(name, lambda name=name: SEEDS[name])).lines, name
    for name in tables:
        assert pair_uploads("fuzz", [(name, SEEDS[name])]).pages, name


@pytest.mark.thorough
@pytest.mark.parametrize("batch", range(N_BATCHES))
def test_a_damaged_file_is_read_or_refused(batch: int) -> None:
    rng = np.random.default_rng([20240601, batch])
    names = list(SEEDS)
    for case in range(N_CASES // N_BATCHES):
        name = names[case % len(names)]
        content = SEEDS[name]
        for _ in range(int(rng.integers(1, 4))):
            content = MUTATIONS[int(rng.integers(0, len(MUTATIONS)))](rng, content)
        # Its own time: others may have the machine as well.
        start = time.process_time()
        use(name, content)
        most = SECONDS * (1 + len(content) / 50_000)
        assert time.process_time() - start < most, (batch, case, name)


# --- memory

_NASTY: dict[str, str] = cases("nasty")
_PROGRAM = """
import htreval_core as hv
from htreval_core.model import SourceFile
content = ({expression}).encode()
name = "nasty.xml" if content[:1] == b"<" else "nasty.txt"
try:
    hv.read_transcript(SourceFile(name, lambda: content))
    print("read")
except hv.ReadError as error:
    print(error)
# Not getrusage, which counts the process that this one was started from as well.
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(int(status["VmHWM"].split()[0]) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="counts memory in kilobytes only there")
@pytest.mark.parametrize("kind", _NASTY)
def test_a_nasty_file_is_refused_in_little_memory(kind: str) -> None:
    program = _PROGRAM.replace("{expression}", _NASTY[kind])
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    message, megabytes = done.stdout.rsplit("\n", 2)[:2]
    assert message.startswith("nasty."), message
    assert int(megabytes) < 500


def test_an_archive_that_claims_a_line_of_a_gigabyte() -> None:
    """Neither what it says nor what it packs is taken into memory."""
    packed_zeros = zipped({"1.ref": b"0" * 50_000_000, "1.hyp": b"x", "2.ref": b"a", "2.hyp": b"a"})
    dataset = pair_uploads("x", [("x.zip", packed_zeros)])
    assert [page.page_id for page in dataset.pages] == ["2"]
    assert "the limit archive_ratio" in warned(dataset)[0]
    claim = packed_zeros.replace((50_000_000).to_bytes(4, "little"), (2**30).to_bytes(4, "little"))
    dataset = pair_uploads("x", [("x.zip", claim)])
    assert [page.page_id for page in dataset.pages] == ["2"]
    assert "the limit file_bytes" in warned(dataset)[0]
