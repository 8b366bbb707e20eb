"""HistoricalDocument XML, as CHURRO writes and is scored on it.

Format: https://github.com/stanford-oval/Churro (evaluation/historical_doc.xsd).
"""

from lxml import etree

from htreval_core.errors import ReadError
from htreval_core.model import Transcript
from htreval_core.settings import ReadPolicy
from htreval_core.sources.names import named
from htreval_core.sources.readers.blocks import kind_of
from htreval_core.sources.readers.flow import Flow
from htreval_core.sources.readers.xml import local_name, parse_xml

_UNREAD, _INLINE, _KINDS = (named(f"historical_{what}") for what in ("unread", "inline", "kinds"))


def read_historical(name: str, content: bytes, policy: ReadPolicy | None = None) -> Transcript:
    """The header, body and footer of each page, line by line, in document order.

    What is illegible, lost or only described is not text. What is struck out is text only if the
    policy reads it.

    Raises:
        ReadError: it is no well-formed HistoricalDocument.
    """
    policy = policy or ReadPolicy()
    pages = list(parse_xml(name, content, policy.limits).iter("{*}Page"))
    if not pages:
        raise ReadError(f"{name}: a HistoricalDocument without a Page; write it again")
    flow = Flow(name, policy.limits)
    for flow.page, page in enumerate(pages):
        _walk(page, flow, policy)
        flow.end()
    return Transcript(tuple(flow.lines), "document", pages=("",) * len(pages))


def _walk(page: etree._Element, flow: Flow, policy: ReadPolicy) -> None:
    waiting: list[tuple[etree._Element, str]] = [(page, "enter")]
    while waiting:
        element, step = waiting.pop()
        tag = local_name(element)
        in_row = tag in ("Line", "TableCell") and "TableRow" in map(
            local_name, element.iterancestors()
        )
        if step != "enter":
            if in_row:
                flow.add(" ")
            elif step == "leave" and tag not in _INLINE:
                flow.end()
            if element is not page:
                flow.add(element.tail)
            continue
        is_read = bool(tag) and tag not in _UNREAD
        is_read = is_read and (tag != "Deletion" or "deleted" in policy.edition)
        waiting.append((element, "leave" if is_read else "pass"))
        if not is_read:
            continue
        if tag not in _INLINE:
            if not in_row:
                flow.end()
            names = [local_name(element), *map(local_name, element.iterancestors())]
            flow.kind = next((kind_of(name) for name in names if name in _KINDS), None)
        flow.add(element.text)
        waiting += [(child, "enter") for child in reversed(element)]
