"""TEI editions: one text in several readings, of which the policy's levels take one.

Format: https://tei-c.org/release/doc/tei-p5-doc/en/html/PH.html (transcription of sources) and
https://tei-c.org/release/doc/tei-p5-doc/en/html/TC.html.
"""

import re
import tomllib
from codecs import BOM_UTF8
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from lxml import etree

from htreval_core.errors import ReadError
from htreval_core.model import DataWarning, Polygon, Transcript, WarningKind
from htreval_core.settings import ReadPolicy
from htreval_core.sources.readers.flow import Flow
from htreval_core.sources.readers.formulas import read_formula
from htreval_core.sources.readers.outlines import usable_box
from htreval_core.sources.readers.xml import local_name, number, parse_xml, polygon

_ELEMENTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_KINDS, _FORMS = (_ELEMENTS.pop(name) for name in ("kinds", "forms"))
_UNREAD, _BLOCKS, _OF_PAGE, _AS_IT_IS, _EDITED, _ABOUT, _REMARKS, _APART = (
    frozenset(words.split()) for words in _ELEMENTS.values()
)
"""Elements that begin and end a line; a quotation does so only where it holds blocks itself."""
_TEXTS, _CHOSEN = ("{*}div", "{*}text", "{*}ab"), ("choice", "app", "rdgGrp")
_CHANGED = ("mod", "restore")
_OF_EDITOR = re.compile(r"edit|\bed\b|transl|herausg|hrsg", re.IGNORECASE)
_BESIDE = re.compile("margin|left|right|above|top|inline", re.IGNORECASE)
_OF_HANDS = re.compile(
    "author|hand|scribe|recipient|receiver|addressee|archiv|^#h\\d", re.IGNORECASE
)
_AT_FOOT = ("foot", "bottom", "end")
"""Where a note stands on the page whose text stands elsewhere in the file."""
_PAIRS = (
    ("orig", "reg", "normalised"), ("sic", "corr", "normalised"), ("abbr", "expan", "expanded"),
    ("am", "ex", "expanded"),
)  # fmt: skip
"""What stands on the page, what the editor makes of it, and the level that takes the latter."""
_FRAGMENT = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*<(?:div|p|body|head|ab|lg|list|table)\b(?![^>]*\sxmlns)"
)
_CLOSING = tuple(",.;:!?)")
_HYPHENS = "-¬⸗=\u00ad\u2010"
_CODE = re.compile("U\\+([0-9A-F]{4,5})$")
_ID = "{http://www.w3.org/XML/1998/namespace}id"


def read_tei(name: str, content: bytes, policy: ReadPolicy | None = None) -> Transcript:
    """The text of a TEI file, as the levels of the policy have it.

    Lines end at ``lb`` and around paragraphs and their like. Outlines come from the zones that
    ``facs`` names.

    Raises:
        ReadError: it is no well-formed XML, or has no text.
    """
    policy = policy or ReadPolicy()
    if _FRAGMENT.match(content):
        # What an edition calls a paragraph may stand by itself, or beside others.
        content = b"<TEI><text><body>" + content.removeprefix(BOM_UTF8) + b"</body></text></TEI>"
    root = parse_xml(name, content, policy.limits)
    no_text = _as_today(root, policy.edition)
    # An embedded transcription stands in sourceDoc, any other in text.
    inner = ("{*}text", "{*}sourceDoc")
    texts = [one for one in root.iter(*inner) if next(one.iterancestors(*inner), None) is None]
    if not texts and local_name(root).lower().startswith("tei"):
        raise ReadError(f"{name}: TEI without a text element; export the transcription itself")
    warnings = []
    of_page = [one for one in texts if local_name(one) == "sourceDoc" and _holds_text(one)]
    if of_page and any(local_name(one) == "text" and _holds_text(one) for one in texts):
        # What stands on the page, line by line, unless a level asks for what was made of it.
        read = "text" if policy.edition else "sourceDoc"
        texts = [one for one in texts if local_name(one) == read]
        warnings.append(DataWarning(name, WarningKind.TWO_TEXTS, (read,)))
    flow = Flow(name, policy.limits)
    walk = _Walk(flow, policy.edition, _zones(root), _images(root))
    for element in texts or [root]:
        walk.through(element)
    flow.end()
    if walk.cut_words:
        warnings.append(DataWarning(name, WarningKind.SUPPLIED, count=walk.cut_words))
    if no_text:
        warnings.append(DataWarning(name, WarningKind.SIGNS_LEFT, count=no_text))
    if walk.loose_notes:
        warnings.append(DataWarning(name, WarningKind.NOTES_READ, count=walk.loose_notes))
    if walk.left_out:
        warnings.append(DataWarning(name, WarningKind.PARTS_LEFT, tuple(walk.left_out)))
    surface = next(root.iter("{*}surface"), None)
    size, image = _size(surface), _image(root)
    pages = tuple(walk.pages)
    return Transcript(tuple(flow.lines), "document", size, image, tuple(warnings), pages=pages)


