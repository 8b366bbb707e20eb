"""The lines with most errors, as text and CSV."""

from collections.abc import Iterable, Iterator

from htreval_core.markup import shorten
from htreval_core.show.tables.values import csv_text, plain
from htreval_core.show.telling.counting import counted
from htreval_core.words.lines import WorstLine

_SHOWN = 200
"""Characters of a line that a terminal shows: a page without line breaks is a single line."""


def lines_csv(lines: Iterable[WorstLine]) -> str:
    """A row per line and system, in the order of the lines."""
    rows = (
        (one.page_id, one.line, one.text, read.system, read.errors, read.text)
        for one in lines
        for read in one.reads
    )
    return csv_text([("page_id", "line", "reference", "system", "errors", "output"), *rows])


def lines_text(lines: Iterable[WorstLine]) -> str:
    """Each line with what every system wrote for it."""
    return "\n".join(said for one in lines for said in _told(one)) or "No line has an error.\n"


def _told(one: WorstLine) -> Iterator[str]:
    yield (f"{plain(one.page_id)}, line {one.line}: {counted(one.errors, 'error')}")
    width = max(len("reference"), *(len(plain(read.system)) for read in one.reads))
    yield f"  {'reference':{width}}      {plain(shorten(one.text, _SHOWN))}"
    for read in one.reads:
        text = plain(shorten(read.text, _SHOWN))
        yield f"  {plain(read.system):{width}}  {read.errors:>2}  {text}".rstrip()
    yield ""
