"""Pictograms: one a kind, all different, and the documents show them as they are."""

import pytest
from lxml import etree

from htreval_core.diagnosis import EventKind
from htreval_core.show.pictograms import PICTOGRAMS, pictogram, pictogram_address, pictogram_file
from tests.conftest import ROOT


def pictogram_name(kind: EventKind) -> str:
    """The name of its file in the documents."""
    return f"{kind.name.lower().replace('_', '-')}.svg"


def test_every_kind_has_its_own() -> None:
    assert set(PICTOGRAMS) == set(EventKind)
    assert len(set(PICTOGRAMS.values())) == len(EventKind)


@pytest.mark.parametrize("kind", EventKind)
def test_each_is_drawn_inside_its_box(kind: EventKind) -> None:
    svg = etree.fromstring(str(pictogram(kind)))
    assert [child.tag for child in svg] == ["path", "path"]
    assert svg.get("viewBox") == "0 0 24 18"
    assert pictogram_address(kind).startswith("data:image/svg+xml;base64,")


def test_the_documents_show_them_as_they_are() -> None:
    shown = ROOT / "docs" / "images" / "kinds"
    assert {file.name for file in shown.iterdir()} == {pictogram_name(kind) for kind in EventKind}
    for kind in EventKind:
        drawn = (shown / pictogram_name(kind)).read_text("utf-8")
        assert drawn == f"{pictogram_file(kind)}\n"
    document = (ROOT / "docs" / "diagnosis.md").read_text("utf-8")
    for kind in EventKind:
        assert pictogram_name(kind) in document