def _as_today(root: etree._Element, edition: Collection[str]) -> int:
    """Gives older files the form of today; how many signs (``g``) are left without a text."""
    for div in root.iter(*(f"{{*}}div{level}" for level in range(1, 8))):
        div.tag = "div"
    shown = {}
    for pair in _PAIRS:
        page, editor = pair[:2] if pair[2] not in edition else pair[1::-1]
        shown[editor] = page
    for one in root.iter(*(f"{{*}}{editor}" for editor in shown)):
        if (said := one.get(shown[local_name(one)])) is not None:
            one.text = said
            del one[:]
    empty = [one for one in root.iter("{*}g") if not one.text and not len(one)]
    known = {}
    for one in root.iter("{*}char", "{*}glyph") if empty else ():
        for said in filter(None, (mapping.text for mapping in one.iterfind("{*}mapping"))):
            code = _CODE.match(said)
            sign = chr(int(code[1], 16)) if code else said
            # Of signs for private use nobody but the project knows how they look.
            known.update({one.get(_ID): sign} if sign.isprintable() else {})
    for one in empty:
        one.text = known.get(one.get("ref", "").lstrip("#"))
    return sum(not one.text for one in empty)


def _holds_text(element: etree._Element) -> bool:
    return any(text.strip() for text in element.itertext(etree.Element))


def _said(text: str | None, around: etree._Element) -> str | None:
    """A text, unless it is white space of an element that has other elements alone."""
    tag = local_name(around)
    if (text or "").strip() or tag not in (*_CHOSEN, *_CHANGED, "subst", "overw"):
        return text
    own = filter(None, (around.text, *(one.tail for one in around)))
    return text if tag in _CHANGED and "".join(own).strip() else None


def _is_block(element: etree._Element, tag: str) -> bool:
    if tag == "note" and element.get("place") == "inline":
        return False
    return tag in _BLOCKS and (tag != "quote" or len(element) > 0)


def _part(div: etree._Element) -> str:
    """What of an edition it is, by its kind within a kind where it has one."""
    own, inner = (div.get(name, "").lower() for name in ("type", "subtype"))
    return inner if inner in (*_OF_PAGE, *_EDITED, *_ABOUT) else own


def _is_remark(note: etree._Element) -> bool:
    """Whether a note is the editor's; the author's, too, may say whose it is."""
    kind, resp, place = (note.get(name, "") for name in ("type", "resp", "place"))
    kind = kind.lower()
    is_on_page = note.get("hand") or _BESIDE.search(place) or _OF_HANDS.search(resp)
    # A comment is what programs make of the comments of Word.
    of_editor = place == "comment" or (resp and not _OF_HANDS.search(kind))
    of_editor = of_editor and (place in ("", "comment") or _OF_EDITOR.search(resp))
    # ediarum has the words that a note is about in a segment with it.
    before = note.getprevious()
    is_after_words = before is not None and local_name(before) == "orig"
    of_segment = is_after_words and local_name(note.getparent()) == "seg"
    return not is_on_page and bool(kind in _REMARKS or of_editor or of_segment)


def _is_beside(div: etree._Element) -> bool:
    """Whether it is a translation or summary that stands beside the text itself."""
    part = _part(div)
    if part in _ABOUT and next(div.iterancestors("{*}back"), None) is not None:
        return next(div.iter("{*}pb"), None) is None
    beside = (one for back in (True, False) for one in div.itersiblings(preceding=back))
    return part in ("translation", "regest", "abstract", "summary") and any(
        local_name(one) in ("div", "text", "p", "ab", "lg") and _part(one) not in _ABOUT
        for one in beside
    )


def _image(element: etree._Element) -> str | None:
    graphic = next(element.iter("{*}graphic"), None)
    return graphic.get("url") if graphic is not None else None


_OF_SERVER = re.compile(r"(?:/[^/]+){3}/(?:default|native|color|gray|bitonal)\.\w+$")
"""What a IIIF server needs to know of an image, behind its name."""


def _images(root: etree._Element) -> dict[str, str | None]:
    """The images of surfaces by their ids."""
    return {one.get(_ID, ""): _image(one) for one in root.iter("{*}surface", "{*}graphic")}


def _zones(root: etree._Element) -> Mapping[str, Polygon]:
    found: dict[str, Polygon] = {}
    for zone in root.iter("{*}zone", "{*}line", "{*}surface"):
        key = zone.get(_ID)
        outline = polygon(zone.get("points", "")) or _box(zone)
        if key and outline is not None:
            found[key] = outline
    return found


