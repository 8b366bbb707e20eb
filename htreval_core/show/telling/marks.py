"""What marks are on and what they say, in words."""

from collections.abc import Iterable, Sequence

from htreval_core.markup import shorten
from htreval_core.run.marks import LOOKED_AT, Mark, Target
from htreval_core.show.telling.counting import counted


def tell_target(target: Target) -> str:
    """A place on a page as people find it, counted from 1."""
    of = "" if not target.system else f" of {shorten(target.system, 40)}"
    quote = shorten(target.quote, 60)
    if target.on == "page":
        return "page"
    if target.on == "fault":
        return f"{quote}{of}"
    return f"{target.on} {target.first + 1}{of}: {quote}"


def tell_said(mark: Mark) -> str:
    """What a mark says: its tags, then its remark."""
    return ": ".join(filter(None, (", ".join(mark.tags), mark.remark)))


def pages_left(page_ids: Sequence[str], marks: Iterable[Mark]) -> list[str]:
    """The pages that nobody has looked at, in their order: any mark on a page is a look at it."""
    seen = {one.target.page_id for one in marks if one.target.on == "page" and one.tags}
    return [page_id for page_id in page_ids if page_id not in seen]


def tell_marks(page_ids: Sequence[str], marks: Sequence[Mark]) -> str:
    """How many pages are left, and how often each tag was given."""
    tags: dict[str, int] = {}
    for mark in marks:
        for tag in mark.tags:
            tags[tag] = tags.get(tag, 0) + 1
    left = len(pages_left(page_ids, marks))
    said = [f"{left:,} of {counted(len(page_ids), 'page')} not looked at"]
    said += [f"{shorten(tag, 40)} {n:,}" for tag, n in sorted(tags.items()) if tag != LOOKED_AT]
    return ", ".join(said)
