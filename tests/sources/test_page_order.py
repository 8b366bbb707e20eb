"""A reference in the systems' order: only the reading order of its file differs."""

import re

import pytest

import htreval_core as hv
from htreval_core.diagnosis.order.taken import TakenOrder, systems_order
from htreval_core.errors import ReadError
from htreval_core.sources.readers.page_order import with_region_order
from htreval_core.sources.readers.pagexml import read_pagexml
from htreval_core.sources.reading import read_pairing
from htreval_core.sources.recognise import find_pairs
from tests.conftest import ROOT

TEXTS = {"a": "the first of all words", "b": "then comes a second text", "c": "a third was read",
         "d": "and ends with the fourth"}  # fmt: skip
SHARED = ROOT.parent / "shared" / "data"


def page_xml(order: str, prefix: str = "", encoding: str = "UTF-8") -> bytes:
    """A PAGE file with four regions of a line, and an image without text."""
    p = f"{prefix}:" if prefix else ""
    space = f"xmlns{':' + prefix if prefix else ''}"
    regions = "".join(
        f'<{p}TextRegion  id="{name}"><{p}TextLine id="{name}1"><{p}TextEquiv><{p}Unicode>{text}'
        f"</{p}Unicode></{p}TextEquiv></{p}TextLine></{p}TextRegion>\r\n  "
        for name, text in TEXTS.items()
    )
    text = (
        f"<?xml version='1.0' encoding='{encoding}'?><!-- <ReadingOrder/> é -->\n"
        f'<{p}PcGts {space}="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">\n'
        f' <{p}Page imageWidth="9" imageHeight="9"><{p}PrintSpace/>\n  {order.replace("§", p)}'
        f'<{p}ImageRegion id="i"/>{regions}</{p}Page><!-- ü --></{p}PcGts>\n'
    )
    return text.encode(encoding)


def ordered(*refs: str, first: int = 0) -> str:
    members = "\n    ".join(
        f'<§RegionRefIndexed index="{n}" regionRef="{ref}"/>' for n, ref in enumerate(refs, first)
    )
    return f'<§ReadingOrder ><§OrderedGroup id="g" caption="x &amp; y">{members}</§OrderedGroup></§ReadingOrder>\n  '  # noqa: E501


def without_order(content: bytes, encoding: str = "UTF-8") -> str:
    text = content.decode(encoding)
    text = re.sub(r"<!--.*?-->", "", text)
    return re.sub(r"<([\w:]*)ReadingOrder\b[^>]*>.*</\1ReadingOrder>\s*", "", text, flags=re.S)


def regions(content: bytes) -> list[str | None]:
    return [line.region for line in read_pagexml("x.xml", content).lines]


NESTED = (
    '<§ReadingOrder><§OrderedGroup id="g"><§OrderedGroupIndexed id="h" index="5">'
    '<§RegionRefIndexed index="1" regionRef="b"/></§OrderedGroupIndexed>'
    '<§RegionRefIndexed index="9" regionRef="d"/></§OrderedGroup></§ReadingOrder>'
)


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16", "ISO-8859-1", "windows-1252"])
@pytest.mark.parametrize("prefix", ["", "pc"])
@pytest.mark.parametrize(
    ("order", "wanted", "moved"),
    [
        (ordered("a", "b", "c", "d"), "acdb", "b"),
        (ordered("i", "a", "b", "c", "d", first=1), "dabc", "d"),
        (ordered("a", "b", "c", "d"), "cabd", "c"),
        (ordered("a", "b"), "acbd", "c"),  # c and d stood nowhere
        (ordered("a", "b"), "dabc", "d"),
        ("", "adbc", "d"),
    ],
)
def test_the_order_is_taken_and_nothing_else_changes(
    order: str, wanted: str, moved: str, prefix: str, encoding: str
) -> None:
    before = page_xml(order, prefix, encoding)
    after = with_region_order("x.xml", before, list(wanted), list(moved))
    assert regions(after) == list(wanted)
    assert without_order(after, encoding) == without_order(before, encoding)
    if order:
        assert ("x &amp; y" in order) == ("x &amp; y" in after.decode(encoding))
        assert after.decode(encoding).count("xmlns") == 1


def test_what_no_order_of_regions_can_say_is_refused() -> None:
    unordered = ('<§ReadingOrder><§UnorderedGroup id="g"><§RegionRef regionRef="a"/>'
                 '<§RegionRef regionRef="b"/></§UnorderedGroup></§ReadingOrder>')  # fmt: skip
    named = ordered("b").replace('id="g"', 'id="g" regionRef="a"')
    for order in (unordered, NESTED, named, "<§ReadingOrder/>", ordered("a", "b") * 2):
        with pytest.raises(ReadError, match=r"x\.xml: its reading order cannot be changed here"):
            with_region_order("x.xml", page_xml(order), list("bacd"), ["a"])
    with pytest.raises(ReadError):
        with_region_order("x.xml", b"<alto/>", ["a"], ["a"])


def study_of(reference: bytes, *outputs: str) -> hv.Study:
    page = hv.Page("p", read_pagexml("x.xml", reference), {
        f"S{n}": hv.Transcript.from_text("\n".join(TEXTS[one] for one in output))
        for n, output in enumerate(outputs)
    })  # fmt: skip
    return hv.score(hv.Dataset.of([page]))


def taken(study: hv.Study, *lines: int) -> TakenOrder:
    return systems_order([study.look("p", system) for system in study.systems], lines)


def test_a_doubtful_region_goes_where_most_systems_read_it_and_no_other_moves() -> None:
    reference = page_xml(ordered("a", "c", "d", "b"))
    order = taken(study_of(reference, "abcd", "abdc", "cabd"), 3)
    assert order == TakenOrder(("a", "b", "c", "d"), ("b",))
    made = with_region_order("x.xml", reference, order.order, order.moved)
    assert regions(made) == list("abcd")
    assert taken(study_of(made, "abcd", "abdc"), 1).moved == ()
    # Where systems disagree evenly it stays.
    assert taken(study_of(reference, "acdb", "bacd"), 3).moved == ()


def test_lines_that_are_part_of_a_region_move_nothing() -> None:
    text = page_xml(ordered("a", "b", "c", "d")).replace(
        b'<TextLine id="a1">', b'<TextLine id="a0"><TextEquiv><Unicode>one line more</Unicode>'
        b'</TextEquiv></TextLine><TextLine id="a1">')  # fmt: skip
    study = study_of(text, "bacd", "bacd")
    assert taken(study, 1).moved == ()
    assert taken(study, 0, 1).moved == ("a",)


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["layout/nzz", "berlin"])
def test_on_real_pages_it_opens_again_in_the_order_that_was_taken(folder: str) -> None:
    if not (SHARED / folder).is_dir():
        pytest.skip("no shared data")
    pairing = find_pairs(SHARED / folder)
    study = hv.score(read_pairing(pairing))
    for page in pairing.pages:
        content = page.reference.read()
        looks = [study.look(page.page_id, one) for one in page.hypotheses]
        of_region: dict[str | None, list[int]] = {}
        for at, line in enumerate(looks[0].reference.lines):
            of_region.setdefault(line.region, []).append(at)
        for lines in list(of_region.values())[:6]:
            order = systems_order(looks, lines)
            if order.moved:
                made = with_region_order(page.reference.name, content, order.order, order.moved)
                found = dict.fromkeys(regions(made))
                assert [one for one in found if one in order.order] == list(order.order)
                assert without_order(made) == without_order(content)