def _box(zone: etree._Element) -> Polygon | None:
    if not all(zone.get(side) for side in ("ulx", "uly", "lrx", "lry")):
        return None
    box = usable_box(*(number(zone, side, 0.0) for side in ("ulx", "uly", "lrx", "lry")))
    return Polygon.from_box(*box) if box else None


def _size(surface: etree._Element | None) -> tuple[int, int] | None:
    if surface is None:
        return None
    right, bottom = number(surface, "lrx", 0.0), number(surface, "lry", 0.0)
    return (int(right), int(bottom)) if 1 <= right < 1e9 and 1 <= bottom < 1e9 else None


class _Walk:
    """The way through the elements of a text, in document order."""

    def __init__(
        self, flow: Flow, edition: tuple[str, ...], zones: Mapping[str, Polygon],
        images: Mapping[str, str | None],
    ) -> None:  # fmt: skip
        self._flow, self._edition, self._zones, self._images = flow, edition, zones, images
        asked = (editor for _, editor, level in _PAIRS if level in edition)
        self._wanted = ("lem", *asked, *(page for page, _, _ in _PAIRS))
        self.pages: list[str] = []
        self.cut_words = 0
        self.loose_notes = 0
        """Those of which nothing says where they stand and whose they are."""
        self.left_out: dict[str, None] = {}
        """Divisions with text that is no text of the page, by their kinds."""
        self._is_apart = False
        """Whether the last that was read is a word, from which only tags divide what follows."""
        self._deleted_to: str | None = None
        """The id of the element at which a deletion that was begun ends."""
        self._beside: list[etree._Element] = []
        self._at_foot: list[etree._Element] = []
        """Notes whose line, or page, is not yet at its end."""

    def through(self, root: etree._Element) -> None:
        """Every word below an element. Deep nesting is walked without recursion."""
        waiting: list[tuple[etree._Element, str]] = [(root, "enter")]
        self._deleted_to = None
        self._parts = {*map(_part, root.iter(*_TEXTS))}
        self._is_edition = bool(self._parts & _OF_PAGE) or any(map(_is_beside, root.iter(*_TEXTS)))
        ends: Collection[str | None] = ()
        if "deleted" not in self._edition and next(root.iter("{*}delSpan"), None) is not None:
            ends = {one.get(_ID) for one in root.iter()}
        while waiting or self._beside or self._at_foot:
            if self._beside and not (waiting and self._flow.so_far.strip()):
                waiting += [(note, "note") for note in reversed(self._beside)]
                self._beside.clear()
            elif not waiting or (self._at_foot and local_name(waiting[-1][0]) == "pb"):
                waiting += [(note, "note") for note in reversed(self._at_foot)]
                self._at_foot.clear()
            element, step = waiting.pop()
            tag = local_name(element)
            if step not in ("enter", "note"):
                if step in ("leave", "end"):
                    self._leave(element, tag)
                elif tag == "supplied":
                    tail = element.tail or ""
                    self.cut_words += self._flow.so_far[-1:].isalpha() or tail[:1].isalpha()
                if element is not root and step != "end" and self._deleted_to is None:
                    self._add(_said(element.tail, element.getparent()))
                continue
            if tag == "delSpan" and (to := element.get("spanTo", "").lstrip("#")) in ends:
                self._deleted_to = to
            elif self._deleted_to is not None and element.get(_ID) == self._deleted_to:
                self._deleted_to = None
            is_read = bool(tag) and self._is_read(element, tag)
            if is_read and tag == "note" and step == "enter" and self._is_later(element):
                is_read = False
            waiting.append((element, "end" if step == "note" else "leave" if is_read else "pass"))
            if is_read:
                self._enter(element, tag)
                if self._deleted_to is None:
                    self._add(_said(element.text, element), element.get("notation"))
                inner = list(self._children(element, tag))
                waiting += [(child, "enter") for child in reversed(inner)]

    def _add(self, text: str | None, notation: str | None = None) -> None:
        if text and notation and "tex" in notation.lower():
            text = read_formula(text.strip("$"))
        self._is_apart = self._is_apart and not text
        self._flow.add(text)

    def _is_later(self, note: etree._Element) -> bool:
        """Whether a note is told where its sign stands: it is read at the end of page or line."""
        if note.get("place") in _AT_FOOT:
            self._at_foot.append(note)
        elif self._flow.so_far.strip() and _is_block(note, "note"):
            self._beside.append(note)
        else:
            return False
        return True

    def _children(self, element: etree._Element, tag: str) -> Iterator[etree._Element]:
        if tag not in _CHOSEN:
            yield from element.iterchildren("{*}over") if tag == "overw" else element
            return
        names = {local for child in element if (local := local_name(child)) not in ("", "note")}
        wanted = next(filter(names.__contains__, self._wanted), "")
        among = {wanted} if wanted else names
        read = [child for child in element if local_name(child) in among]
        # Of readings that nothing tells apart, the last of a writer or the editor's first.
        read.sort(key=lambda one: -number(one, "varSeq", 0.0))
        yield from read if wanted else read[:1]

    def _is_read(self, element: etree._Element, tag: str) -> bool:
        edition = self._edition
        # The lemma of an apparatus that names its place stands in the text.
        is_apart = tag == "app" and element.get("from", element.get("to"))
        if tag in _UNREAD or is_apart or (tag == "note" and _is_remark(element)):
            return False
        if tag == "head" and self._parts & _OF_PAGE:
            return not any(_part(div) in _OF_PAGE for div in element.itersiblings("{*}div"))
        if tag in ("div", "text", "ab") and self._is_edition:
            part = _part(element)
            is_double = self._parts & _AS_IT_IS and self._parts & _EDITED
            unwanted = _AS_IT_IS if "normalised" in edition else _EDITED
            if part in _ABOUT or (is_double and part in unwanted):
                self.left_out |= {part: None} if _holds_text(element) else {}
                return False
        if tag == "listBibl" and next(element.iterancestors("{*}back"), None) is not None:
            return False
        if tag == "del" and "deleted" not in edition:
            return next(element.iterancestors("{*}restore"), None) is not None
        if tag == "supplied":
            return "supplied" in edition
        if tag == "unclear":
            return "sure" not in edition
        # The letters that an abbreviation stands for, and the sign that stands for them.
        if tag == "ex":
            return "expanded" in edition
        return not (tag == "am" and "expanded" in edition)

    def _enter(self, element: etree._Element, tag: str) -> None:
        flow = self._flow
        self.loose_notes += tag == "note" and not any(map(element.get, ("place", "hand", "resp")))
        before = element.getprevious() if tag == "pc" else None
        is_apart = before is not None and "\n" in (before.tail or "")
        if element.get("join") in ("left", "both") or (
            is_apart and (element.text or "").strip()[:1] in _CLOSING
        ):
            flow.rejoin(after=False)
        if tag in ("lb", "pb", "cb", "gb"):
            self._break(element)
            if tag == "pb":
                # What stands before the first break, but for headings, is a page of its own.
                if not self.pages and any(one.region_kind != "heading" for one in flow.lines):
                    self.pages.append("")
                facs = element.get("facs", "")
                image = self._images.get(facs[1:]) if facs[:1] == "#" else facs
                self._page(_OF_SERVER.sub("", image or "") or element.get("n", ""))
        elif tag in ("cell", "space") or (
            tag in _APART and self._is_apart and element.get("join") not in ("left", "both")
            and element.get("part") not in ("M", "F")
        ):  # fmt: skip
            flow.add(" ")
        elif _is_block(element, tag):
            flow.end()
            if tag == "surface" and next(element.iterancestors("{*}surface"), None) is None:
                self._page(_image(element) or element.get("n", ""))
            flow.kind = self._kind(element, tag)
            flow.region = element.get(_ID) or flow.region
            flow.outline = self._zone(element) or flow.outline

    def _leave(self, element: etree._Element, tag: str) -> None:
        if element.get("join") in ("right", "both"):
            self._flow.rejoin()
        elif tag in _APART or tag == "pc":
            self._is_apart = element.get("part") not in ("I", "M")
        if _is_block(element, tag):
            self._flow.end()
            around = element.getparent()
            self._flow.kind = self._kind(around, local_name(around)) if around is not None else None

    def _page(self, name: str) -> None:
        self.pages.append(name)
        self._flow.page = len(self.pages) - 1

    def _break(self, element: etree._Element) -> None:
        flow = self._flow
        # A word goes on without a sign of it: as on the page, but in one piece.
        self._is_apart = False
        if element.get("break") == "no" and not flow.so_far.rstrip().endswith(tuple(_HYPHENS)):
            flow.rejoin()
            return
        flow.end()
        flow.outline = self._zone(element)

    def _kind(self, element: etree._Element, tag: str) -> str | None:
        while element is not None and tag not in ("text", "body", "div", ""):
            if tag == "fw":
                return _FORMS.get(element.get("type", ""), "header")
            if tag == "note" and "margin" in element.get("place", ""):
                return "marginalia"
            if tag in _KINDS:
                return _KINDS[tag]
            element = element.getparent()
            tag = local_name(element) if element is not None else ""
        return None

    def _zone(self, element: etree._Element) -> Polygon | None:
        own = element.get(_ID, "")
        return self._zones.get(element.get("facs", "").lstrip("#")) or self._zones.get(own)
